# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents as the record of a stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..model.body import ZERO, MotionType
from ..model.contents import Contents, Triangles
from ..model.frames import is_rigid, rigid_frame
from ..model.issue import Issue
from ..model.joint import JointNode
from ..model.shape import Convex, Shape, Trimesh
from ..model.transform import IDENTITY, Matrix, inverse, linear_part, matrix_from, multiply
from . import table
from .draft import XFORM, Draft, Numbers
from .layout import JOINT_NAME, Layout, is_joint_alone, laid_out, laid_over, local_pose
from .losses import Losses
from .over import Matches, matched, opinions, placed, turned
from .prim import OVER, Stage
from .space import WORLD, Space, has_space, space_of
from .spell_articulations import Trees, spell_roots, trees_of
from .spell_bodies import spell_body
from .spell_joints import Side, said, spell_joint
from .spell_scene import bind, spell_gravity, spell_groups, spell_materials
from .spell_shapes import MESH, make_solid, solid, spell_mesh, spell_shape
from .units import Units
from .unknown import unknown_in

COLLIDER, TRIGGER = "Collider", "Trigger"
RIGID = 1e-12
"""How far from rigid the pose of a node may be whose shapes take no pose of their own."""


def written(contents: Contents, *, flat: bool = False) -> tuple[Stage, tuple[Issue, ...]]:
    """Return contents as a new stage: Y up, in m and kg.

    Args:
        contents: what is to be written.
        flat: whether bodies stand beside each other, not in each other as their nodes do.

    Returns:
        The stage, and an issue for each kind of things that it cannot say.
    """
    writing = _Writing(contents, laid_out(contents, flat=flat), Numbers())
    writing.write()
    prims = tuple(draft.finished() for draft in writing.drafts)
    stage = Stage(prims, default_prim=writing.layout.root.removeprefix("/"))
    return stage, tuple(writing.losses.issues())


def written_over(
    contents: Contents, base: Stage, *, flat: bool = False
) -> tuple[Stage, tuple[Issue, ...]]:
    """Return the opinions on physics that make a stage hold contents, in its axes and units.

    Args:
        contents: what is to be written; meshes that prims of the stage show are left to it.
        base: the stage below.
        flat: whether bodies that are added to it stand beside each other.

    Returns:
        The layer, and an issue for each kind of things that it cannot say.
    """
    contents = turned(contents, base.up_axis)
    matches = matched(contents, base)
    mechanism, elsewhere = placed(contents.mechanism, matches)
    contents = replace(contents, mechanism=mechanism)
    units = Units(base.meters_per_unit, base.kilograms_per_unit)
    numbers = Numbers(units, base.time_codes_per_second, base.up_axis)
    layout = laid_over(contents, matches, flat=flat)
    writing = _Writing(contents, layout, numbers, matches)
    for index in elsewhere:
        writing.losses.note("usd-base-elsewhere", index)
    writing.write()
    prims = (draft.finished() for draft in writing.drafts)
    stage = replace(base, prims=tuple(opinions(prims, matches)))
    return stage, tuple(writing.losses.issues())


@dataclass(slots=True)
class _Writing:
    """A stage while it is written.

    Attributes:
        contents: what is written.
        layout: where its nodes are.
        numbers: those of the stage.
        matches: prims of the stage below that nodes are, where there is one.
        drafts: prims in their order.
        nodes: those of nodes.
        losses: what was noted.
        trees: of the mechanism.
        joints: prims of joints, by node.
        materials: paths by number.
        members: paths of colliders by filter.
    """

    contents: Contents
    layout: Layout
    numbers: Numbers
    matches: Matches | None = None
    drafts: list[Draft] = field(default_factory=list)
    nodes: dict[int, Draft] = field(default_factory=dict)
    losses: Losses = field(init=False)
    trees: Trees = field(init=False)
    joints: dict[int, Draft] = field(default_factory=dict)
    materials: dict[int, str] = field(default_factory=dict)
    members: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.losses = Losses(self.contents.mechanism)
        self.trees = trees_of(self.contents.mechanism)

    def write(self) -> None:
        """Spell everything."""
        mechanism, layout = self.contents.mechanism, self.layout
        for node in unknown_in(mechanism):
            self.losses.note("usd-unknown", node)
        self.drafts.append(self._draft(layout.root))
        scene = self._draft(self._scene_path())
        spell_gravity(scene, mechanism.gravity)
        self.drafts.append(scene)
        materials, self.materials = spell_materials(
            mechanism, layout.root, layout.paths, self.numbers, self.losses
        )
        self.drafts += materials
        for index in layout.order:
            self._write_node(index)
        for index, _, joint in mechanism.joints():
            self._write_joint(index, joint)
        spell_roots(self.trees, self.nodes, self.joints, self.drafts[0])
        self.drafts += spell_groups(
            mechanism, self.members, layout.root, layout.paths, self.numbers
        )

    def _draft(self, path: str, kind: str = XFORM, label: str = "") -> Draft:
        """Return a prim: one that is there already has opinions only."""
        if self._is_there(path):
            return Draft(path, self.numbers, "", specifier=OVER)
        return Draft(path, self.numbers, kind, label=label)

    def _is_there(self, path: str) -> bool:
        return self.matches is not None and path in self.matches.paths

    def _scene_path(self) -> str:
        """Return the path of the first scene of the stage below, else of a new one."""
        found = () if self.matches is None else self.matches.stage.prims
        scene = next((prim.path for prim in found if prim.type == table.SCENE), "")
        return scene or self.layout.paths.take(self.layout.root, "PhysicsScene", "")

    def _write_node(self, index: int) -> None:
        node = self.contents.mechanism.nodes[index]
        draft = self._draft(self.layout.prims[index], label=node.name)
        self.nodes[index] = draft
        if self.matches is not None and draft.specifier != OVER:
            self._note_added(index)
        if is_joint_alone(self.contents, self.layout, index):
            draft.type = table.JOINT
            self.drafts.append(draft)
            return
        if draft.specifier != OVER:
            pose, draft.resets = local_pose(self.contents.mechanism, self.layout, index)
            draft.local = self.numbers.units.pose_said(pose)
        self.drafts.append(draft)
        if node.motion is not None:
            carried = self._is_carried(index)
            space = self._space(node.world, index)
            spell_body(draft, node.motion, space, self.losses, index, is_carried=carried)
        self._write_shapes(index)

    def _write_shapes(self, index: int) -> None:
        """Spell what a node shows, and what makes it solid or a trigger."""
        node, path = self.contents.mechanism.nodes[index], self.layout.prims[index]
        shown = self._shown(index, path)
        collider, trigger = node.collider, node.trigger
        if collider is not None and collider.shape is not None:
            draft = self._shape(index, collider.shape, COLLIDER, shown)
            if draft is not None and collider.physics_material in self.materials:
                bind(draft, self.materials[collider.physics_material])
            self._note_member(draft, collider.collision_filter)
        if trigger is not None and trigger.shape is not None:
            draft = self._shape(index, trigger.shape, TRIGGER, None)
            if draft is not None:
                draft.apply(table.PHYSX_TRIGGER_API)
                self.losses.note("usd-trigger", index)
            self._note_member(draft, trigger.collision_filter)

    def _shown(self, index: int, path: str) -> Draft | None:
        """Return the prim of the mesh that a node shows; the one that is there where it is."""
        mesh = self.contents.shown.get(index)
        if mesh is None:
            return None
        if self.matches is not None and index in self.matches.prims:
            there = self.matches.mesh_below(index)
            own = self.nodes[index]
            if there == own.path:
                return own
            shown = self._draft(there) if there else None
        elif (triangles := self._triangles(mesh)) is not None:
            name = self.contents.mechanism.meshes[mesh]
            shown = Draft(self.layout.paths.take(path, name, MESH), self.numbers, label=name)
            spell_mesh(shown, triangles)
        else:
            return None
        if shown is not None:
            self.drafts.append(shown)
        return shown

    def _shape(self, index: int, number: int, name: str, shown: Draft | None) -> Draft | None:
        """Return the prim of a shape, which is what the node shows if it is the same mesh."""
        mechanism = self.contents.mechanism
        moves = self._is_carried(index, itself=True)
        shape = solid(mechanism.shapes[number], self.losses, index, moves=moves)
        mesh = _mesh_of(shape)
        triangles = None if mesh is None else self._triangles(mesh)
        if mesh is not None and triangles is None:
            self.losses.note("mesh-not-read", index)
            return None
        draft = shown
        if draft is None or mesh is None or mesh != self.contents.shown.get(index):
            there = f"{self.layout.prims[index]}/{name}"
            if not self._is_there(there):
                there = self.layout.paths.take(self.layout.prims[index], name, name)
            draft = self._draft(there)
            if draft.specifier == OVER:
                draft.local = IDENTITY
            spell_shape(draft, shape, triangles)
            if mesh is None:
                draft.local = self._unscaled(index, draft.local)
            if self.contents.shown or self.matches is not None:
                draft.insist(table.PURPOSE, table.GUIDE)
            self.drafts.append(draft)
        make_solid(draft, shape)
        return draft

    def _unscaled(self, index: int, size: Matrix | None) -> Matrix | None:
        """Return the pose of a shape below a node whose scale does not count for it."""
        world = self.contents.mechanism.nodes[index].world
        if not has_space(world) or is_rigid(world, RIGID):
            return size
        own = linear_part(multiply(inverse(world), rigid_frame(world)))
        pose = matrix_from(own, ZERO)
        return pose if size is None else multiply(pose, size)

    def _write_joint(self, index: int, joint: JointNode) -> None:
        mechanism, layout = self.contents.mechanism, self.layout
        sides = tuple(self._sides(index, joint))
        moving = [self._moves(mechanism.body_of(node)) for node in (index, joint.connected_node)]
        draft = self.nodes.get(index)
        if draft is None or len(sides) != 2 or not any(moving) or sides[0].prim == sides[1].prim:
            self.losses.note("usd-joint-left-out", index)
            if draft is not None and draft.type == table.JOINT:
                self.drafts.remove(draft)
            return
        if draft.type != table.JOINT:
            path = layout.paths.take(draft.path, JOINT_NAME, JOINT_NAME)
            draft = Draft(path, self.numbers, label=mechanism.nodes[index].name)
            self.drafts.append(draft)
        self.joints[index] = draft
        draft.say(table.EXCLUDED, index in self.trees.loop_joints)
        swap = index in self.trees.reversed_joints
        settings = mechanism.settings_of(joint)
        what = said(settings, (sides[0], sides[1]), swap, self.losses, index)
        spell_joint(draft, joint, what, self.losses, index)

    def _sides(self, index: int, joint: JointNode) -> Iterator[Side]:
        """Yield the two sides of a joint whose poses are sound: of its node, and of the other."""
        mechanism = self.contents.mechanism
        settings = mechanism.settings_of(joint)
        for node in (index, joint.connected_node):
            if not 0 <= node < len(mechanism.nodes) or not has_space(mechanism.nodes[node].world):
                continue
            frame = rigid_frame(mechanism.nodes[node].world, settings)
            body = mechanism.body_of(node)
            if body is None:
                yield Side("", WORLD, frame)
            elif body in self.layout.prims and has_space(mechanism.nodes[body].world):
                space = space_of(mechanism.nodes[body].world)
                yield Side(self.layout.prims[body], space, frame)

    def _moves(self, body: int | None) -> bool:
        """Return whether a body is one that moves, by itself or by forces."""
        motion = None if body is None else self.contents.mechanism.nodes[body].motion
        return motion is not None and motion.type is MotionType.DYNAMIC

    def _is_carried(self, index: int, *, itself: bool = False) -> bool:
        """Return whether a node stands in a body that moves, on the stage, or is one itself."""
        above = index if itself else self.layout.above[index]
        while above is not None:
            motion = self.contents.mechanism.nodes[above].motion
            if motion is not None and motion.type is not MotionType.STATIC:
                return True
            above = self.layout.above[above]
        return False

    def _space(self, world: Matrix, index: int) -> Space:
        if has_space(world):
            return space_of(world)
        self.losses.note("usd-not-square", index)
        return WORLD

    def _note_added(self, index: int) -> None:
        """Note a node that the stage below has not, unless that is as it should be: a joint."""
        if not is_joint_alone(self.contents, self.layout, index):
            self.losses.note("usd-not-on-base", index)

    def _triangles(self, mesh: int) -> Triangles | None:
        return self.contents.meshes[mesh] if 0 <= mesh < len(self.contents.meshes) else None

    def _note_member(self, draft: Draft | None, number: int | None) -> None:
        if draft is not None and number is not None:
            self.members.setdefault(number, []).append(draft.path)


def _mesh_of(shape: Shape) -> int | None:
    return shape.mesh if isinstance(shape, Convex | Trimesh) else None
