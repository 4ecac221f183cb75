# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF and URDF in Blender: File > Import and File > Export."""

from __future__ import annotations

from ..registration import in_order
from . import operators

PARTS = (operators,)

register, unregister = in_order(PARTS)
