# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line asks of Blender."""

from __future__ import annotations

from .operators import classes, register, unregister

__all__ = ["classes", "register", "unregister"]
