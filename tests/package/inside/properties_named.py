# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs the zip, and answers which names are no properties of what they are said to be of."""

from __future__ import annotations

import json
from functools import reduce

import bpy
from session import arguments, finish

given = arguments()
bpy.ops.extensions.package_install_files(
    filepath=given["zip"], repo="user_default", enable_on_install=True
)
for x in (0.0, 2.0):
    bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
bpy.ops.object.select_all(action="SELECT")
bpy.ops.omi_joint.create(kind="HINGE")
joint = bpy.context.object
settings = joint.omi_physics_joint.settings
holders = {
    "Object.omi_physics_joint": joint.omi_physics_joint,
    "settings.limits": settings.limits[0],
    "settings.drives": settings.drives.add(),
    "Object.omi_physics_body": joint.parent.omi_physics_body,
    "Scene.omi_physics_joint": bpy.context.scene.omi_physics_joint,
}


def is_there(holder: object, path: str) -> bool:
    """Return whether a path of properties leads somewhere."""
    try:
        reduce(getattr, path.split("."), holder)
    except AttributeError:
        return False
    return True


finish(
    {
        where: [name for name in names if not is_there(holders[where], name)]
        for where, names in json.loads(given["named"]).items()
    }
)
