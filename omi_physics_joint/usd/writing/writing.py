# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage while it is written: what all who write it share."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.body import MotionType
from ...model.contents import Contents, Triangles
from ..prim import OVER
from .draft import XFORM, Draft, Numbers
from .layout import StageLayout
from .losses import Losses
from .over import Matches
from .spelling.articulations import Trees, trees_of


@dataclass(slots=True)
class Writing:
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
        scene: path of the scene.
        has_scenes: whether the stage below has several, so that bodies must say theirs.
        joints: prims of joints, by node.
        materials: paths by number.
        colliders: paths of colliders.
        members: those of them by filter.
    """

    contents: Contents
    layout: StageLayout
    numbers: Numbers
    matches: Matches | None = None
    drafts: list[Draft] = field(default_factory=list)
    nodes: dict[int, Draft] = field(default_factory=dict)
    losses: Losses = field(init=False)
    trees: Trees = field(init=False)
    scene: str = ""
    has_scenes: bool = False
    joints: dict[int, Draft] = field(default_factory=dict)
    materials: dict[int, str] = field(default_factory=dict)
    colliders: list[str] = field(default_factory=list)
    members: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.losses = Losses(self.contents.mechanism)
        self.trees = trees_of(self.contents.mechanism)

    def draft(self, path: str, kind: str = XFORM, label: str = "") -> Draft:
        """Return a prim: one that is there already has opinions only."""
        if self.is_there(path):
            return Draft(path, self.numbers, "", specifier=OVER)
        return Draft(path, self.numbers, kind, label=label)

    def is_there(self, path: str) -> bool:
        """Return whether the stage below has a prim."""
        return self.matches is not None and path in self.matches.paths

    def is_carried(self, index: int, *, itself: bool = False) -> bool:
        """Return whether a node stands in a body that moves, on the stage, or is one itself."""
        above = index if itself else self.layout.above[index]
        while above is not None:
            motion = self.contents.mechanism.nodes[above].motion
            if motion is not None and motion.type is not MotionType.STATIC:
                return True
            above = self.layout.above[above]
        return False

    def triangles(self, mesh: int) -> Triangles | None:
        """Return those of a mesh; None where nobody could read them."""
        return self.contents.meshes[mesh] if 0 <= mesh < len(self.contents.meshes) else None

    def note_member(self, draft: Draft | None, number: int | None) -> None:
        """Note that a collider is in the group of a filter."""
        if draft is None:
            return
        self.colliders.append(draft.path)
        if number is not None:
            self.members.setdefault(number, []).append(draft.path)
