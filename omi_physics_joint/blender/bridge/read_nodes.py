# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism from placed objects: the one truth that is drawn, played and exported."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bpy.types import Mesh, Modifier, Object

from ...model.body import Collider, CollisionFilter, Motion, MotionType, PhysicsMaterial, Trigger
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.issue import Issue, Severity
from ...model.joint import JointNode, JointSettings
from ...model.mechanism import Mechanism, Node
from ...model.shape import Convex, Shape, Trimesh
from ...model.solid import Bounds
from ...model.wording.findings import ANIMATED_BODIES
from ...model.wording.words import some
from ..data.body import OMI_JOINT_PG_body, OMI_JOINT_PG_collision_filter, OMI_JOINT_PG_shape
from .animation import falls_in_blender, is_baked, is_resized, leaders
from .keyed import Samples
from .placed import Lookup, PlacedObject, missing_as
from .poses.second_frames import below, name_of
from .read_groups import (
    breaking_from,
    filter_from,
    material_from,
    motion_from,
    primitive_from,
    rows_in,
)
from .read_settings import is_damaged

WITH_MESHES = frozenset(("MESH", "CURVE", "SURFACE", "FONT", "META"))
"""Types of objects that show a mesh, which the exporter writes."""
UNREAD = {
    "joint-muted": (
        "This joint is muted, so it is neither simulated nor exported.",
        "Unmute it, or remove it.",
    ),
    **ANIMATED_BODIES,
    "dynamic-baked": (
        "It has the keys of its baked motion: forces move it here, and some readers animate it.",
        "Export without Animation for readers that move joints, or undo Bake.",
    ),
    "scale-animated": (
        "Its scale is animated, and a body keeps the size that it has at rest.",
        "Take the keys or drivers of scale out.",
    ),
    "joint-animated": (
        "Keys, drivers or constraints move this joint on its body; it stays where it is at rest.",
        "Take these out: a joint goes where its body goes.",
    ),
    "rigid-body-too": (
        "It is an active rigid body of Blender's too, which moves it in its own way as frames go.",
        "Remove Blender's Rigid Body in Physics properties.",
    ),
    "soft-body-too": (
        "Blender's {} bends it as frames go; in Play and in files its body stays as it is.",
        "Switch the modifier off, or keep it for pictures alone.",
    ),
    "joint-on-geometry": (
        "A joint must be on an empty of its own.",
        "Remove the joint here and make a new one from the two bodies.",
    ),
    "joint-without-settings": (
        "This joint {}, so it holds nothing.",
        "Choose or make joint settings in Physics properties.",
    ),
    "joint-without-partner": (
        "{}.",
        "Choose its second body in Physics properties, or remove the joint.",
    ),
    "partner-left-out": (
        "{}.",
        "",  # which depends on how it is left out
    ),
    "settings-damaged": (
        "The drives of unknown kinds in {!r} are damaged and left out.",
        "Import the file that they came from again, or make new settings.",
    ),
    "trigger-part-missing": (
        "A part of this compound trigger {}.",
        "Remove the part from its list, or bring the object back.",
    ),
    "gravity-without-shape": (
        "Its gravity is shaped by a volume, and there is none.",
        "Choose the shape of its gravity volume.",
    ),
    "shape-without-mesh": (
        "Its shape needs a mesh with faces, and there is none.",
        "Choose a mesh for the shape, or another kind of shape.",
    ),
}
"""What is not read, or not as it stands there, by code: why, and what to do."""
LOST = -1
"""In place of the index of a shape: there is none that could be read, and no compound either."""
NO_LOSS = {
    **dict.fromkeys(("joint-muted", "static-animated", "dynamic-baked"), Severity.HINT),
    **dict.fromkeys(("dynamic-animated", "joint-animated", "scale-animated"), Severity.WARNING),
    **dict.fromkeys(("rigid-body-too", "soft-body-too"), Severity.WARNING),
}
"""What is read all the same, and only said; all else is an error."""


@dataclass(frozen=True, slots=True)
class MeshSource:
    """Where the mesh of a shape comes from."""

    mesh: Mesh
    owner: int | None
    """Index of the placed object whose own mesh it is, with its modifiers; None: mesh data."""


@dataclass(slots=True)
class SceneReading:
    """A mechanism in glTF axes, and what could not be read into it."""

    mechanism: Mechanism
    issues: list[Issue] = field(default_factory=list)
    meshes: list[MeshSource] = field(default_factory=list)
    """Sources of the meshes of the mechanism, by index."""
    exports: bool = False
    """Whether it is what an export has, which may lack what the scene has."""


def mechanism_from_placed(
    placed: list[PlacedObject],
    unknown: dict[str, str] | None = None,
    samples: Samples | None = None,
    *,
    keeps_muted: bool = False,
    exports: bool = False,
) -> SceneReading:
    """Read what physics says of placed objects. Node i is placed object i.

    ``unknown`` is kept of the document that they came from. Without samples, animated settings are
    as they are now. Muted joints are kept for formats that can say so. What is read for ``exports``
    may lack what the scene has.
    """
    reader = _Reader(placed, samples or Samples(()), keeps_muted=keeps_muted, exports=exports)
    for index, one in enumerate(placed):
        node = reader.node(index)
        reader.nodes.append(replace(node, scene=one.scene) if one.scene else node)
    mechanism = Mechanism(
        nodes=tuple(reader.nodes),
        settings=tuple(Y_UP_FROM_Z_UP.settings(settings) for settings in reader.settings),
        shapes=tuple(Y_UP_FROM_Z_UP.shape(shape) for shape in reader.shapes),
        physics_materials=tuple(reader.materials),
        collision_filters=tuple(reader.filters),
        meshes=tuple(source.mesh.name for source in reader.meshes),
        rooms=tuple(
            _room_of(one.mesh) if one.owner is None else reader.nodes[one.owner].bounds
            for one in reader.meshes
        ),
        unknown=unknown or {},
    )
    return SceneReading(mechanism, reader.issues, reader.meshes, exports)


class _Reader:
    """Collects what nodes share while they are read one by one."""

    def __init__(
        self, placed: list[PlacedObject], samples: Samples, *, keeps_muted: bool, exports: bool
    ) -> None:
        self.placed = placed
        self.samples = samples
        self.keeps_muted, self.exports = keeps_muted, exports
        self.lookup = Lookup(placed)
        self.second_of = {
            node.second_of: index for index, node in enumerate(placed) if node.second_of is not None
        }
        """Second frames that are no objects, by the index of their joint."""
        self.nodes: list[Node] = []
        self.settings: list[JointSettings] = []
        self.shapes: dict[Shape, int] = {}
        self.materials: dict[PhysicsMaterial, int] = {}
        self.filters: dict[CollisionFilter, int] = {}
        self.meshes: list[MeshSource] = []
        self.issues: list[Issue] = []
        self._motions: dict[Motion, Motion] = {}
        """In glTF axes, by what they are in Blender's: most bodies of a scene have the same."""
        self._settings_of_block: dict[int, int] = {}
        self._mesh_keys: dict[tuple[int, int], int] = {}

    def node(self, index: int) -> Node:
        placed = self.placed[index]
        obj = placed.object
        if placed.second_of is not None:
            joint = self.placed[placed.second_of]
            if placed.world is joint.world:  # at rest, as most are
                world = self.nodes[placed.second_of].world
            else:
                world = Y_UP_FROM_Z_UP.matrix(placed.world)
            return Node(name_of(joint.owner), placed.parent, world)
        world = Y_UP_FROM_Z_UP.matrix(placed.world)
        if obj is None:
            return Node("", placed.parent, world)
        body = obj.omi_physics_body
        return Node(
            obj.name,
            placed.parent,
            world,
            motion=self.motion(index, body) if body.is_body else None,
            collider=self.collider(index, body) if body.use_collider else None,
            trigger=self.trigger(index, body) if body.use_trigger else None,
            joint=self.joint(index, obj) if placed.is_joint else None,
            unknown=body.unknown,
            gravity_shape=self.gravity_shape(index, body) if body.use_gravity_shape else None,
            bounds=bounds_of(obj),
        )

    def motion(self, index: int, body: OMI_JOINT_PG_body) -> Motion:
        """Read the motion of a body; a static one that is animated is led by that."""
        motion, owner = motion_from(body), self.placed[index].owner
        led = next(leaders(owner), None)
        above = f"It goes along with {led.name!r} above it" if led not in (None, owner) else ""
        todo = above and f"{above}: clear its parent, keeping its transform, or make it kinematic."
        if led is not None and motion.type is MotionType.STATIC:
            motion = replace(motion, type=MotionType.KINEMATIC)
            self.note(index, "static-animated", todo=todo)
        elif led is not None and motion.type is MotionType.DYNAMIC and is_baked(owner):
            self.note(index, "dynamic-baked")
        elif led is not None and motion.type is MotionType.DYNAMIC:
            self.note(index, "dynamic-animated", todo=todo)
        if is_resized(owner):
            self.note(index, "scale-animated")
        if falls_in_blender(owner):
            self.note(index, "rigid-body-too")
        if bends := bending(owner):
            self.note(index, "soft-body-too", some([one.name for one in bends]))
        if motion not in self._motions:
            self._motions[motion] = Y_UP_FROM_Z_UP.motion(motion)
        return self._motions[motion]

    def joint(self, index: int, obj: Object) -> JointNode | None:
        """Read a joint; one without settings or partner is an issue."""
        joint = obj.omi_physics_joint
        if joint.mute and not self.keeps_muted:
            self.note(index, "joint-muted")
            return None
        if obj.type != "EMPTY":
            self.note(index, "joint-on-geometry")
        if next(leaders(obj), None) == obj:
            self.note(index, "joint-animated")
        if joint.settings is None or joint.settings.is_missing:
            what = "has no settings" if joint.settings is None else "misses its linked settings"
            self.note(index, "joint-without-settings", what)
            return None
        connected = self.second_of.get(index)
        if joint.connected_node is not None:
            connected = self.lookup.find(joint.connected_node, index)
        if connected is None:
            lost = below(obj)
            kind = "second frame" if joint.connected_node is not None else "second body"
            why, todo = missing_as(lost, obj, exports=self.exports)
            what = "It has no second body"
            if lost is not None:
                what = f"Its {kind} {lost.name!r} {why}"
            todo = f"{todo}, or mute the joint." if todo else ""
            self.note(index, "partner-left-out" if todo else "joint-without-partner", what, todo)
            return None
        block = joint.settings
        number = self._settings_of_block.get(block.as_pointer())
        if number is None:
            number = self._settings_of_block[block.as_pointer()] = len(self.settings)
            self.settings.append(self.samples.settings(block))
            if is_damaged(block):
                self.note(index, "settings-damaged", block.name)
        return JointNode(
            number,
            connected,
            joint.enable_collision,
            joint.unknown,
            self.samples.collision(obj),
            breaking_from(obj.omi_physics_breaking),
            enabled=not joint.mute,
        )

    def collider(self, index: int, body: OMI_JOINT_PG_body) -> Collider | None:
        """Read a collider; None, with an issue, where its shape is missing."""
        collider = body.collider
        shape = self.shape(index, collider.shape)
        if shape == LOST:
            return None
        material = collision_filter = None
        if collider.use_physics_material:
            key = material_from(collider.physics_material)
            material = self.materials.setdefault(key, len(self.materials))
        if collider.use_collision_filter:
            collision_filter = self.filter(collider.collision_filter)
        return Collider(shape, material, collision_filter, collider.unknown)

    def trigger(self, index: int, body: OMI_JOINT_PG_body) -> Trigger | None:
        """Read a trigger; parts of a compound that are not here are an issue, as is its shape."""
        trigger = body.trigger
        shape = None if trigger.nodes else self.shape(index, trigger.shape)
        if shape == LOST:
            return None
        parts = [self.lookup.find(item.object, index) for item in trigger.nodes]
        if None in parts:
            absent, owner = trigger.nodes[parts.index(None)].object, self.placed[index].owner
            why, todo = missing_as(absent, owner, exports=self.exports)
            todo = f"{todo}, or remove the part from its list." if todo else ""
            self.note(index, "trigger-part-missing", why, todo)
        use_filter = trigger.use_collision_filter
        return Trigger(
            shape=shape,
            nodes=tuple(part for part in parts if part is not None),
            collision_filter=self.filter(trigger.collision_filter) if use_filter else None,
            unknown=trigger.unknown,
        )

    def gravity_shape(self, index: int, body: OMI_JOINT_PG_body) -> int | None:
        """Read the volume of an object's own gravity; None, with an issue, where it is missing."""
        shape = self.shape(index, body.gravity_shape)
        if shape is None:
            self.note(index, "gravity-without-shape")
        return None if shape == LOST else shape

    def filter(self, group: OMI_JOINT_PG_collision_filter) -> int:
        return self.filters.setdefault(filter_from(group), len(self.filters))

    def shape(self, index: int, group: OMI_JOINT_PG_shape) -> int | None:
        """Read a shape and return its index; None for a compound.

        ``LOST``, with an issue, where it needs a mesh and has none.
        """
        if group.type == "none":
            return None
        if group.type in ("convex", "trimesh"):
            mesh = self.mesh(index, group.mesh)
            if mesh is None:
                self.note(index, "shape-without-mesh")
                return LOST
            kind = Convex if group.type == "convex" else Trimesh
            shape: Shape = kind(mesh, group.label, group.unknown)
        else:
            shape = primitive_from(group)
        return self.shapes.setdefault(shape, len(self.shapes))

    def mesh(self, index: int, mesh: Mesh | None) -> int | None:
        """Return the index of a mesh, or of the object's own mesh; None where it has no faces."""
        obj = self.placed[index].owner
        mesh = mesh_of(obj, mesh)
        if mesh is None:
            return None
        owner = index if mesh == obj.data else None
        key = (mesh.as_pointer(), index if owner is not None and len(obj.modifiers) else -1)
        if key not in self._mesh_keys:
            self._mesh_keys[key] = len(self.meshes)
            self.meshes.append(MeshSource(mesh, owner))
        return self._mesh_keys[key]

    def note(self, index: int, code: str, what: str = "", todo: str = "") -> None:
        where, (message, fix) = self.placed[index].owner.name, UNREAD[code]
        severity = NO_LOSS.get(code, Severity.ERROR)
        self.issues.append(Issue(severity, code, where, message.format(what), todo or fix, index))


def bending(obj: Object) -> list[Modifier]:
    """Return the modifiers that bend a mesh as frames go, in views or in renders."""
    soft = [one for one in obj.modifiers if one.type in {"CLOTH", "SOFT_BODY"}]
    return [one for one in soft if one.show_viewport or one.show_render]


def mesh_of(obj: Object, chosen: Mesh | None) -> Mesh | None:
    """Return the mesh of an object's shape, chosen or its own; None where it has no faces.

    The exporter leaves such a mesh out, but for the own one where modifiers may make some.
    """
    mesh: Mesh | None = chosen or (obj.data if obj.type == "MESH" else None)
    if mesh is None or len(mesh.polygons) or (mesh == obj.data and len(obj.modifiers)):
        return mesh
    return None


def bounds_of(obj: Object) -> Bounds | None:
    """Return the room that an object's geometry takes, in glTF axes; Blender keeps it at hand."""
    if obj.type not in WITH_MESHES:
        return None
    corners = obj.bound_box
    return Y_UP_FROM_Z_UP.bounds(Bounds(tuple(corners[0]), tuple(corners[6])))


def _room_of(mesh: Mesh) -> Bounds:
    """Return the room that a mesh takes that no object shows, in glTF axes."""
    points = rows_in(mesh.vertices, "co", 3)
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return Y_UP_FROM_Z_UP.bounds(Bounds(tuple(low), tuple(high)))
