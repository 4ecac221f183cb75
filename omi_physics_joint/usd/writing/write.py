# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents as the record of a stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...model.contents import Contents
from ...model.geometry.transform import Matrix
from ...model.issue import Issue
from .. import table
from ..prim import OVER, Stage
from ..space import WORLD, Space, has_space, space_of
from ..units import Units
from .draft import Numbers
from .joints import write_joint
from .layout import is_joint_alone, laid_out, laid_over, local_pose
from .over import as_laid, known, matched, opinions, placed, turned
from .shapes import write_shapes
from .spelling.articulations import spell_roots
from .spelling.bodies import spell_body
from .spelling.pairs import spell_pairs
from .spelling.scene import spell_gravity, spell_groups, spell_materials
from .unknown import unknown_in
from .writing import Writing

SCENE_NAME = "PhysicsScene"


def written(contents: Contents, *, flat: bool = False) -> tuple[Stage, tuple[Issue, ...]]:
    """Return contents as a new stage: Y up, in m and kg.

    Returns:
        The stage, and an issue for each kind of things that it cannot say.
    """
    writing = Writing(contents, laid_out(contents, flat=flat), Numbers())
    _write(writing)
    prims = tuple(draft.finished() for draft in writing.drafts)
    stage = Stage(prims, default_prim=writing.layout.root.removeprefix("/"))
    return stage, writing.losses.issues()


def written_over(
    contents: Contents, base: Stage, *, flat: bool = False, made_of: Mapping[int, str] | None = None
) -> tuple[Stage, tuple[Issue, ...]]:
    """Return the opinions on physics that make a stage hold contents, in its axes and units.

    Args:
        contents: what is to be written; meshes that prims of the stage show are left to it.
        base: the stage below.
        flat: whether bodies that are added to it stand beside each other.
        made_of: where the stage was made of the same nodes by Blender, in its axes, and perhaps
            turned and scaled as a whole: paths of their prims. Else names tell.

    Returns:
        The layer, and an issue for each kind of things that it cannot say.
    """
    up = base.up_axis if made_of is None else "Z"
    contents = turned(contents, up)
    if made_of is None:
        matches = matched(contents, base)
    else:
        matches = known(made_of, base)
        contents = as_laid(contents, matches)
    mechanism, elsewhere = placed(contents.mechanism, matches)
    contents = replace(contents, mechanism=mechanism)
    units = Units(base.meters_per_unit, base.kilograms_per_unit)
    numbers = Numbers(units, base.time_codes_per_second, up)
    layout = laid_over(contents, matches, flat=flat)
    writing = Writing(contents, layout, numbers, matches)
    for index in elsewhere if made_of is None else ():
        writing.losses.note("usd-base-elsewhere", index)
    _write(writing)
    prims = (draft.finished() for draft in writing.drafts)
    stage = replace(base, prims=tuple(opinions(prims, matches)))
    return stage, writing.losses.issues()


def _write(writing: Writing) -> None:
    mechanism, layout = writing.contents.mechanism, writing.layout
    for node in unknown_in(mechanism):
        writing.losses.note("usd-unknown", node)
    writing.drafts.append(writing.draft(layout.root))
    scenes = _scenes_below(writing)
    writing.scene = scenes[0] if scenes else layout.paths.take(layout.root, SCENE_NAME, "")
    writing.has_scenes = len(scenes) > 1
    scene = writing.draft(writing.scene)
    spell_gravity(scene, mechanism.gravity)
    writing.drafts.append(scene)
    materials, writing.materials = spell_materials(
        mechanism, layout.root, layout.paths, writing.numbers, writing.losses
    )
    writing.drafts += materials
    for index in layout.order:
        _write_node(writing, index)
    for index, _, joint in mechanism.all_joints():
        write_joint(writing, index, joint)
    spell_roots(writing.trees, writing.nodes, writing.joints, writing.drafts[0])
    by_path = {draft.path: draft for draft in writing.drafts}
    filters, members = mechanism.collision_filters, writing.members
    paired = spell_pairs(filters, members, writing.colliders, by_path)
    writing.drafts += spell_groups(
        mechanism, members, paired, layout.root, layout.paths, writing.numbers
    )


def _scenes_below(writing: Writing) -> list[str]:
    """Return the paths of the scenes of the stage below."""
    found = () if writing.matches is None else writing.matches.stage.prims
    return [prim.path for prim in found if prim.type == table.SCENE]


def _write_node(writing: Writing, index: int) -> None:
    node = writing.contents.mechanism.nodes[index]
    draft = writing.draft(writing.layout.prims[index], label=node.name)
    writing.nodes[index] = draft
    if writing.matches is not None and draft.specifier != OVER:
        _note_added(writing, index)
    if is_joint_alone(writing.contents, writing.layout, index):
        draft.type = table.JOINT
        writing.drafts.append(draft)
        return
    if draft.specifier != OVER:
        pose, draft.resets = local_pose(writing.contents.mechanism, writing.layout, index)
        draft.local = writing.numbers.units.pose_said(pose)
    writing.drafts.append(draft)
    if node.motion is not None:
        carried = writing.is_carried(index)
        space = _space(writing, node.world, index)
        spell_body(draft, node.motion, space, writing.losses, index, is_carried=carried)
        if draft.schemas and writing.has_scenes and not writing.is_there(draft.path):
            draft.aim(table.OWNER, (writing.scene,))
    write_shapes(writing, index)


def _space(writing: Writing, world: Matrix, index: int) -> Space:
    if has_space(world):
        return space_of(world)
    writing.losses.note("usd-not-square", index)
    return WORLD


def _note_added(writing: Writing, index: int) -> None:
    """Note a node that the stage below has not, unless that is as it should be: a joint."""
    if not is_joint_alone(writing.contents, writing.layout, index):
        writing.losses.note("usd-not-on-base", index)
