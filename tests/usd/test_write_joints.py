# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints on a stage: pxr's parser of UsdPhysics has the same frames, bounds and drives as we do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, pi, radians
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pxr", reason="usd-core is not installed in this Python (no module pxr)")

from model.building import JOINT, changed, pair, turned
from usd.drawing_joints import mechanism as random_joints
from usd.drawing_joints import pose as random_pose
from usd.parsed import (
    LOOSE,
    ParsedJoint,
    complaints,
    coordinate,
    descriptors,
    kind_of,
    opened,
    parsed_joint,
)

from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import (
    Matrix,
    inverse,
    linear_part,
    multiply,
    quaternion_from_rotation,
)
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.canonical import acting
from omi_physics_joint.model.settings.coordinates import excesses
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.settings.spans import span_on, spans_of
from omi_physics_joint.model.settings.together import together_in
from omi_physics_joint.usd.prim import Prim
from omi_physics_joint.usd.stage import encoded
from omi_physics_joint.usd.writing.write import written

CONE = Limit((), (0, 2), max=0.5, together=True)
EXPECTED = {"usd-soft-limit", "usd-other-way", "usd-acceleration"}
"""Codes of what is written as it is, but read otherwise by some."""


def parsed(mechanism: Mechanism, folder: Path) -> tuple[Any, dict[str, Any], dict[str, str]]:
    """Return the stage of a mechanism, what the parser says of it, and joints by displayed name."""
    record, _ = written(Contents(mechanism))
    stage = opened(encoded(record, ".usda"), folder)
    paths = {prim.label: prim.path for prim in record if prim.type.endswith("Joint")}
    return stage, descriptors(stage), paths


def only_joint(settings: JointSettings, folder: Path, **changes: Any) -> ParsedJoint:
    """Return the joint of a door in a wall, as the parser has it."""
    mechanism = changed(pair(settings), JOINT, **changes) if changes else pair(settings)
    stage, found, paths = parsed(mechanism, folder)
    assert complaints(stage) == []
    return parsed_joint(stage, found, paths["Joint"])


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (weld(), "FixedJoint"),
        (pin(), "SphericalJoint"),
        (hinge(1, -1.0, 2.0), "RevoluteJoint"),
        (hinge(0), "RevoluteJoint"),
        (hinge(0, -1.0), "D6Joint"),
        (slider(2, -1.0, 2.0), "PrismaticJoint"),
        (JointSettings(limits=(Limit(AXES, min=0.5, max=2.0, together=True),)), "DistanceJoint"),
        (JointSettings(limits=(Limit(AXES, max=2.0, together=True),)), "DistanceJoint"),
        (JointSettings(limits=(*pin().limits, CONE)), "Sph"),
        (JointSettings(limits=(Limit((0, 1), min=0.0, max=0.0),)), "D6Joint"),
        (JointSettings(), "D6Joint"),
    ],
)
def test_type_is_the_narrowest_that_says_the_same(
    settings: JointSettings, kind: str, tmp_path: Path
) -> None:
    """A joint has the type of USD that says neither less nor more."""
    assert kind_of(only_joint(settings, tmp_path).descriptor).startswith(kind)


def test_every_axis_of_a_generic_joint_is_named(tmp_path: Path) -> None:
    """Newton gives freedom to axes that have the schema of limits alone, so free ones have it."""
    joint = only_joint(JointSettings(limits=(Limit((0,), min=0.0, max=0.0),)), tmp_path)
    limits = {str(one.first)[-6:]: one.second for one in joint.descriptor.jointLimits}
    assert len(limits) == 6
    assert sum(one.enabled for one in limits.values()) == 1


@pytest.mark.parametrize("seed", range(8))
def test_parser_has_the_same_joints(seed: int, tmp_path: Path) -> None:
    """Frames, bounds and drives of random joints on scaled and mirrored bodies are ours."""
    for number in range(12 * seed, 12 * seed + 12):
        _judge(number, tmp_path)


@pytest.mark.long
def test_parser_has_the_same_five_hundred_joints(tmp_path: Path) -> None:
    """So are those of many more."""
    for number in range(1000, 1500):
        _judge(number, tmp_path)


def _judge(number: int, folder: Path) -> None:
    """Hold that one random joint is ours."""
    mechanism = random_joints(number, 1)
    record, issues = written(Contents(mechanism))
    stage = opened(encoded(record, ".usda"), folder)
    assert complaints(stage) == []
    assert {issue.code for issue in issues} <= EXPECTED
    index, node, one = next(mechanism.all_joints())
    path = next(prim.path for prim in record if prim.label == node.name)
    joint = parsed_joint(stage, descriptors(stage), path)
    settings = mechanism.settings_of(one)
    assert joint.descriptor.collisionEnabled == one.enable_collision
    assert joint.descriptor.jointEnabled == one.enabled
    if one.breaking is not None:
        assert joint.descriptor.breakForce == pytest.approx(one.breaking.force, rel=1e-6)
        assert joint.descriptor.breakTorque == inf
    frames = (
        rigid_frame(node.world, settings),
        rigid_frame(mechanism.nodes[one.connected_node].world, settings),
    )
    on_stage = _Stage(joint, frames, str(joint.descriptor.rel0) == path.rpartition("/")[0])
    _judge_bounds(on_stage, settings, Random(index))
    _judge_drives(on_stage, settings)


@dataclass(frozen=True)
class _Stage:
    """A joint of a stage beside ours.

    Attributes:
        joint: as the parser has it.
        frames: our joint frame and connected frame in the world.
        straight: whether frame 0 is on the body of our joint frame.
    """

    joint: ParsedJoint
    frames: tuple[Matrix, Matrix]
    straight: bool

    def pose(self, ours: Matrix) -> Matrix:
        """Return where frame 1 is in frame 0 when our connected frame is at a pose in ours.

        Each frame of the stage stays where it is on the body that has it.
        """
        on_joint, on_connected = self.joint.frames if self.straight else self.joint.frames[::-1]
        first = multiply(inverse(self.frames[0]), on_joint)
        second = multiply(inverse(self.frames[1]), on_connected)
        found = multiply(inverse(first), multiply(ours, second))
        return found if self.straight else inverse(found)


def _judge_bounds(stage: _Stage, settings: JointSettings, random: Random) -> None:
    """Hold that poses well within are allowed, and those well outside are not."""
    spans = spans_of(settings.limits)
    round_ones = together_in(settings.limits)
    for _ in range(12):
        place, angles = random_pose(random, settings)
        pose = turned(*angles)
        pose = tuple((*row[:3], p) for row, p in zip(pose, (*place, 1.0), strict=True))
        off = max(map(abs, excesses(spans, place, linear_part(pose))))
        q = quaternion_from_rotation(linear_part(pose))
        for one in round_ones:
            value = one.value(place, q)
            off = max(off, value - one.high, one.low - value)
        if LOOSE * 0.02 < off < 0.02:
            continue
        assert stage.joint.allows(stage.pose(pose)) == (off < 0.01), (settings, off)


def _judge_drives(stage: _Stage, settings: JointSettings) -> None:
    """Hold that drives push as hard, the same way, wherever the joint stands."""
    spans = spans_of(settings.limits)
    drives = {(freedom, axis): drive for freedom, axis, _, drive in stage.joint.axes()}
    for given in map(acting, settings.drives):
        span = span_on(spans, given.type, given.axis)
        if span.is_rigidly_locked or not (given.stiffness or given.damping):
            continue
        drive = drives[given.type, given.axis]
        for value in (-0.7, 0.4):
            there, beyond = (
                coordinate(stage.pose(_held(spans, given, at)), given.type, given.axis)
                for at in (value, value + 1e-3)
            )
            way = (beyond - there) / 1e-3
            assert abs(way) == pytest.approx(1.0, abs=0.02)
            force = _force(given, value)
            assert _parsed_force(drive, given.type, there) * way == pytest.approx(force, rel=0.03)
        assert drive.acceleration == (given.mode is DriveMode.ACCELERATION)


def _held(spans: Any, drive: Drive, value: float) -> Matrix:
    """Return the pose with one coordinate at a value and the others where they are held, or 0."""
    values = {}
    for span in spans:
        own = (span.freedom, span.axis) == (drive.type, drive.axis)
        held = span.rigid_low if span.is_rigidly_locked else 0.0
        values[span.freedom, span.axis] = value if own else held
    pose = turned(*(values[Freedom.ANGULAR, axis] for axis in AXES))
    place = [values[Freedom.LINEAR, axis] for axis in AXES]
    return tuple((*row[:3], p) for row, p in zip(pose, (*place, 1.0), strict=True))


def _force(drive: Drive, value: float) -> float:
    force = drive.stiffness * ((drive.position_target or 0.0) - value)
    force += drive.damping * (drive.velocity_target or 0.0)
    return max(-drive.max_force, min(drive.max_force, force))


def _parsed_force(drive: Any, freedom: Freedom, value: float) -> float:
    about = freedom is Freedom.ANGULAR
    per = 180.0 / pi if about else 1.0
    place = radians(drive.targetPosition) if about else drive.targetPosition
    speed = radians(drive.targetVelocity) if about else drive.targetVelocity
    force = drive.stiffness * per * (place - value) + drive.damping * per * speed
    return max(-drive.forceLimit, min(drive.forceLimit, force))


def only_prim(settings: JointSettings) -> tuple[Prim, set[str]]:
    """Return the prim of the joint of a door in a wall, and the codes of what is said of it."""
    record, issues = written(Contents(pair(settings)))
    prim = next(prim for prim in record if prim.type.endswith("Joint"))
    return prim, {issue.code for issue in issues}


def test_soft_bounds_are_those_of_physx_and_of_newton() -> None:
    """PhysX takes them per radian, Newton per degree; along an axis both say the same."""
    soft = Limit((), (2,), -1.0, 1.0, stiffness=180.0, damping=18.0)
    prim, codes = only_prim(JointSettings(limits=(*hinge(2).limits, soft)))
    assert prim.instances("PhysxLimitAPI") == ("angular",)
    assert prim.attributes["physxLimit:angular:stiffness"] == 180.0
    assert prim.attributes["physxLimit:angular:damping"] == 18.0
    assert prim.attributes["newton:limitStiffness"] == pytest.approx(pi)
    assert prim.attributes["newton:limitDamping"] == pytest.approx(pi / 10.0)
    assert prim.attributes["mjc:solimplimit"][:2] == (1e-4, 1e-4), "nothing is taken from the rest"
    assert codes == {"usd-soft-limit"}
    prim, _ = only_prim(JointSettings(limits=(Limit((1,), (), 0.0, 1.0, 50.0),)))
    assert prim.instances("PhysxLimitAPI") == ("transY",)
    assert prim.attributes["physxLimit:transY:stiffness"] == 50.0
    assert prim.attributes["newton:limitStiffness"] == 50.0
    faint = prim.attributes["newton:limitDamping"] / prim.attributes["newton:limitStiffness"]
    assert faint == pytest.approx(1e-6), "none would be another spring"


def test_newton_is_told_that_bounds_are_rigid() -> None:
    """One word serves all of a joint: nothing is said where some are soft and others are not."""
    ranges = (Limit((0,), (), -1.0, 1.0), Limit((), (2,), -1.0, 1.0))
    soft = Limit((1,), (), -1.0, 1.0, stiffness=10.0)
    prim, _ = only_prim(JointSettings(limits=ranges))
    assert "NewtonJointAPI" in prim.schemas
    assert prim.attributes["newton:limitStiffness"] == inf
    for limits in ((*ranges, soft), (), (Limit(AXES, (), 0.0, 0.0),)):
        prim, _ = only_prim(JointSettings(limits=limits))
        assert "NewtonJointAPI" not in prim.schemas


def test_keys_are_time_samples(tmp_path: Path) -> None:
    """Numbers that change with time do so on the stage, in its units; steps stay steps."""
    keys = (
        Keys("position_target", (0.0, 1.0), (0.0, pi / 2.0)),
        Keys("stiffness", (0.0, 2.0), (180.0, 360.0), is_stepped=True),
    )
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, inf, 0.0, None, 180.0, 0.0, keys=keys)
    settings = replace(hinge(2), drives=(drive,))
    record, _ = written(Contents(pair(settings)))
    path = next(prim.path for prim in record if prim.type.endswith("Joint"))
    stage = opened(encoded(record, ".usda"), tmp_path)
    prim = stage.GetPrimAtPath(path)
    target = prim.GetAttribute("drive:angular:physics:targetPosition")
    assert [target.Get(code) for code in (0.0, 12.0, 24.0)] == pytest.approx([0.0, -45.0, -90.0])
    strength = prim.GetAttribute("drive:angular:physics:stiffness")
    assert [strength.Get(code) for code in (0.0, 47.9, 48.0)] == pytest.approx([pi, pi, 2.0 * pi])


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ((Limit((0, 1), max=0.5, together=True),), "usd-round-limit"),
        ((Limit((), AXES, max=0.5, together=True),), "usd-round-limit"),
        ((Limit((0, 1), min=0.0, max=0.0), CONE), "usd-round-limit"),
        ((*pin().limits, replace(CONE, min=0.25)), "usd-round-limit"),
        ((*pin().limits, replace(CONE, stiffness=9.0)), "usd-round-limit"),
        ((*pin().limits, CONE, Limit((), (1,), -1.0, 1.0)), "usd-round-limit"),
        ((Limit((0,), (), -1.0, 1.0), Limit((0,), (), -0.5, 0.5, 9.0)), "usd-several-limits"),
    ],
)
def test_bounds_without_a_word_are_named(limits: tuple[Limit, ...], code: str) -> None:
    """What USD has no word for is one issue, and something narrower is written."""
    _, codes = only_prim(JointSettings(limits=limits))
    assert code in codes


def test_the_body_nearer_to_the_world_is_first() -> None:
    """Bodies change places where the inverse motion is of the same kind; else that is said."""
    bound = Limit((), (2,), -0.5, 1.0)
    prim, codes = only_prim(JointSettings(limits=(*hinge(2).limits, bound)))
    assert (prim.first("physics:body0"), codes) == ("/World/Wall", set())
    low, high = (prim.attributes[f"physics:{side}Limit"] for side in ("lower", "upper"))
    assert (radians(low), radians(high)) == pytest.approx((-1.0, 0.5))
    both = JointSettings(limits=(Limit((0, 1), (0, 1), 0.0, 0.0), Limit((2,), (), 0.0, 1.0)))
    prim, codes = only_prim(replace(both, limits=(*both.limits[1:], bound)))
    assert (prim.first("physics:body0"), codes) == ("/World/Door", {"usd-other-way"})
