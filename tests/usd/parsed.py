# SPDX-License-Identifier: GPL-3.0-or-later
"""What pxr's own parser of UsdPhysics makes of a stage: the judge of what we write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import acos, atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from typing import Any

import pytest
from pxr import Gf, Usd, UsdGeom, UsdPhysics, UsdValidation

from omi_physics_joint.model.geometry.transform import (
    IDENTITY,
    Matrix,
    compose,
    linear_part,
    multiply,
    quaternion_from_rotation,
    translation_of,
)
from omi_physics_joint.model.joint import Freedom

NUMBERS = count()
IS_STRICT = Usd.GetVersion() < (0, 25, 11)
ALLOWED_SINCE = ("missing xformstack reset", "on a kinematic rigid body")
"""What older validators refuse: nested bodies, and articulations that hang on a kinematic one."""
LOOSE = 2e-4
"""m and rad: what single precision leaves of frames some metres from the origin of a body."""


if not hasattr(UsdPhysics, "LoadUsdPhysicsFromRange"):
    pytest.skip("this pxr is older than its parser of UsdPhysics (25.5)", allow_module_level=True)


def opened(data: bytes, folder: Path, suffix: str = ".usda") -> Any:
    """Return a stage of the bytes of a file, which has a name of its own: layers are cached."""
    file = folder / f"stage{next(NUMBERS)}{suffix}"
    file.write_bytes(data)
    return Usd.Stage.Open(str(file))


def descriptors(stage: Any, *, trees: bool = False) -> dict[str, Any]:
    """Return what the parser says of each prim, or of the articulations that begin there.

    Of a shape that is a body by itself it is what is said of the body.
    """
    load = getattr(UsdPhysics, "UsdPhysicsLoadStageFromPrimRange", None)
    found = (load or UsdPhysics.LoadUsdPhysicsFromRange)(stage, ["/"])
    each = [
        (str(path), one)
        for paths, described in found.values()
        for path, one in zip(paths, described, strict=True)
        if (kind_of(one) == "Articulation") is trees
    ]
    bodies = {path: one for path, one in each if kind_of(one) == "RigidBody"}
    return {**dict(each), **bodies}


def complaints(stage: Any) -> list[str]:
    """Return what the validators of physics say of a stage."""
    registry = UsdValidation.ValidationRegistry()
    checks = [
        one
        for one in registry.GetOrLoadAllValidators()
        if "usdPhysics" in str(one.GetMetadata().name)
    ]
    assert len(checks) >= 3
    found = [one.GetMessage() for one in UsdValidation.ValidationContext(checks).Validate(stage)]
    return [one for one in found if not (IS_STRICT and any(word in one for word in ALLOWED_SINCE))]


def kind_of(descriptor: Any) -> str:
    """Return what kind of thing a descriptor describes, such as "RevoluteJoint"."""
    return str(descriptor.type).rsplit(".", 1)[-1]


@dataclass(frozen=True)
class ParsedJoint:
    """A joint as the parser has it."""

    descriptor: Any
    frames: tuple[Matrix, Matrix]
    """On body 0 and on body 1, in the world."""

    def axes(self) -> Iterator[tuple[Freedom, int, Any, Any]]:
        """Yield degrees of freedom that have a limit or a drive, each with both or None."""
        one = self.descriptor
        kind = kind_of(one)
        if kind in ("RevoluteJoint", "PrismaticJoint"):
            turns = kind == "RevoluteJoint"
            axis = "XYZ".index(str(one.axis).rsplit(".", 1)[-1])
            own = (Freedom.ANGULAR if turns else Freedom.LINEAR, axis)
            drive = one.drive if one.drive.enabled else None
            yield (*own, one.limit if one.limit.enabled else None, drive)
            for freedom in Freedom:
                yield from ((freedom, a, LOCK, None) for a in range(3) if (freedom, a) != own)
        elif kind == "FixedJoint":
            yield from ((freedom, axis, LOCK, None) for freedom in Freedom for axis in range(3))
        elif kind == "SphericalJoint":
            yield from ((Freedom.LINEAR, axis, LOCK, None) for axis in range(3))
        elif kind == "D6Joint":
            limits = {str(pair.first): pair.second for pair in one.jointLimits}
            drives = {str(pair.first): pair.second for pair in one.jointDrives}
            for name in {**limits, **drives}:
                short = name.rsplit(".", 1)[-1]
                if short == "Distance":
                    continue
                freedom = Freedom.ANGULAR if short.startswith("Rot") else Freedom.LINEAR
                limit = limits.get(name)
                limit = limit if limit is not None and limit.enabled else None
                yield freedom, "XYZ".index(short[-1]), limit, drives.get(name)

    def distance(self) -> tuple[float, float] | None:
        """Return the bounds of the distance between both places; None where it has none."""
        one = self.descriptor
        if kind_of(one) == "DistanceJoint":
            low = one.limit.lower if one.minEnabled else 0.0
            return (low, one.limit.upper if one.maxEnabled else 1e30)
        if kind_of(one) == "D6Joint":
            for pair in one.jointLimits:
                if str(pair.first).endswith("Distance"):
                    return (pair.second.lower, pair.second.upper)
        return None

    def allows(self, pose: Matrix) -> bool:
        """Return whether the pose of frame 1 in frame 0 is one that the joint leaves."""
        place = translation_of(pose)
        x, y, z, w = quaternion_from_rotation(linear_part(pose))
        for freedom, axis, limit, _ in self.axes():
            if limit is None:
                continue
            low, high = limit.lower, limit.upper
            if freedom is Freedom.ANGULAR:
                low, high = radians(low), radians(high)
            if low > high:
                low = high = 0.0
            value = coordinate(pose, freedom, axis)
            if low == high and freedom is Freedom.ANGULAR:
                off = 2.0 * abs(cos(low / 2.0) * (x, y, z)[axis] - sin(low / 2.0) * w)
                value = low + off
            if not low - LOOSE <= value <= high + LOOSE:
                return False
        near = self.distance()
        if near is not None and not near[0] - LOOSE <= hypot(*place) <= near[1] + LOOSE:
            return False
        return not (kind_of(self.descriptor) == "SphericalJoint" and self._leans(pose))

    def _leans(self, pose: Matrix) -> bool:
        one = self.descriptor
        if not one.limit.enabled:
            return False
        axis = "XYZ".index(str(one.axis).rsplit(".", 1)[-1])
        assert one.limit.lower == one.limit.upper
        lean = degrees(acos(max(-1.0, min(1.0, linear_part(pose)[axis][axis]))))
        return lean > one.limit.lower + degrees(LOOSE) * 5.0


def coordinate(pose: Matrix, freedom: Freedom, axis: int) -> float:
    """Return a coordinate of a joint whose motion is one of a single degree of freedom."""
    if freedom is Freedom.LINEAR:
        return translation_of(pose)[axis]
    q = quaternion_from_rotation(linear_part(pose))
    return 2.0 * atan2(q[axis], q[3])


def parsed_joint(stage: Any, found: dict[str, Any], path: str) -> ParsedJoint:
    """Return a joint with both frames in the world."""
    one = found[path]
    frames = []
    for body, position, turn in (
        (one.body0, one.localPose0Position, one.localPose0Orientation),
        (one.body1, one.localPose1Position, one.localPose1Orientation),
    ):
        local = compose(tuple(position), _quaternion(turn))
        world = IDENTITY
        if body and str(body) in found:
            base = found[str(body)]
            if kind_of(base) == "RigidBody":
                world = compose(tuple(base.position), _quaternion(base.rotation))
            else:  # what does not move stands where its prim does
                pose = UsdGeom.XformCache().GetLocalToWorldTransform(stage.GetPrimAtPath(body))
                still = Gf.Transform(pose)
                rotation = _quaternion(still.GetRotation().GetQuat())
                world = compose(tuple(still.GetTranslation()), rotation)
        frames.append(multiply(world, local))
    return ParsedJoint(one, (frames[0], frames[1]))


@dataclass(frozen=True)
class _Lock:
    lower: float = 1.0
    upper: float = -1.0


LOCK = _Lock()


def _quaternion(q: Any) -> tuple[float, float, float, float]:
    x, y, z = q.GetImaginary()
    return (x, y, z, q.GetReal())
