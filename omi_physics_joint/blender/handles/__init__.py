# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles in the 3D view: where they are, how they look, and what dragging them does."""

PARTS = ("properties", "operators", "gizmos")
