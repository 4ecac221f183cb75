# SPDX-License-Identifier: GPL-3.0-or-later
"""Y up (glTF) and Z up (Blender): the one place that knows how axes map.

The glTF exporter maps the local axes of every node: glTF X = Blender X, glTF Y = Blender Z,
glTF Z = -Blender Y. It is a rotation, so handedness and angles about mapped axes stay; only what
is bound to an axis whose sign flips changes: a range [a, b] on Blender Y is [-b, -a] on glTF Z.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..body import Motion, Quaternion, Vector3
from ..joint import Drive, Freedom, JointSettings, Limit, on_axes
from ..mechanism import Mechanism, Node
from ..settings.reversal import reversed_drive, reversed_limit
from ..shape import Box, Shape
from ..solid import Bounds
from .transform import AXES, Matrix


@dataclass(frozen=True, slots=True)
class AxisMap:
    """A rotation that permutes axes: old axis i becomes ``sign[i]`` times new axis ``axis[i]``."""

    axis: tuple[int, int, int]
    sign: tuple[int, int, int]

    def vector(self, v: Sequence[float]) -> Vector3:
        """Return a vector (position, velocity, axis of a turn) of three numbers in the new axes."""
        i, j, k = map(self.axis.index, AXES)
        s = self.sign
        return (s[i] * v[i] + 0.0, s[j] * v[j] + 0.0, s[k] * v[k] + 0.0)  # -0.0 becomes 0.0

    def extent(self, v: Vector3) -> Vector3:
        """Return three magnitudes (sizes, scales, principal inertias) in the new axes."""
        i, j, k = map(self.axis.index, AXES)
        return (v[i], v[j], v[k])

    def quaternion(self, q: Quaternion) -> Quaternion:
        """Return a rotation, itself between mapped axes, in the new axes."""
        return (*self.vector((q[0], q[1], q[2])), q[3])

    def matrix(self, m: Matrix) -> Matrix:
        """Return a transform, itself between mapped axes, in the new axes."""
        i, j, k = map(self.axis.index, AXES)
        u, v, w = self.sign[i], self.sign[j], self.sign[k]
        a, b, c = m[i], m[j], m[k]
        return (
            (a[i], u * v * a[j], u * w * a[k], u * a[3]),
            (v * u * b[i], b[j], v * w * b[k], v * b[3]),
            (w * u * c[i], w * v * c[j], c[k], w * c[3]),
            (0.0, 0.0, 0.0, 1.0),
        )

    def limits(self, limit: Limit) -> tuple[Limit, ...]:
        """Return one limit in the new axes: two where only some of its axes change sign."""
        parts: list[Limit] = []
        flipped = reversed_limit(limit)
        for freedom in Freedom:
            if limit.is_together(freedom):  # a distance has no sign
                parts.append(
                    on_axes(limit, freedom, tuple(self.axis[a] for a in limit.axes(freedom)))
                )
                continue
            for sign, bounds in ((1, limit), (-1, flipped)):
                axes = tuple(self.axis[a] for a in limit.axes(freedom) if self.sign[a] == sign)
                if axes:
                    parts.append(on_axes(bounds, freedom, axes))
        return _joined(parts) or (limit,)

    def drive(self, drive: Drive) -> Drive:
        """Return one drive in the new axes."""
        turned = drive if self.sign[drive.axis] > 0 else reversed_drive(drive)
        return replace(turned, axis=self.axis[drive.axis])

    def settings(self, settings: JointSettings) -> JointSettings:
        """Return joint settings in the new axes."""
        return replace(
            settings,
            limits=tuple(part for limit in settings.limits for part in self.limits(limit)),
            drives=tuple(self.drive(drive) for drive in settings.drives),
        )

    def motion(self, motion: Motion) -> Motion:
        """Return the motion of a body in the new axes."""
        return replace(
            motion.with_center(self.vector),
            inertia_diagonal=self.extent(motion.inertia_diagonal),
            inertia_orientation=self.quaternion(motion.inertia_orientation),
            linear_velocity=self.vector(motion.linear_velocity),
            angular_velocity=self.vector(motion.angular_velocity),
        )

    def shape(self, shape: Shape) -> Shape:
        """Return a shape in the new axes; capsules and cylinders stand along up in both."""
        return replace(shape, size=self.extent(shape.size)) if isinstance(shape, Box) else shape

    def bounds(self, bounds: Bounds) -> Bounds:
        """Return a box along the axes in the new axes; where one flips, low and high swap."""
        x, y, z = zip(self.vector(bounds.low), self.vector(bounds.high), strict=True)
        return Bounds((min(x), min(y), min(z)), (max(x), max(y), max(z)))

    def node(self, node: Node) -> Node:
        """Return a node in the new axes."""
        return replace(
            node,
            world=self.matrix(node.world),
            motion=None if node.motion is None else self.motion(node.motion),
            bounds=None if node.bounds is None else self.bounds(node.bounds),
        )

    def mechanism(self, mechanism: Mechanism) -> Mechanism:
        """Return a mechanism in the new axes, without what its meshes hold."""
        return replace(
            mechanism,
            nodes=tuple(self.node(node) for node in mechanism.nodes),
            settings=tuple(self.settings(settings) for settings in mechanism.settings),
            shapes=tuple(self.shape(shape) for shape in mechanism.shapes),
            rooms=tuple(one and self.bounds(one) for one in mechanism.rooms),
            solids=(),
            gravity=None if mechanism.gravity is None else self.vector(mechanism.gravity),
        )


Y_UP_FROM_Z_UP = AxisMap(axis=(0, 2, 1), sign=(1, -1, 1))
"""glTF from Blender."""
Z_UP_FROM_Y_UP = AxisMap(axis=(0, 2, 1), sign=(1, 1, -1))
"""Blender from glTF."""


def _joined(parts: list[Limit]) -> tuple[Limit, ...]:
    """Join parts with equal bounds again, so that a limit that need not split stays one."""
    joined: dict[Limit, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    for part in parts:
        bare = replace(part, linear_axes=(), angular_axes=())
        linear, angular = joined.get(bare, ((), ()))
        joined[bare] = (linear + part.linear_axes, angular + part.angular_axes)
    return tuple(
        replace(bare, linear_axes=tuple(sorted(linear)), angular_axes=tuple(sorted(angular)))
        for bare, (linear, angular) in joined.items()
    )
