# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel and textbook go where formulas say, in no more steps than that takes."""

from __future__ import annotations

from dataclasses import replace
from math import cos, inf, sin, sqrt

import numpy as np
import pytest
from solver.building import Builder, slider_with

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.solver import KinematicMotion, Options, Simulation
from omi_physics_joint.solver import simulation as simulations
from omi_physics_joint.solver.textbook.stepper import TEXTBOOK

FRAME = 1.0 / 60.0
GRAVITY = 9.81
WEIGHTLESS = Options(gravity=(0.0, 0.0, 0.0))


@pytest.fixture(params=["kernel", pytest.param("textbook", marks=pytest.mark.long)])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What moves mechanisms in a test, which runs once by each."""
    if request.param == "textbook":
        monkeypatch.setattr(simulations, "engine", lambda: TEXTBOOK)
    return str(request.param)


def test_many_bounds_in_one_frame_are_met_one_by_one(by: str) -> None:
    """Beads on a carriage come to bounds on it, some almost at once: each blow is of two bodies.

    A blow takes a bead of 0.5 kg and the carriage of 2 kg to their mean speed, the bead of 1 m/s
    falls behind at the next one, and four fifths of what the carriage lacks of 1 m/s are left.
    """
    ways = FRAME * np.array([0.05, 0.1, 0.15, 0.2, 0.25, 0.251, 0.2515, 0.26])
    made = Builder()
    ground, cart = made.ground(), made.body(mass=2.0)
    made.joint(ground, cart, recipes.slider(0))
    for way in ways.tolist():
        bead = made.body((0.0, 0.1, 0.0), mass=0.5, linear_velocity=(1.0, 0.0, 0.0))
        made.joint(cart, bead, recipes.slider(0, -1.0, way), (0.0, 0.1, 0.0))
    lacks = 0.8 ** np.arange(len(ways))
    times = np.cumsum(np.diff(ways, prepend=0.0) / lacks)
    goes = np.append(times + (FRAME - times) * (1.0 - 0.8 * lacks), 0.0)
    goes[-1] = goes[-2] - ways[-1]  # the carriage, with the last bead
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    report = simulation.step(FRAME)
    assert times[-1] < FRAME
    assert simulation.positions[2:, 0] == pytest.approx(goes[:-1], abs=1e-9)
    assert simulation.positions[1, 0] == pytest.approx(goes[-1], abs=1e-9)
    assert report.first_order == []


@pytest.mark.parametrize("part", [0.2, 0.5])
def test_what_rocks_comes_to_rest_when_it_should(by: str, part: float) -> None:
    """A bar rocks on two bounds: each blow leaves a part of its speed, so it ends in finite time.

    With its weight beyond its feet, I > m a^2, it turns about one foot at g m a / (I + m a^2); the
    blow at the other leaves (I - m a^2) / (I + m a^2) of its speed (Housner 1963).
    """
    arm, lean = 0.1, 0.05
    inertia = arm**2 * (1.0 + part) / (1.0 - part)
    made = Builder()
    ground = made.ground()
    bar = made.body(
        (0.0, arm * sin(lean), 0.0),
        (0.0, 0.0, sin(lean / 2.0), cos(lean / 2.0)),
        inertia_diagonal=(inertia,) * 3,
    )
    above = JointSettings("", (Limit(linear_axes=(1,), min=0.0),))
    for x in (-arm, arm):
        end = x * cos(lean), arm * sin(lean) + x * sin(lean), 0.0
        made.joint(ground, bar, above, (x, 0.0, 0.0), connected_place=end)
    simulation = Simulation(made.mechanism(), Options(gravity=(0.0, -GRAVITY, 0.0)))
    falls = sqrt(2.0 * lean * (inertia + arm**2) / (GRAVITY * arm))

    def leans(time: float) -> float:
        """Return by how much it leans where sines are angles."""
        side, speed, time = 1.0, 2.0 * lean / falls, time + falls  # as if it came from a blow
        while time > (flight := falls * speed / (lean / falls)) and speed > 1e-9:
            side, speed, time = -side, part * speed, time - flight
        return side * max(speed * time - lean * (time / falls) ** 2, 0.0)

    for frame in range(1, round(1.2 * falls * (1.0 + part) / (1.0 - part) / FRAME)):
        report = simulation.step(FRAME)
        now = 2.0 * simulation.rotations[-1][2]
        assert now == pytest.approx(leans(frame * FRAME), abs=1e-3 * lean), frame
        assert report.steps + report.retries <= 40


def test_what_spins_400_times_a_second_nods_as_it_should(by: str) -> None:
    """A plate on a pin at its centre: its axis goes round its momentum L at L over I across."""
    across, along, spin, tilt = 0.02, 0.03, 2500.0, 250.0
    made = Builder()
    plate = made.body(angular_velocity=(tilt, spin, 0.0), inertia_diagonal=(across, along, across))
    made.joint(made.ground(), plate, recipes.pin())
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    time = {"kernel": FRAME, "textbook": FRAME / 2.0}[by]  # in which it takes 400 steps
    report = simulation.step(time)
    momentum = np.array([across * tilt, along * spin, 0.0])
    size = float(np.sqrt(momentum @ momentum))
    about, angle = momentum / size, time * size / across
    axis = np.array([0.0, 1.0, 0.0])
    goes = about * (about @ axis)
    goes = goes + (axis - goes) * cos(angle) + np.cross(about, axis) * sin(angle)
    x, y, z, w = simulation.rotations[simulation.body_nodes.index(plate)]
    now = [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)]
    assert now == pytest.approx(goes, abs={"kernel": 1e-5, "textbook": 2e-8}[by])
    assert report.first_order == []


def test_a_spring_just_not_too_stiff_is_followed(by: str) -> None:
    """One that turns by 19 rad in a frame is where its cosine is."""
    rate = 19.0 / FRAME
    spring = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, inf, 1.0, None, rate * rate, 0.0)
    slider = replace(recipes.slider(0), drives=(spring,))
    simulation = Simulation(slider_with(slider), WEIGHTLESS)
    for frame in range(1, {"kernel": 3, "textbook": 2}[by]):
        assert simulation.step(FRAME).first_order == []
        assert simulation.positions[-1, 0] == pytest.approx(1.0 - cos(19.0 * frame), abs=2e-5)


@pytest.mark.parametrize(("speed", "small"), [(10.0, 5), (60.0, 21)])
def test_what_is_slow_takes_few_steps(by: str, speed: float, small: int) -> None:
    """A wheel that a spring of 8 rad/s winds: one step a frame, while it turns by 1 rad in one."""
    spring = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, inf, 0.0, None, 0.64, 0.0)
    wheel = slider_with(
        replace(recipes.hinge(2), drives=(spring,)), angular_velocity=(0.0, 0.0, speed)
    )
    simulation = Simulation(wheel, WEIGHTLESS)
    for _ in range(6):
        report = simulation.step(FRAME)
        assert report.steps + report.retries <= {"kernel": 1, "textbook": small}[by]


def test_a_ton_hangs_on_a_gram(by: str) -> None:
    """Joints of a chain at rest bear what hangs on them, to 1e-8, a million times their own."""
    made = Builder()
    before, masses = made.ground(), (1e-3, 1e-3, 1e3)
    for number, mass in enumerate(masses):
        body = made.body(
            (0.0, -0.1 - 0.2 * number, 0.0), mass=mass, inertia_diagonal=(0.01 * mass,) * 3
        )
        made.joint(before, body, recipes.pin(), (0.0, -0.2 * number, 0.0))
        before = body
    simulation = Simulation(made.mechanism(), Options(gravity=(0.0, -GRAVITY, 0.0)))
    simulation.step(FRAME)
    bears = GRAVITY * np.cumsum(masses[::-1])[::-1]
    assert np.abs(simulation.joint_report().force[:, 1]) == pytest.approx(bears, rel=1e-8)


def four_bars_between(made: Builder, kind: MotionType, more: float = 0.0) -> tuple[int, float]:
    """Add four bars of 0.25 m in a zigzag from the ground, pinned to a body at their end.

    Args:
        made: What they are added to.
        kind: That of the body.
        more: How much more than the other way they lean one way, rad.

    Returns:
        The body, and where it is along X, m.
    """
    before, x, y = made.ground(), 0.0, 0.0
    for number in range(4):
        lean = 0.9 * (-1.0) ** number + more
        along, up = 0.25 * cos(lean), 0.25 * sin(lean)
        turn = (0.0, 0.0, sin(lean / 2.0), cos(lean / 2.0))
        bar = made.body((x + along / 2.0, y + up / 2.0, 0.0), turn)
        made.joint(before, bar, recipes.pin(), (x, y, 0.0))
        before, x, y = bar, x + along, y + up
    end = 1.2 if kind is MotionType.STATIC else x
    post = made.body((end, 0.0, 0.0), kind=kind)
    made.joint(before, post, recipes.pin(), (x, y, 0.0), connected_place=(end, 0.0, 0.0))
    return post, x


def test_what_is_too_short_is_drawn_straight(by: str) -> None:
    """Four bars of 0.25 m between posts 1.2 m apart: what their pins lack in all is 0.2 m."""
    made = Builder()
    four_bars_between(made, MotionType.STATIC)
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    for _ in range(32):
        simulation.step(FRAME)
    assert simulation.joint_report().separation.sum() == pytest.approx(0.2, rel=0.03)


@pytest.mark.parametrize("more", [10.0**-power for power in range(6, 16)])
def test_what_is_drawn_straight_flies_off_by_no_rounding(more: float) -> None:
    """The nearer the bars are to a line, the faster they are to turn: beyond all bounds in the end.

    Of ten that differ by next to nothing six were torn apart by metres within a frame.
    """
    made = Builder()
    four_bars_between(made, MotionType.STATIC, more)
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    for _ in range(40):
        simulation.step(FRAME)
        assert simulation.joint_report().separation.sum() < 0.25
    assert simulation.joint_report().separation.sum() == pytest.approx(0.2, rel=0.03)


def test_what_fits_again_is_soon_as_exact_as_before() -> None:
    """Bars are drawn too far for a second: few steps are tried in vain, none once they fit.

    Four bars of 0.25 m fit where their ends are no more than 1 m apart.
    """
    made = Builder()
    post, x = four_bars_between(made, MotionType.KINEMATIC)
    times = np.array([0.0, 1.0, 2.0])
    ways = np.array([[x, 0.0, 0.0], [1.4, 0.0, 0.0], [x, 0.0, 0.0]])
    motion = KinematicMotion(times, ways, np.tile([0.0, 0.0, 0.0, 1.0], (3, 1)))
    simulation = Simulation(made.mechanism(), WEIGHTLESS)
    simulation.set_motions({post: motion})
    tries, rough = 0, []
    for frame in range(120):
        report = simulation.step(FRAME)
        tries += report.retries
        rough += [frame] * bool(report.first_order)
    first, last = (60.0 * at for at in ((1.0 - x) / (1.4 - x), 2.0 - (1.0 - x) / (1.4 - x)))
    assert first - 2.0 < min(rough)
    assert max(rough) < last + 8.0  # and not for as long as it was too far
    assert tries < 500
