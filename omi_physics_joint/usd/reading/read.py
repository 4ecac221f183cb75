# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage, as records, read into a mechanism with its meshes, and issues for the rest.

It never raises, whatever the stage. What the model cannot say is named once a kind, with a count.
"""

from __future__ import annotations

from dataclasses import replace

from ...model.contents import Contents
from ...model.geometry.transform import cross
from ...model.issue import Issue
from ...model.mechanism import Node
from ..prim import Prim, Stage
from .articulations import with_articulations
from .bodies.filters import read_filters
from .bodies.motions import is_centred, is_weighed, read_bodies
from .bodies.shapes import read_materials, read_shapes
from .builder import StageReading
from .joints import read_joints
from .nodes import read_led, read_shown, started
from .not_kept import note_rest
from .scenes import read_scenes


def contents_of(stage: Stage) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a stage holds, and an issue for each kind of thing that is not as it has it."""
    return contents_and_prims(stage)[:2]


def contents_and_prims(stage: Stage) -> tuple[Contents, tuple[Issue, ...], dict[int, str]]:
    """Return the same, and the paths of the prims that nodes are or come from."""
    reading = started(stage)
    read_bodies(reading)
    colliders = read_shapes(reading)
    read_materials(reading, colliders)
    read_filters(reading, colliders)
    read_scenes(reading)
    read_shown(reading)
    read_led(reading)
    read_joints(reading)
    note_rest(reading)
    contents = _weighed(reading, reading.contents(), colliders)
    contents = with_articulations(reading, contents)
    nodes = tuple(map(_at_origin, contents.mechanism.nodes))
    contents = replace(contents, mechanism=replace(contents.mechanism, nodes=nodes))
    prims = {**reading.prim_of, **reading.joint_prims}
    issues = (*stage.troubles, *reading.found.issues())
    return contents, issues, {index: prim.path for index, prim in prims.items()}


def _weighed(reading: StageReading, contents: Contents, colliders: dict[int, Prim]) -> Contents:
    """Return contents with masses that are left to be calculated, which takes NumPy."""
    try:
        from .bodies.masses import weighed
    except ImportError:
        for index, prim in reading.prim_of.items():
            says_all = is_weighed(reading, prim) and is_centred(reading, prim)
            if reading.nodes[index].motion is not None and not says_all:
                reading.note("usd-mass-not-computed", prim)
        return contents
    return weighed(reading, contents, colliders)


def _at_origin(node: Node) -> Node:
    """Return a node with the velocity of its origin: on a stage it is that of the centre of mass.

    So readers take it.
    """
    motion = node.motion
    if motion is None or not any(motion.angular_velocity) or not any(motion.center):
        return node
    more = cross(motion.angular_velocity, motion.center)
    x, y, z = (own - part for own, part in zip(motion.linear_velocity, more, strict=True))
    return replace(node, motion=replace(motion, linear_velocity=(x, y, z)))
