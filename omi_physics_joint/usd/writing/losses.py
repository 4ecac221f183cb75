# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism says that a stage cannot, or that few of its readers understand."""

from __future__ import annotations

from ...model.body import Motion
from ...model.issue import Severity
from ...model.joint import JointNode
from ...model.unknown import EXCLUDED, ROOT, extras_in, text_of
from ...model.wording.findings import Finding

HINT = Severity.HINT


def _lost(message: str, fix: str, severity: Severity = Severity.WARNING) -> Finding:
    """Return a kind of loss: a sentence, and what is written instead or is to be done."""
    return Finding("", message, fix, severity)


KINDS: dict[str, Finding] = {
    "usd-joint-left-out": _lost(
        "USD joins a body that moves to another one, or to the world.",
        "Joints without such a body are left out; see Check.",
    ),
    "usd-not-square": _lost(
        "Its pose is not one that physics can take from a stage: a scale of zero, or sheared.",
        "Apply the scale; joints of a body that is flat are left out.",
    ),
    "usd-round-limit": _lost(
        "USD has no bound on the distance from a line, on a whole angle, or on a cone of a "
        "joint that is bounded otherwise too.",
        "The largest bound of each axis within is written.",
    ),
    "usd-several-limits": _lost(
        "USD has one pair of bounds an axis, rigid or soft, which change together.",
        "The rigid ones are written, at rest; of soft ones the first.",
    ),
    "usd-several-drives": _lost(
        "USD has one drive an axis.", "The first is written; make one of them."
    ),
    "usd-foreign-drive": _lost(
        "A drive of another extension has no word in USD.", "It is left out."
    ),
    "usd-led-elsewhere": _lost(
        "A body that an animation leads below another stands beside it on a stage.",
        "It stands where it is at the first moment.",
    ),
    "usd-other-way": _lost(
        "Readers that build trees (Newton, MuJoCo) want the body nearer to the world first, and "
        "the other way round this joint would be another one.",
        "Put the joint on the body nearer to the world.",
    ),
    "usd-infinite-mass": _lost(
        "USD has no infinite mass or inertia.",
        "1e5 kg and 1e5 kg m^2 are written; make the body kinematic if it need not turn.",
    ),
    "usd-gravity-factor": _lost(
        "USD has no factor of gravity for one body, and PhysX none but zero.",
        "The gravity of the scene is left as it is.",
    ),
    "usd-static": _lost(
        "USD has no word for a static body that is not solid itself and that no joint holds.",
        "It is written as a plain prim, which stands still as well.",
        HINT,
    ),
    "usd-trigger": _lost(
        "Triggers have no word in USD.",
        "PhysX's is written; other readers take it for a solid collider.",
    ),
    "usd-plane": _lost(
        "A plane of USD physics has one side, no edges, and does not move.",
        "Others are written as thin boxes; those that only have two sides, with one.",
    ),
    "usd-combine": _lost(
        "How materials combine has no word in USD.",
        "PhysX's is written; other readers take the average.",
    ),
    "usd-unknown": _lost("Members of other extensions have no place in USD.", "They are left out."),
    "usd-not-on-base": _lost(
        "The stage below has no prim of this name, or only in an instance.",
        "It is added to the layer.",
    ),
    "usd-base-elsewhere": _lost(
        "Its prim stands elsewhere on the stage below.",
        "Its joints go along; check that bodies that are joined still meet.",
    ),
    "mesh-not-read": _lost(
        "The triangles of its mesh cannot be read, so it is written without them.",
        "If Draco or Meshopt packed them, export without compression.",
    ),
    "usd-acceleration": _lost(
        "UsdPhysics leaves open what drives of accelerations count about an axis, and Newton "
        "1.8 reads them as forces.",
        "rad/s^2 per degree is written; a drive of forces is read alike everywhere.",
        HINT,
    ),
    "usd-soft-limit": _lost(
        "How soft a bound is stands in attributes of PhysX's and of Newton's.",
        "Readers that do not know them take it for rigid.",
        HINT,
    ),
}


def extras_of(part: JointNode | Motion) -> str:
    """Return the text of the extras of a joint or a body, which go along; "" where it has none."""
    extras = extras_in(part.unknown)
    return text_of({key: x for key, x in extras.items() if key not in (ROOT, EXCLUDED)})
