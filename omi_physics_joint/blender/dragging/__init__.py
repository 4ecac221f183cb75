# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles in the 3D view: where they are, and what dragging them does to joints."""
