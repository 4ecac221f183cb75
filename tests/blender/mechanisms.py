# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms whose every value Blender and a glTF file can hold, in glTF axes."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random
from typing import Any

from omi_physics_joint.gltf.document.json_text import text_of
from omi_physics_joint.gltf.shared.kept import both
from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Quaternion,
    Trigger,
    Vector3,
)
from omi_physics_joint.model.geometry.transform import Matrix, compose, multiply
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh

MESHES = ("Hull", "Floor")
UNKNOWNS = ("", "", '{"X_tag":[1,2.5,"three"],"Y":{"deep":null}}', '{"Z":true}')
SYSTEMS = ("cars", "walls", "player 1")


class Maker:
    """Makes random parts; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def number(self, size: float = 10.0) -> float:
        """Return a number, often a round one."""
        if self.random.random() < 0.3:
            return float(self.random.choice((0, 1, -1, 0.5, -2.25)))
        return self.random.uniform(-size, size)

    def length(self) -> float:
        """Return a positive number over several powers of ten."""
        return float(10.0 ** self.random.uniform(-2.0, 3.0))

    def vector(self, size: float = 10.0) -> Vector3:
        """Return three numbers."""
        return (self.number(size), self.number(size), self.number(size))

    def quaternion(self) -> Quaternion:
        """Return a rotation of length one."""
        q = [self.random.gauss(0.0, 1.0) for _ in range(4)]
        norm = sum(x * x for x in q) ** 0.5
        return (q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm)

    def one(self, *choices: Any) -> Any:
        """Return one of the choices."""
        return self.random.choice(choices)

    def unknown(self) -> str:
        """Return members that the specification does not name, or none."""
        return str(self.one(*UNKNOWNS))

    def scale(self) -> Vector3:
        """Return a scale: none, even, uneven or mirrored."""
        even = self.random.uniform(0.5, 2.0)
        uneven = [self.random.uniform(0.4, 2.5) for _ in range(3)]
        mirrored = [x * self.one(1.0, -1.0) for x in uneven]
        x, y, z = self.one((1.0, 1.0, 1.0), (even, even, even), uneven, mirrored)
        return (x, y, z)

    def limit(self) -> Limit:
        """Return a limit on any axes, open on one side or both, rigid or soft."""
        low, high = sorted((self.number(3.0), self.number(3.0)))
        low, high = self.one(
            (low, high), (low, inf), (-inf, high), (low, low), (0.0, 0.0), (0.0, 0.0), (-inf, inf)
        )
        axes = [axis for axis in range(6) if self.random.random() < 0.35]
        return Limit(
            linear_axes=tuple(axis for axis in axes if axis < 3),
            angular_axes=tuple(axis - 3 for axis in axes if axis >= 3),
            min=low,
            max=high,
            stiffness=self.one(inf, inf, 0.0, self.length()),
            damping=self.one(0.0, self.length()),
            unknown=self.unknown(),
        )

    def drive(self) -> Drive:
        """Return a drive."""
        return Drive(
            type=self.one(*Freedom),
            mode=self.one(*DriveMode),
            axis=self.one(0, 1, 2),
            max_force=self.one(inf, 0.0, self.length()),
            position_target=self.one(None, self.number(3.0)),
            velocity_target=self.one(None, self.number(3.0)),
            stiffness=self.one(0.0, self.length()),
            damping=self.one(0.0, self.length()),
            unknown=self.unknown(),
        )

    def settings(self, name: str) -> JointSettings:
        """Return joint settings; the file may know drives that we do not."""
        foreign = text_of({"type": "X_muscle", "mode": "force", "axis": 1, "pull": self.number()})
        return JointSettings(
            name,
            tuple(self.limit() for _ in range(self.one(1, 2, 3, 4))),
            tuple(self.drive() for _ in range(self.one(0, 0, 1, 2))),
            self.one((), (), (foreign,)),
            self.unknown(),
        )

    def shape(self) -> Shape:
        """Return a shape."""
        name, unknown = self.one("", "shape"), self.unknown()
        x, y, z = self.length(), self.length(), self.length()
        shapes: tuple[Shape, ...] = (
            Box((x, y, z), name, unknown),
            Sphere(x, name, unknown),
            Capsule(x, y, z, name, unknown),
            Cylinder(x, y, z, name, unknown),
            Convex(self.one(0, 1), name, unknown),
            Trimesh(self.one(0, 1), name, unknown),
        )
        shape: Shape = self.one(*shapes)
        return shape

    def motion(self) -> Motion:
        """Return the motion of a body."""
        return Motion(
            type=self.one(*MotionType),
            mass=self.one(1.0, self.length()),
            center_of_mass=self.one((0.0, 0.0, 0.0), self.vector()),
            inertia_diagonal=self.one(
                (0.0, 0.0, 0.0), (self.length(), self.length(), self.length())
            ),
            inertia_orientation=self.one((0.0, 0.0, 0.0, 1.0), self.quaternion()),
            linear_velocity=self.one((0.0, 0.0, 0.0), self.vector()),
            angular_velocity=self.one((0.0, 0.0, 0.0), self.vector()),
            gravity_factor=self.number(),
            unknown=self.unknown(),
        )

    def material(self) -> PhysicsMaterial:
        """Return a physics material."""
        return PhysicsMaterial(
            self.one("", "ice"),
            self.random.random(),
            self.random.random(),
            self.one(0.0, self.random.random()),
            self.one(*Combine),
            self.one(*Combine),
            self.unknown(),
        )

    def filter(self) -> CollisionFilter:
        """Return a collision filter."""
        others = tuple(self.random.sample(SYSTEMS, self.one(1, 2)))
        only, but = self.one((None, None), (others, None), (None, others))
        systems = tuple(self.random.sample(SYSTEMS, self.one(0, 1, 3)))
        return CollisionFilter("", systems, only, but, self.unknown())


SHAPED = '{"OMI_physics_gravity":{"gravity":2.5,"shaped":{"shape":null},"type":"shaped"}}'
"""What is kept of a gravity that is shaped by a volume."""


class Scene:
    """Collects nodes and what they share."""

    def __init__(self, seed: int) -> None:
        self.make = Maker(seed)
        self.nodes: list[Node] = []
        self.shared: dict[str, list[Any]] = {
            kind: [] for kind in ("settings", "shape", "material", "filter")
        }

    def share(self, kind: str, item: Any) -> int:
        """Return the index of a new resource, or of one that is there already."""
        items = self.shared[kind]
        if items and self.make.random.random() < 0.3:
            return self.make.random.randrange(len(items))
        items.append(item)
        return len(items) - 1

    def add(self, name: str, parent: int | None, world: Matrix, **physics: Any) -> int:
        """Add a node and return its index."""
        self.nodes.append(Node(name, parent, world, **physics))
        return len(self.nodes) - 1

    def collider(self) -> Collider:
        """Return a collider."""
        make = self.make
        return Collider(
            make.one(None, self.share("shape", make.shape())),
            make.one(None, self.share("material", make.material())),
            make.one(None, self.share("filter", make.filter())),
            make.unknown(),
        )

    def add_body(self, name: str) -> int:
        """Add a body, turned and scaled in some way, and perhaps a part below it."""
        make, holder, base = self.make, None, compose()
        if make.random.random() < 0.4:
            even = make.random.uniform(0.5, 2.0)
            base = compose(make.vector(), make.quaternion(), (even, even, even))
            holder = self.add(f"{name} holder of all", None, base)
        world = multiply(base, compose(make.vector(), make.quaternion(), make.scale()))
        body = self.add(name, holder, world, motion=make.motion(), unknown=make.unknown())
        if make.random.random() < 0.5:
            self.nodes[body] = replace(self.nodes[body], collider=self.collider())
        if make.random.random() < 0.3:
            volume, kept = self.share("shape", make.shape()), both(self.nodes[body].unknown, SHAPED)
            self.nodes[body] = replace(self.nodes[body], unknown=kept, gravity_shape=volume)
        self.add_part(name, body, multiply(world, compose(make.vector(2.0), scale=make.scale())))
        return body

    def add_part(self, name: str, body: int, world: Matrix) -> None:
        """Add something below a body that is solid or notices, or nothing."""
        make = self.make
        kind = make.one("none", "collider", "trigger", "compound")
        if kind == "collider":
            collider = self.collider()
            self.add(f"{name} part", body, world, collider=collider, unknown=make.unknown())
        elif kind != "none":
            collision_filter = make.one(None, self.share("filter", make.filter()))
            shape = self.share("shape", make.shape())
            trigger = Trigger(shape, (), collision_filter, make.unknown())
            part = self.add(f"{name} part", body, world, trigger=trigger)
            if kind == "compound":
                group = Trigger(None, (part,), None, make.unknown())
                self.nodes[body] = replace(self.nodes[body], trigger=group)

    def join(self, name: str, first: int, second: int) -> None:
        """Add a joint whose two frames stand at one place, or anywhere."""
        make = self.make
        frame = compose(make.vector(), make.quaternion())
        other = make.one(frame, compose(make.vector(), make.quaternion()))
        partner = self.add(f"{name} partner", second, other)
        settings = self.share("settings", make.settings(name))
        joint = JointNode(settings, partner, make.one(True, False), make.unknown())
        self.add(f"{name} joint", first, frame, joint=joint)


def random_mechanism(seed: int, count: int) -> Mechanism:
    """Return many small mechanisms side by side: each has two bodies and one to three joints.

    Bodies are turned and scaled, also unevenly and mirrored; frames below them stand anywhere, so
    that a body's scale would skew them. All nodes have names of their own.
    """
    scene = Scene(seed)
    for index in range(count):
        bodies = scene.add_body(f"{index} A"), scene.add_body(f"{index} B")
        for number in range(scene.make.one(1, 1, 2, 3)):
            scene.join(f"{index}.{number}", *scene.make.random.sample(bodies, 2))
    return Mechanism(
        tuple(scene.nodes),
        tuple(scene.shared["settings"]),
        tuple(scene.shared["shape"]),
        tuple(scene.shared["material"]),
        tuple(scene.shared["filter"]),
        MESHES,
        {"OMI_physics_joint": '{"X_document":[1]}'},
    )
