# SPDX-License-Identifier: GPL-3.0-or-later
"""What the cases are made of: a bar that a joint holds to a wall, in many ways. Axes are glTF's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Any

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose, multiply
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, slider
from omi_physics_joint.model.shape import Box, Shape

LINEAR, ANGULAR = Freedom
STATIC, DYNAMIC = Motion(MotionType.STATIC), Motion(MotionType.DYNAMIC)
BAR = Box((1.0, 0.1, 0.2))

Points = tuple[tuple[float, float, float], ...]
Triangles = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One mechanism as specified, and the triangles of its meshes."""

    mechanism: Mechanism
    meshes: tuple[tuple[Points, Triangles], ...] = ()
    played: Mechanism | None = None
    """What our solver moves instead, where it knows no contacts; of the same bodies."""


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Matrix:
    """Return a place, in m."""
    return compose((x, y, z))


def turn(axis: int, angle: float) -> Matrix:
    """Return a turn about X, Y or Z, in rad."""
    half = [0.0, 0.0, 0.0]
    half[axis] = sin(0.5 * angle)
    return compose(rotation=(half[0], half[1], half[2], cos(0.5 * angle)))


def chained(*matrices: Matrix) -> Matrix:
    """Return the product of matrices."""
    product = IDENTITY
    for matrix in matrices:
        product = multiply(product, matrix)
    return product


LEVEL = (turn(1, -0.5 * pi), turn(0, 0.5 * pi), IDENTITY)
"""Frames whose X, Y or Z lies level, so that gravity turns the bar about it."""
ASKEW = chained(turn(0, 0.4), turn(1, 0.5), turn(2, 0.7))
TILTED = tuple(chained(at(0.5), turn(1, 0.3), turn(2, 0.5), level) for level in LEVEL)
"""Frames whose X, Y or Z points neither down nor level."""
SPIN = replace(DYNAMIC, angular_velocity=(0.5, 1.0, 0.3), inertia_diagonal=(0.1, 0.1, 0.1))


def others(axis: int) -> tuple[int, int]:
    """Return the other two axes."""
    first, second = (a for a in range(3) if a != axis)
    return first, second


def held(linear: Iterable[int], angular: Iterable[int], *limits: Limit) -> JointSettings:
    """Return settings that lock some axes, with further limits."""
    lock = Limit(tuple(linear), tuple(angular), 0.0, 0.0)
    return JointSettings("Held", (lock, *limits))


def slides(axis: int, low: float, high: float) -> Limit:
    """Return bounds of a distance, in m."""
    return Limit((axis,), (), low, high)


def turns(axis: int, low: float, high: float) -> Limit:
    """Return bounds of an angle, in rad."""
    return Limit((), (axis,), low, high)


def driven(
    settings: JointSettings, freedom: Freedom, axis: int, **values: float | DriveMode
) -> JointSettings:
    """Return settings with one drive."""
    drive = Drive(freedom, DriveMode.FORCE, axis)
    return replace(settings, drives=(replace(drive, **values),))  # type: ignore[arg-type]


def driven_hinge(axis: int, **values: float | DriveMode) -> JointSettings:
    """Return a hinge about an axis with a drive."""
    return driven(hinge(axis), ANGULAR, axis, **values)


def driven_slider(axis: int, **values: float | DriveMode) -> JointSettings:
    """Return a slider along an axis with a drive."""
    return driven(slider(axis), LINEAR, axis, **values)


def body(**values: Any) -> Motion:  # noqa: ANN401
    """Return what makes a body, 1 kg at rest but for what is said."""
    return replace(DYNAMIC, **values)


def bar(  # noqa: PLR0913 - each has a default, and cases name what they change
    settings: JointSettings,
    frame: Matrix = IDENTITY,
    *,
    connected: Matrix | None = None,
    place: Matrix = at(0.5),  # noqa: B008 - a constant
    motion: Motion = DYNAMIC,
    shape: Shape = BAR,
    solid: bool = True,
    swapped: bool = False,
    above: Matrix | None = None,
    wall: Matrix = IDENTITY,
) -> Case:
    """Return a bar that a joint holds to a wall.

    Args:
        settings: of the joint.
        frame: world from joint frame.
        connected: world from connected frame; None is the same.
        place: world from bar.
        motion: of the bar.
        shape: of the bar.
        solid: whether the bar has a collider.
        swapped: whether the joint node is the wall's.
        above: world from an empty that both lie below.
        wall: world from wall.
    """
    ends = (0, 1) if swapped else (1, 0)
    nodes = [
        Node("Wall", None, wall, motion=STATIC),
        Node("Bar", None, place, motion=motion, collider=Collider(0) if solid else None),
        Node("Joint", ends[0], frame, joint=JointNode(0, 3)),
        Node("Anchor", ends[1], frame if connected is None else connected),
    ]
    if above is not None:
        nodes = [replace(node, parent=4) if node.parent is None else node for node in nodes]
        nodes.append(Node("Above", None, above))
    return Case(Mechanism(tuple(nodes), (settings,), (shape,) if solid else ()))
