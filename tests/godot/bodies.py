# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and shapes that the add-on has built, beside what the mechanism of the same file has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import dist, hypot, inf, isclose
from typing import Any

from omi_physics_joint.model.body import ZERO, Motion, MotionType
from omi_physics_joint.model.geometry.frames import is_flat, is_rigid, rigid_frame
from omi_physics_joint.model.geometry.scale import standing
from omi_physics_joint.model.geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    apply,
    determinant,
    difference,
    dot,
    linear_part,
    matrix_from,
    multiply,
    normalized,
    plus,
    rotation_about,
    rotation_from_quaternion,
    times,
    translation_of,
)
from omi_physics_joint.model.godot.bodies import written_motion
from omi_physics_joint.model.mechanics.inertias import inertia_of
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    MeshShape,
    Plane,
    Shape,
    Sphere,
    Trimesh,
    slab,
)

from .joints import NEAR, is_same, matrix, owner_of

ENDLESS = 1e5
"""kg and kg m^2 that stand for infinite ones in Godot."""
CLASSES = {
    MotionType.STATIC: "StaticBody3D",
    MotionType.KINEMATIC: "AnimatableBody3D",
    MotionType.DYNAMIC: "RigidBody3D",
}
LATER = 0.5
"""s after which kinematic bodies are looked at."""
DIRECTIONS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.48, 0.6, 0.64))
"""The same as in `structure.gd`."""
Points = list[tuple[float, float, float]]


def body_differences(
    mechanism: Mechanism, built: Mapping[str, Any], *, points: Mapping[int, Points]
) -> Iterator[str]:
    """Yield how the bodies that the add-on has built differ from those that are meant.

    Args:
        mechanism: of the file, as specified.
        built: what Godot says of it.
        points: of each mesh.
    """
    left = {name: body for name, body in built["bodies"].items() if body["class"] != "Area3D"}
    for name in [name for name in left if name.endswith("World")]:
        del left[name]  # a joint's own
    for index, motion in _bodies(mechanism):
        node = mechanism.nodes[index]
        made = left.pop(node.name, None) or left.pop(f"{node.name}Body", None)
        if made is None:
            if not is_flat(linear_part(node.world)):
                yield f"{node.name}: no such body"
            continue
        yield from (f"{node.name}: {one}" for one in _of_body(node, motion, made))
        if motion.type is MotionType.DYNAMIC and motion.inertia_diagonal == ZERO:
            yield from (f"{node.name}: {one}" for one in _turning(mechanism, index, made))
        parts = {
            f"{_stays(part, is_body=at == index)}Shape": part
            for at, part in enumerate(mechanism.nodes)
            if owner_of(mechanism, at) == index and mechanism.shape_of(part) is not None
        }
        yield from (
            f"{node.name}: {one}"
            for one in shape_differences(mechanism, parts, made["shapes"], points, motion)
        )
    yield from (f"{name}: of no body" for name in left)


def _stays(node: Node, *, is_body: bool) -> str:
    """Return what the node of the file is called: the name is a body's that does not replace it."""
    if node.bounds is not None and is_body:
        return f"{node.name}Mesh"
    is_plain = is_rigid(node.world, NEAR) and determinant(linear_part(node.world)) > 0.0
    return node.name if is_plain or not is_body else f"{node.name}Node"


def _turning(mechanism: Mechanism, index: int, made: Mapping[str, Any]) -> Iterator[str]:
    """Yield how hard a body turns, if that is another than its shapes say.

    Nothing is known here of shapes that taper, and of triangles, which Godot takes for their hull.
    """
    parts = [at for at in range(len(mechanism.nodes)) if mechanism.body_of(at) == index]
    shapes = [mechanism.shape_of(mechanism.nodes[at]) for at in parts]
    solid = [shape for shape in shapes if shape is not None]
    if not made.get("turning") or any(
        isinstance(one, Trimesh) or (isinstance(one, Capsule | Cylinder) and _sized(one) is None)
        for one in solid
    ):
        return
    inertia = inertia_of(mechanism, index, parts)
    assert inertia is not None
    for way, found in zip(DIRECTIONS, made["turning"], strict=True):
        said = dot(way, apply(inertia, way))
        if not isclose(found, said, rel_tol=2e-3):
            yield f"turns by {found} about {way}, not by {said}"


def _bodies(mechanism: Mechanism) -> Iterator[tuple[int, Motion]]:
    """Yield all bodies, and what colliders make one that stands still."""
    for index, node in enumerate(mechanism.nodes):
        if node.motion is not None:
            yield index, node.motion
        elif node.collider is not None and owner_of(mechanism, index) == index:
            yield index, Motion(MotionType.STATIC)


def is_moved_by_nothing(motion: Motion) -> bool:
    """Return whether neither force nor torque moves a body, as the add-on sees it."""
    if motion.mass != inf:
        return False
    return motion.linear_velocity != ZERO or motion.inertia_diagonal in (ZERO, (inf,) * 3)


def _of_body(node: Node, motion: Motion, made: Mapping[str, Any]) -> Iterator[str]:
    kind, frame = motion.type, rigid_frame(node.world)
    if kind is MotionType.DYNAMIC and is_moved_by_nothing(motion):
        kind = MotionType.KINEMATIC
    if made["class"] != CLASSES[kind]:
        yield f"a {made['class']}, not a {CLASSES[kind]}"
        return
    own = linear_part(frame)
    if kind is MotionType.DYNAMIC and motion.inertia_diagonal != ZERO:
        turn = matrix_from(rotation_from_quaternion(motion.inertia_orientation), ZERO)
        frame = multiply(frame, turn)
    if difference(matrix(made["world"]), frame) > NEAR:
        yield f"stands at {made['world']}, not at {frame}"
    velocities = made["linear_velocity"], made["angular_velocity"]
    if kind is MotionType.KINEMATIC and not motion.is_still:
        if not is_same(velocities, (motion.linear_velocity, motion.angular_velocity)):
            yield f"moves by {velocities}"
        if made["sync_to_physics"]:
            yield "waits for physics"
        later = multiply(frame, _way(motion))
        if difference(matrix(made["later"]), later) > NEAR:
            yield f"is at {made['later']} after {LATER} s, not at {later}"
    if kind is not MotionType.DYNAMIC:
        return
    told = written_motion(node)
    assert told is not None
    centre = plus(translation_of(frame), apply(own, motion.center))
    mass = min(motion.mass, ENDLESS) if motion.mass > 0.0 else 1.0
    inertia = tuple(min(part, ENDLESS) for part in motion.inertia_diagonal)
    expected = {
        "mass": mass,
        "gravity_scale": motion.gravity_factor if motion.mass < inf else 0.0,
        "center": centre,
        "linear_velocity": told.linear_velocity,
        "angular_velocity": told.angular_velocity,
        "center_of_mass_mode": 1,
    }
    if made["shapes"] or motion.inertia_diagonal != ZERO:
        expected["inertia"] = inertia
    for name, value in expected.items():
        if not is_near(made[name], value):
            yield f"its {name} is {made[name]}, not {value}"


def _way(motion: Motion) -> Matrix:
    """Return where a kinematic body goes, in its own axes at the start."""
    spin = motion.angular_velocity
    speed = hypot(*spin)
    turn = rotation_about(normalized(spin), speed * LATER) if speed else IDENTITY_ROTATION
    return matrix_from(turn, times(motion.linear_velocity, LATER))


def shape_differences(
    mechanism: Mechanism,
    parts: Mapping[str, Node],
    made: Mapping[str, Any],
    points: Mapping[int, Points],
    motion: Motion | None,
) -> Iterator[str]:
    """Yield how shapes of a body, or without a motion of a trigger, differ from those meant."""
    readable = {name: part for name, part in parts.items() if not is_flat(linear_part(part.world))}
    if made.keys() != readable.keys():
        yield f"has the shapes {sorted(made)}, not {sorted(readable)}"
    for name in made.keys() & readable.keys():
        part = readable[name]
        at = (part.collider or part.trigger).shape  # type: ignore[union-attr]
        assert at is not None
        found, shape = made[name], standing(mechanism.shapes[at], part.world)
        if difference(matrix(found["world"]), rigid_frame(part.world)) > NEAR:
            yield f"{name} stands at {found['world']}, not at {rigid_frame(part.world)}"
        if isinstance(shape, MeshShape):
            moves = motion is not None and motion.type is not MotionType.STATIC
            hull = isinstance(shape, Convex) or moves
            yield from (
                f"{name} {one}"
                for one in _of_mesh(found, points[shape.mesh], part.world, hull=hull)
            )
        elif (expected := _sized(shape)) is not None:
            said = {key: found[key] for key in expected}
            if not is_same([*said.values()], [*expected.values()]):
                yield f"{name} is {said}, not {expected}"
        else:
            yield from (f"{name} {one}" for one in _tapered(found, shape, part.world))


def _sized(shape: Shape) -> dict[str, Any] | None:
    """Return what Godot says of a shape; None of one that tapers."""
    if isinstance(shape, Plane) and shape.size_x == inf == shape.size_z:
        return {"class": "WorldBoundaryShape3D"}
    if isinstance(shape, Plane):
        shape = slab(shape)
    if isinstance(shape, Box):
        return {"class": "BoxShape3D", "size": [abs(side) for side in shape.size]}
    if isinstance(shape, Sphere):
        return {"class": "SphereShape3D", "radius": shape.radius}
    assert isinstance(shape, (Capsule, Cylinder))
    if shape.radius_bottom != shape.radius_top:
        return None
    ends = 2.0 * shape.radius_bottom if isinstance(shape, Capsule) else 0.0
    kind = type(shape).__name__ + "Shape3D"
    return {"class": kind, "radius": shape.radius_bottom, "height": shape.height + ends}


def _of_mesh(
    found: Mapping[str, Any], points: Points, world: Matrix, *, hull: bool
) -> Iterator[str]:
    kind = "ConvexPolygonShape3D" if hull else "ConcavePolygonShape3D"
    if found["class"] != kind:
        yield f"is a {found['class']}, not a {kind}"
    here, there = found["points"], [_placed(world, point) for point in points]
    for some, others in ((here, there), (there, here)):
        if any(min(dist(point, other) for other in others) > NEAR for point in some):
            yield f"has the points {here}, not {there}"


def _tapered(found: Mapping[str, Any], shape: Shape, world: Matrix) -> Iterator[str]:
    """Yield how a hull of something round differs: rings that are wider by what flat sides lack."""
    assert isinstance(shape, (Capsule, Cylinder))
    back = rigid_frame(world)
    ends = [[*_placed_back(back, point)] for point in found["points"]]
    caps = isinstance(shape, Capsule)
    for sign, radius in ((-1.0, shape.radius_bottom), (1.0, shape.radius_top)):
        half = sign * 0.5 * shape.height
        ring = [(x * x + z * z) ** 0.5 for x, y, z in ends if isclose(y, half, abs_tol=1e-4)]
        if not ring or not all(radius < far < 1.01 * radius for far in ring):
            yield f"has a ring of {ring} for {radius}"
        far = max(sign * y for _, y, _ in ends)
        if not isclose(far, 0.5 * shape.height + (radius if caps else 0.0), abs_tol=1e-4):
            yield f"ends at {far}"
        for x, y, z in ends if caps else ():
            if sign * y > sign * half + 1e-4:
                away = (x * x + z * z + (y - half) ** 2) ** 0.5
                if not 0.999 * radius < away < 1.01 * radius:
                    yield f"has a point {away} from the end of {radius}"


def _placed(world: Matrix, point: Any) -> tuple[float, ...]:
    return plus(translation_of(world), apply(linear_part(world), point))


def _placed_back(frame: Matrix, point: Any) -> tuple[float, ...]:
    arm = [a - b for a, b in zip(point, translation_of(frame), strict=True)]
    linear = linear_part(frame)
    return tuple(sum(linear[row][axis] * arm[row] for row in range(3)) for axis in range(3))


def is_near(one: Any, other: Any) -> bool:
    """Return whether two numbers or vectors are as near as places in a scene are."""
    if isinstance(one, (tuple, list)):
        return all(map(is_near, one, other))
    return abs(float(one) - float(other)) <= NEAR * max(1.0, abs(float(other)))
