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
from .bodies.bodies import is_centred, is_weighed, read_bodies
from .bodies.filters import read_filters
from .bodies.materials import read_materials
from .bodies.shapes import read_shapes
from .joints import read_joints
from .nodes import started
from .reading import StageReading
from .rest import note_rest
from .scenes import read_scenes
from .shown import read_shown


def contents_of(stage: Stage) -> tuple[Contents, tuple[Issue, ...]]:
    """Read a stage.

    Returns:
        Its mechanism in glTF axes and SI units with the meshes, and an issue for each kind of thing
        that is not in it or not as the stage has it.
    """
    contents, issues, _ = contents_and_prims(stage)
    return contents, issues


def contents_and_prims(stage: Stage) -> tuple[Contents, tuple[Issue, ...], dict[int, str]]:
    """Read a stage; return also the paths of the prims that nodes are or come from."""
    reading = started(stage)
    read_bodies(reading)
    colliders = read_shapes(reading)
    read_materials(reading, colliders)
    read_filters(reading, colliders)
    read_scenes(reading)
    read_shown(reading)
    read_joints(reading)
    note_rest(reading)
    contents = _at_origins(_weighed(reading, reading.contents(), colliders))
    prims = {**reading.prim_of, **reading.joint_prims}
    paths = {index: prim.path for index, prim in prims.items()}
    return contents, reading.findings.issues(), paths


def _weighed(reading: StageReading, contents: Contents, colliders: dict[int, Prim]) -> Contents:
    """Return contents with masses that are left to be calculated, which takes NumPy."""
    try:
        from .bodies.masses import weighed
    except ImportError:
        for index, prim in reading.prim_of.items():
            says_all = is_weighed(reading, prim) and is_centred(reading, prim)
            if reading.nodes[index].motion is not None and not says_all:
                reading.findings.note("usd-mass-not-computed", prim.path)
        return contents
    return weighed(reading, contents, colliders)


def _at_origins(contents: Contents) -> Contents:
    """Return contents whose bodies have the velocities of their origins.

    On a stage they are those of centres of mass, as readers take them.
    """
    nodes = tuple(map(_at_origin, contents.mechanism.nodes))
    return replace(contents, mechanism=replace(contents.mechanism, nodes=nodes))


def _at_origin(node: Node) -> Node:
    motion = node.motion
    if motion is None or not any(motion.angular_velocity) or not any(motion.center_of_mass):
        return node
    more = cross(motion.angular_velocity, motion.center_of_mass)
    x, y, z = (own - part for own, part in zip(motion.linear_velocity, more, strict=True))
    return replace(node, motion=replace(motion, linear_velocity=(x, y, z)))
