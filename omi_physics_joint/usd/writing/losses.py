# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism says that a stage cannot, or that few of its readers understand."""

from __future__ import annotations

from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...model.wording.findings import Finding, Findings

HINT = Severity.HINT

KINDS: dict[str, Finding] = {
    "usd-joint-left-out": Finding(
        "",
        "USD joins a body that moves to another one, or to the world.",
        "Joints without such a body are left out; see Check.",
    ),
    "usd-not-square": Finding(
        "",
        "Its pose is not one that physics can take from a stage: a scale of zero, or sheared.",
        "Apply the scale; joints of a body that is flat are left out.",
    ),
    "usd-round-limit": Finding(
        "",
        "USD has no bound on the distance from a line, on a whole angle, or on a cone of a "
        "joint that is bounded otherwise too.",
        "The largest bound of each axis within is written.",
    ),
    "usd-several-limits": Finding(
        "",
        "USD has one pair of bounds an axis, rigid or soft, which change together.",
        "The rigid ones are written, at rest; of soft ones the first.",
    ),
    "usd-several-drives": Finding(
        "", "USD has one drive an axis.", "The first is written; make one of them."
    ),
    "usd-foreign-drive": Finding(
        "", "A drive of another extension has no word in USD.", "It is left out."
    ),
    "usd-soft-cone": Finding(
        "", "USD and PhysX have no word for a soft cone.", "It is written as rigid."
    ),
    "usd-other-way": Finding(
        "",
        "Readers that build trees (Newton, MuJoCo) want the body nearer to the world first, and "
        "the other way round this joint would be another one.",
        "Put the joint on the body nearer to the world.",
    ),
    "usd-infinite-mass": Finding(
        "",
        "USD has no infinite mass or inertia.",
        "1e5 kg and 1e5 kg m^2 are written; make the body kinematic if it need not turn.",
    ),
    "usd-gravity-factor": Finding(
        "",
        "USD has no factor of gravity for one body, and PhysX none but zero.",
        "The gravity of the scene is left as it is.",
    ),
    "usd-trigger": Finding(
        "",
        "Triggers have no word in USD.",
        "PhysX's is written; other readers take it for a solid collider.",
    ),
    "usd-plane": Finding(
        "",
        "A plane of USD physics has one side, no edges, and does not move.",
        "Others are written as thin boxes; those that only have two sides, with one.",
    ),
    "usd-combine": Finding(
        "",
        "How materials combine has no word in USD.",
        "PhysX's is written; other readers take the average.",
    ),
    "usd-unknown": Finding(
        "", "Members of other extensions have no place in USD.", "They are left out."
    ),
    "usd-not-on-base": Finding(
        "",
        "The stage below has no prim of this name, or only in an instance.",
        "It is added to the layer.",
    ),
    "usd-base-elsewhere": Finding(
        "",
        "Its prim stands elsewhere on the stage below.",
        "Its joints go along; check that bodies that are joined still meet.",
    ),
    "mesh-not-read": Finding(
        "", "The triangles of its mesh cannot be read.", "It is written without them."
    ),
    "usd-acceleration": Finding(
        "",
        "UsdPhysics leaves open what drives of accelerations count about an axis, and Newton "
        "1.8 reads them as forces.",
        "rad/s^2 per degree is written; a drive of forces is read alike everywhere.",
        HINT,
    ),
    "usd-soft-limit": Finding(
        "",
        "How soft a bound is stands in PhysX's attributes, which Newton reads too.",
        "Readers that do not know them take it for rigid.",
        HINT,
    ),
}


class Losses:
    """What was noted while a stage was written."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._found = Findings(KINDS, "stage")
        self._mechanism = mechanism

    def note(self, code: str, node: int | None = None) -> None:
        """Note something of a node, or of the whole; once."""
        name = "" if node is None else self._mechanism.nodes[node].name or f"node {node}"
        self._found.note(code, name, "stage" if node is None else node)

    def issues(self) -> tuple[Issue, ...]:
        """Return one issue for each kind."""
        return self._found.issues()
