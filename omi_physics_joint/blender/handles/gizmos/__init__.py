# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles of joints as gizmos of the 3D view. They name the operator by id and know none."""

from __future__ import annotations

from . import group, handle

PARTS = (handle, group)
