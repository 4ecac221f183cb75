# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks the joints of a mechanism in a scene, so that a render shows them.

The marks are made from the mechanism as it was read from the exported file, not from Blender's
own data: the picture shows what the file says.
"""

from __future__ import annotations

from math import cos, inf, pi, sin

import bpy
from mathutils import Matrix, Vector

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.joint import AXES, Freedom, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.spans import axis_range
from omi_physics_joint.model.wording.describe import special_name

COLORS = {
    "Hinge": (1.0, 0.35, 0.0, 1.0),
    "Slider": (0.0, 0.55, 1.0, 1.0),
    "Pin": (0.9, 0.0, 0.45, 1.0),
    "Weld": (0.1, 0.8, 0.15, 1.0),
    "": (0.6, 0.2, 0.9, 1.0),
}


def mark_joints(mechanism: Mechanism) -> int:
    """Add a mark for each joint of a mechanism (in glTF axes) and return how many there are."""
    in_blender = Z_UP_FROM_Y_UP.mechanism(mechanism)
    count = 0
    for index, node, joint in in_blender.joints():
        settings = in_blender.settings_of(joint)
        kind = special_name(settings)
        frame = Matrix(rigid_frame(node.world, settings))
        mover, sign = _mover(in_blender, index, joint.connected_node)
        towards = frame.inverted() @ Matrix(mover.world).translation
        mark = bpy.data.objects.new(f"Mark {node.name}", _mesh(kind, settings, towards, sign))
        mark.matrix_world = frame
        mark.data.materials.append(_glow(kind))
        bpy.context.scene.collection.objects.link(mark)
        count += 1
    return count


def _mover(mechanism: Mechanism, joint: int, connected: int) -> tuple[Node, int]:
    """Return the body that is seen to move, and the sign of its motion against the joint's value.

    The value is the pose of the connected frame seen from the joint frame. Where the body of the
    joint frame moves and the other stands still, it is seen to move the other way.
    """
    holder, other = (mechanism.nodes[mechanism.body_of(end) or 0] for end in (joint, connected))
    still = other.motion is not None and other.motion.type is not MotionType.DYNAMIC
    return (holder, -1) if still else (other, 1)


def _mesh(kind: str, settings: JointSettings, towards: Vector, sign: int) -> bpy.types.Mesh:
    """Return a fan for a hinge, a bar for a slider, a ball for a pin, a cube for a weld.

    Args:
        kind: name of the special case.
        settings: the joint's settings, in Blender's axes.
        towards: where the moving body is, in the joint frame.
        sign: of its motion.
    """
    mesh = bpy.data.meshes.new(f"Mark {kind}")
    if kind == "Hinge":
        axis = next(a for a in AXES if axis_range(settings, Freedom.ANGULAR, a) != (0.0, 0.0))
        mesh.from_pydata(*_fan(axis, *axis_range(settings, Freedom.ANGULAR, axis), towards, sign))
    elif kind == "Slider":
        axis = next(a for a in AXES if axis_range(settings, Freedom.LINEAR, a) != (0.0, 0.0))
        mesh.from_pydata(*_bar(axis, *axis_range(settings, Freedom.LINEAR, axis), sign))
    else:
        mesh.from_pydata(*_ball(0.055, 3 if kind == "Weld" else 10))
    return mesh


Geometry = tuple[list[Vector], list[tuple[int, int]], list[tuple[int, ...]]]


def _fan(axis: int, low: float, high: float, towards: Vector, sign: int) -> Geometry:
    """Return the sector that the moving body sweeps."""
    direction = towards.copy()
    direction[axis] = 0.0
    direction.normalize()
    steps = 24
    points = [Vector()]
    for step in range(steps + 1):
        angle = sign * (low + (high - low) * step / steps)
        points.append(Matrix.Rotation(angle, 3, "XYZ"[axis]) @ (0.6 * direction))
    return points, [], [(0, i + 1, i + 2) for i in range(steps)]


def _bar(axis: int, low: float, high: float, sign: int) -> Geometry:
    """Return a thin bar as long as the range of a slider, on the side that it slides to."""
    low, high = sorted((sign * low, sign * high))
    if inf in (-low, high):
        low, high = -1.0, 1.0
    points = []
    for corner in range(8):
        point = Vector([0.015 * (1 if corner >> i & 1 else -1) for i in AXES])
        point[axis] = high if corner >> axis & 1 else low
        points.append(point)
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return points, [], faces


def _ball(radius: float, rings: int) -> Geometry:
    """Return a ball; with few rings it looks like a cut stone."""
    segments = 2 * rings
    points = [
        radius
        * Vector(
            (
                sin(pi * ring / rings) * cos(2.0 * pi * segment / segments),
                sin(pi * ring / rings) * sin(2.0 * pi * segment / segments),
                cos(pi * ring / rings),
            )
        )
        for ring in range(rings + 1)
        for segment in range(segments)
    ]
    faces = [
        (
            ring * segments + segment,
            ring * segments + (segment + 1) % segments,
            (ring + 1) * segments + (segment + 1) % segments,
            (ring + 1) * segments + segment,
        )
        for ring in range(rings)
        for segment in range(segments)
    ]
    return points, [], faces


def _glow(kind: str) -> bpy.types.Material:
    """Return a material that shines in the colour of a kind of joint."""
    name = f"Mark {kind}"
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        found.use_nodes = True
        shader = found.node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = COLORS[kind]
        shader.inputs["Emission Color"].default_value = COLORS[kind]
        shader.inputs["Emission Strength"].default_value = 0.5
    return found
