# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles in the 3D view: where they are, how they look, and what dragging them does."""

from __future__ import annotations

from ..registration import in_order
from . import gizmos, operators, properties

PARTS = (properties, operators, gizmos)

register, unregister = in_order(PARTS)
