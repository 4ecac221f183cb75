# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults made by hand below ``blender/`` that no test noticed in November 2026.

Each is what ``handmade.Handmade`` has: a name, the tests that notice it now, the file, what stands
there, and what stands there instead.
"""

from __future__ import annotations

THIN_BLENDER = (
    (
        "settings edited before the last edit are forgotten",
        "blender/test_there_and_back.py",
        "omi_physics_joint/blender/overlay/survey.py",
        "blocks={**found.blocks, **changed})",
        "blocks=changed)",
    ),
    (
        "the window that plays is guarded, and others are not",
        "blender/test_play_hands.py",
        "omi_physics_joint/blender/play/operators.py",
        "if window != context.window:",
        "if window == context.window:",
    ),
    (
        "how far loops stay open is told as an angle",
        "blender/test_pose_rest.py",
        "omi_physics_joint/blender/posing/operators.py",
        "gap = said(session.last.gap, Freedom.LINEAR, context.scene)",
        "gap = said(session.last.gap, Freedom.ANGULAR, context.scene)",
    ),
    (
        "what rests within a mesh did not come into it",
        "blender/test_gone_through.py",
        "omi_physics_joint/blender/simulated/passing.py",
        "inside = ((was[:, None] <= most) & (was[:, None] >= least)).all(axis=2)",
        "inside = ((now[:, None] <= most) & (now[:, None] >= least)).all(axis=2)",
    ),
    (
        "the handle that moves a frame has the colour of a bound",
        "blender/test_gizmos.py",
        "omi_physics_joint/blender/handles/gizmos.py",
        "    if handle.part is Part.MOVE:\n        return MOVE_COLOR\n",
        "",
    ),
    (
        "foreign drives alone are nothing to save",
        "blender/test_preset_files.py",
        "omi_physics_joint/blender/presets/operators.py",
        "(settings.limits or settings.drives or settings.foreign_drives)",
        "(settings.limits or settings.drives)",
    ),
    (
        "second frames stand in the instances of the first",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/overlay/drawn_joints.py",
        "_by_chain([row.partner_chain for row in rows]),",
        "_by_chain([row.chain for row in rows]),",
    ),
    (
        "only what has a parent can be moved below its body",
        "blender/test_export_along.py",
        "omi_physics_joint/blender/gltf_hooks/exported/scope.py",
        "siblings = vtree.roots if vnode.parent_uuid is None else vtree.nodes",
        "siblings = vtree.nodes",
    ),
    (
        "a hint leads to the last body, and names the first",
        "blender/test_named_right.py",
        "omi_physics_joint/blender/simulated/reading.py",
        "names, what, fix, bodies[0])",
        "names, what, fix, bodies[-1])",
    ),
    (
        "options of USD look alive with physics switched off",
        "blender/test_shown.py",
        "omi_physics_joint/blender/usd_hooks/panels.py",
        "        self.layout.active = options.use_export\n",
        "",
    ),
    (
        "physics drives out the extensions of others",
        "blender/test_export_scope.py",
        "omi_physics_joint/blender/gltf_hooks/exported/phases.py",
        "    owner.extensions = {**(owner.extensions or {}), **ours}\n",
        "    owner.extensions = ours\n",
    ),
    (
        "a key commands once more when it is let go",
        "blender/test_play_hands.py",
        "omi_physics_joint/blender/play/viewport/events.py",
        'command = _command(context, event) if event.value == "PRESS" else None',
        "command = _command(context, event)",
    ),
    (
        "settings of a missing library have no name",
        "blender/test_missing_libraries.py",
        "omi_physics_joint/blender/bridge/read_settings.py",
        "return JointSettings(name=block.name)",
        "return JointSettings()",
    ),
    (
        "the shape of a trigger is that of the collider",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/data/body.py",
        "(self.use_trigger, self.trigger.shape),",
        "(self.use_trigger, self.collider.shape),",
    ),
    (
        "a joint goes back to a body that is in no scene",
        "blender/test_check_newcomers.py",
        "omi_physics_joint/blender/between_bodies/remembered.py",
        "one.omi_physics_body.is_body and one.users_scene and",
        "one.omi_physics_body.is_body and",
    ),
    (
        "corners made in Edit Mode are not seen",
        "blender/test_create_awkward.py",
        "omi_physics_joint/blender/create/operators.py",
        "    for obj in context.selected_objects:\n        obj.update_from_editmode()\n",
        "",
    ),
    (
        "keys of switches go in straight lines",
        "blender/test_animated_settings.py",
        "omi_physics_joint/blender/bridge/keyed.py",
        "tuple(values), True),)",
        "tuple(values)),)",
    ),
    (
        "nothing is typed, and that is no number",
        "blender/test_drag_operator.py",
        "omi_physics_joint/blender/handles/operators.py",
        "bool(text) and not self._drag.typed(text)",
        "not self._drag.typed(text)",
    ),
    (
        "the first row is lit where nothing is active",
        "blender/test_ui_lists.py",
        "omi_physics_joint/blender/joints/lists.py",
        "return -1 if active is None",
        "return 0 if active is None",
    ),
    (
        "an object on a stage is taken for its instance",
        "blender/test_usd.py",
        "omi_physics_joint/blender/usd_hooks/exporting.py",
        "nearest = min(below or known",
        "nearest = max(below or known",
    ),
    (
        "nothing is tried of a .blend",
        "blender/test_batch.py",
        "omi_physics_joint/cli/examine.py",
        '"path": str(path), "readers": arguments.reader})',
        '"path": str(path), "readers": arguments.reader, "tries": False})',
    ),
    (
        "what alone is unknown on a node is dropped",
        "blender/test_kept_members.py",
        "omi_physics_joint/blender/gltf_hooks/imported/importing.py",
        "any(node.is_physical or node.unknown for",
        "any(node.is_physical for",
    ),
    (
        "instances of a mechanism belong to it",
        "blender/test_mechanism_said.py",
        "omi_physics_joint/blender/articulation/connected_objects.py",
        "if node.instance is None and node.object in needed",
        "if node.object in needed",
    ),
    (
        "a shelf lies on the cabinet that it meets on several sides",
        "blender/test_suited_held.py",
        "omi_physics_joint/blender/create/slides.py",
        "[axis for axis, _ in room.blocked] == [2]",
        "2 in [axis for axis, _ in room.blocked]",
    ),
)
