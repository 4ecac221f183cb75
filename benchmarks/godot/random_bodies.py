# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies drawn at random: motions, shapes, scales, what they lie below."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from omi_physics_joint.model.body import ZERO, Motion, MotionType
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Plane, Shape, Sphere

from .building import DYNAMIC, STATIC, at, chained
from .random_numbers import Draw

ENDLESS = (inf, inf, inf)


class BodyDraw(Draw):
    """Draws bodies."""

    def motion(self) -> Motion:
        """Return how a dynamic body moves."""
        random = self.random
        if self.chance(0.06):
            self.say("endless")
            turning = self.chance(0.5)
            return replace(
                DYNAMIC, mass=inf, inertia_diagonal=(0.2, 0.2, 0.2) if turning else ENDLESS
            )
        motion = replace(DYNAMIC, mass=random.uniform(0.5, 4.0))
        if self.chance(0.3):
            self.words.append("centre")
            motion = replace(motion, center_of_mass=self.vector(0.2))
        if self.chance(0.4):
            self.words.append("even")
            even = motion.mass * random.uniform(0.03, 0.1)
            motion = replace(motion, inertia_diagonal=(even, even, even))
        elif self.chance(0.2):
            self.words.append("inertia")
            a, b = (motion.mass * random.uniform(0.03, 0.1) for _ in range(2))
            motion = replace(motion, inertia_diagonal=(a, b, 0.8 * (a + b)))
        if self.chance(0.15):
            self.words.append("spin")
            motion = replace(motion, angular_velocity=self.vector(2.0))
        if self.chance(0.15):
            self.words.append("speed")
            motion = replace(motion, linear_velocity=self.vector(2.0))
        return motion

    def base(self, kind: str) -> Motion:
        """Return the motion of what the first joint is on."""
        if kind == "static":
            return STATIC
        if kind == "loose":
            return self.motion()
        still = Motion(MotionType.KINEMATIC)
        if self.chance(0.5):
            self.words.append("moving")
            return replace(
                still, linear_velocity=self.vector(0.5), angular_velocity=self.vector(1.0)
            )
        return still

    def bounded(self, motion: Motion) -> Motion:
        """Return a motion that says an inertia, for a body that has no shape to get it from."""
        if motion.inertia_diagonal != ZERO:
            return motion
        return replace(motion, inertia_diagonal=(0.06, 0.05, 0.04))

    def shape(self) -> Shape:
        """Return what a body collides with."""
        random = self.random
        size = random.uniform(0.1, 0.4), random.uniform(0.1, 0.4), random.uniform(0.1, 0.4)
        return random.choice(
            (
                Box((2 * size[0], size[1], size[2])),
                Box((size[0], 2 * size[1], size[2])),
                Sphere(size[0]),
                Capsule(2 * size[0], size[1], size[1]),
                Cylinder(2 * size[0], size[1], size[1]),
                Convex(0),
                Plane(2 * size[0], 3 * size[1]),
            )
        )

    def scale(self) -> Matrix:
        """Return a scale of a body, most often none."""
        random = self.random
        kind = self.pick({"": 7, "scaled": 1, "uneven": 1, "mirrored": 1})
        self.words.append(kind)
        size = random.uniform(0.5, 2.0)
        if kind == "scaled":
            return compose(scale=(size, size, size))
        if kind == "uneven":
            return compose(scale=(size, 1.0, random.uniform(0.5, 2.0)))
        return compose(scale=(1.0, -1.0, 1.0)) if kind == "mirrored" else IDENTITY

    def above(self) -> Matrix:
        """Return the place of an empty that all lies below; most often there is none."""
        kind = self.pick({"": 6, "below": 2, "below scaled": 1, "below mirrored": 1})
        self.words.append(kind)
        if not kind:
            return IDENTITY
        place = chained(at(*self.vector(1.0)), self.turned())
        if kind == "below scaled":
            return chained(place, compose(scale=(1.7, 1.7, 1.7)))
        return (
            chained(place, compose(scale=(-1.0, 1.0, 1.0))) if kind == "below mirrored" else place
        )
