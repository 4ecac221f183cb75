# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings drawn at random: kinds, bounds, drives, keys, rest poses."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix
from omi_physics_joint.model.joint import AXES, Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.settings.spans import spans_of

from .building import ANGULAR, LINEAR, at, chained, held, others, slides, turn, turns
from .random_numbers import Draw

KINDS = {
    "hinge": 6,
    "slider": 4,
    "pin": 2,
    "weld": 1,
    "ball": 2,
    "universal": 2,
    "cylinder": 2,
    "plane": 1,
    "any": 2,
    "rope": 1,
    "cone": 1,
    "disc": 1,
}
"""Kinds of joint, and how often each is drawn."""
OFTEN = {"pin": 0.0, "ball": 0.7, "universal": 0.7, "any": 0.6}
"""How often an axis has bounds where that is not 0.3."""


TOGETHER = ("rope", "cone", "disc")
"""Kinds whose bound is one over several axes together."""
FRAMES_A_SECOND = 24
"""Of Blender, which samples keys by frames."""


class JointDraw(Draw):
    """Draws joint settings."""

    def settings(self) -> JointSettings:
        """Return the settings of one joint."""
        kind = self.pick(KINDS)
        axis = self.random.choice(AXES)
        one, two = others(axis)
        self.words.append(kind + "XYZ"[axis])
        some = [tuple(i for i in AXES if self.chance(0.6)) for _ in range(2)]
        locked, still = {
            "weld": (AXES, AXES),
            "pin": (AXES, ()),
            "ball": (AXES, ()),
            "hinge": (AXES, (one, two)),
            "slider": ((one, two), AXES),
            "universal": (AXES, (axis,)),
            "cylinder": ((one, two), (one, two)),
            "plane": ((axis,), (one, two)),
            "any": (some[0], some[1]),
            "rope": ((), ()),
            "cone": (AXES, ()),
            "disc": ((axis,), AXES),
        }[kind]
        often = OFTEN.get(kind, 0.3)
        limits = [
            limit
            for freedom, fixed in ((LINEAR, locked), (ANGULAR, still))
            for i in AXES
            if i not in fixed
            for limit in self._bounds(freedom, i, often)
        ]
        if kind in TOGETHER:
            return held(locked, still, self._together(kind, (one, two)))
        settings = held(locked, still, *limits)
        if kind not in ("pin", "ball", "plane"):
            settings = self._driven(settings)
        return self._keyed(settings)

    def _together(self, kind: str, two: tuple[int, int]) -> Limit:
        """Return one bound over several axes together."""
        far = self.random.uniform(0.2, 0.8)
        limit = {
            "rope": Limit(AXES, (), max=far, together=True),
            "cone": Limit((), two, max=far, together=True),
            "disc": Limit(two, (), max=far, together=True),
        }[kind]
        if self.chance(0.3):
            self.say("keyed")
            limit = replace(limit, keys=(self._keys("max", far, 0.5 * far),))
        return limit

    def _keyed(self, settings: JointSettings) -> JointSettings:
        """Return settings one limit or drive of which may change with time."""
        moving = [i for i, limit in enumerate(settings.limits) if limit.min < limit.max]
        drives, limits = list(settings.drives), list(settings.limits)
        if not self.chance(0.3) or not (drives or moving):
            return settings
        self.say("keyed")
        if drives:
            values: dict[str, Any] = {
                name: value
                for name in ("position_target", "velocity_target", "stiffness", "damping")
                if (value := getattr(drives[0], name))
            }
            name = self.random.choice(list(values))
            drives[0] = replace(
                drives[0], keys=(self._keys(name, values[name], 0.5 * values[name]),)
            )
            return replace(settings, drives=tuple(drives))
        at_limit = self.random.choice(moving)
        limit = limits[at_limit]
        tracks = [
            self._keys(name, value, 0.3 * min(limit.max - limit.min, 1.0))
            for name, value in (("min", limit.min), ("max", limit.max))
            if abs(value) < inf
        ]
        kept = tuple(track for track in tracks if len(tracks) == 1 or self.chance(0.7))
        limits[at_limit] = replace(limit, keys=kept)
        return replace(settings, limits=tuple(limits))

    def _keys(self, field: str, value: float, apart: float) -> Keys:
        """Return keys of a number that goes a way off and back, or in steps."""
        way = self.random.uniform(-apart, apart)
        middle = self.random.choice((6, 12, 18)) / FRAMES_A_SECOND
        steps = self.chance(0.3)
        return Keys(field, (0.0, middle, 1.0), (value, value + way, value - 0.5 * way), steps)

    def _bounds(self, freedom: Freedom, axis: int, often: float) -> tuple[Limit, ...]:
        random = self.random
        if not self.chance(often):
            return ()
        low, high = random.uniform(-0.9, -0.1), random.uniform(0.1, 0.9)
        kind = self.pick({"both": 5, "low": 1, "high": 1, "off": 1, "wide": 1})
        if kind == "low":
            high = inf
        elif kind == "high":
            low = -inf
        elif kind == "off":
            low = high - 0.08
        elif kind == "wide":
            low, high = 3.0 * low, 3.0 * high
        self.words.append(f"{'+' if kind == 'both' else kind}")
        make = slides if freedom is LINEAR else turns
        return (make(axis, low, high),)

    def _driven(self, settings: JointSettings) -> JointSettings:
        random = self.random
        free = [s for s in spans_of(settings.limits) if not s.is_locked]
        if not free or not self.chance(0.45):
            return settings
        span = random.choice(free)
        drive = Drive(span.freedom, DriveMode.FORCE, span.axis)
        unit = 1.0 if span.freedom is ANGULAR else 10.0
        target = random.uniform(-0.6, 0.6)
        kind = self.pick(
            {
                "spring": 4,
                "servo": 2,
                "motor": 2,
                "weak": 2,
                "damped": 1,
                "damper": 2,
                "acceleration": 1,
                "both": 1,
                "faint": 1,
            }
        )
        self.words.append(kind)
        stiffness, damping = unit * random.uniform(5.0, 60.0), unit * random.uniform(0.2, 5.0)
        values = {
            "spring": {"position_target": target, "stiffness": stiffness, "damping": damping},
            "servo": {
                "position_target": target,
                "stiffness": 20 * stiffness,
                "damping": 10 * damping,
            },
            "motor": {"velocity_target": 3 * target, "damping": 1e6},
            "weak": {
                "velocity_target": 3 * target,
                "damping": 1e3,
                "max_force": unit * random.uniform(0.3, 8.0),
            },
            "damped": {"velocity_target": 3 * target, "damping": damping},
            "damper": {"velocity_target": 0.0, "damping": damping},
            "acceleration": {
                "position_target": target,
                "stiffness": stiffness,
                "damping": damping,
                "mode": DriveMode.ACCELERATION,
            },
            "both": {
                "position_target": target,
                "velocity_target": target,
                "stiffness": stiffness,
                "damping": damping,
            },
            "faint": {"position_target": target, "stiffness": 0.1 * stiffness},
        }[kind]
        return replace(settings, drives=(replace(drive, **values),))  # type: ignore[arg-type]

    def posed(self, settings: JointSettings) -> Matrix:
        """Return where the connected frame is at rest: on the joint frame, or within its limits."""
        if any(limit.together for limit in settings.limits):
            return IDENTITY
        random = self.random
        pose = IDENTITY
        wanted = self.chance(0.3)
        for span in spans_of(settings.limits):
            value = 0.0
            if not span.holds_zero:
                value = random.uniform(span.low, span.high)
            elif wanted and not span.is_locked:
                value = random.uniform(max(span.low, -0.5), min(span.high, 0.5))
            if value:
                self.words += ["posed"] if "posed" not in self.words else []
            place = [0.0, 0.0, 0.0]
            place[span.axis] = value
            step = at(*place) if span.freedom is LINEAR else turn(span.axis, value)
            pose = chained(pose, step)
        return pose
