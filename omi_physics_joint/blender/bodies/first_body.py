# SPDX-License-Identifier: GPL-3.0-or-later
"""The field for the first body of the active joint.

Which body that is, the parents of the joint's object say, and nobody else. A field with an
eyedropper needs a pointer of its own, so the scene has one for the active joint, which follows the
parents; whoever sets it moves the joint below another body.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from bpy.app import handlers
from bpy.types import Context, Depsgraph, Object, Scene, ViewLayer

from ..bridge.placed import body_of
from ..data.scene import OMI_JOINT_PG_scene, retargets
from ..joints.authoring import AuthoringError
from ..joints.editing import hold_by
from ..registration import on


def _retarget(context: Context, options: OMI_JOINT_PG_scene) -> None:
    """Put the active joint below the body that was chosen; what cannot be is said and undone."""
    joint = _active_joint(context.view_layer)
    if joint is None or not joint.is_editable or options.first_body == body_of(joint):
        return
    body = options.first_body
    if body is not None:
        try:
            hold_by(joint, body)
        except AuthoringError as error:
            sentence = str(error)
            if not bpy.app.background:  # at the mouse, as operators report theirs
                context.window_manager.popup_menu(
                    lambda menu, _context: menu.layout.label(text=sentence, icon="ERROR"),
                    title="Physics Joint",
                )
    _follow(options, joint)


def _active_joint(layer: ViewLayer | None) -> Object | None:
    active = None if layer is None else layer.objects.active
    return active if active is not None and active.omi_physics_joint.is_joint else None


def _follow(options: OMI_JOINT_PG_scene, joint: Object | None) -> None:
    """Have the field show what the parents of a joint say.

    It is written where it is stored: after an update Blender builds its dependency graph anew.
    """
    body = body_of(joint)
    if options.first_body != body and options.id_data.is_editable:
        options.property_unset("first_body")
        if body is not None:
            is_apart = bpy.app.version >= (5, 0, 0)
            stored = options.bl_system_properties_get(do_create=True) if is_apart else options
            stored["first_body"] = body


@on(handlers.depsgraph_update_post)
def follow_active(scene: Scene, depsgraph: Depsgraph) -> None:
    """Show the body of the joint that has become active, or was parented anew."""
    layer = scene.view_layers.get(depsgraph.view_layer.name)
    _follow(scene.omi_physics_joint, _active_joint(layer))


@on(handlers.load_post, handlers.undo_post, handlers.redo_post)
def follow_all(*_arguments: object) -> None:
    """Show the body of the active joint after all data was replaced."""
    layer = bpy.context.view_layer
    if layer is not None:
        _follow(bpy.context.scene.omi_physics_joint, _active_joint(layer))


def while_on() -> Iterator[None]:
    """Give the field its life."""
    retargets.append(_retarget)
    yield
    retargets.remove(_retarget)
