# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever poses keeps within bounds on several axes together."""

from __future__ import annotations

from math import acos, inf, pi

import numpy as np
import pytest

from omi_physics_joint.model.geometry.transform import quaternion_from_rotation
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.together import together_in
from omi_physics_joint.posing import Posing
from tests.posing.posable import world_of
from tests.solver.building import Builder

PIN = Limit(AXES, (), 0.0, 0.0)


def tied(low: float, high: float, axes: tuple[int, ...] = AXES) -> tuple[Posing, int, int]:
    """Return a body that is tied to the origin, its node and that of the joint."""
    made = Builder()
    ground = made.ground()
    body = made.body((1.0, 0.0, 0.0))
    limit = Limit(axes, (), low, high, together=True)
    settings = JointSettings(limits=(limit, Limit((), AXES, 0.0, 0.0)))
    joint = made.joint(ground, body, settings, connected_place=(1.0, 0.0, 0.0))
    return Posing(made.mechanism()), body, joint


@pytest.mark.parametrize("target", [(3.0, 4.0, 0.0), (0.3, -0.2, 0.1), (-1.0, 5.0, 2.0)])
def test_a_hand_comes_as_near_as_the_rope_allows(target: tuple[float, float, float]) -> None:
    """Within 2 m it is reached; beyond, the nearest point of the sphere is."""
    posing, body, _ = tied(-inf, 2.0)
    posed = posing.drag(body, (0.0, 0.0, 0.0), target)
    length = float(np.linalg.norm(target))
    nearest = np.array(target) * min(1.0, 2.0 / length)
    place = world_of(posing, body)[:3, 3]
    assert place == pytest.approx(nearest, abs=5e-4)
    assert np.linalg.norm(place) <= 2.0 + 1e-9
    assert posed.reached == (length <= 2.0)
    assert posed.gap <= 1e-9


@pytest.mark.long
def test_a_strut_is_neither_longer_nor_shorter() -> None:
    """Whether it is pulled or pushed, the body stays 1 m away."""
    posing, body, _ = tied(1.0, 1.0)
    for target in ((0.0, 3.0, 0.0), (0.2, 0.3, 0.1), (-0.1, 0.0, 2.0)):
        posing.drag(body, (0.0, 0.0, 0.0), target)
        place = world_of(posing, body)[:3, 3]
        assert np.linalg.norm(place) == pytest.approx(1.0, abs=1e-9)
        assert place == pytest.approx(np.array(target) / np.linalg.norm(target), abs=1e-4)


def test_a_slider_of_the_panel_keeps_the_line_in_reach() -> None:
    """Along X to 5 m in a tube about Y of 1.5 m: it stops at the wall."""
    posing, body, joint = tied(-inf, 1.5, (0, 2))
    posing.set_value(joint, Freedom.LINEAR, 0, 5.0)
    assert np.hypot(*world_of(posing, body)[[0, 2], 3]) <= 1.5 + 1e-6
    posing.set_value(joint, Freedom.LINEAR, 1, 5.0)
    assert posing.values(joint)[1] == pytest.approx(5.0)


@pytest.mark.parametrize("freedom", Freedom)
@pytest.mark.parametrize("axes", [AXES, (1, 2), (0, 2), (0, 1)])
def test_what_is_posed_in_the_middle_of_a_least_bound_comes_out_of_it(
    axes: tuple[int, ...], freedom: Freedom
) -> None:
    """Of a line, a cone, a point or a whole angle: there is no direction there, but a way out."""
    made, is_linear = Builder(), freedom is Freedom.LINEAR
    ground, body = made.ground(), made.body()
    bound = Limit(axes if is_linear else (), () if is_linear else axes, 0.7, 2.0, together=True)
    held = Limit((), AXES, 0.0, 0.0) if is_linear else PIN
    joint = made.joint(ground, body, JointSettings(limits=(bound, held)))
    posing = Posing(made.mechanism())
    posing.set_value(joint, freedom, axes[0], 0.0)
    world = world_of(posing, body)
    (measured,) = together_in((bound,))
    turn = quaternion_from_rotation(world[:3, :3].tolist())
    assert 0.7 - 1e-6 <= measured.value(world[:3, 3].tolist(), turn) <= 2.0 + 1e-6


@pytest.mark.long
@pytest.mark.parametrize(("axes", "twist"), [((0, 1), None), (AXES, None), ((0, 1), 0.5)])
def test_a_hand_does_not_lean_a_joint_out_of_its_cone(
    axes: tuple[int, ...], twist: float | None
) -> None:
    """A rod along Z on a pin follows the hand to the rim, and along the rim."""
    made = Builder()
    ground = made.ground()
    body = made.body()
    limits = (PIN, Limit((), axes, -inf, 0.6, together=True))
    if twist is not None:
        limits = (*limits, Limit((), (2,), -twist, twist))
    made.joint(ground, body, JointSettings(limits=limits))
    posing = Posing(made.mechanism())
    for angle in np.linspace(0.0, 2.0 * pi, 9):
        target = (2.0 * np.cos(angle), 2.0 * np.sin(angle), 0.2)
        posing.drag(body, (0.0, 0.0, 1.0), target)
        world = world_of(posing, body)
        lean = acos(min(1.0, world[2, 2]))
        assert lean <= 0.6 + 1e-6
        assert lean == pytest.approx(0.6, abs=1e-3)
        way = np.arctan2(world[1, 2], world[0, 2])
        # With a bounded twist there are angles, of which the rim is no circle: within 5 degrees.
        assert np.cos(way - angle) == pytest.approx(1.0, abs=1e-3 if twist is None else 4e-3)
