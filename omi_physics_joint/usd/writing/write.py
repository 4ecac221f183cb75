# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents as the record of a stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...model.body import ZERO, MotionType
from ...model.contents import Contents
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.issue import Issue
from ...model.unknown import unknown_in
from .. import table
from ..prim import OVER, Stage
from .draft import Draft, Writing
from .layout import laid_out, laid_over, local_pose, lone_joints
from .over import as_laid, known, matched, opinions, placed
from .spelling.bodies import spell_body
from .spelling.joints import spell_joint
from .spelling.scene import (
    spell_gravity,
    spell_groups,
    spell_joined,
    spell_materials,
    spell_pairs,
    spell_roots,
)
from .spelling.shapes import spell_shapes

SCENE_NAME = "PhysicsScene"


def written(contents: Contents, *, flat: bool = False) -> tuple[Stage, tuple[Issue, ...]]:
    """Return contents as a new stage, Y up, in m and kg, and an issue for what it cannot say."""
    contents, found = _weighed(contents)
    layout = laid_out(contents, flat=flat)
    writing = Writing(contents, layout, Stage(), None, found)
    _write(writing)
    prims = tuple(draft.finished() for draft in writing.drafts)
    return Stage(prims, default_prim=layout.root.removeprefix("/")), writing.found.issues()


def written_over(
    contents: Contents, base: Stage, *, flat: bool = False, made_of: Mapping[int, str] | None = None
) -> tuple[Stage, tuple[Issue, ...]]:
    """Return the opinions on physics that make a stage hold contents, in its axes and units.

    There is an issue for each kind of things that they cannot say.

    Args:
        contents: what is to be written; meshes that prims of the stage show are left to it.
        base: the stage below.
        flat: whether bodies that are added to it stand beside each other.
        made_of: where the stage was made of the same nodes by Blender, in its axes, and perhaps
            turned and scaled as a whole: paths of their prims. Else names tell.
    """
    up = base.up_axis if made_of is None else "Z"
    contents, found = _weighed(contents)
    if up == "Z":  # nodes turned as Blender's exporters turn them
        contents = contents.turned(Z_UP_FROM_Y_UP)
    if made_of is None:
        matches = matched(contents, base)
    else:
        matches = known(made_of, base)
        contents = as_laid(contents, matches)
    mechanism, elsewhere = placed(contents.mechanism, matches)
    contents = replace(contents, mechanism=mechanism)
    layout = laid_over(contents, matches, flat=flat)
    times = base.times if made_of is None else None  # frames of Blender are its codes
    writing = Writing(contents, layout, replace(base, up_axis=up, times=times), matches, found)
    for index in elsewhere if made_of is None else ():
        writing.note("usd-base-elsewhere", index)
    _write(writing)
    prims = (draft.finished() for draft in writing.drafts)
    return replace(base, prims=tuple(opinions(prims, matches))), writing.found.issues()


def _weighed(contents: Contents) -> tuple[Contents, set[int]]:
    """Return contents that say what stages mean otherwise where nobody says it.

    That is the centres of mass of bodies that turn, which move with them, and inertias about a
    centre that is not that of the colliders; of which bodies it is that is returned too.

    Raises:
        ContentsError: the first takes NumPy, which is missing.
    """
    motions = [(i, node.motion) for i, node in enumerate(contents.mechanism.nodes) if node.motion]
    turning = {i for i, own in motions if any(own.angular_velocity) and own.center_of_mass is None}
    centred = {
        i
        for i, own in motions
        if own.type is MotionType.DYNAMIC
        and own.center_of_mass is not None
        and own.inertia_diagonal == ZERO
    }
    if not turning and not centred:
        return contents, set()
    try:
        from ...weighing.inertia import measured_contents
        from .inertias import with_inertias
    except ImportError:
        if turning:  # whoever guards this says what is missing
            raise
        return contents, set()
    mechanism, found = with_inertias(measured_contents(contents, turning | centred), centred)
    return replace(contents, mechanism=mechanism), found


def _write(writing: Writing) -> None:
    mechanism, layout = writing.mechanism, writing.layout
    for node in unknown_in(mechanism):
        writing.note("usd-unknown", node)
    root = writing.draft(layout.root)
    below = () if writing.matches is None else writing.matches.stage.prims
    scenes = [prim.path for prim in below if prim.type == table.SCENE]
    scene = writing.draft(scenes[0] if scenes else layout.paths.take(root.path, SCENE_NAME, ""))
    spell_gravity(scene, mechanism.gravity)
    spell_materials(writing, scene)
    lone = lone_joints(writing.contents, layout)
    for index in layout.prims:
        draft = _write_node(writing, index, is_joint=index in lone)
        # Of several scenes, new bodies must say theirs.
        if table.BODY_API in draft.schemas and len(scenes) > 1 and draft.specifier != OVER:
            draft.aim(table.OWNER, (scene.path,))
    for index, _, joint in mechanism.all_joints():
        spell_joint(writing, index, joint)
    spell_roots(writing)
    spell_groups(writing, spell_pairs(writing))
    spell_joined(writing)


def _write_node(writing: Writing, index: int, *, is_joint: bool) -> Draft:
    node = writing.mechanism.nodes[index]
    draft = writing.nodes[index] = writing.draft(writing.layout.prims[index], label=node.name)
    if is_joint:
        draft.type = table.JOINT
        return draft
    if draft.specifier != OVER:
        if writing.matches is not None:
            writing.note("usd-not-on-base", index)
        pose, draft.resets = local_pose(writing.mechanism, writing.layout, index)
        draft.local = writing.stage.units.pose_said(pose)
        keys = writing.contents.led.get(index)
        if keys is not None and writing.layout.above[index] == node.parent:
            said = map(writing.stage.units.pose_said, keys.poses)
            codes = map(writing.stage.code, keys.times)
            draft.poses = tuple(zip(codes, said, strict=True))
        elif keys is not None:
            writing.note("usd-led-elsewhere", index)
    if node.motion is not None:
        spell_body(writing, index, draft, node.motion)
    spell_shapes(writing, index)
    return draft
