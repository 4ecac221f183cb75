# SPDX-License-Identifier: GPL-3.0-or-later
"""A shape in a scaled node is the shape of that size in a node without scale, for everybody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from omi_differences import differences
from usd_records import composed

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.extent import boxes
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.scale import scale_of, standing
from omi_physics_joint.model.geometry.transform import Matrix, compose
from omi_physics_joint.model.godot.written import written as written_for_godot
from omi_physics_joint.model.mechanics.inertias import filling_of, inertia_of
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Plane, Shape, Sphere
from omi_physics_joint.model.wording.findings import Findings
from omi_physics_joint.robots.exporting.links import robot_of
from omi_physics_joint.robots.findings import WRITTEN
from omi_physics_joint.solver.contacts.surfaces import read_surfaces
from omi_physics_joint.solver.reading.bodies import KinematicBodies, read_bodies
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.writing.write import written as written_stage

SINGLE = 3e-6
"""By how much of the largest number a file of single precision may be off, several times over."""
SCALES = {
    "evenly": (0.25, 0.25, 0.25),
    "unevenly": (2.0, 0.5, 3.0),
    "mirrored": (-2.0, 0.5, 3.0),
    "inside out": (-2.0, -0.5, -3.0),
    "upside down": (2.0, -0.5, -3.0),
}
SHAPES: dict[str, tuple[Shape, Shape, Shape]] = {
    "box": (Box((1.0, 2.0, 3.0)), Box((0.25, 0.5, 0.75)), Box((2.0, 1.0, 9.0))),
    "ball": (Sphere(0.5), Sphere(0.125), Sphere(1.5)),
    "capsule": (Capsule(1.0, 0.2, 0.2), Capsule(0.25, 0.05, 0.05), Capsule(0.5, 0.6, 0.6)),
    "tapered": (Capsule(2.0, 0.2, 0.4), Capsule(0.5, 0.05, 0.1), Capsule(1.0, 0.6, 1.2)),
    "cylinder": (Cylinder(1.0, 0.2, 0.2), Cylinder(0.25, 0.05, 0.05), Cylinder(0.5, 0.6, 0.6)),
    "cone": (Cylinder(2.0, 0.4, 0.0), Cylinder(0.5, 0.1, 0.0), Cylinder(1.0, 1.2, 0.0)),
    "plane": (Plane(2.0, 4.0), Plane(0.5, 1.0), Plane(4.0, 12.0)),
}
"""As they say of themselves, scaled evenly, and scaled unevenly, whatever the signs."""


def touched(mechanism: Mechanism) -> Any:
    """Return what contacts are found with."""
    bodies, _ = read_bodies(mechanism)
    surfaces = read_surfaces(mechanism, bodies, KinematicBodies(bodies, {}), None)
    cores = [[getattr(one.core, field.name) for field in fields(one.core)] for one in surfaces]
    return [np.array(said).tolist() for one in cores for said in one], surfaces[0].pose.tolist()


def weighed(mechanism: Mechanism) -> Any:
    """Return what motion is weighed by."""
    return filling_of(mechanism, [1])


def checked(mechanism: Mechanism) -> Any:
    """Return what Check takes for inertia and room."""
    return inertia_of(mechanism, 0, [1]), boxes(mechanism)


def for_godot(mechanism: Mechanism) -> Any:
    """Return the shapes of a file for Godot, where their nodes stand."""
    made = written_for_godot(mechanism)
    return [
        (scale_of(node.world), node.world, made.shape_of(node))
        for node in made.nodes
        if node.collider is not None
    ]


def for_robots(mechanism: Mechanism) -> Any:
    """Return what MJCF and URDF are written of."""
    found = Findings(WRITTEN, "robot", "mjcf-")
    robot = robot_of(Contents(mechanism), "robot", found, has_planes=True)
    return [(geom.pose, geom.shape, geom.surface) for link in robot.links for geom in link.geoms]


def on_stage(mechanism: Mechanism) -> Any:
    """Return the shapes that are read of a stage that was written."""
    records, _ = written_stage(Contents(mechanism))
    read = contents_of(composed(records))[0].mechanism
    return [
        (rigid_frame(node.world), standing(shape, node.world))
        for node in read.nodes
        if (shape := read.shape_of(node)) is not None
    ]


WINGS = {one.__name__: one for one in (touched, weighed, checked, for_godot, for_robots, on_stage)}


def body_with(shape: Shape, world: Matrix) -> Mechanism:
    """Return a body with one part of a shape, 20 m off, in single precision."""
    body = Node("Body", None, compose((20.0, 1.0, -3.0)), Motion(MotionType.DYNAMIC, 2.0))
    single = tuple(tuple(float(np.float32(x)) for x in row) for row in world)
    return Mechanism((body, Node("Part", 0, single, collider=Collider(0))), (), (shape,))


@pytest.mark.parametrize("wing", WINGS.values(), ids=WINGS)
@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
@pytest.mark.parametrize("kind", SHAPES)
def test_a_scale_counts_as_a_size_does(
    kind: str, scale: tuple[float, float, float], wing: Callable[[Mechanism], Any]
) -> None:
    """Turned anyhow, mirrored or not, nobody can tell a scaled node from a larger shape."""
    own, evenly, unevenly = SHAPES[kind]
    world = compose((20.5, 0.7, -3.2), (0.18, -0.54, 0.36, 0.74), scale)
    scaled = wing(body_with(own, world))
    plain = wing(body_with(evenly if scale[0] == 0.25 else unevenly, rigid_frame(world)))
    assert differences(scaled, plain, tolerance=SINGLE) == []


def test_what_is_not_scaled_is_as_it_says_to_the_last_bit() -> None:
    """Turns in single precision make axes a little longer, which is no scale."""
    world = compose((20.5, 0.7, -3.2), (0.18, -0.54, 0.36, 0.74))
    single = tuple(tuple(float(np.float32(x)) for x in row) for row in world)
    assert all(standing(shape, single) is shape for shape, _, _ in SHAPES.values())
