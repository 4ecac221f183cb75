# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism says that a stage cannot, or that few of its readers understand."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...model.wording.words import some

MOST = 3
"""Names that a message lists."""
_WARNINGS = {
    "usd-joint-left-out": (
        "USD joins a body that moves to another one, or to the world.",
        "Joints without such a body are left out; see Check.",
    ),
    "usd-not-square": (
        "Its pose is not one that physics can take from a stage: a scale of zero, or sheared.",
        "Apply the scale; joints of a body that is flat are left out.",
    ),
    "usd-round-limit": (
        "USD has no bound on the distance from a line, on a whole angle, or on a cone of a joint "
        "that is bounded otherwise too.",
        "The largest bound of each axis within is written.",
    ),
    "usd-several-limits": (
        "USD has one pair of bounds an axis, rigid or soft, which change together.",
        "The rigid ones are written, at rest; of soft ones the first.",
    ),
    "usd-several-drives": (
        "USD has one drive an axis.",
        "The first is written; make one of them.",
    ),
    "usd-foreign-drive": ("A drive of another extension has no word in USD.", "It is left out."),
    "usd-soft-cone": ("USD and PhysX have no word for a soft cone.", "It is written as rigid."),
    "usd-other-way": (
        "Readers that build trees (Newton, MuJoCo) want the body nearer to the world first, and "
        "the other way round this joint would be another one.",
        "Put the joint on the body nearer to the world.",
    ),
    "usd-infinite-mass": (
        "USD has no infinite mass or inertia.",
        "1e5 kg and 1e5 kg m^2 are written; make the body kinematic if it need not turn.",
    ),
    "usd-gravity-factor": (
        "USD has no factor of gravity for one body, and PhysX none but zero.",
        "The gravity of the scene is left as it is.",
    ),
    "usd-trigger": (
        "Triggers have no word in USD.",
        "PhysX's is written; other readers take it for a solid collider.",
    ),
    "usd-plane": (
        "A plane of USD physics has one side, no edges, and does not move.",
        "Others are written as thin boxes; those that only have two sides, with one.",
    ),
    "usd-combine": (
        "How materials combine has no word in USD.",
        "PhysX's is written; other readers take the average.",
    ),
    "usd-unknown": ("Members of other extensions have no place in USD.", "They are left out."),
    "usd-not-on-base": (
        "The stage below has no prim of this name, or only in an instance.",
        "It is added to the layer.",
    ),
    "usd-base-elsewhere": (
        "Its prim stands elsewhere on the stage below.",
        "Its joints go along; check that bodies that are joined still meet.",
    ),
    "mesh-not-read": (
        "The triangles of its mesh cannot be read.",
        "It is written without them.",
    ),
}
_HINTS = {
    "usd-acceleration": (
        "UsdPhysics leaves open what drives of accelerations count about an axis, and Newton 1.8 "
        "reads them as forces.",
        "rad/s^2 per degree is written; a drive of forces is read alike everywhere.",
    ),
    "usd-soft-limit": (
        "How soft a bound is stands in PhysX's attributes, which Newton reads too.",
        "Readers that do not know them take it for rigid.",
    ),
}
SAID = MappingProxyType({**_WARNINGS, **_HINTS})
"""What is wrong and what is done about it, by code."""


class Losses:
    """What was noted while a stage was written."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._nodes: dict[str, list[int | None]] = {}

    def note(self, code: str, node: int | None = None) -> None:
        """Note something of a node, or of the whole; once."""
        found = self._nodes.setdefault(code, [])
        if node not in found:
            found.append(node)

    def issues(self) -> Iterator[Issue]:
        """Yield one issue for each kind, in the order of the table."""
        for code, (message, fix) in SAID.items():
            if code not in self._nodes:
                continue
            nodes = [node for node in self._nodes[code] if node is not None]
            names = [self._mechanism.nodes[node].name or f"node {node}" for node in nodes]
            severity = Severity.HINT if code in _HINTS else Severity.WARNING
            where = some(names, MOST) if names else "stage"
            only = nodes[0] if len(nodes) == 1 else None
            yield Issue(severity, code, where, message, fix, only)
