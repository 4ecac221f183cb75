# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of a stage while it is read: once a kind, with a count and the first names.

A robot of a hundred joints with the same foreign attribute is one sentence, not a hundred.
"""

from __future__ import annotations

from ...model.issue import Severity
from ...model.wording.findings import Finding

ERROR, HINT = Severity.ERROR, Severity.HINT

KINDS: dict[str, Finding] = {
    "usd-target-missing": Finding(
        "joint",
        "of which a body is not on the stage, or not in the part that is read, left out",
        "Correct its body0 and body1, or read the whole stage.",
        ERROR,
    ),
    "usd-pose": Finding(
        "prim",
        "whose pose is not made of finite numbers, taken at the prim above",
        "Correct its xformOps, or those above it.",
        ERROR,
    ),
    "usd-flat-body": Finding(
        "body",
        "with a scale of zero, taken as part of what is above",
        "Give it a scale other than zero.",
        ERROR,
    ),
    "usd-number": Finding(
        "prim",
        "with a value that the attribute cannot have, read as its default",
        "Correct the attribute.",
    ),
    "usd-no-bodies-joined": Finding(
        "joint",
        "without two bodies to join, left out",
        "Name a body in body0 or body1, and another one or none in the other.",
    ),
    "usd-flat-joint": Finding(
        "joint", "of a body with a scale of zero, left out", "Correct its scale."
    ),
    "usd-several-targets": Finding(
        "joint", "with several bodies at one end, of which the first is taken", "Name one."
    ),
    "usd-bounds-reversed": Finding(
        "joint",
        "with its lower bound above its upper one, held where it is zero",
        "Exchange the two, or make it a fixed joint.",
    ),
    "usd-joint-type": Finding(
        "joint",
        "of unknown type, read as the generic joint",
        "Use one of the joint types of UsdPhysics.",
    ),
    "usd-oval-cone": Finding(
        "joint",
        "with two different cone angles, read as the round cone of the larger one and a range "
        "of the smaller one",
        "It is exact along both axes, and leaves a little more in between.",
    ),
    "usd-joint-resistance": Finding(
        "joint",
        "slowed by what no joint here has, left out",
        "A drive with damping alone comes near to friction.",
    ),
    "usd-joint-state": Finding(
        "joint",
        "that starts elsewhere or faster by its state than its bodies do, which is not read",
        "Put the bodies where it stands, and say velocities of them.",
    ),
    "usd-drive-ignored": Finding(
        "drive or limit schema",
        "on a degree of freedom where none can be, left out",
        "Revolute joints have angular drives, prismatic ones linear drives, and both a lowerLimit "
        "and an upperLimit.",
    ),
    "usd-keys-ignored": Finding(
        "attribute",
        "changing with time where nothing can be keyed, read at the first moment",
        "Targets, strengths and bounds can change with time.",
    ),
    "usd-animated-pose": Finding(
        "prim",
        "that forces move or that resets its pose, whose pose changes with time: read at the first "
        "moment",
        "Make bodies that are led kinematic.",
    ),
    "usd-scene-gravity": Finding(
        "body",
        "of a scene whose gravity points another way than that of the first, read with the first",
        "Read the scenes one by one, by their prims.",
    ),
    "usd-shape": Finding(
        "collider",
        "of a type without a shape here, left out",
        "Use a cube, sphere, capsule, cylinder, cone, plane, mesh or points.",
    ),
    "usd-shape-size": Finding("collider", "without a size, left out", "Give it a size above zero."),
    "usd-mesh": Finding(
        "mesh",
        "whose faces and points do not fit together, left out",
        "Correct faceVertexCounts, faceVertexIndices and points.",
    ),
    "usd-uneven-scale": Finding(
        "collider",
        "with an uneven scale where its shape has but one: the largest counts",
        "Scale it evenly.",
    ),
    "usd-sheared": Finding(
        "collider",
        "with sheared axes, which are made square",
        "Scale and turn the prims above it so that no shear remains.",
    ),
    "usd-decomposition": Finding(
        "mesh",
        "to be made of convex parts, read as one convex hull",
        "Split it in Blender, or convert the stage by a command line that has the package coacd.",
    ),
    "usd-approximation": Finding(
        "mesh",
        "with an approximation that is not made here, read with all of its triangles",
        "Simplify the mesh, or take convexHull or convexDecomposition.",
    ),
    "usd-subset-materials": Finding(
        "mesh",
        "with several physics materials, of which that of the whole mesh is taken",
        "Split the mesh.",
    ),
    "usd-mass-not-computed": Finding(
        "body",
        "left to be weighed, which takes NumPy: 1 kg at the origin",
        "Read it where NumPy is, or give physics:mass and physics:centerOfMass.",
    ),
    "usd-mass-between": Finding(
        "prim",
        "between a body and its colliders with a mass or a density, which is that of all below it",
        "Say it on the body or on the colliders: pxr, and engines that ask it, look nowhere else.",
        HINT,
    ),
    "usd-filter": Finding(
        "collider",
        "whose collision groups and pairs cannot be said all at once: some pairs collide otherwise",
        "Use fewer groups, or none that are inverted.",
    ),
    "usd-point-instancer": Finding(
        "point instancer", "not read", "Make its instances prims of their own."
    ),
    "usd-articulation-pairs": Finding(
        "articulation",
        "with filtered pairs and no collider below it, not read",
        "Filter pairs of bodies or colliders.",
    ),
    "usd-collision-disabled": Finding(
        "collider", "switched off, left out", "Set collisionEnabled, if it is to collide.", HINT
    ),
    "usd-subdivision": Finding(
        "mesh", "to be subdivided, of which colliders take the coarse faces", severity=HINT
    ),
    "usd-excluded-from-articulation": Finding(
        "joint",
        "excluded from an articulation that hangs by one joint and reaches bodies by this one "
        "alone, and so is in it",
        severity=HINT,
    ),
    "usd-articulation-root": Finding(
        "articulation root", "that no tree can begin at, so roots are found anew", severity=HINT
    ),
    "usd-several-scenes": Finding(
        "scene",
        "read as one",
        "Read them one by one, by their prims, if they are not to meet.",
        HINT,
    ),
    "usd-not-physics": Finding(
        "prim",
        "with a type or attributes that UsdPhysics does not have, or has in a schema that is not "
        "applied there, left out",
        "Look for slips of the pen, and apply the schema: pxr ignores them as well.",
        HINT,
    ),
    "usd-foreign": Finding("prim", "with attributes of engines that are not read", severity=HINT),
    "usd-points-many": Finding(
        "collider", "of very many points, of which the first are taken", severity=HINT
    ),
}
