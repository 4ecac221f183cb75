# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage and its prims while they are written."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, fields

from ...model.articulation.trees import articulations_of
from ...model.contents import Contents
from ...model.geometry.transform import Matrix
from ...model.keys import Keys
from ...model.solid import Triangles
from ...model.wording.findings import Findings
from ..prim import DEF, OVER, Prim, Samples, Stage, Value
from ..table import Attribute
from ..units import PLAIN, Unit
from .layout import StageLayout
from .losses import KINDS
from .over import Matches

XFORM = "Xform"
JUST_BEFORE = 1e-3
"""Time codes before a key at which a number that stays until then still stands."""


@dataclass(slots=True)
class Draft:
    """What a prim will have: see ``Prim``."""

    path: str
    stage: Stage
    """In whose units and axes it is."""
    type: str = XFORM
    local: Matrix | None = None
    """In units of the stage."""
    resets: bool = False
    specifier: str = DEF
    label: str = ""
    schemas: list[str] = field(default_factory=list)
    attributes: dict[str, Value] = field(default_factory=dict)
    targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    samples: dict[str, Samples] = field(default_factory=dict)
    poses: Samples = ()

    def apply(self, schema: str, instance: str = "") -> None:
        """Apply a schema, once."""
        name = f"{schema}:{instance}" if instance else schema
        if name not in self.schemas:
            self.schemas.append(name)

    def say(
        self, attribute: Attribute, value: Value, instance: str = "", unit: Unit | None = None
    ) -> None:
        """Give an attribute a value, in SI; nothing where it is what the schema means anyway."""
        said = self._said(value, unit or attribute.unit)
        if said != attribute.default:
            self.attributes[attribute.of(instance)] = said

    def insist(self, attribute: Attribute, value: Value) -> None:
        """Give an attribute a value, also where it is the default."""
        self.attributes[attribute.name] = self._said(value, attribute.unit)

    def key(
        self, attribute: Attribute, keys: Keys, instance: str = "", unit: Unit | None = None
    ) -> None:
        """Give an attribute values over time; one that is true or false stays until the next."""
        is_flag = attribute.type == "bool"
        found: list[tuple[float, Value]] = []
        for time, number in zip(keys.times, keys.values, strict=True):
            code = self.stage.code(time)
            value = number != 0.0 if is_flag else self._said(number, unit or attribute.unit)
            if found and keys.is_stepped and not is_flag and code - JUST_BEFORE > found[-1][0]:
                found.append((code - JUST_BEFORE, found[-1][1]))
            found.append((code, value))
        self.samples[attribute.of(instance)] = tuple(found)

    def aim(self, relationship: str, paths: Iterable[str]) -> None:
        """Have a relationship name prims."""
        self.targets[relationship] = tuple(paths)

    def finished(self) -> Prim:
        """Return the prim."""
        said = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "stage"}
        return Prim(**{**said, "schemas": tuple(self.schemas)})

    def _said(self, value: Value, unit: Unit) -> Value:
        if unit == PLAIN or isinstance(value, bool | str):
            return value
        return _times(value, self.stage.units.factor(unit))


def _times(value: Value, factor: float) -> Value:
    if isinstance(value, tuple):
        return tuple(_times(one, factor) for one in value)
    return value * factor


class Writing:
    """A stage while it is written: what all who write it share.

    Units and axes are those of a stage; where it lies below, nodes match prims of it. Found
    inertias are nodes of bodies whose inertia is that of their colliders.
    """

    def __init__(
        self,
        contents: Contents,
        layout: StageLayout,
        stage: Stage,
        matches: Matches | None,
        found_inertias: Container[int] = (),
    ) -> None:
        self.found_inertias = found_inertias
        self.contents, self.layout, self.stage = contents, layout, stage
        self.matches = matches
        self.mechanism = contents.mechanism
        self.trees = articulations_of(self.mechanism)
        self.loop_joints = {joint.node for tree in self.trees for joint in tree.loops}
        stored = [joint for tree in self.trees for joint in tree.stored_joints()]
        self.reversed_joints = {joint.node for joint in stored if joint.is_reversed}
        """Nodes of those whose connected body is nearer to the root, which readers want first."""
        joints = self.mechanism.all_joints()
        ends = {one for at, _, joint in joints for one in (at, joint.connected_node)}
        there = ends.intersection(range(len(self.mechanism.nodes)))
        self.joined = {self.mechanism.body_of(one) for one in there}
        """Bodies that joints end at."""
        self.drafts: list[Draft] = []
        """Prims in their order."""
        self.nodes: dict[int, Draft] = {}
        self.joints: dict[int, Draft] = {}
        """Those of nodes, and of the joints of nodes."""
        self.simple_joints: set[int] = set()
        """Nodes of those that PhysX takes alike by coordinates and by themselves."""
        self.materials: dict[int, str] = {}
        """Paths by number."""
        self.colliders: list[str] = []
        """Their paths."""
        self.members: dict[int, list[str]] = {}
        """Those of them by filter."""
        self.solids: dict[int, list[Draft]] = {}
        """Colliders by the node of the body that they make solid."""
        self.found = Findings(KINDS, "stage")

    def note(self, code: str, node: int | None = None) -> None:
        """Note something of a node, or of the whole; once."""
        self.found.note(code, self.mechanism.name_of(node), "stage" if node is None else node)

    def draft(self, path: str, label: str = "") -> Draft:
        """Add a prim: one that is there already has opinions only."""
        if self.is_there(path):
            self.drafts.append(Draft(path, self.stage, "", specifier=OVER))
        else:
            self.drafts.append(Draft(path, self.stage, label=label))
        return self.drafts[-1]

    def new(
        self, parent: str, name: str, otherwise: str = "", kind: str = XFORM, label: str = ""
    ) -> Draft:
        """Add a prim below another one, under a name that is not in use."""
        path = self.layout.paths.take(parent, name, otherwise)
        self.drafts.append(Draft(path, self.stage, kind, label=label))
        return self.drafts[-1]

    def is_there(self, path: str) -> bool:
        """Return whether the stage below has a prim."""
        return self.matches is not None and path in self.matches.by_path

    def is_carried(self, index: int | None) -> bool:
        """Return whether a node is a body that moves, or stands in one on the stage."""
        while index is not None:
            if self.mechanism.nodes[index].moves:
                return True
            index = self.layout.above[index]
        return False

    def is_held(self, index: int) -> bool:
        """Return whether a body is solid by itself, or a joint ends at it."""
        return self.mechanism.nodes[index].collider is not None or index in self.joined

    def triangles(self, mesh: int) -> Triangles | None:
        """Return those of a mesh; None where nobody could read them."""
        return self.contents.meshes[mesh] if 0 <= mesh < len(self.contents.meshes) else None

    def note_member(self, collider: Draft, number: int | None) -> None:
        """Note that a collider is in the group of a filter."""
        self.colliders.append(collider.path)
        if number is not None:
            self.members.setdefault(number, []).append(collider.path)
