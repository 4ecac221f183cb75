# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles of joints as gizmos of the 3D view."""

from __future__ import annotations

PARTS = ("handle",)
