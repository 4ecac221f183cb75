# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples do what their numbers say, however soft those are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from solver.literal import Array, Literal, Rotation

from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Simulation
from tests.solver.settling import settle

G = 9.81


def example(folder: Path, name: str) -> Mechanism:
    """Return the mechanism of an example."""
    return read(load(folder / "examples" / f"{name}.gltf").json).mechanism


def body(mechanism: Mechanism, simulation: Simulation, name: str) -> int:
    """Return the row of a body in the arrays of a simulation."""
    names = [mechanism.nodes[node].name for node in simulation.body_nodes]
    return names.index(name)


def moved(simulation: Simulation, frames: int, fps: float = 60.0) -> Array:
    """Return the positions of all bodies frame by frame: (frames + 1, bodies, 3)."""
    places = [simulation.positions]
    for _ in range(frames):
        assert simulation.step(1.0 / fps).converged
        places.append(simulation.positions)
    return np.array(places)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("hanging_rope", 1.0),
        ("pendulum_balls", 2.0),
        ("rope_railing", 0.5),
        ("simple_joint", 2.0),
        ("slider_ball", 1.2),
        ("swing_and_slide", 1.5),
    ],
)
def test_soft_example_moves_by_the_law_of_its_springs(
    example_files: Path, name: str, seconds: float
) -> None:
    """Every body is within 3e-4 of the way it goes from where F = -(k e + c e') takes it."""
    mechanism = example(example_files, name)
    frames = round(60 * seconds)
    truth = Literal(mechanism).positions(np.arange(frames + 1) / 60.0)
    found = moved(Simulation(mechanism), frames)
    travel = np.abs(truth - truth[0]).max()
    assert travel > 1.0
    assert np.abs(found - truth).max() <= 3e-4 * travel


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        *("hanging_rope", "pendulum_balls", "rope_railing", "simple_joint"),
        *("slider_ball", "swing_and_slide", "weld_joint"),
    ],
)
def test_example_read_literally_stays_finite_and_converges(example_files: Path, name: str) -> None:
    """Five seconds of softness that was hardly meant: every step converges, all is a number."""
    places = moved(Simulation(example(example_files, name)), 150, 30.0)
    assert np.isfinite(places).all()


@pytest.mark.long
def test_hanging_rope_settles_by_the_weights_that_its_springs_bear(example_files: Path) -> None:
    """Springs of 0.3 N/m that bear three, two and one kilograms are m g / k long."""
    mechanism = example(example_files, "hanging_rope")
    simulation = Simulation(mechanism)
    settle(simulation, steps=2500)
    sags = {
        mechanism.nodes[joint].name: float(np.hypot(*simulation.coordinates(joint)[:2]))
        for joint in simulation.joint_nodes
    }
    weights = {"PinJoint1": 3.0, "PinJoint2": 2.0, "PinJoint3": 1.0}
    assert sags == pytest.approx({name: m * G / 0.3 for name, m in weights.items()}, rel=1e-3)


@pytest.mark.long
def test_rope_railing_settles_where_forces_balance(example_files: Path) -> None:
    """At rest the two springs of every segment bear its weight, each k times its length."""
    mechanism = example(example_files, "rope_railing")
    simulation = Simulation(mechanism)
    settle(simulation, steps=1500)
    turns = Rotation.from_quat(simulation.rotations).as_matrix()
    rows = {node: row for row, node in enumerate(simulation.body_nodes)}
    pull = np.zeros((len(rows), 3))
    reference = Literal(mechanism)
    order = [rows[node] for node in simulation.body_nodes]
    for joint in reference.joints:
        first, second = (
            simulation.positions[order[b]] + turns[order[b]] @ frame[:3, 3]
            for b, frame in zip(joint.bodies, joint.frames, strict=True)
        )
        for b, sign in zip(joint.bodies, (1.0, -1.0), strict=True):
            pull[order[b]] += sign * 0.3 * (second - first)
    segments = [row for row, moves in enumerate(reference.moves) if moves]
    assert len(segments) == 5
    assert pull[segments] == pytest.approx(np.tile([0.0, G, 0.0], (5, 1)), abs=1e-2 * G)


@pytest.mark.long
def test_pendulum_ball_swings_on_its_spring_forever(example_files: Path) -> None:
    """The ball that hangs straight down goes by -(m g / k) (1 - cos(omega t)): nothing damps."""
    mechanism = example(example_files, "pendulum_balls")
    simulation = Simulation(mechanism)
    ball = body(mechanism, simulation, "Ball1")
    times = np.arange(241) / 20.0
    fall = moved(simulation, 240, 20.0)[:, ball, 1] + 0.25
    sag = G / 0.3
    assert fall == pytest.approx(-sag * (1.0 - np.cos(np.sqrt(0.3) * times)), abs=1e-3 * sag)


@pytest.mark.long
def test_pendulum_balls_hang_m_g_over_k_below(example_files: Path) -> None:
    """At rest each of the three springs is m g / k long, whichever way its joint is turned."""
    simulation = Simulation(example(example_files, "pendulum_balls"))
    assert settle(simulation).at_rest
    for joint in simulation.joint_nodes:
        x, y, z = simulation.coordinates(joint)[:3]
        assert (np.hypot(x, y), z) == pytest.approx((G / 0.3, 0.0), rel=1e-5, abs=1e-6)


@pytest.mark.long
def test_slider_ball_hangs_from_the_soft_end_of_its_line(example_files: Path) -> None:
    """It turns until its line hangs down, and stretches by m g / k beyond the end at -1.75 m."""
    simulation = Simulation(example(example_files, "slider_ball"))
    assert settle(simulation).at_rest
    x, y, _, _, _, angle = simulation.coordinates(simulation.joint_nodes[0])
    along = -1.75 - G * np.sin(angle)
    across = G * np.cos(angle)
    assert (x, y) == pytest.approx((along, across), rel=1e-4)
    # The weight at the end of the line against the soft lock of the angle, 1 N m/rad.
    assert angle == pytest.approx(-(x * across - y * (x + 1.75)), rel=1e-4)


@pytest.mark.long
def test_swing_and_slide_rests_at_its_end_and_sags(example_files: Path) -> None:
    """The string sags by m g / k and rests with its slide at the end that it swung to."""
    simulation = Simulation(example(example_files, "swing_and_slide"))
    assert settle(simulation).at_rest
    x, y, z = simulation.coordinates(simulation.joint_nodes[0])[:3]
    assert (y, z) == pytest.approx((-G / 0.7, 0.0), rel=1e-5, abs=1e-6)
    assert -0.25 - 1e-4 <= x <= 1.75 + 1e-4


@pytest.mark.parametrize(("name", "joint"), [("simple_joint", False), ("weld_joint", True)])
def test_what_hangs_from_nothing_falls_as_one(example_files: Path, name: str, joint: bool) -> None:
    """Two bodies on a joint of their own fall by g t^2 / 2 and stay as they are to each other."""
    mechanism = example(example_files, name)
    simulation = Simulation(mechanism)
    start, turns = simulation.positions, simulation.rotations
    places = moved(simulation, 120)
    for label in ("BodyA", "BodyB"):
        row = body(mechanism, simulation, label)
        fall = places[:, row] - start[row]
        times = np.arange(121) / 60.0
        truth = np.outer(times * times, (0.0, -0.5 * G, 0.0))
        assert fall == pytest.approx(truth, abs=1e-6)
        assert simulation.rotations[row] == pytest.approx(turns[row], abs=1e-6)
    if joint:
        assert simulation.joint_report().separation.max() <= 1e-6
