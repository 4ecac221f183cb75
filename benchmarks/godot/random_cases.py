# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases drawn at random from a seed: any joint, anywhere, on any bodies."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi
from random import Random
from typing import TypeVar

from omi_physics_joint.model.body import ZERO, Collider, Motion, MotionType, Vector3
from omi_physics_joint.model.joint import (
    AXES,
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere
from omi_physics_joint.model.spans import spans_of
from omi_physics_joint.model.transform import IDENTITY, Matrix, compose

from .body_cases import WEDGE
from .building import (
    ANGULAR,
    DYNAMIC,
    LINEAR,
    STATIC,
    Case,
    at,
    chained,
    held,
    others,
    slides,
    turn,
    turns,
)

_T = TypeVar("_T")

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
}
"""Kinds of joint, and how often each is drawn."""
OFTEN = {"pin": 0.0, "ball": 0.7, "universal": 0.7, "any": 0.6}
"""How often an axis has bounds where that is not 0.3."""


def random_cases(count: int, seed: int) -> dict[str, Case]:
    """Return cases that depend on the seed only; each on its own number, so that fewer are some."""
    cases: dict[str, Case] = {}
    for number in range(count):
        name, case = _Draw(Random(f"{seed} {number}")).case()
        cases[f"{seed}-{number} {name}"] = case
    return cases


class _Draw:
    """Draws one case."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._words: list[str] = []

    def case(self) -> tuple[str, Case]:
        """Return what was drawn, in words, and the case."""
        bodies = self._pick({1: 6, 2: 3, 3: 2})
        base = self._pick({"static": 6, "kinematic": 1, "loose": 2})
        above = self._above()
        nodes = [Node("Wall", None, chained(above, self._place()), motion=self._base(base))]
        if base == "loose":
            still = nodes[0].motion
            if bodies == 1:
                nodes[0] = replace(nodes[0], collider=Collider(0))
            elif still is not None and still.inertia_diagonal == ZERO:
                nodes[0] = replace(
                    nodes[0], motion=replace(still, inertia_diagonal=(0.06, 0.05, 0.04))
                )
        shapes: list[Shape] = [self._shape()]
        settings: list[JointSettings] = []
        here = above
        joints: list[tuple[int, int, Matrix, Matrix]] = []
        for number in range(bodies):
            frame = chained(here, self._place(0.3), self._turned())
            place = chained(frame, self._place(0.3), self._scale())
            solid = bodies + (base == "loose") <= 2 or number == 0
            motion = self._motion()
            if not solid and motion.inertia_diagonal == ZERO:
                motion = replace(motion, inertia_diagonal=(0.06, 0.05, 0.04))
            nodes.append(
                Node(
                    f"Bar{number}",
                    None,
                    place,
                    motion=motion,
                    collider=Collider(number + 1) if solid else None,
                )
            )
            shapes.append(self._shape())
            settings.append(self._settings())
            connected = chained(frame, self._posed(settings[-1]))
            joints.append((number, number + 1, frame, connected))
            here = chained(connected, at(*self._vector(0.4)))
        if bodies > 1 and self._chance(0.2):
            self._words.append("nested")
            nodes[2] = replace(nodes[2], parent=1)
        self._join(nodes, joints)
        if above != IDENTITY:
            nodes = [
                replace(node, parent=len(nodes)) if node.parent is None else node for node in nodes
            ]
            nodes.append(Node("Above", None, above))
        words = " ".join(word for word in (base, f"{bodies}", *self._words) if word)
        uses_mesh = any(isinstance(shape, Convex) for shape in shapes)
        mechanism = Mechanism(
            tuple(nodes), tuple(settings), tuple(shapes), meshes=("Mesh",) if uses_mesh else ()
        )
        return words, Case(mechanism, (WEDGE,) if uses_mesh else ())

    def _join(self, nodes: list[Node], joints: list[tuple[int, int, Matrix, Matrix]]) -> None:
        """Add the nodes of joints, each on either side."""
        for number, (first, second, frame, connected) in enumerate(joints):
            swap = self._chance(0.4)
            ends = (first, second) if swap else (second, first)
            joint = JointNode(number, len(nodes) + 1)
            nodes.append(Node(f"Joint{number}", ends[0], frame, joint=joint))
            nodes.append(Node(f"Anchor{number}", ends[1], connected))
            self._words.append("swapped" if swap else "")

    def _settings(self) -> JointSettings:
        kind = self._pick(KINDS)
        axis = self._random.choice(AXES)
        one, two = others(axis)
        self._words.append(kind + "XYZ"[axis])
        some = [tuple(i for i in AXES if self._chance(0.6)) for _ in range(2)]
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
        }[kind]
        often = OFTEN.get(kind, 0.3)
        limits = [
            limit
            for freedom, fixed in ((LINEAR, locked), (ANGULAR, still))
            for i in AXES
            if i not in fixed
            for limit in self._bounds(freedom, i, often)
        ]
        settings = held(locked, still, *limits)
        return settings if kind in ("pin", "ball", "plane") else self._driven(settings)

    def _bounds(self, freedom: Freedom, axis: int, often: float) -> tuple[Limit, ...]:
        random = self._random
        if not self._chance(often):
            return ()
        low, high = random.uniform(-0.9, -0.1), random.uniform(0.1, 0.9)
        kind = self._pick({"both": 5, "low": 1, "high": 1, "off": 1, "wide": 1})
        if kind == "low":
            high = inf
        elif kind == "high":
            low = -inf
        elif kind == "off":
            low = high - 0.08
        elif kind == "wide":
            low, high = 3.0 * low, 3.0 * high
        self._words.append(f"{'+' if kind == 'both' else kind}")
        make = slides if freedom is LINEAR else turns
        return (make(axis, low, high),)

    def _driven(self, settings: JointSettings) -> JointSettings:
        random = self._random
        free = [s for s in spans_of(settings.limits) if not s.is_locked]
        if not free or not self._chance(0.45):
            return settings
        span = random.choice(free)
        drive = Drive(span.freedom, DriveMode.FORCE, span.axis)
        unit = 1.0 if span.freedom is ANGULAR else 10.0
        target = random.uniform(-0.6, 0.6)
        kind = self._pick(
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
        self._words.append(kind)
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

    def _posed(self, settings: JointSettings) -> Matrix:
        """Return where the connected frame is at rest: on the joint frame, or within its limits."""
        random = self._random
        pose = IDENTITY
        wanted = self._chance(0.3)
        for span in spans_of(settings.limits):
            value = 0.0
            if not span.holds_zero:
                value = random.uniform(span.low, span.high)
            elif wanted and not span.is_locked:
                value = random.uniform(max(span.low, -0.5), min(span.high, 0.5))
            if value:
                self._words += ["posed"] if "posed" not in self._words else []
            place = [0.0, 0.0, 0.0]
            place[span.axis] = value
            step = at(*place) if span.freedom is LINEAR else turn(span.axis, value)
            pose = chained(pose, step)
        return pose

    def _motion(self) -> Motion:
        random = self._random
        motion = replace(DYNAMIC, mass=random.uniform(0.5, 4.0))
        if self._chance(0.3):
            self._words.append("centre")
            motion = replace(motion, center_of_mass=self._vector(0.2))
        if self._chance(0.4):
            self._words.append("even")
            even = motion.mass * random.uniform(0.03, 0.1)
            motion = replace(motion, inertia_diagonal=(even, even, even))
        elif self._chance(0.2):
            self._words.append("inertia")
            a, b = (motion.mass * random.uniform(0.03, 0.1) for _ in range(2))
            motion = replace(motion, inertia_diagonal=(a, b, 0.8 * (a + b)))
        if self._chance(0.15):
            self._words.append("spin")
            motion = replace(motion, angular_velocity=self._vector(2.0))
        if self._chance(0.15):
            self._words.append("speed")
            motion = replace(motion, linear_velocity=self._vector(2.0))
        return motion

    def _base(self, kind: str) -> Motion:
        if kind == "static":
            return STATIC
        if kind == "loose":
            return self._motion()
        still = Motion(MotionType.KINEMATIC)
        if self._chance(0.5):
            self._words.append("moving")
            return replace(
                still, linear_velocity=self._vector(0.5), angular_velocity=self._vector(1.0)
            )
        return still

    def _shape(self) -> Shape:
        random = self._random
        size = random.uniform(0.1, 0.4), random.uniform(0.1, 0.4), random.uniform(0.1, 0.4)
        return random.choice(
            (
                Box((2 * size[0], size[1], size[2])),
                Box((size[0], 2 * size[1], size[2])),
                Sphere(size[0]),
                Capsule(2 * size[0], size[1], size[1]),
                Cylinder(2 * size[0], size[1], size[1]),
                Convex(0),
            )
        )

    def _scale(self) -> Matrix:
        random = self._random
        kind = self._pick({"": 7, "scaled": 1, "uneven": 1, "mirrored": 1})
        self._words.append(kind)
        size = random.uniform(0.5, 2.0)
        if kind == "scaled":
            return compose(scale=(size, size, size))
        if kind == "uneven":
            return compose(scale=(size, 1.0, random.uniform(0.5, 2.0)))
        return compose(scale=(1.0, -1.0, 1.0)) if kind == "mirrored" else IDENTITY

    def _above(self) -> Matrix:
        kind = self._pick({"": 6, "below": 2, "below scaled": 1, "below mirrored": 1})
        self._words.append(kind)
        if not kind:
            return IDENTITY
        place = chained(at(*self._vector(1.0)), self._turned())
        if kind == "below scaled":
            return chained(place, compose(scale=(1.7, 1.7, 1.7)))
        return (
            chained(place, compose(scale=(-1.0, 1.0, 1.0))) if kind == "below mirrored" else place
        )

    def _place(self, far: float = 0.3) -> Matrix:
        return chained(at(*self._vector(far)), self._turned())

    def _turned(self) -> Matrix:
        random = self._random
        kind = self._pick({"": 1, "quarter": 1, "askew": 2})
        if kind == "quarter":
            return turn(random.choice(AXES), random.choice((-0.5, 0.5, 1.0)) * pi)
        if kind == "askew":
            return chained(*(turn(i, random.uniform(-pi, pi)) for i in AXES))
        return IDENTITY

    def _vector(self, far: float) -> Vector3:
        random = self._random
        return random.uniform(-far, far), random.uniform(-far, far), random.uniform(-far, far)

    def _chance(self, part: float) -> bool:
        return self._random.random() < part

    def _pick(self, weights: dict[_T, int]) -> _T:
        return self._random.choices(list(weights), list(weights.values()))[0]
