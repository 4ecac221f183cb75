# SPDX-License-Identifier: GPL-3.0-or-later
"""The coordinates of all joints at once: their values, and what moves them.

One derivation for every joint. Let a, b be the joint's and the connected body, p the origins of
the two frames, r their arms from the centres of mass, d = p_b - p_a, and a_k the axes of the joint
frame (fixed to a). With velocities v (of centres of mass) and w (angular, world axes):

    point rows   g = d             g' = v_b + w_b x r_b - v_a - w_a x r_a
    distances    t_k = a_k . d     t_k' = a_k . (v_b - v_a) + (r_b x a_k) . w_b
                                          - ((r_a + d) x a_k) . w_a
    angles       phi' = n . u, u = w_b - w_a

Of the rotation of the connected frame in the joint frame, as a quaternion q = (v, s), with u in the
axes of the joint frame:

    v' = N u, s' = -v . u / 2, with N = (s - [v]) / 2, since q' = (u, 0) q / 2.

The twist about axis i is phi = 2 atan2(v_i, s), whatever the other two are. From its rate
2 (s v_i' - v_i s') / (s^2 + v_i^2), with N_i the row i of N, its gradient is

    2 (C N_i + E v / 2),  C = s / (s^2 + v_i^2),  E = v_i / (s^2 + v_i^2).

It is another number for q and -q, by a whole turn, and turns are told apart by what was before. It
is none where s and v_i are both zero, half a turn about an axis across; there the gradient stops
growing.

An axis that is held at phi has the row x = c v_i - e s, c = cos(phi / 2), e = sin(phi / 2). It is
zero exactly where the twist is phi, and linear in q. So two of them hold through the full circle
of the third, which is then a turn about one fixed axis: two linear equations leave a great circle
q = p cos a + p' sin a, and conj(p) q = cos a + conj(p) p' sin a is a turn by 2 a about the axis
conj(p) p'. Soft locks give way, so as an angle the row is phi + 2 asin x: the twist where nothing
else turns. Its gradient is as above, with

    C = c / sqrt(1 - x^2),  E = e / sqrt(1 - x^2).

This row changes its sign with q, which a full turn does; so q is the one of the two that is nearer
to that before.

All is expressed in "scaled" entries: the gradient over the square root of the mass or of the
principal inertia, angular parts in body axes. Then A = G G^T, with no mass matrix in sight, and for
point rows the angular part is the rotation of the body times a constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import pi

import numpy as np
from numpy.typing import NDArray

from .bodies import Bodies
from .joints import Joint
from .rotation import EYE, Array, cross, quaternion_of, skew

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
SMALLEST = 1e-6
"""Square of the part of a quaternion below which gradients stop growing."""


@dataclass(slots=True)
class Pose:
    """What one evaluation leaves for the gradients at the same place."""

    turns: Array
    """(2 n, 3, 3) rotations of the joints' bodies, then of the connected bodies."""
    arms: Array
    """(2 n, 3)."""
    gap: Array
    """(n, 3) d of every joint."""
    quaternions: Array = field(default_factory=lambda: np.zeros((0, 4)))
    """(turning joints, 4) of the connected frame in the joint frame, nearer to those before."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Where joints are on their bodies, and what is computed of them. Sides: joint's, connected.

    Attributes:
        ends: (2 n,) body at each end: first those of the joints' frames, then the connected ones.
        anchors: (2 n, 3, 1) origins from the centres of mass, body axes.
        locked: (n, 3) by how far locks away from zero have moved the joint's anchor, body axes.
        axes: (2 n, 3, 3) axes of the frames in their bodies, as columns.
        is_point: (n,) whether all distances are locked, so that their rows need no axes.
        slides: (n,) whether distances are needed otherwise.
        turns: (n,) whether angles are needed.
        held_at: (n, 3) angles at which axes are held, NaN where none is.
    """

    ends: Index
    anchors: Array
    locked: Array
    axes: Array
    is_point: Mask
    slides: Mask
    turns: Mask
    held_at: Array

    def part(self, joints: Index, ends: Index) -> Frames:
        """Return those of some joints, between bodies of other numbers."""
        both = np.concatenate([joints, joints + len(self.turns)])
        return Frames(
            ends,
            self.anchors.take(both, 0),
            self.locked.take(joints, 0),
            self.axes.take(both, 0),
            self.is_point.take(joints),
            self.slides.take(joints),
            self.turns.take(joints),
            self.held_at.take(joints, 0),
        )


def frames_of(joints: Sequence[Joint], bodies: Bodies, *, everything: bool = False) -> Frames:
    """Return the frames of joints at rest.

    Args:
        joints: between bodies in the order of ``bodies``.
        bodies: at rest.
        everything: whether all six coordinates are wanted, whether anything acts on them or not.
    """
    ends = np.array([j.bodies[side] for side in (0, 1) for j in joints], dtype=np.intp)
    origins = np.array([j.origins[side] for side in (0, 1) for j in joints]).reshape(-1, 3)
    locked = np.zeros((len(joints), 3))
    if not everything:
        for index, joint in enumerate(joints):
            if joint.is_point:  # to where the locks hold the connected origin
                locked[index] = joint.axes[0] @ joint.low[:3]
                origins[index] = origins[index] + locked[index]
    back = bodies.rotation[ends].transpose(0, 2, 1)
    axes = np.array([j.axes[side] for side in (0, 1) for j in joints]).reshape(-1, 3, 3)
    point = np.array([j.is_point for j in joints], dtype=bool) & (not everything)
    return Frames(
        ends,
        (back @ (origins - bodies.position[ends])[:, :, None]).reshape(-1, 3, 1),
        (back[: len(joints)] @ locked[:, :, None])[:, :, 0],
        back @ axes,
        point,
        np.array([everything or _uses(j, 0) for j in joints], dtype=bool) & ~point,
        np.array([everything or _uses(j, 3) for j in joints], dtype=bool),
        np.array([j.held_at for j in joints], dtype=np.float64).reshape(-1, 3),
    )


class Coordinates:
    """Values and scaled gradients of the coordinates that joints need.

    The pool of coordinates is three per joint and part: point rows, then distances, then angles.
    ``pool_of`` says where a joint's coordinate is.
    """

    def __init__(self, frames: Frames, bodies: Bodies, *, everything: bool = False) -> None:
        self.everything = everything
        count = self.count = len(frames.turns)
        self.ends, self.anchors = frames.ends, frames.anchors
        self.frames = frames.axes
        self.scale_linear = np.where(bodies.dynamic, bodies.mass, 1.0)[self.ends] ** -0.5
        self.scale_angular = (
            np.where(bodies.dynamic[:, None], bodies.inertia, 1.0)[self.ends] ** -0.5
        )
        # (R^T (r x e_k)) / sqrt(I): row k of R K, with K = -[r] / sqrt(I) in body axes.
        sign = np.repeat([-1.0, 1.0], count)
        self.point_factor = (
            -skew(self.anchors[:, :, 0]) * self.scale_angular[:, None, :] * sign[:, None, None]
        )
        self.parts(frames)
        self.fixed = np.zeros((3 * count, 2, 6))
        """The part of the gradients of point rows that does not turn."""
        straight = (EYE * (sign * self.scale_linear)[:, None, None]).reshape(2, -1, 3)
        self.fixed[:, 0, :3], self.fixed[:, 1, :3] = straight[0], straight[1]

    def parts(self, frames: Frames) -> None:
        """Sort joints by what they need, and lay out the pool."""
        self.points: Index = np.flatnonzero(frames.is_point)
        self.sliders: Index = np.flatnonzero(frames.slides)
        self.turning: Index = np.flatnonzero(frames.turns)
        self.sections = [self.points, self.sliders, self.turning]
        starts = np.cumsum([0] + [3 * len(part) for part in self.sections])
        self.size = int(starts[-1])
        self.only_points = self.size == 3 * len(self.points) == 3 * self.count
        self.start = np.full((self.count, 2), -1, dtype=np.intp)
        for number, part in enumerate(self.sections):
            self.start[part, 0 if number < 2 else 1] = starts[number] + 3 * np.arange(len(part))
        held_at = frames.held_at[self.turning]
        self.held = ~np.isnan(held_at)
        """(turning joints, 3) which axes are held, if softly."""
        self.zero = np.where(self.held, held_at, 0.0)
        self.cosine, self.sine = np.cos(0.5 * self.zero), np.sin(0.5 * self.zero)
        self.wraps = np.zeros(self.size, dtype=bool)
        self.wraps[starts[2] :] = ~self.held.reshape(-1)
        self.leaps = np.zeros(self.size, dtype=bool)
        """(size,) angles that are none at some pose, as more than one is free."""
        several = (~self.held).sum(1, keepdims=True) > 1
        self.leaps[starts[2] :] = (~self.held & several).reshape(-1)
        self.reference = np.zeros(self.size + 4 * len(self.turning))
        """Where angles go on from: the pool, and the quaternions of the joints that turn."""

    def pool_of_islands(self, which: Index, islands: int) -> Index:
        """Return the places in ``reference`` of the joints of some of so many equal islands."""
        start, found = 0, []
        for size in (*(3 * len(part) for part in self.sections), 4 * len(self.turning)):
            width = size // islands
            found.append((start + which[:, None] * width + np.arange(width)).reshape(-1))
            start += size
        return np.concatenate(found)

    def pool_of(self, joint: int, coordinate: int) -> int:
        """Return the place of a coordinate in the pool, or -1 where it is not computed."""
        start = int(self.start[joint, coordinate // 3])
        return start if start < 0 else start + coordinate % 3

    def values(self, position: Array, rotation: Array) -> tuple[Array, Pose]:
        """Return the pool at a pose of all bodies: (size,), m and rad, angles unwrapped.

        Args:
            position: (bodies, 3) centres of mass.
            rotation: (bodies, 3, 3).
        """
        turns = rotation.take(self.ends, 0)
        arms = (turns @ self.anchors)[:, :, 0]
        points = position.take(self.ends, 0) + arms
        gap = points[self.count :] - points[: self.count]
        pose = Pose(turns, arms, gap)
        if self.only_points:
            return gap.reshape(-1), pose
        pool = [gap.take(self.points, 0).reshape(-1)]
        if len(self.sliders):
            axes = turns.take(self.sliders, 0) @ self.frames.take(self.sliders, 0)
            pool.append((gap.take(self.sliders, 0)[:, None, :] @ axes).reshape(-1))
        if len(self.turning):
            own, other = self.angular_frames(turns)
            pose.quaternions = self.nearer(quaternion_of(own.transpose(0, 2, 1) @ other))
            pool.append(self.angles(pose.quaternions).reshape(-1))
        values = np.concatenate(pool)
        turned = np.where(
            self.wraps, np.rint((self.reference[: self.size] - values) / (2.0 * pi)), 0.0
        )
        return values + 2.0 * pi * turned, pose

    def angular_frames(self, turns: Array) -> tuple[Array, Array]:
        """Return the world axes of the frames of both sides of all joints that turn."""
        part, other = self.turning, self.turning + self.count
        return (
            turns.take(part, 0) @ self.frames.take(part, 0),
            turns.take(other, 0) @ self.frames.take(other, 0),
        )

    def nearer(self, q: Array) -> Array:
        """Return each quaternion or its negative, whichever is nearer to that before: (k, 4)."""
        before = self.reference[self.size :].reshape(-1, 4)
        return np.where((q * before).sum(1, keepdims=True) < 0.0, -q, q)

    def remember(self, pose: Pose) -> None:
        """Let quaternions be continued from those of a pose on."""
        self.reference[self.size :] = pose.quaternions.reshape(-1)

    def halves(self, q: Array) -> tuple[Array, Array]:
        """Return what are the sine and cosine of half of each angle, but for a factor: (k, 3)."""
        v, s = q[:, :3], q[:, 3:]
        along = self.cosine * v - self.sine * s
        across = self.cosine * s + self.sine * v
        if self.everything:  # what is only read has no before: locks are read from the nearer side
            along = np.where(self.held & (across < 0.0), -along, along)
        rest = np.sqrt(np.maximum(1.0 - along * along, 0.0))
        return along, np.where(self.held, rest, across)

    def angles(self, q: Array) -> Array:
        """Return the angles about X, Y and Z: (k, 3), rad."""
        along, across = self.halves(q)
        return np.asarray(self.zero + 2.0 * np.arctan2(along, across))

    def slopes(self, q: Array) -> Array:
        """Return the gradients of the angles as rows: (k, 3, 3), axes of the joint frame."""
        v, s = q[:, :3], q[:, 3:]
        along, across = self.halves(q)
        square = np.maximum(along * along + across * across, SMALLEST)
        root = np.maximum(across, SMALLEST**0.5)
        of_rows = np.where(self.held, self.cosine / root, across / square)
        of_vector = np.where(self.held, self.sine / root, along / square)
        rows = s[:, :, None] * EYE - skew(v)
        rows *= of_rows[:, :, None]
        rows += of_vector[:, :, None] * v[:, None, :]
        return np.asarray(rows)

    def entries(self, pose: Pose) -> Array:
        """Return the scaled gradients of the pool: (size, 2, 6).

        Second index: joint's body, connected body. Third: along world axes over sqrt(m), then about
        body axes over sqrt(I).
        """
        if self.only_points:
            out = self.fixed.copy()
            about = (pose.turns @ self.point_factor).reshape(2, -1, 3)
            out[:, 0, 3:], out[:, 1, 3:] = about[0], about[1]
            return out
        out = np.zeros((self.size, 2, 6))
        n, at = self.count, 0
        if len(self.points):
            part = self.points
            at = 3 * len(part)
            block = out[:at].reshape(len(part), 3, 2, 6)
            for side, sign in ((0, -1.0), (1, 1.0)):
                ends = part + side * n
                block[:, :, side, :3] = EYE * (sign * self.scale_linear[ends])[:, None, None]
                block[:, :, side, 3:] = pose.turns.take(ends, 0) @ self.point_factor.take(ends, 0)
        if len(self.sliders):
            at = self.slider_entries(out, at, pose)
        if len(self.turning):
            own, _ = self.angular_frames(pose.turns)
            normals = self.slopes(pose.quaternions) @ own.transpose(0, 2, 1)
            block = out[at:].reshape(-1, 3, 2, 6)
            for side, sign in ((0, -1.0), (1, 1.0)):
                ends = self.turning + side * n
                scale = sign * self.scale_angular.take(ends, 0)[:, None, :]
                block[:, :, side, 3:] = (normals @ pose.turns.take(ends, 0)) * scale
        return out

    def slider_entries(self, out: Array, at: int, pose: Pose) -> int:
        """Fill in the gradients of distances along the axes of the joint frame."""
        part, n = self.sliders, self.count
        axes = (pose.turns.take(part, 0) @ self.frames.take(part, 0)).transpose(0, 2, 1)
        gap = pose.gap.take(part, 0)
        block = out[at : at + 3 * len(part)].reshape(len(part), 3, 2, 6)
        for side, sign in ((0, -1.0), (1, 1.0)):
            ends = part + side * n
            arm = pose.arms.take(ends, 0) + (gap if side == 0 else 0.0)
            about = cross(arm[:, None, :], axes) @ pose.turns.take(ends, 0)
            block[:, :, side, :3] = axes * (sign * self.scale_linear[ends])[:, None, None]
            block[:, :, side, 3:] = about * (sign * self.scale_angular.take(ends, 0))[:, None, :]
        return at + 3 * len(part)


def _uses(joint: Joint, first: int) -> bool:
    """Whether a joint limits or drives any of three coordinates."""
    part = slice(first, first + 3)
    bounded = np.isfinite(joint.low[part]) | np.isfinite(joint.high[part])
    return bool(bounded.any()) or any(first <= e.coordinate < first + 3 for e in joint.elements)
