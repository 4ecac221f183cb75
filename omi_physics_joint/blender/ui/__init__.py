# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels, lists and menus. They name operators by id and know none."""

from __future__ import annotations

from ..registration import in_order
from . import (
    articulation_panel,
    body_joints,
    body_panels,
    joint_panels,
    lists,
    menus,
    overlay_panels,
    play_panels,
    pose_panels,
    readers,
    sidebar,
    timeline_panels,
)

PARTS = (
    lists,
    joint_panels,
    body_panels,
    body_joints,
    readers,
    sidebar,
    play_panels,
    pose_panels,
    articulation_panel,
    timeline_panels,
    menus,
    overlay_panels,
)

register, unregister = in_order(PARTS)
