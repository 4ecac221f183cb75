# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line asks of Blender."""

from __future__ import annotations

from ..registration import in_order
from . import operators

PARTS = (operators,)

register, unregister = in_order(PARTS)
