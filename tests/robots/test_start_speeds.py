# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast links start is how their places change a moment later."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from omi_physics_joint.model.geometry.transform import (
    compose,
    linear_part,
    multiply,
    normalized,
    quaternion_from_rotation,
    rotation_about,
    rotation_from_quaternion,
    translation_of,
)
from omi_physics_joint.robots.robot import Axis, Link, Way, frames
from omi_physics_joint.robots.turning import pose

MOMENT = 1e-5
RATE = (0.7, -1.1, 0.4)
PLACED = compose((0.3, -0.2, 0.5), (0.18, 0.36, -0.54, 0.74))
BASE = Link("base", placed=PLACED, free=True, velocity=(1.0, 2.0, -0.5), spin=(0.6, -2.0, 1.5))


def joint(way: Way) -> Axis:
    """Return a joint that is out of its rest, away from the origin of its link."""
    turn = (0.0, 0.6, 0.0, 0.8)
    return Axis(way, way, (0.6, 0.0, 0.8), (0.1, 0.4, -0.3), rest=0.1, value=0.9, turn=turn)


def later(links: tuple[Link, ...], moment: float) -> list[Link]:
    """Return links where they are a moment later."""
    found = []
    for link in links:
        axes = []
        for axis, rates in zip(link.axes, link.rates_by_axis(), strict=True):
            if axis.way is Way.BALL:
                step = rotation_about(normalized(RATE), moment * float(np.linalg.norm(rates)))
                turn = multiply(rotation_from_quaternion(axis.turn), step)
                axes.append(replace(axis, turn=quaternion_from_rotation(turn)))
            else:
                axes.append(replace(axis, value=axis.value + moment * rates[0]))
        placed = link.placed
        if link.free:
            step = rotation_about(normalized(link.spin), moment * float(np.linalg.norm(link.spin)))
            place = np.array(translation_of(placed)) + moment * np.array(link.velocity)
            x, y, z = place.tolist()
            placed = pose(multiply(step, linear_part(placed)), (x, y, z))
        found.append(replace(link, axes=tuple(axes), placed=placed))
    return found


@pytest.mark.parametrize("ways", [*product(Way), *product(Way, repeat=2)], ids="-".join)
@pytest.mark.parametrize("base", [BASE, replace(BASE, spin=(0.0, 0.0, 1e-9))])
def test_links_start_as_their_places_change(base: Link, ways: tuple[Way, ...]) -> None:
    """Whatever joints are out, on what spins or not; below them another link is carried along."""
    rates = tuple(rate for way in ways for rate in RATE[: way.speeds])
    arm = Link("arm", 0, PLACED, tuple(map(joint, ways)), rates=rates)
    links = (base, arm, Link("hand", 1, PLACED))
    now = frames(links)
    before, after = (frames(later(links, moment)) for moment in (-MOMENT, MOMENT))
    for index, run in now.items():
        ends = zip(before[index], after[index], strict=True)
        for frame, (one, other) in zip(run, ends, strict=True):
            change = (np.array(other.world) - np.array(one.world)) / (2.0 * MOMENT)
            assert frame.velocity == pytest.approx(change[:3, 3], abs=1e-7)
            turning = change[:3, :3] @ np.array(linear_part(frame.world)).T
            spin = (turning[2, 1], turning[0, 2], turning[1, 0])
            assert frame.spin == pytest.approx(spin, abs=1e-7)
