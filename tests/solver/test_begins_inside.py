# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in something else at rest, or touches it where a joint holds it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.joint import JointNode
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.shape import Box, Sphere
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.contacts.surfaces import Floor

FPS = 60
NO_TURN = (0.0, 0.0, 0.0, 1.0)


def at(y: float, x: float = 0.0, z: float = 0.0) -> Matrix:
    """Return a place, 20 m off the origin."""
    return compose((20.0 + x, y, -20.0 + z), NO_TURN)


def single(matrix: Matrix) -> Matrix:
    """Return a place as single precision has it."""
    return tuple(tuple(float(np.float32(x)) for x in row) for row in matrix)


def overlapping(*more: Node) -> Mechanism:
    """Return a ball 0.15 m in a static box."""
    box = Node("box", world=at(0.0), motion=Motion(MotionType.STATIC), collider=Collider(0))
    ball = Node("ball", world=at(0.6), motion=Motion(MotionType.DYNAMIC), collider=Collider(1))
    shapes = (Box((2.0, 1.0, 2.0)), Sphere(0.25))
    return Mechanism((box, ball, *more), (recipes.slider(1),), shapes)


def test_what_begins_inside_is_named() -> None:
    """Names and depth are said, of the floor too; of several parts of a body the deepest."""
    (issue,) = Simulation(overlapping(), Options(contacts=True)).issues
    assert (issue.code, issue.where, issue.node) == ("begins-inside", "ball", 1)
    assert issue.message == "It begins in box, 0.15 m deep."
    (_, issue) = Simulation(overlapping(), Options(contacts=True, floor=Floor(0.45))).issues
    assert issue.message == "It begins in the floor, 0.1 m deep."
    parts = (Node("part", 1, at(y, 0.5), collider=Collider(1)) for y in (0.5, 0.55))
    (issue,) = Simulation(overlapping(*parts), Options(contacts=True)).issues
    assert issue.message == "It begins in box, 0.25 m deep."


@pytest.mark.parametrize(("size", "least"), [(1.0, 1e-3), (0.1, 2.5e-4)])
def test_what_is_in_another_by_less_is_not_named(size: float, least: float) -> None:
    """A millimetre, or a hundredth of how far what is small reaches, is as deep as it may begin."""
    for part in (0.9, 1.1):
        box, ball = overlapping().nodes
        ball = replace(ball, world=at(0.75 * size - part * least))
        shapes = (Box((2.0 * size, size, 2.0 * size)), Sphere(0.25 * size))
        mechanism = Mechanism((box, ball), (), shapes)
        assert len(Simulation(mechanism, Options(contacts=True)).issues) == (part > 1.0)


def test_what_joints_hold_inside_of_something_passes_through_it() -> None:
    """A ball on a rail that begins in a box falls through it, and that is said."""
    rail = Node("rail", 1, at(0.6), joint=JointNode(0, 3))
    simulation = Simulation(overlapping(rail, Node("end", world=at(0.6))), Options(contacts=True))
    (issue,) = simulation.issues
    assert (issue.code, issue.where) == ("begins-inside", "ball")
    assert "do not touch" in issue.fix
    for _ in range(FPS):
        simulation.step(1.0 / FPS)
    assert simulation.positions[1, 1] == pytest.approx(0.6 - 0.5 * 9.81, abs=1e-6)


def test_what_a_mechanism_hangs_on_is_a_part_of_it() -> None:
    """A handle that begins in the box which its ball slides on is built so: nothing is said."""
    handle = Node("handle", world=at(0.55), motion=Motion(MotionType.DYNAMIC), collider=Collider(1))
    rail, weld = (Node(f"{i}", 1, at(0.6), joint=JointNode(i, 5 + i)) for i in (0, 1))
    ends = (Node(f"end {body}", body, at(0.6)) for body in (0, 2))
    mechanism = overlapping(handle, rail, weld, *ends)
    mechanism = replace(mechanism, settings=(*mechanism.settings, recipes.weld()))
    assert not Simulation(mechanism, Options(contacts=True)).issues


def test_what_touches_where_a_joint_holds_it_is_borne_by_the_joint() -> None:
    """A box that hangs by an edge on another one swings off it as if it did not touch there.

    What is there is off the hinge by rounding: 2 micrometres, and no force could part it.
    """
    edge = at(2.75 - 1e-6, -0.25 + 2e-6)

    def box(name: str, height: float, motion: MotionType) -> Node:
        return Node(name, world=at(height), motion=Motion(motion), collider=Collider(0))

    nodes = (
        box("stands", 3.0, MotionType.STATIC),
        box("hangs", 2.5, MotionType.DYNAMIC),
        Node("hinge", 1, edge, joint=JointNode(0, 3, enable_collision=True)),
        Node("end", 0, edge),
    )
    mechanism = Mechanism(nodes, (recipes.hinge(2),), (Box((0.5, 0.5, 0.5)),))
    touching, free = Simulation(mechanism, Options(contacts=True)), Simulation(mechanism)
    for _ in range(FPS // 4):
        report = touching.step(1.0 / FPS)
        free.step(1.0 / FPS)
        assert not report.first_order
        assert np.abs(touching.touching().forces).max(initial=0.0) < 1e3
    assert touching.positions == pytest.approx(free.positions, abs=1e-4)


def test_a_joint_whose_bodies_overlap_and_collide_is_named() -> None:
    """They are let be, and the joint is named."""
    joint = Node("slider", 1, at(0.6), joint=JointNode(0, 3, enable_collision=True))
    mechanism = overlapping(joint, Node("end", 0, at(0.6)))
    simulation = Simulation(mechanism, Options(contacts=True))
    (issue,) = simulation.issues
    assert (issue.code, issue.where) == ("joint-overlaps", "slider")
    assert "0.15 m" in issue.message
    for _ in range(FPS):
        simulation.step(1.0 / FPS)
    assert simulation.positions[1, 1] == pytest.approx(0.6 - 0.5 * 9.81, abs=1e-6)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.9])
@pytest.mark.parametrize("deep", [-1e-6, 0.0, 1e-6, 1e-4])
def test_what_joints_hold_in_each_other_stands(turn: float, deep: float) -> None:
    """Two leaves that meet in the middle, as single precision has them: neither can give way.

    Each is shut at an end of its range, so nothing parts them where rounding, or who drew them, has
    put one into the other; they rest as if they did not touch.
    """
    room = compose((20.0, 0.0, -20.0), (0.0, math.sin(turn / 2.0), 0.0, math.cos(turn / 2.0)))
    nodes: list[Node] = []
    for side, upright in ((-1.0, NO_TURN), (1.0, (1.0, 0.0, 0.0, 0.0))):
        leaf = multiply(room, compose((side * (0.5 - deep / 2.0), 1.0, 0.0), NO_TURN))
        hinge = single(multiply(leaf, compose((side * 0.5, 0.0, 0.0), upright)))
        here, motion = len(nodes), Motion(MotionType.DYNAMIC)
        nodes.append(Node("leaf", None, single(leaf), motion=motion, collider=Collider(0)))
        nodes.append(Node("hinge", here, hinge, joint=JointNode(0, here + 2)))
        nodes.append(Node("end", None, hinge))
    shapes = (Box((1.0, 2.0, 0.1)),)
    simulation = Simulation(
        Mechanism(tuple(nodes), (recipes.hinge(1, 0.0, 1.5),), shapes), Options(contacts=True)
    )
    rest = simulation.positions.copy()
    for _ in range(10):
        assert not simulation.step(1.0 / FPS).first_order
    assert simulation.positions == pytest.approx(rest, abs=1e-6)
    assert np.abs(simulation.touching().forces).max(initial=0.0) < 1e4
