# SPDX-License-Identifier: GPL-3.0-or-later
"""The coordinates of all joints at once: their values, and what moves them.

One derivation for every joint. Let a, b be the joint's and the connected body, p the origins of
the two frames, r their arms from the centres of mass, d = p_b - p_a, and a_k the axes of the joint
frame (fixed to a). With velocities v (of centres of mass) and w (angular, world axes):

    point rows   g = d             g' = v_b + w_b x r_b - v_a - w_a x r_a
    distances    t_k = a_k . d     t_k' = a_k . (v_b - v_a) + (r_b x a_k) . w_b
                                          - ((r_a + d) x a_k) . w_a
    angles       u' = n . (w_b - w_a), where n is the gradient of the angle:

For HINGE (x is the free axis, u_i the axes of the two angular frames, A of a and B of b): the
twist is the angle of A^T B about x; the lean is along A_x x B_x, as long as the angle between the
two. Sines of its components along A_y and A_z are -A_z . B_x and A_y . B_x, whose gradients are
A_z x B_x and B_x x A_y; the rest is at ``_hinge_gradients``.
For UNIVERSAL, A^T B = Rx Ry Rz: the rates belong to the axes x = A_x, z = B_z and y, the unit
vector along z x x, so the gradients are the dual basis:
(y x z) / cos, y, (x x y) / cos, with cos = |z x x|.
For WELD the slots are the rotation vector phi of A^T B, and near zero n_k = A_k. Away from zero
n_k is column k of A times the inverse left Jacobian: A (1 - [phi]/2 + f [phi]^2).

All is expressed in "scaled" entries: the gradient over the square root of the mass or of the
principal inertia, angular parts in body axes. Then A = G G^T, with no mass matrix in sight, and for
point rows the angular part is the rotation of the body times a constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from .bodies import Bodies
from .joints import Joint, Mode
from .rotation import EYE, Array, cross, dot, rotation_vector, skew

Index = NDArray[np.intp]
Mask = NDArray[np.bool_]
SMALLEST_COSINE = 1e-3
"""Below it the axes of a universal joint count as parallel, and gradients stop growing."""
SMALL = 1e-7
SMALL_ANGLE = 1e-3
"""Below these a quotient is taken from its series."""


@dataclass(slots=True)
class Pose:
    """What one evaluation leaves for the gradients at the same place."""

    turns: Array
    """(2 n, 3, 3) rotations of the joints' bodies, then of the connected bodies."""
    arms: Array
    """(2 n, 3)."""
    gap: Array
    """(n, 3) d of every joint."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Where joints are on their bodies, and what is computed of them. Sides: joint's, connected.

    Attributes:
        ends: (2 n,) body at each end: first those of the joints' frames, then the connected ones.
        anchors: (2 n, 3, 1) origins from the centres of mass, body axes.
        locked: (n, 3) by how far locks away from zero have moved the joint's anchor, body axes.
        linear: (n, 3, 3) axes of the joint frame in the joint's body.
        angular: (2 n, 3, 3) angular frames in their bodies.
        is_point: (n,) whether all distances are locked, so that their rows need no axes.
        slides: (n,) whether distances are needed otherwise.
        mode: (n,) what the angular slots are, 0 where none is needed.
    """

    ends: Index
    anchors: Array
    locked: Array
    linear: Array
    angular: Array
    is_point: Mask
    slides: Mask
    mode: Index

    def part(self, joints: Index, ends: Index) -> Frames:
        """Return those of some joints, between bodies of other numbers."""
        both = np.concatenate([joints, joints + len(self.mode)])
        return Frames(
            ends,
            self.anchors.take(both, 0),
            self.locked.take(joints, 0),
            self.linear.take(joints, 0),
            self.angular.take(both, 0),
            self.is_point.take(joints),
            self.slides.take(joints),
            self.mode.take(joints),
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
                locked[index] = joint.linear @ joint.low[:3]
                origins[index] = origins[index] + locked[index]
    back = bodies.rotation[ends].transpose(0, 2, 1)
    angular = np.array([j.angular[side] for side in (0, 1) for j in joints]).reshape(-1, 3, 3)
    point = np.array([j.is_point for j in joints], dtype=bool) & (not everything)
    mode = np.array([int(j.mode) if _uses(j, 3) else 0 for j in joints], dtype=np.intp)
    if everything:
        mode[mode == 0] = Mode.UNIVERSAL
    return Frames(
        ends,
        (back @ (origins - bodies.position[ends])[:, :, None]).reshape(-1, 3, 1),
        (back[: len(joints)] @ locked[:, :, None])[:, :, 0],
        back[: len(joints)] @ np.array([j.linear for j in joints]).reshape(-1, 3, 3),
        back @ angular,
        point,
        np.array([everything or _uses(j, 0) for j in joints], dtype=bool) & ~point,
        mode,
    )


class Coordinates:
    """Values and scaled gradients of the coordinates that joints need.

    The pool of coordinates is three per joint and part: point rows, then distances, then the
    angular slots of the joints of each mode. ``pool_of`` says where a joint's coordinate is.
    """

    def __init__(self, frames: Frames, bodies: Bodies) -> None:
        count = self.count = len(frames.mode)
        self.ends, self.anchors = frames.ends, frames.anchors
        self.linear, self.frames = frames.linear, frames.angular
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
        self.universals: Index = np.flatnonzero(frames.mode == Mode.UNIVERSAL)
        self.hinges: Index = np.flatnonzero(frames.mode == Mode.HINGE)
        self.welds: Index = np.flatnonzero(frames.mode == Mode.WELD)
        self.sections = [self.points, self.sliders, self.universals, self.hinges, self.welds]
        starts = np.cumsum([0] + [3 * len(part) for part in self.sections])
        self.size = int(starts[-1])
        self.only_points = self.size == 3 * len(self.points) == 3 * self.count
        self.start = np.full((self.count, 2), -1, dtype=np.intp)
        for number, part in enumerate(self.sections):
            self.start[part, 0 if number < 2 else 1] = starts[number] + 3 * np.arange(len(part))
        self.wraps = np.zeros(self.size, dtype=bool)
        angles = starts[2] + np.arange(starts[4] - starts[2])
        self.wraps[angles] = np.concatenate(
            [
                np.tile([True, False, True], len(self.universals)),
                np.tile([True, False, False], len(self.hinges)),
            ]
        )
        self.reference = np.zeros(self.size)

    def pool_of_islands(self, which: Index, islands: int) -> Index:
        """Return the places in the pool of the joints of some of so many equal islands."""
        start, found = 0, []
        for part in self.sections:
            width = 3 * len(part) // islands
            found.append((start + which[:, None] * width + np.arange(width)).reshape(-1))
            start += 3 * len(part)
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
            axes = turns.take(self.sliders, 0) @ self.linear.take(self.sliders, 0)
            pool.append((gap.take(self.sliders, 0)[:, None, :] @ axes).reshape(-1))
        for part, angles in (
            (self.universals, _universal_angles),
            (self.hinges, _hinge_angles),
            (self.welds, _weld_angles),
        ):
            if len(part):
                pool.append(angles(*self.angular_frames(turns, part)).reshape(-1))
        values = np.concatenate(pool)
        turned = np.where(self.wraps, np.rint((self.reference - values) / (2.0 * pi)), 0.0)
        return values + 2.0 * pi * turned, pose

    def angular_frames(self, turns: Array, part: Index) -> tuple[Array, Array]:
        """Return world angular frames of joint and connected side of some joints."""
        other = part + self.count
        return (
            turns.take(part, 0) @ self.frames.take(part, 0),
            turns.take(other, 0) @ self.frames.take(other, 0),
        )

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
        for part, gradients in (
            (self.universals, _universal_gradients),
            (self.hinges, _hinge_gradients),
            (self.welds, _weld_gradients),
        ):
            if len(part):
                normals = gradients(*self.angular_frames(pose.turns, part))
                block = out[at : at + 3 * len(part)].reshape(len(part), 3, 2, 6)
                for side, sign in ((0, -1.0), (1, 1.0)):
                    ends = part + side * n
                    scale = sign * self.scale_angular.take(ends, 0)[:, None, :]
                    block[:, :, side, 3:] = (normals @ pose.turns.take(ends, 0)) * scale
                at += 3 * len(part)
        return out

    def slider_entries(self, out: Array, at: int, pose: Pose) -> int:
        """Fill in the gradients of distances along the axes of the joint frame."""
        part, n = self.sliders, self.count
        axes = (pose.turns.take(part, 0) @ self.linear.take(part, 0)).transpose(0, 2, 1)
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


def _hinge_angles(a: Array, b: Array) -> Array:
    r = a.transpose(0, 2, 1) @ b
    twist = np.arctan2(r[:, 2, 1] - r[:, 1, 2], r[:, 1, 1] + r[:, 2, 2])
    y, z = -r[:, 2, 0], r[:, 1, 0]
    sine = np.sqrt(y * y + z * z)
    angle = np.arctan2(sine, r[:, 0, 0])
    # The lean is the angle itself, not its sine: beyond 90 degrees it still knows its way home.
    factor = np.where(sine > SMALL, angle / np.maximum(sine, 1e-300), 1.0)
    return np.stack([twist, y * factor, z * factor], 1)


def _hinge_gradients(a: Array, b: Array) -> Array:
    """Return the gradients of twist and lean as rows: (n, 3, 3).

    Of the sines y, z they are those in the text above. The lean itself is f y and f z with
    f = angle / sine, so along the unit vector of the lean, u, its rate is that of the angle, and
    across it f times that of the sine:  n_y = f (A_z x B_x) + y g (y A_y + z A_z), n_z alike,
    g = (1 - f cos) / sine^2, and 1/3 at zero. The twist that is left when the lean is taken back
    turns with w . (A_x + B_x) / (1 + cos).
    """
    x, along = b[:, :, 0], a[:, :, 0]
    plain = np.stack([along, cross(a[:, :, 2], x), cross(x, a[:, :, 1])], 1)
    y, z = -dot(a[:, :, 2], x), dot(a[:, :, 1], x)
    squared = y * y + z * z
    straight = squared < SMALL_ANGLE * SMALL_ANGLE * SMALL
    if straight.all():
        return plain
    rows = plain.copy()
    cosine = dot(along, x)
    sine = np.maximum(np.sqrt(squared), SMALL)
    f = np.where(sine > SMALL, np.arctan2(sine, cosine) / sine, 1.0)
    g = np.where(sine > SMALL_ANGLE, (1.0 - f * cosine) / (sine * sine), 1.0 / 3.0)
    rows[:, 0] = (along + x) / np.maximum(1.0 + cosine, SMALLEST_COSINE)[:, None]
    lean = g[:, None] * (y[:, None] * a[:, :, 1] + z[:, None] * a[:, :, 2])
    rows[:, 1] = f[:, None] * rows[:, 1] + y[:, None] * lean
    rows[:, 2] = f[:, None] * rows[:, 2] + z[:, None] * lean
    return np.where(straight[:, None, None], plain, rows)


def _universal_angles(a: Array, b: Array) -> Array:
    r = a.transpose(0, 2, 1) @ b
    return np.stack(
        [
            np.arctan2(-r[:, 1, 2], r[:, 2, 2]),
            np.arcsin(np.clip(r[:, 0, 2], -1.0, 1.0)),
            np.arctan2(-r[:, 0, 1], r[:, 0, 0]),
        ],
        1,
    )


def _universal_gradients(a: Array, b: Array) -> Array:
    x, z = a[:, :, 0], b[:, :, 2]
    y = cross(z, x)
    cosine = np.maximum(np.sqrt(dot(y, y)), SMALLEST_COSINE)[:, None]
    y = y / cosine
    return np.stack([cross(y, z) / cosine, y, cross(x, y) / cosine], 1)


def _weld_angles(a: Array, b: Array) -> Array:
    return rotation_vector(a.transpose(0, 2, 1) @ b)


def _weld_gradients(a: Array, b: Array) -> Array:
    """Return A Jl^-1(phi) as rows: (n, 3, 3), row k the gradient of component k.

    phi' = Jl^-1(phi) A^T (w_b - w_a), Jl^-1 = 1 - [phi] / 2 + f [phi]^2,
    f = (1 - (theta / 2) cot(theta / 2)) / theta^2, and 1/12 at zero.
    """
    phi = _weld_angles(a, b)
    theta = np.sqrt(dot(phi, phi))
    half = 0.5 * np.minimum(np.maximum(theta, 1e-4), 3.1)
    f = np.where(theta > SMALL_ANGLE, (1.0 - half / np.tan(half)) / (4.0 * half * half), 1.0 / 12.0)
    matrix = skew(phi)
    jacobian = EYE - 0.5 * matrix + f[:, None, None] * (matrix @ matrix)
    return np.asarray(jacobian @ a.transpose(0, 2, 1))
