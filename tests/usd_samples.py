# SPDX-License-Identifier: GPL-3.0-or-later
"""Random contents that a stage can say, from a seed: bodies, shapes, joints of every kind."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random

from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
    Vector3,
)
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.joint import (
    AXES,
    Breaking,
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
    on_axes,
)
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Plane,
    Shape,
    Sphere,
    Trimesh,
)
from omi_physics_joint.model.solid import Triangles

ONE = (1.0, 1.0, 1.0)


class Sampler:
    """Draws parts of a mechanism."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def vector(self, size: float = 3.0) -> Vector3:
        """Return a place or a direction."""
        x, y, z = (self.random.uniform(-size, size) for _ in AXES)
        return (x, y, z)

    def lengths(self) -> Vector3:
        """Return three sizes."""
        x, y, z = (self.random.uniform(0.1, 3.0) for _ in AXES)
        return (x, y, z)

    def some(self, chance: float = 0.5) -> bool:
        """Return whether something is so."""
        return self.random.random() < chance

    def pose(self, scale: Vector3 = ONE) -> Matrix:
        """Return a pose."""
        x, y, z = self.vector(1.0)
        return compose(self.vector(), (x, y, z, self.random.uniform(0.1, 1.0)), scale)

    def shape(self) -> Shape:
        """Return a shape; meshes are one of two."""
        number, radius = self.random.uniform(0.1, 2.0), self.random.uniform(0.1, 2.0)
        return self.random.choice(
            (
                Box(self.lengths()),
                Sphere(radius),
                Capsule(number, radius, radius),
                Capsule(number, radius, 0.5 * radius),
                Cylinder(number, radius, radius),
                Cylinder(number, 0.3 * radius, radius),
                Cylinder(number, radius, 0.0),
                Plane(),
                Convex(self.random.randrange(2)),
                Trimesh(self.random.randrange(2)),
            )
        )

    def mesh(self) -> Triangles:
        """Return a tetrahedron."""
        points = tuple(self.vector(1.0) for _ in range(4))
        return Triangles(points, ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)))

    def motion(self, kind: MotionType) -> Motion:
        """Return how a body moves."""
        if kind is MotionType.STATIC:
            return Motion(kind)
        velocities = [self.vector() if self.some(0.3) else (0.0, 0.0, 0.0) for _ in range(2)]
        motion = Motion(
            kind,
            self.random.uniform(0.1, 50.0),
            self.vector(1.0) if self.some() else (0.0, 0.0, 0.0),
            linear_velocity=velocities[0],
            angular_velocity=velocities[1],
        )
        if self.some():
            x, y, z = self.vector(1.0)
            motion = replace(
                motion,
                inertia_diagonal=self.lengths(),
                inertia_orientation=(x, y, z, self.random.uniform(0.1, 1.0)),
            )
        motion = replace(motion, starts_asleep=self.some(0.1))
        return replace(motion, gravity_factor=0.0) if self.some(0.1) else motion

    def limit(self, freedom: Freedom, axis: int) -> Limit | None:
        """Return what one degree of freedom is left; None where it is free."""
        reach = 2.0 if freedom is Freedom.LINEAR else 1.5
        low, high = sorted((self.random.uniform(-reach, reach), self.random.uniform(-reach, reach)))
        fixed = Limit(min=0.0, max=0.0)
        found: Limit | None = self.random.choice(
            (
                None,
                fixed,
                fixed,
                fixed,
                Limit(min=low, max=high),
                Limit(min=low),
                Limit(max=high),
                Limit(min=low, max=high, stiffness=50.0, damping=2.0),
                Limit(min=low, max=low, stiffness=8.0),
            )
        )
        return None if found is None else on_axes(found, freedom, (axis,))

    def drive(self, freedom: Freedom, axis: int) -> Drive:
        """Return a spring, a motor or both."""
        strength, target = self.random.uniform(0.1, 90.0), self.random.uniform(-1.0, 1.0)
        drive = Drive(freedom, self.random.choice(list(DriveMode)), axis)
        if self.some():
            drive = replace(drive, max_force=self.random.uniform(1.0, 500.0))
        if self.some(0.7):
            drive = replace(drive, position_target=target, stiffness=strength)
        if self.some(0.7) or drive.stiffness == 0.0:
            drive = replace(drive, velocity_target=0.3 * target, damping=0.1 * strength)
        if self.some(0.2) and drive.damping:
            keys = Keys("velocity_target", (0.0, 0.5, 2.0), (0.3 * target, 1.0, target))
            drive = replace(drive, keys=(keys,))
        return drive

    def settings(self) -> JointSettings:
        """Return what a joint leaves and drives."""
        axis, angle = self.random.choice(AXES), self.random.uniform(0.1, 2.5)
        others = tuple(one for one in AXES if one != axis)
        made = self.random.choice(
            (
                weld(),
                pin(),
                hinge(axis),
                hinge(axis, -angle, 0.4 * angle),
                hinge(axis, angle),
                slider(axis),
                slider(axis, -angle, 0.0),
                replace(pin(), limits=(*pin().limits, _cone(others, angle))),
                JointSettings(limits=(Limit(AXES, max=angle, together=True),)),
                JointSettings(
                    limits=(Limit(AXES, (), 0.5 * angle, angle, 30.0, 0.5, together=True),)
                ),
                None,
                None,
                None,
            )
        )
        if made is None:
            parts = (self.limit(freedom, one) for freedom in Freedom for one in AXES)
            made = JointSettings(limits=tuple(part for part in parts if part is not None))
        free = [
            (freedom, one)
            for freedom in Freedom
            for one in AXES
            if not any(limit.together for limit in made.limits)
            and not any(one in each.axes(freedom) and each.is_lock for each in made.limits)
        ]
        driven = self.random.sample(free, min(len(free), self.random.choice((0, 0, 1, 2))))
        drives = tuple(self.drive(*each) for each in driven)
        return canonical(replace(made, drives=drives))


def _cone(axes: tuple[int, ...], angle: float) -> Limit:
    return Limit(angular_axes=axes, max=angle, together=True)


def random_contents(seed: int) -> Contents:
    """Return contents that a stage can say."""
    draw = Sampler(seed)
    nodes = _tree(draw)
    shapes = tuple(dict.fromkeys(draw.shape() for _ in range(3)))
    surfaces = (
        PhysicsMaterial("Rubber", 0.9, 0.8, 0.5),
        PhysicsMaterial("Ice", 0.1, 0.05, 0.0, Combine.MINIMUM, Combine.MAXIMUM),
    )
    filters = (
        CollisionFilter("Parts", ("parts",), None, ("parts",)),
        CollisionFilter("Ghosts", ("ghosts",), ("walls",)),
        CollisionFilter("Walls", ("walls",), None, None),
    )
    meshes = (draw.mesh(), draw.mesh())
    shown: dict[int, int] = {}
    for index, node in enumerate(nodes):
        number = draw.random.randrange(len(shapes))
        surface = draw.random.choice((None, 0, 1))
        group = draw.random.choice((None, None, 0, 1, 2))
        kind = draw.random.choice(("solid", "solid", "trigger", "", ""))
        if isinstance(shapes[number], Plane) and _moves(nodes, index):
            continue  # a plane that moves is written as a box, and that is said
        if kind == "solid":
            nodes[index] = replace(node, collider=Collider(number, surface, group))
        elif kind == "trigger":
            nodes[index] = replace(node, trigger=Trigger(number, collision_filter=group))
        if draw.some(0.4):
            shown[index] = draw.random.randrange(2)
    settings = tuple(dict.fromkeys(draw.settings() for _ in range(3)))
    _join(draw, nodes, len(settings))
    mechanism = Mechanism(
        tuple(nodes),
        settings,
        shapes,
        surfaces,
        filters,
        ("First", "Second"),
        gravity=draw.random.choice((None, (0.0, 0.0, 0.0), (1.0, -3.0, 0.5))),
    )
    return Contents(mechanism, meshes, shown)


def _tree(draw: Sampler) -> list[Node]:
    """Return nodes with poses and motions; bodies that are led are below no others."""
    count = draw.random.randint(2, 6)
    nodes: list[Node] = []
    parents = [draw.random.choice((None, *range(i))) if i else None for i in range(count)]
    for index, parent in enumerate(parents):
        is_leaf = index not in parents
        scale = draw.random.choice((ONE, ONE, (2.0, 2.0, 2.0)))
        if is_leaf and draw.some(0.3):
            scale = draw.lengths() if draw.some(0.8) else (1.0, -1.0, 1.0)
        local = draw.pose(scale)
        above = None if parent is None else nodes[parent]
        world = local if above is None else multiply(above.world, local)
        moves = any(nodes[one].motion for one in _ancestry(parents, parent))
        kinds = [MotionType.DYNAMIC, None]
        if not moves:
            kinds += [MotionType.KINEMATIC, MotionType.STATIC, MotionType.DYNAMIC]
        kind = draw.random.choice(kinds)
        motion = None if kind is None else draw.motion(kind)
        nodes.append(Node(f"N{index}", parent, world, motion))
    if not any(node.motion and node.motion.type is MotionType.DYNAMIC for node in nodes):
        nodes[0] = replace(nodes[0], motion=draw.motion(MotionType.DYNAMIC))
        for index, node in enumerate(nodes[1:], 1):
            if node.motion is not None and 0 in _ancestry(parents, index):
                nodes[index] = replace(node, motion=None)
    return nodes


def _moves(nodes: list[Node], index: int | None) -> bool:
    while index is not None and nodes[index].motion is None:
        index = nodes[index].parent
    motion = None if index is None else nodes[index].motion
    return motion is not None and motion.type is not MotionType.STATIC


def _ancestry(parents: list[int | None], index: int | None) -> list[int]:
    found: list[int] = []
    while index is not None:
        found.append(index)
        index = parents[index]
    return found


def _join(draw: Sampler, nodes: list[Node], settings: int) -> None:
    """Add joints between bodies, one of which moves."""
    bodies = [index for index, node in enumerate(nodes) if node.motion is not None]
    moving = [i for i in bodies if nodes[i].motion.type is MotionType.DYNAMIC]  # type: ignore[union-attr]
    for number in range(draw.random.randint(1, 3)):
        first = draw.random.choice(moving)
        others = [one for one in bodies if one != first]
        if not others:
            return
        second = draw.random.choice(others)
        if draw.some(0.2):
            first, second = second, first
        frame = draw.pose()
        other = frame if draw.some(0.7) else multiply(frame, draw.pose())
        nodes.append(Node(f"C{number}", second, other))
        bears = Breaking(12.0, inf) if draw.some(0.2) else None
        joint = JointNode(
            draw.random.randrange(settings),
            len(nodes) - 1,
            draw.some(),
            breaking=bears,
            enabled=draw.some(0.8),
        )
        nodes.append(Node(f"J{number}", first, frame, joint=joint))
        if draw.some(0.2):
            nodes.append(Node(f"E{number}", len(nodes) - 1, multiply(frame, draw.pose())))
