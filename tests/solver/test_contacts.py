# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that touch go where closed forms say: slopes, bounces, wheels, stacks.

Everything stands on a floor; slopes are made by gravity, turned any way about the upright.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan, cos, radians, sin

import numpy as np
import pytest

from omi_physics_joint.library.motion.noted import RunTroubles
from omi_physics_joint.model.body import (
    Collider,
    Motion,
    MotionType,
    PhysicsMaterial,
    Quaternion,
    Vector3,
)
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Shape, Sphere
from omi_physics_joint.solver import FLOOR, Floor, Options, Simulation
from omi_physics_joint.solver.contacts import touching
from omi_physics_joint.solver.kinematics.rotation import Array

GRAVITY = 9.81
FPS = 60
UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)
LYING: Quaternion = (0.5**0.5, 0.0, 0.0, 0.5**0.5)
"""The shape's Y axis along Z of the world."""
FAR = 20.0
"""m from the origin."""


def body(
    shape: int,
    place: Vector3,
    *,
    mass: float = 1.0,
    turned: Quaternion = UPRIGHT,
    velocity: Vector3 = (0.0, 0.0, 0.0),
    spin: Vector3 = (0.0, 0.0, 0.0),
) -> Node:
    """Return a dynamic body of a shape; velocities in the axes of the node."""
    motion = Motion(MotionType.DYNAMIC, mass, linear_velocity=velocity, angular_velocity=spin)
    x, y, z = place
    return Node(
        "", world=compose((x + FAR, y, z - FAR), turned), motion=motion, collider=Collider(shape, 0)
    )


def on_floor(
    shapes: tuple[Shape, ...],
    bodies: tuple[Node, ...],
    material: PhysicsMaterial,
    gravity: Vector3 = (0.0, -GRAVITY, 0.0),
) -> Simulation:
    """Return bodies on a floor of the same material."""
    mechanism = Mechanism(bodies, (), shapes, (material,))
    return Simulation(mechanism, Options(gravity, contacts=True, floor=Floor(0.0, material)))


def grip(friction: float, restitution: float = 0.0) -> PhysicsMaterial:
    """Return a material that rubs as much when it slides as when it stands."""
    return PhysicsMaterial("", friction, friction, restitution)


def moved(simulation: Simulation, seconds: float) -> Array:
    """Return where bodies go, (frames, n, 3), from where the first one begins."""
    start = simulation.positions.copy()
    frames = []
    for _ in range(round(seconds * FPS)):
        simulation.step(1.0 / FPS)
        frames.append(simulation.positions - start)
    return np.array(frames)


@pytest.mark.parametrize("turn", [0.0, 20.0, 45.0])
@pytest.mark.parametrize(("part", "friction"), [(0.99, 0.5), (1.05, 0.5), (1.5, 0.3)])
def test_a_box_slides_down_a_slope_as_friction_says(
    part: float, friction: float, turn: float
) -> None:
    """Below the angle of friction it stays; above it accelerates by g sin a - mu g cos a."""
    slope, about = atan(part * friction), radians(turn)
    down = (sin(slope) * cos(about), -cos(slope), sin(slope) * sin(about))
    x, y, z = (GRAVITY * one for one in down)
    box = body(0, (0.0, 0.1, 0.0))
    way = moved(on_floor((Box((0.4, 0.2, 0.4)),), (box,), grip(friction), (x, y, z)), 1.0)[-1, 0]
    should = 0.5 * max(0.0, GRAVITY * (sin(slope) - friction * cos(slope)))
    expected = (should * cos(about), 0.0, should * sin(about))
    assert way == pytest.approx(expected, abs=1e-6 if should == 0.0 else 1e-4 * should)


@pytest.mark.parametrize("restitution", [0.5, 0.9, 1.0])
def test_a_ball_comes_back_as_high_as_restitution_says(restitution: float) -> None:
    """e^2 of the height, and e^4 after the second bounce; e = 1 never gains."""
    drop = 1.0
    ball = body(0, (0.0, drop + 0.1, 0.0))
    simulation = on_floor((Sphere(0.1),), (ball,), grip(0.5, restitution))
    height = drop
    for bounce in range(1, 3):
        height *= restitution**2
        speed = (2.0 * GRAVITY * height) ** 0.5
        fall = (2.0 * drop / GRAVITY) ** 0.5
        flights = sum(2.0 * restitution**k * fall for k in range(1, bounce))
        apex = fall + flights + speed / GRAVITY
        while simulation.time < apex - 0.5 / FPS:
            simulation.step(1.0 / FPS)
        simulation.step(apex - simulation.time)
        assert simulation.positions[0, 1] - 0.1 == pytest.approx(height, rel=5e-3)
        assert simulation.positions[0, 1] - 0.1 < height * 1.0001


@pytest.mark.parametrize(
    "shape",
    [Sphere(0.25), Cylinder(0.4, 0.25, 0.25), Capsule(0.4, 0.25, 0.25)],
    ids=lambda shape: type(shape).__name__,
)
def test_what_rolls_goes_on_for_good(shape: Shape) -> None:
    """A ball, a wheel and a capsule on its side keep their speed, and go straight."""
    turned = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    velocity, spin = turned.T @ [2.0, 0.0, 0.0], turned.T @ [0.0, 0.0, -8.0]
    wheel = body(
        0, (0.0, 0.25, 0.0), turned=LYING, velocity=tuple(velocity), spin=tuple(spin)
    )  # fmt: skip
    way = moved(on_floor((shape,), (wheel,), grip(0.6)), 2.0)[-1, 0]
    assert way == pytest.approx((4.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("masses", [(1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1000.0)])
def test_a_stack_stands_whatever_lies_on_it(masses: tuple[float, ...]) -> None:
    """Neither four alike nor a tonne on three of a kilogramme sink or wander by 0.01 mm."""
    boxes = tuple(body(0, (0.0, 0.25 + 0.5 * i, 0.0), mass=m) for i, m in enumerate(masses))
    way = moved(on_floor((Box((0.5, 0.5, 0.5)),), boxes, grip(0.6)), 1.0)
    assert np.abs(way).max() < 1e-5


@pytest.mark.parametrize(("part", "falls"), [(0.995, False), (1.005, True)])
def test_a_box_tips_where_its_weight_leaves_its_base(part: float, falls: bool) -> None:
    """At tan a = b / h, and not half a percent before."""
    slope = atan(part * 0.4)
    gravity = (GRAVITY * sin(slope), -GRAVITY * cos(slope), 0.0)
    box = body(0, (0.0, 0.5, 0.0))
    way = moved(on_floor((Box((0.4, 1.0, 0.4)),), (box,), grip(5.0), gravity), 3.0)[-1, 0]
    assert (abs(way[1]) > 0.1) == falls


def test_a_weight_is_borne_where_it_lies() -> None:
    """The points that touch bear the weight, between the box and the floor."""
    simulation = on_floor(
        (Box((0.5, 0.5, 0.5)),), (body(0, (0.0, 0.25, 0.0), mass=3.0),), grip(0.6)
    )
    moved(simulation, 0.2)
    touches = simulation.touching()
    assert touches.nodes.tolist() == [[FLOOR, 0]] * 4
    assert touches.points[:, 1] == pytest.approx(np.zeros(4), abs=1e-9)
    assert touches.forces.sum(0) == pytest.approx((0.0, 3.0 * GRAVITY, 0.0), rel=1e-6, abs=1e-6)


def test_what_begins_inside_is_pushed_out_gently() -> None:
    """A box that stands a tenth in the floor rises by 0.2 m/s, and stays on it."""
    way = moved(on_floor((Box((0.5, 0.5, 0.5)),), (body(0, (0.0, 0.15, 0.0)),), grip(0.6)), 1.0)[
        :, 0, 1
    ]
    assert np.diff(way).max() < 0.2 / FPS + 1e-6
    assert way[-1] == pytest.approx(0.1, abs=1e-3)


def test_what_is_a_centimetre_inside_comes_out_by_its_depth_in_a_tenth_of_a_second() -> None:
    """Of what is left no less than a millimetre a second, so that it ends."""
    box = body(0, (0.0, 0.24, 0.0))
    way = moved(on_floor((Box((0.5, 0.5, 0.5)),), (box,), grip(0.6)), 0.7)[:, 0, 1]
    left = 1e-3 * (10.0 - 1e3 * way)
    assert left[5] == pytest.approx(0.01 / np.e, rel=0.2)
    assert left[26] > 5e-5
    assert abs(left[38]) < 1e-6


def test_nothing_changes_where_nothing_is_near() -> None:
    """What falls far above the floor goes to the last bit where it goes without contacts."""
    box = body(0, (0.0, 30.0, 0.0), spin=(1.0, 2.0, 0.5))
    mechanism = Mechanism((box,), (), (Box((0.4, 0.5, 0.6)),), (grip(0.6),))
    with_floor = Simulation(mechanism, Options(contacts=True, floor=Floor()))
    without = Simulation(mechanism)
    for simulation in (with_floor, without):
        moved(simulation, 0.5)
    assert with_floor.positions.tobytes() == without.positions.tobytes()
    assert with_floor.rotations.tobytes() == without.rotations.tobytes()


@pytest.mark.parametrize(("gap", "touches"), [(0.01, False), (-0.01, True)])
def test_what_passes_closely_goes_as_without_contacts(gap: float, *, touches: bool) -> None:
    """A spinning ball goes by another one, to the last bit if a centimetre is left."""
    flies = body(0, (-0.1, 1.0, 0.0), velocity=(0.3, 0.0, 0.0), spin=(0.1, 0.2, 0.3))
    stands = replace(body(0, (0.0, 0.6 - gap, 0.0)), motion=Motion(MotionType.STATIC))
    mechanism = Mechanism((flies, stands), (), (Sphere(0.2),), (grip(0.6),))
    ways = [
        moved(Simulation(mechanism, Options((0.0, 0.0, 0.0), contacts=contacts)), 0.5)
        for contacts in (False, True)
    ]
    assert (ways[0].tobytes() != ways[1].tobytes()) == touches


@pytest.mark.parametrize("after", [0.0, 0.5])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_moment_can_be_gone_back_to_from_the_floor(count: int, after: float) -> None:
    """From the floor to the air above it, or to where it tumbled, and on again, to the last bit.

    Those that fall onto others were islands of their own before they met.
    """
    boxes = tuple(
        body(0, (0.1 * at, 0.6 + 0.9 * at, 0.0), spin=(1.0, 2.0, 0.5)) for at in range(count)
    )
    simulation = on_floor((Box((0.4, 0.5, 0.6)),), boxes, grip(0.5, 0.3))
    moved(simulation, after)
    moment = simulation.checkpoint()
    ways = []
    for _ in range(2):
        ways.append(moved(simulation, 0.7))
        simulation.restore(moment)
    assert ways[0].tobytes() == ways[1].tobytes()
    assert simulation.time == pytest.approx(after)


def test_what_lies_stays_until_something_acts_on_it() -> None:
    """A box that lies is not computed any more, and rises when gravity does, or is hit."""
    boxes = body(0, (0.0, 0.3, 0.0)), body(0, (0.05, 30.0, 0.0), spin=(0.0, 0.0, 40.0))
    simulation = on_floor((Box((0.5, 0.5, 0.5)),), boxes, grip(0.6))
    moved(simulation, 1.0)
    place, forces = simulation.positions[0].copy(), simulation.touching().forces.sum(0)
    moved(simulation, 1.0)
    assert simulation.positions[0].tobytes() == place.tobytes()
    assert simulation.touching().forces.sum(0) == pytest.approx(forces)
    moment = simulation.checkpoint()
    simulation.set_gravity((0.0, GRAVITY, 0.0))
    assert moved(simulation, 0.1)[-1, 0, 1] > 0.03
    simulation.restore(moment)
    moved(simulation, 1.0)
    assert abs(simulation.positions[0] - place).max() > 1e-3


def test_a_box_of_a_millimetre_lies_as_any_other() -> None:
    """After a second it is not computed any more, though it trembles by what rounding leaves."""
    small = on_floor((Box((1e-3, 1e-3, 1e-3)),), (body(0, (0.0, 0.01, 0.0), mass=1e-6),), grip(0.6))
    moved(small, 1.0)
    place = small.positions.tobytes()
    moved(small, 0.5)
    assert small.positions.tobytes() == place


def bouncing(times: float = 1.0) -> Simulation:
    """Return boxes any way up that fall on each other and lose nothing at a corner (e = 1).

    Masses, from 0.2 to 5 kg, are taken so many times.
    """
    chance = np.random.default_rng(1)

    def some(low: float, high: float, count: int) -> list[float]:
        return list(map(float, chance.uniform(low, high, count)))

    shapes, boxes = [], []
    for number in range(6):
        x, y, z, w = (q := chance.normal(size=4)) / np.linalg.norm(q)
        across, high, along = some(0.2, 0.6, 3)
        aside, behind = some(-0.3, 0.3, 2)
        roll, pitch, yaw = some(-5.0, 5.0, 3)
        shapes.append(Box((across, high, along)))
        boxes.append(
            body(
                number,
                (aside, 0.6 + 0.7 * number, behind),
                mass=times * some(0.2, 5.0, 1)[0],
                turned=(float(x), float(y), float(z), float(w)),
                spin=(roll, pitch, yaw),
            )
        )
    return on_floor(tuple(shapes), tuple(boxes), grip(0.4, 1.0))


def test_what_bounces_at_several_corners_gains_nothing() -> None:
    """In a second and a half."""
    simulation = bouncing()
    first = simulation.energy().total
    for _ in range(90):
        simulation.step(1.0 / FPS)
        assert simulation.energy().total < first * (1.0 + 1e-6)


@pytest.mark.long
@pytest.mark.parametrize("bounce", [0.5, 1.0])
@pytest.mark.parametrize("shape", [Sphere(0.2), Box((0.2, 0.5, 0.3))])
def test_forces_of_contacts_that_bounce_are_what_changes_momentum(
    shape: Shape, bounce: float
) -> None:
    """Times the substep, with the weight; also of corners that would gain and so bounce less.

    What no longer pushes does not rub either.
    """
    x, y, z, w = np.array([0.1, 0.2, 0.3, 0.9]) / 0.95**0.5
    falls = body(0, (0.0, 0.6, 0.0), mass=2.0, turned=(x, y, z, w), spin=(3.0, 2.0, 4.0))
    simulation, h = on_floor((shape,), (falls,), grip(0.5, bounce)), 1.0 / 480.0
    hits = 0
    for _ in range(480):
        before = simulation.linear_velocities[0].copy()
        assert simulation.step(h).steps == 1
        force = simulation.touching().forces.sum(0)
        gained = 2.0 * (simulation.linear_velocities[0] - before)
        weight = np.array([0.0, -2.0 * GRAVITY, 0.0])
        assert h * (force + weight) == pytest.approx(gained, abs=1e-9)
        hits += bool(force.any())
    assert hits >= 2


@pytest.mark.parametrize("times", [1.0 / 4096.0, 4096.0])
def test_how_heavy_all_is_together_means_nothing(times: float) -> None:
    """Grams and tons touch and bounce alike."""
    found = moved(bouncing(times), 0.5)
    assert found == pytest.approx(moved(bouncing(), 0.5), abs=1e-9)


def test_points_for_which_there_is_no_room_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two boxes on each other touch in eight points: with room for six, two are left out."""
    boxes = body(0, (0.0, 0.25, 0.0)), body(0, (0.0, 0.75, 0.0))
    for most, out in (8, 0), (6, 2):
        monkeypatch.setattr(touching, "MOST_POINTS", most)
        simulation = on_floor((Box((0.5, 0.5, 0.5)),), boxes, grip(0.6))
        troubles = RunTroubles()
        for _ in range(3):
            report = simulation.step(1.0 / FPS)
            troubles.note(report)
            assert report.left_out == out
        said = [one.code for one in troubles.issues((), {}, 3, FPS)]
        assert said == ["contacts-left-out"] * (out > 0)


@pytest.mark.parametrize("speed", [1e30, -1e30])
def test_a_step_of_what_touches_that_fails_is_told(speed: float) -> None:
    """What leads beyond all numbers is not met, whatever is left of the gaps."""
    simulation = on_floor((Sphere(0.1),), (body(0, (0.0, 0.1, 0.0)),), grip(0.5))
    assert simulation.step(1.0 / 60.0).converged
    (group,) = simulation.groups
    group.state.velocity[:] = speed
    went = group.touching.step(1.0 / 60.0, 1.0 / 60.0, 1e-6)
    assert not went.reports["done"].any()
    assert went.off == np.inf
