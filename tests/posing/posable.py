# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms that tests pose, and a second way to measure where they stand."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan
from random import Random

import numpy as np

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.joint import AXES, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.settings.coordinates import coordinates
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.posing import Posing
from omi_physics_joint.solver.kinematics.rotation import matrix_of
from tests.model.building import random_quaternion, random_vector
from tests.solver.building import Builder

ANGULAR, LINEAR = Freedom.ANGULAR, Freedom.LINEAR
FREEDOMS = [(freedom, axis) for freedom in Freedom for axis in AXES]
KINDS = {
    "hinge": recipes.hinge,
    "bounded hinge": lambda axis: recipes.hinge(axis, -0.7, 1.9),
    "slider": lambda axis: recipes.slider(axis, -0.4, 0.6),
    "pin": lambda _axis: recipes.pin(),
    "bounded pin": lambda axis: JointSettings(
        limits=(Limit(AXES, (), 0.0, 0.0), Limit((), (axis,), -1.0, 0.8))
    ),
    "two angles": lambda axis: JointSettings(
        limits=(Limit(AXES, (), 0.0, 0.0), Limit((), (axis,), 0.0, 0.0))
    ),
    "locks away from zero": lambda axis: JointSettings(
        limits=(
            Limit((axis,), (), 0.3, 0.3),
            Limit((), ((axis + 1) % 3,), 0.4, 0.4),
            Limit((), ((axis + 2) % 3,), -0.6, -0.6),
        )
    ),
    "all free": lambda _axis: JointSettings(),
}


def world_of(posing: Posing, node: int) -> np.ndarray:
    """Return world from body (4, 4) of a body."""
    row = posing.body_nodes.index(node)
    out = np.eye(4)
    out[:3, :3] = matrix_of(posing.rotations[row : row + 1])[0]
    out[:3, 3] = posing.positions[row]
    return out


def free_of(posing: Posing, joint: int) -> list[tuple[Freedom, int]]:
    """Return the degrees of freedom of a joint that can be posed."""
    return [FREEDOMS[at] for at in np.flatnonzero(posing.links[joint].free)]


def range_of(posing: Posing, joint: int, freedom: Freedom, axis: int) -> tuple[float, float]:
    """Return the bounds of one value in m or rad."""
    link, at = posing.links[joint], FREEDOMS.index((freedom, axis))
    return float(link.low[at]), float(link.high[at])


def reposed(mechanism: Mechanism, posing: Posing) -> Mechanism:
    """Return the mechanism in the pose that it was given: what an export would hold."""
    nodes = []
    for index, node in enumerate(mechanism.nodes):
        body = mechanism.body_of(index)
        if body is not None:
            before = np.array(rigid_frame(mechanism.nodes[body].world))
            moved = world_of(posing, body) @ np.linalg.solve(before, np.array(node.world))
            node = replace(node, world=tuple(map(tuple, moved.tolist())))  # noqa: PLW2901
        nodes.append(node)
    return replace(mechanism, nodes=tuple(nodes))


def measured(mechanism: Mechanism, joint: int) -> np.ndarray:
    """Return the six values of a joint where the nodes of a mechanism stand."""
    node = mechanism.nodes[joint]
    settings = mechanism.settings_of(node.joint)
    frames = (node.world, mechanism.nodes[node.joint.connected_node].world)
    frames = [rigid_frame(world, settings) for world in frames]
    return np.array(coordinates(spans_of(settings.limits), *frames))


def gap(mechanism: Mechanism) -> float:
    """Return the largest violation of any lock or limit, m or rad."""
    worst = 0.0
    for index, _, joint in mechanism.joints():
        spans = spans_of(mechanism.settings_of(joint).limits)
        for span, value in zip(spans, measured(mechanism, index), strict=True):
            worst = max(worst, span.low - value, value - span.high)
    return worst


def tree(seed: int, count: int = 6, mirrored: bool = False) -> tuple[Mechanism, list[int]]:
    """Return a random tree of bodies with a joint of any kind between each and one before it."""
    random = Random(seed)
    made = Builder()
    made.ground()
    bodies, joints = [0], []
    for _ in range(count):
        body = made.body(random_vector(random), random_quaternion(random))
        kind = random.choice([name for name in KINDS if name != "all free"])
        settings = KINDS[kind](random.choice(AXES))
        ends = (random.choice(bodies), body)
        frame = (random_vector(random), random_quaternion(random))
        joints.append(
            made.joint(*(ends if random.random() < 0.5 else ends[::-1]), settings, *frame)
        )
        bodies.append(body)
        if mirrored:
            flip = compose(scale=(1.0, -1.0, 1.0))
            for index in (joints[-1], joints[-1] + 1):
                node = made.nodes[index]
                made.nodes[index] = replace(node, world=multiply(node.world, flip))
    return made.mechanism(), joints


def four_bar() -> tuple[Mechanism, list[int]]:
    """Return a crank of 1 m, a coupler and a rocker of 1.5 m on a ground of 2 m, in the plane Z."""
    made = Builder()
    ground = made.ground()
    crank, coupler, rocker = (made.body(at) for at in ((0, 0.5, 0), (1, 1.25, 0), (2, 0.75, 0)))
    hinge = recipes.hinge(2)
    joints = [
        made.joint(ground, crank, hinge, (0.0, 0.0, 0.0)),
        made.joint(crank, coupler, hinge, (0.0, 1.0, 0.0)),
        made.joint(coupler, rocker, hinge, (2.0, 1.5, 0.0)),
        made.joint(ground, rocker, hinge, (2.0, 0.0, 0.0)),
    ]
    return made.mechanism(), joints


def slider_crank(**slider: float) -> tuple[Mechanism, list[int]]:
    """Return a crank of 0.5 m that drives a piston along X over a rod of 1 m."""
    made = Builder()
    ground = made.ground()
    crank, rod, piston = (made.body((x, 0.0, 0.0)) for x in (0.25, 1.0, 1.5))
    joints = [
        made.joint(ground, crank, recipes.hinge(2), (0.0, 0.0, 0.0)),
        made.joint(crank, rod, recipes.hinge(2), (0.5, 0.0, 0.0)),
        made.joint(rod, piston, recipes.hinge(2), (1.5, 0.0, 0.0)),
        made.joint(ground, piston, recipes.slider(0, **slider), (1.5, 0.0, 0.0)),
    ]
    return made.mechanism(), joints


def arm(count: int, settings: JointSettings, link: float = 0.2) -> tuple[Mechanism, list[int], int]:
    """Return an arm of rods along X on joints of one kind, and its last body."""
    made = Builder()
    body, joints = made.ground(), []
    for i in range(count):
        following = made.body(((i + 0.5) * link, 0.0, 0.0))
        joints.append(made.joint(body, following, settings, (i * link, 0.0, 0.0)))
        body = following
    return made.mechanism(), joints, body


def random_tangle(seed: int) -> tuple[Mechanism, list[int], list[int]]:
    """Return bodies with joints between any of them at random places, with absurd numbers."""
    random = Random(seed)
    made = Builder()
    kinds = list(MotionType)
    bodies = [
        made.body(
            random_vector(random),
            random_quaternion(random),
            kind=random.choice([MotionType.DYNAMIC] * 3 + kinds),
            mass=random.choice((1.0, 0.0, inf, 1e9)),
        )
        for _ in range(random.randint(2, 6))
    ]
    numbers = (0.0, 0.5, -2.0, 1e3, 1e-9, inf, -inf, nan, 7.0)
    joints = []
    for _ in range(random.randint(1, 7)):
        limits = tuple(
            Limit(
                tuple(a for a in AXES if random.random() < 0.5),
                tuple(a for a in AXES if random.random() < 0.5),
                random.choice(numbers),
                random.choice(numbers),
                random.choice((inf, 0.0, 10.0)),
            )
            for _ in range(random.randint(0, 4))
        )
        settings = random.choice((JointSettings(limits=limits), KINDS["hinge"](0), recipes.pin()))
        places = (random_vector(random), random_quaternion(random))
        others = (random_vector(random), random_quaternion(random))
        joints.append(
            made.joint(
                random.choice(bodies),
                random.choice(bodies),
                settings,
                *places,
                connected_place=random.choice((places, others))[0],
                connected_rotation=random.choice((places, others))[1],
            )
        )
    if random.random() < 0.2:
        broken = Node("broken", bodies[0], joint=JointNode(99, -1))
        made.nodes.append(broken)
    return made.mechanism(), bodies, joints
