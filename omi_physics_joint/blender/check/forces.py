# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives by acceleration, which engines weigh each in their own way, made drives by force."""

from __future__ import annotations

import bpy
from bpy.types import Object

from ...model.joint import AXES, DriveMode, Freedom
from ...model.wording.words import counted
from ...solver import drive_inertias
from ..bridge.placed import placed_in_scene
from ..bridge.read_nodes import mechanism_from_placed
from ..joints.authoring import AuthoringError
from ..joints.settings_editing import block_of, own_settings, users_of


def as_force(joint: Object) -> str:
    """Give drives the mode of forces and what they move at rest, all joints of these settings.

    Joints move different bodies, so each that has shared them gets its own.
    """
    block = block_of(joint)
    if block.animation_data is not None:
        message = f"{block.name} is animated: set the mode by hand, as keys are numbers of a mode."
        raise AuthoringError(message)
    placed = placed_in_scene(bpy.context.scene)
    mechanism = mechanism_from_placed(placed).mechanism
    inertias = drive_inertias(mechanism)
    nodes = {one.object: index for index, one in enumerate(placed)}
    users = users_of(block)
    here = [user for user in users if user in nodes and user.is_editable]
    for user in here:
        own = own_settings(block, [user], alone=len(users) > 1)
        read = mechanism.nodes[nodes[user]].joint
        drives = () if read is None else mechanism.settings[read.settings].drives
        for item, drive in zip(own.drives, drives, strict=False):
            at = drive.axis + (len(AXES) if drive.type is Freedom.ANGULAR else 0)
            inertia = inertias.get((nodes[user], at))
            if drive.mode is not DriveMode.ACCELERATION or inertia is None:
                continue
            item.stiffness *= inertia
            item.damping *= inertia
            item.mode = DriveMode.FORCE
    if any(item.mode == DriveMode.ACCELERATION for item in block_of(joint).drives):
        raise AuthoringError(f"A drive of {joint.name} moves nothing that could be weighed.")
    return f"Drives of {counted(len(here), 'joint')} work by force, as strong as they are at rest."
