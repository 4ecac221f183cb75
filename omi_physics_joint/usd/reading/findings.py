# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of a stage while it is read: once a kind, with a count and the first names.

A robot of a hundred joints with the same foreign attribute is one sentence, not a hundred.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.issue import Issue, Severity
from ...model.wording.words import capitalized, counted, one_line, some

MOST = 4
"""So many names stand in a sentence."""

_ERRORS = {
    "usd-target-missing": (
        "joint",
        "of which a body is not on the stage, left out",
        "Correct its body0 and body1, or read the whole stage.",
    ),
    "usd-pose": (
        "prim",
        "whose pose is not made of finite numbers, taken at the prim above",
        "Correct its xformOps, or those above it.",
    ),
    "usd-flat-body": (
        "body",
        "with a scale of zero, taken as part of what is above",
        "Give it a scale other than zero.",
    ),
}
_WARNINGS = {
    "usd-number": (
        "prim",
        "with a value that is no number, read as its default",
        "Correct the attribute.",
    ),
    "usd-no-bodies-joined": (
        "joint",
        "without two bodies to join, left out",
        "Name a body in body0 or body1, and another one or none in the other.",
    ),
    "usd-same-body": (
        "joint",
        "of which both ends are of one body, left out",
        "Name another body in body0 or body1.",
    ),
    "usd-flat-joint": ("joint", "of a body with a scale of zero, left out", "Correct its scale."),
    "usd-several-targets": (
        "joint",
        "with several bodies at one end, of which the first is taken",
        "Name one.",
    ),
    "usd-joint-type": (
        "joint",
        "of unknown type, read as the generic joint",
        "Use one of the joint types of UsdPhysics.",
    ),
    "usd-oval-cone": (
        "joint",
        "with two different cone angles, read as the round cone of the larger one and a range of "
        "the smaller one",
        "It is exact along both axes, and leaves a little more in between.",
    ),
    "usd-joint-resistance": (
        "joint",
        "slowed by what no joint here has, left out",
        "A drive with damping alone comes near to friction.",
    ),
    "usd-drive-ignored": (
        "drive",
        "on a degree of freedom where none can be, left out",
        "Revolute joints have angular drives, prismatic ones linear drives.",
    ),
    "usd-keys-ignored": (
        "attribute",
        "changing with time where nothing can be keyed, read at the first moment",
        "Targets, strengths and bounds can change with time.",
    ),
    "usd-animated-pose": (
        "prim",
        "whose pose changes with time, read at the first moment",
        "Bring the animation of kinematic bodies along another way.",
    ),
    "usd-scene-gravity": (
        "body",
        "of a scene whose gravity points another way than that of the first, read with the first",
        "Read the scenes one by one with --prim.",
    ),
    "usd-shape": (
        "collider",
        "of a type without a shape here, left out",
        "Use a cube, sphere, capsule, cylinder, cone, plane, mesh or points.",
    ),
    "usd-shape-size": ("collider", "without a size, left out", "Give it a size above zero."),
    "usd-mesh": (
        "mesh",
        "whose faces and points do not fit together, left out",
        "Correct faceVertexCounts, faceVertexIndices and points.",
    ),
    "usd-uneven-scale": (
        "collider",
        "with an uneven scale where its shape has but one: the largest counts",
        "Scale it evenly.",
    ),
    "usd-sheared": (
        "collider",
        "with sheared axes, which are made square",
        "Scale and turn the prims above it so that no shear remains.",
    ),
    "usd-decomposition": (
        "mesh",
        "to be made of convex parts, read as one convex hull",
        "Install coacd (pip install coacd), which finds the parts.",
    ),
    "usd-approximation": (
        "mesh",
        "with an approximation that is not made here, read with all of its triangles",
        "Simplify the mesh, or take convexHull or convexDecomposition.",
    ),
    "usd-subset-materials": (
        "mesh",
        "with several physics materials, of which that of the whole mesh is taken",
        "Split the mesh.",
    ),
    "usd-mass-not-computed": (
        "body",
        "left to be weighed, which takes NumPy: 1 kg at the origin",
        "Install it (pip install numpy), or give physics:mass and physics:centerOfMass.",
    ),
    "usd-filter": (
        "collider",
        "whose collision groups and pairs cannot be said all at once: some pairs collide otherwise",
        "Use fewer groups, or none that are inverted.",
    ),
    "usd-point-instancer": (
        "point instancer",
        "not read",
        "Make its instances prims of their own.",
    ),
    "usd-articulation-pairs": (
        "articulation",
        "with filtered pairs and no collider below it, not read",
        "Filter pairs of bodies or colliders.",
    ),
}
_HINTS = {
    "usd-old-type": (
        "joint",
        "of a type by an older name, read as what is meant",
        "It is called PhysicsDistanceJoint now.",
    ),
    "usd-collision-disabled": (
        "collider",
        "switched off, left out",
        "Set collisionEnabled, if it is to collide.",
    ),
    "usd-subdivision": (
        "mesh",
        "to be subdivided, of which colliders take the coarse faces",
        "",
    ),
    "usd-excluded-from-articulation": (
        "joint",
        "excluded from an articulation, which is not kept: loops are found anew",
        "",
    ),
    "usd-articulation-root": (
        "articulation root",
        "not kept: roots are found anew",
        "",
    ),
    "usd-several-scenes": (
        "scene",
        "read as one",
        "Read them one by one with --prim, if they are not to meet.",
    ),
    "usd-foreign": (
        "prim",
        "with attributes of engines that are not read",
        "",
    ),
    "usd-points-many": (
        "collider",
        "of very many points, of which the first are taken",
        "",
    ),
}
REMARKS = {
    **{code: (Severity.ERROR, *words) for code, words in _ERRORS.items()},
    **{code: (Severity.WARNING, *words) for code, words in _WARNINGS.items()},
    **{code: (Severity.HINT, *words) for code, words in _HINTS.items()},
}
"""Code -> severity, what it is, what becomes of it, what to do."""


class Findings:
    """What was found, by its code."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, str]] = {}

    def note(self, code: str, where: str, detail: str = "") -> None:
        """Note one finding.

        Args:
            code: of ``REMARKS``.
            where: path of the prim.
            detail: stands behind its name.
        """
        self._found.setdefault(code, {}).setdefault(where, detail)

    def issues(self) -> Iterator[Issue]:
        """Yield an issue for each kind of finding, errors first."""
        for code, (severity, noun, what, fix) in REMARKS.items():
            found = self._found.get(code)
            if not found:
                continue
            names = [
                f"{path.rpartition('/')[2]} ({detail})" if detail else path.rpartition("/")[2]
                for path, detail in found.items()
            ]
            count = counted(len(found), noun)
            message = f"{capitalized(count)} {what}: {one_line(some(names, MOST))}."
            yield Issue(severity, code, next(iter(found)), message, fix)
