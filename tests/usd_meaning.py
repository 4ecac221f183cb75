# SPDX-License-Identifier: GPL-3.0-or-later
"""What contents mean, whatever their nodes are: to hold what was read against what was written.

Shapes may be on nodes of their own below the node that has them, joints may be said from their
other side, locks at another place of moved frames, collision groups in place of systems. A static
body that nothing moves says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from omi_differences import differences

from omi_physics_joint.model.body import CollisionFilter, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.scale import standing
from omi_physics_joint.model.geometry.transform import (
    IDENTITY_ROTATION,
    Matrix,
    apply,
    linear_part,
    rotation_from_quaternion,
    translation_of,
)
from omi_physics_joint.model.joint import JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.canonical import acting, canonical
from omi_physics_joint.model.settings.reversal import is_reversible, reversed_settings
from omi_physics_joint.model.shape import Convex, Plane, Trimesh, slab
from omi_physics_joint.usd.writing.spelling.centring import centred

Fact = tuple[str, str, Any]


class Meaning:
    """What contents mean, by the names of nodes.

    Args:
        contents: whose.
        names: of the nodes that are compared; others count as part of what is above them.
        still: of static bodies, which stand wherever they do.
    """

    def __init__(self, contents: Contents, names: set[str], still: set[str]) -> None:
        self.contents = contents
        self.mechanism = contents.mechanism
        self.names = names
        self.still = still

    def owner(self, index: int) -> str:
        """Return the name of the node that a node is part of."""
        for one in self.mechanism.ancestry(index):
            if self.mechanism.nodes[one].name in self.names:
                return self.mechanism.nodes[one].name
        return ""

    def moving_body(self, index: int) -> str:
        """Return the name of the body of a node; nothing where it is static."""
        body = self.mechanism.body_of(index)
        motion = None if body is None else self.mechanism.nodes[body].motion
        is_still = motion is None or motion.type is MotionType.STATIC
        return "" if body is None or is_still else self.mechanism.nodes[body].name

    def poses(self) -> Iterator[Fact]:
        """Yield the pose of each node, what it belongs to and how it moves."""
        for index, node in enumerate(self.mechanism.nodes):
            if node.name not in self.names:
                continue
            yield "world", node.name, node.world
            if node.name not in self.still:
                above = "" if node.parent is None else self.owner(node.parent)
                yield "above", node.name, above
            yield "body", node.name, self.moving_body(index)
            motion = node.motion
            if motion is not None and motion.type is not MotionType.STATIC:
                turn = rotation_from_quaternion(motion.inertia_orientation)
                if not any(motion.inertia_diagonal):
                    turn = IDENTITY_ROTATION
                pull = motion.gravity_factor if motion.type is MotionType.DYNAMIC else 1.0
                said = replace(motion, inertia_orientation=turn, gravity_factor=pull)
                yield "motion", node.name, said

    def is_moved(self, index: int) -> bool:
        """Return whether a node or one above it is a body that moves."""
        motions = (self.mechanism.nodes[one].motion for one in self.mechanism.ancestry(index))
        return any(one is not None and one.type is not MotionType.STATIC for one in motions)

    def solids(self) -> dict[str, list[Any]]:
        """Return the shapes of each node, where they are in the world, and of which material."""
        found: dict[str, list[Any]] = {}
        for index, kind, part in _parts(self.mechanism):
            world = self.mechanism.nodes[index].world
            shape = standing(self.mechanism.shapes[part.shape], world)
            where: Any = rigid_frame(world)
            shape = replace(shape, name="")
            if isinstance(shape, Plane) and self.is_moved(index):
                shape = slab(shape)  # pxr's validators refuse planes that move
            if isinstance(shape, Convex | Trimesh):
                where, shape = self.points(shape.mesh, world), type(shape).__name__
            surface = getattr(part, "physics_material", None)
            materials = self.mechanism.physics_materials
            material = None if surface is None else replace(materials[surface], name="")
            found.setdefault(self.owner(index), []).append((kind, shape, where, material))
        return {name: sorted(parts, key=repr) for name, parts in found.items()}

    def pictures(self) -> dict[str, list[Any]]:
        """Return the points of what each node shows, in the world."""
        found: dict[str, list[Any]] = {}
        for index, mesh in self.contents.shown.items():
            points = self.points(mesh, self.mechanism.nodes[index].world)
            found.setdefault(self.owner(index), []).append(points)
        return {name: sorted(each) for name, each in found.items()}

    def points(self, mesh: int, world: Matrix) -> list[tuple[float, ...]]:
        """Return the points of a mesh in the world."""
        triangles, origin = self.contents.meshes[mesh], translation_of(world)
        points = () if triangles is None else triangles.points
        moved = (apply(linear_part(world), point) for point in points)
        return [tuple(a + b for a, b in zip(one, origin, strict=True)) for one in moved]

    def meets(self) -> dict[tuple[str, str], bool]:
        """Return whether the shapes of two nodes meet, by what their filters say."""
        filters: dict[str, CollisionFilter | None] = {}
        for index, _, part in _parts(self.mechanism):
            number = part.collision_filter
            own = None if number is None else self.mechanism.collision_filters[number]
            filters[self.owner(index)] = own
        return {
            (one, other): _lets(filters[one], filters[other])
            and _lets(filters[other], filters[one])
            for one in filters
            for other in filters
        }

    def joints(self) -> dict[str, list[Any]]:
        """Return each joint, and as it is from its other side where that can be said."""
        found: dict[str, list[Any]] = {}
        for index, node, joint in self.mechanism.all_joints():
            settings = canonical(self.mechanism.settings_of(joint))
            other = self.mechanism.nodes[joint.connected_node]
            frames = rigid_frame(node.world, settings), rigid_frame(other.world, settings)
            settings, frames = centred(settings, frames)
            settings = _acting(settings)
            bodies = self.moving_body(index), self.moving_body(joint.connected_node)
            more = (joint.enable_collision, joint.breaking, joint.enabled)
            said = [(bodies, frames, settings, more)]
            if is_reversible(settings):
                turned = _acting(reversed_settings(settings))
                said.append((bodies[::-1], frames[::-1], turned, more))
            found[node.name] = said
        return found


def _acting(settings: JointSettings) -> JointSettings:
    drives = tuple(acting(drive) for drive in settings.drives)
    return canonical(replace(settings, name="", drives=drives))


def _parts(mechanism: Mechanism) -> Iterator[tuple[int, str, Any]]:
    for index, node in enumerate(mechanism.nodes):
        for kind, part in (("collider", node.collider), ("trigger", node.trigger)):
            if part is not None and part.shape is not None:
                yield index, kind, part


def _lets(one: CollisionFilter | None, other: CollisionFilter | None) -> bool:
    if one is None:
        return True
    systems = set(() if other is None else other.collision_systems)
    if one.collide_with_systems is not None:
        return bool(systems & set(one.collide_with_systems))
    return not systems & set(one.not_collide_with_systems or ())


def is_still(node: Node) -> bool:
    """Return whether a node is a static body."""
    return node.motion is not None and node.motion.type is MotionType.STATIC


def what_differs(before: Contents, after: Contents, tolerance: float) -> list[str]:
    """Return a line for everything that means something else."""
    names = {node.name for node in before.mechanism.nodes if node.name[:1] in "NE"}
    still = {node.name for node in before.mechanism.nodes if is_still(node)}
    one, other = Meaning(before, names, still), Meaning(after, names, still)
    lines: list[str] = []

    def hold(what: str, a: Any, b: Any) -> None:
        lines.extend(differences(a, b, what, tolerance))

    hold("pose", {fact[:2]: fact[2] for fact in one.poses()}, {f[:2]: f[2] for f in other.poses()})
    hold("solids", one.solids(), other.solids())
    hold("meets", one.meets(), other.meets())
    hold("gravity", before.mechanism.gravity, after.mechanism.gravity)
    if before.shown:
        hold("pictures", one.pictures(), other.pictures())
    joints, others = one.joints(), other.joints()
    hold("joints", sorted(joints), sorted(others))
    for name in joints.keys() & others.keys():
        ways = [differences(said, others[name][0], name, tolerance) for said in joints[name]]
        lines.extend(min(ways, key=len))
    return lines
