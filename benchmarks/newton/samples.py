# SPDX-License-Identifier: GPL-3.0-or-later
"""What Newton and the add-on are asked, and what Newton said, which is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import pi, tau
from pathlib import Path
from random import Random
from typing import Any

from omi_physics_joint.model.articulation.joints import Articulation, ArticulationJoint
from omi_physics_joint.model.articulation.trees import articulations_of
from omi_physics_joint.model.geometry.transform import Matrix
from omi_physics_joint.model.mechanism import Mechanism

from .scenes import SCENES, Making, some_coordinates

FILE = Path(__file__).parent / "newton.json"
"""Written by ``python -m benchmarks.newton.run --keep``."""


@dataclass(frozen=True, slots=True)
class Question:
    """A scene, and where and how its bodies and joints may be."""

    mechanism: Mechanism
    articulations: tuple[Articulation, ...]
    joint_q: list[float]
    joint_qd: list[float]
    anywhere: dict[int, Matrix]
    """Poses of all bodies that no joint would allow."""

    @property
    def trees(self) -> list[ArticulationJoint]:
        """The joints of all trees."""
        return [joint for one in self.articulations for joint in one.joints]

    @property
    def joints(self) -> list[ArticulationJoint]:
        """The joints of all trees, then those that close loops."""
        return [*self.trees, *(loop for one in self.articulations for loop in one.loops)]


def question(name: str) -> Question:
    """Return what is asked of a scene: the same in every run."""
    draw, mechanism = Random(name), SCENES[name]
    articulations = articulations_of(mechanism)
    joints = [joint for one in articulations for joint in (*one.joints, *one.loops)]
    trees = [joint for one in articulations for joint in one.joints]
    q = some_coordinates([(joint.type.value, joint.counts.q) for joint in trees], draw)
    qd = [draw.uniform(-2.0, 2.0) for joint in trees for _ in range(joint.counts.qd)]
    making = Making(len(joints))
    anywhere = {body: making.frame() for one in articulations for body in one.bodies}
    return Question(mechanism, articulations, q, qd, anywhere)


def kept() -> dict[str, Any]:
    """Return what Newton said, by scene."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def farthest(
    joints: Sequence[ArticulationJoint], one: Sequence[float], other: Sequence[float]
) -> float:
    """Return how far positions of joints are apart: a quaternion and its negative are the same.

    So are angles a turn apart: Newton reads an angle within a turn either way, since it takes the
    sign of quaternions as it comes.
    """
    most = 0.0
    for joint in joints:
        part = slice(joint.q_start, joint.q_start + joint.counts.q)
        a, b = list(one[part]), list(other[part])
        if joint.type.value in {"BALL", "FREE", "DISTANCE"}:
            if sum(x * y for x, y in zip(a[-4:], b[-4:], strict=True)) < 0.0:
                b[-4:] = [-x for x in b[-4:]]
            most = max(most, *(abs(x - y) for x, y in zip(a, b, strict=True)))
            continue
        for axis, x, y in zip(joint.axes, a, b, strict=True):
            most = max(most, abs(x - y) if axis in joint.linear else turns_apart(x, y))
    return most


def turns_apart(one: float, other: float) -> float:
    """Return the angle between two, whole turns left out."""
    return abs((one - other + pi) % tau - pi)
