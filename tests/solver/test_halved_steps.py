# SPDX-License-Identifier: GPL-3.0-or-later
"""What is loosely joined to a ragdoll goes as alone where steps of both are halved and doubled."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from benchmarks.truths.falls import above_floor
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import (
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.shape import Box, Shape, Sphere
from omi_physics_joint.solver import Floor, Options, Simulation

from .test_contacts import FPS, GRAVITY, grip

pytestmark = pytest.mark.usefixtures("kernel_library")


def beside(seed: int, place: float, speed: float, shape: Shape) -> Mechanism:
    """Return a ragdoll in the air, and a body 10 m aside, of the same island."""
    found = above_floor(seed)
    number, world = len(found.nodes), compose((30.0, place, -20.0))
    moves = Motion(MotionType.DYNAMIC, 1.0, linear_velocity=(0.0, speed, 0.0))
    nodes = (
        *found.nodes,
        Node("aside", world=world, motion=moves, collider=Collider(len(found.shapes), 1)),
        Node("joint", number, world, joint=JointNode(len(found.settings), number + 2)),
        Node("end", 1, world),
    )
    return replace(
        found,
        nodes=nodes,
        settings=(*found.settings, JointSettings(limits=(Limit((0,), (), -100.0, 100.0),))),
        shapes=(*found.shapes, shape),
        physics_materials=(*found.physics_materials, grip(0.0, 1.0)),
    )


def aside(simulation: Simulation, until: float) -> float:
    """Return how high that body is then, m; some steps before were tried again."""
    number = int(np.abs(simulation.positions[:, 0] - 30.0).argmin())
    tries = 0
    while simulation.time < until:
        tries += simulation.step(1.0 / FPS).retries
    assert tries
    return float(simulation.positions[number, 1])


def bounced(seed: int, when: float) -> tuple[float, float]:
    """Return how high a ball is that meets the floor then, m, and how high it should be."""
    mechanism = beside(seed, 0.5 * GRAVITY * when**2 + 0.1, 0.0, Sphere(0.1))
    simulation = Simulation(mechanism, Options(contacts=True, floor=Floor(0.0, grip(0.6))))
    height = aside(simulation, when + 0.07) - 0.1
    later = simulation.time - when
    return height, 0.5 * GRAVITY * when * later - 0.5 * GRAVITY * later**2  # at half its speed


@pytest.mark.parametrize("part", [0.1, 0.3])
@pytest.mark.parametrize(("seed", "start"), [(138, 0.51875), (763, 0.477083)])
def test_what_bounces_in_a_step_that_is_tried_again_bounces(
    seed: int, start: float, part: float
) -> None:
    """A ball meets the floor as a corner of the ragdoll passes it; it stayed on it."""
    height, should = bounced(seed, start + part / 480.0)
    assert height == pytest.approx(should, rel=0.05)


@pytest.mark.parametrize("seed", [138, 763])
@pytest.mark.parametrize("damping", [600.0, 900.0, 3000.0])
def test_a_motor_lifts_as_its_law_says(seed: int, damping: float) -> None:
    """At v - F / d in each step, of whatever length: it fell back by 3 to 28 micrometres."""
    motor = Drive(Freedom.LINEAR, DriveMode.FORCE, 1, inf, None, 0.3, 0.0, damping)
    speed = 0.3 - GRAVITY / damping
    found = beside(seed, 5.0, speed, Sphere(0.1))
    lifted, count = len(found.nodes) - 3, len(found.nodes)
    world, stands = found.nodes[lifted].world, Motion(MotionType.STATIC)
    floor = Node("floor", world=compose((20.0, -0.5, -20.0)), motion=stands)
    mechanism = replace(
        found,
        nodes=(
            *found.nodes,
            replace(floor, collider=Collider(len(found.shapes), 0)),
            Node("motor", count, world, joint=JointNode(len(found.settings), count + 2)),
            Node("end", lifted, world),
        ),
        settings=(*found.settings, replace(recipes.slider(1), drives=(motor,))),
        shapes=(*found.shapes, Box((40.0, 1.0, 40.0))),
    )
    simulation = Simulation(mechanism, Options(contacts=True))
    height = aside(simulation, 0.6)
    assert height == pytest.approx(5.0 + speed * simulation.time, abs=1e-8)
