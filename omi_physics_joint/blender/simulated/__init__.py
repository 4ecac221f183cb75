# SPDX-License-Identifier: GPL-3.0-or-later
"""What play and timeline share: what of a scene moves, and one run of it."""

from __future__ import annotations

PARTS = ("properties",)
