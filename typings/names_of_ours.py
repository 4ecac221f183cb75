# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines with our own data in Blender, right and wrong, which mypy reads and nobody runs.

Each wrong one says which error it is, and mypy's strict mode says of an error that does not come
that its comment is unused.
"""

from bpy.types import Context, Object, Scene


def edit(joint: Object, scene: Scene) -> None:
    """Use fields as they are, and misspell some."""
    data, body = joint.omi_physics_joint, joint.omi_physics_body
    data.connected_body = joint
    data.connected_bdoy = joint  # type: ignore[attr-defined]
    body.use_collider = body.is_body
    body.use_colider = True  # type: ignore[attr-defined]
    body.collider.shape.size = (1.0, 2.0, 3.0)
    scene.omi_physics_preview.speed = sum(data.connected_position)
    scene.omi_physics_preview.speed = "fast"  # type: ignore[assignment]
    print(data.settings.name)  # type: ignore[union-attr] # there may be none
    if data.settings is not None:
        for limit in data.settings.limits:
            limit.angular_max = limit.linear_max
            limit.angular_maximum = 1.0  # type: ignore[attr-defined]


def look(context: Context) -> None:
    """Ask for the active object, which there may not be."""
    print(context.object.name)  # type: ignore[union-attr]
    if context.object is not None:
        print(context.object.name)
