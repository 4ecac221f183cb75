# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong in a scene, and how it is mended."""

from __future__ import annotations

from ..registration import in_order
from . import aging, issue_list, operators, panels

PARTS = (aging, operators, issue_list, panels)

register, unregister = in_order(PARTS)
