# SPDX-License-Identifier: GPL-3.0-or-later
"""Every finding that validation knows, by its stable name: how bad it is, and its words.

The first text is what is wrong, the second what to do; what stands in braces the rules fill in.
What readers do otherwise stands in their own table.
"""

from __future__ import annotations

from ..issue import Issue, Severity
from ..readers import DIFFERENCES

_TYPE_NUMBER = "Enter a valid number."
_ONE_EACH = "Give each of these axes a limit of its own."
_NO_SUCH_AXIS = "and there are only 0, 1 and 2."
_THREE_VALUES = "or three zeros to have them calculated."
_STANDING = ("frame", "body", "collider")

_ERRORS = {
    # A joint and its two ends.
    "joint-without-body": ("This joint has no body above it.", "Parent it to a body."),
    "connected-without-body": (
        "{connected}, to which this joint is connected, has no body above it.",
        "Parent {connected} to a body; to hold something in the world, to a static one.",
    ),
    "connected-to-itself": (
        "This joint is connected to itself.",
        "Connect it to a node below another body.",
    ),
    "same-body": (
        "Both ends of this joint belong to the body {name}, so the joint is ignored.",
        "Move one of its two frames below another body.",
    ),
    "nothing-dynamic": (
        "Neither {name} nor {connected} is dynamic, so nothing can move.",
        "Make one of the two bodies dynamic.",
    ),
    "joint-not-alone": (
        "This joint is on the same node as a {others}.",
        "Give the joint an empty of its own below the body.",
    ),
    # Limits and drives.
    "limit-without-axes": (
        "{limit} is on no axis.",
        "Choose at least one axis, or remove the limit.",
    ),
    "limit-axis": (f"{{limit}} is on axis {{axis}}, {_NO_SUCH_AXIS}", "Choose X, Y or Z."),
    "limit-reversed": (
        "{limit} has its minimum, {low}, above its maximum, {high}.",
        "Swap the two.",
    ),
    "limit-number": ("{limit} has a value that is not a valid number.", _TYPE_NUMBER),
    "limit-negative": ("{limit} has a negative {number}, {value}.", "Enter zero or more."),
    "limit-impossible": (
        "{limit} allows a {measure} of at most {most}, and none is below zero.",
        "Enter a maximum of zero or more.",
    ),
    "drive-axis": (f"A drive is on axis {{axis}}, {_NO_SUCH_AXIS}", "Choose X, Y or Z."),
    "drive-number": ("The drive {way} has a value that is not a valid number.", _TYPE_NUMBER),
    "drive-negative": ("The drive {way} has a negative {number}, {value}.", "Enter zero or more."),
    # Bodies and what they are made of.
    "mass-not-positive": (
        "This dynamic body weighs {mass:g} kg, so it counts as 1 kg.",
        "Enter a mass above zero.",
    ),
    "body-number": ("This body has a value that is not a valid number.", "Enter valid numbers."),
    "kinematic-below-dynamic": (
        'This kinematic body stands below "{above}", which forces move: its animation is no motion '
        "that anything else could follow.",
        "Make it dynamic, make the body above kinematic, or clear its parent and keep its "
        "transform.",
    ),
    "static-below-dynamic": (
        'This static body stands below "{above}", which forces move: in Khronos\' extensions it is '
        "a part of that, and other readers move it along.",
        "Clear its parent and keep its transform, or make it dynamic.",
    ),
    "inertia-negative": (
        "This body has a negative inertia.",
        f"Enter three values above zero, {_THREE_VALUES}",
    ),
    "inertia-orientation-zero": (
        "The inertia of this body has an orientation of four zeros, which is not a rotation.",
        "Reset the orientation.",
    ),
    "material-negative": ("The {number} of this material is {value:g}.", "Enter zero or more."),
    "filter-both-lists": (
        "This filter lists both what it collides with and what it does not.",
        "Keep one of the two lists.",
    ),
    "shape-size": ("The {size} of this {shape} is {value}.", "Enter a size above zero."),
    "trigger-both": (
        "This trigger has a shape of its own and is also made up of other triggers.",
        "Keep the shape or the list of triggers.",
    ),
    "trigger-empty": (
        "This trigger has no shape, so nothing can enter it.",
        "Give it a shape, or name the triggers below that make it up.",
    ),
    "trigger-filter": (
        "This trigger is made up of others and cannot have a collision filter itself.",
        "Give the filter to the triggers that make it up.",
    ),
    "trigger-node-elsewhere": (
        "{part} is part of this trigger but does not lie below it.",
        "Parent {part} to this trigger, or take it off the list.",
    ),
    "trigger-node-without-trigger": (
        "{part} is part of this trigger but is no trigger itself.",
        "Make {part} a trigger, or take it off the list.",
    ),
    # Poses.
    "parent-cycle": (
        "This node is its own parent, directly or through its parents.",
        "Clear its parent.",
    ),
    "pose-number": (
        "The pose of this {kind} has values that are not valid numbers.",
        "Clear its location, rotation and scale.",
    ),
    **{
        f"{kind}-flat": (
            f"This {kind} is flat: along one of its axes its scale is zero.",
            "Give it and the objects above it a scale that is not zero.",
        )
        for kind in _STANDING
    },
    **{
        f"{kind}-sheared": (
            f"This {kind} is sheared, because a parent is rotated and scaled unevenly; glTF cannot "
            "hold that.",
            "Apply the scale of the objects above it, so that they are scaled evenly."
            if kind != "frame"
            else "Take its scale out of it, then apply that of the objects above it; the other way "
            "round its axes turn.",
        )
        for kind in _STANDING
    },
}
_WARNINGS = {
    "joint-under-static": (
        "This joint is below {name}, which is not dynamic; it belongs below {connected}.",
        "Swap the sides of the joint.",
    ),
    "settings-idle": (
        "These joint settings have no limits and no drives, so the joint does nothing.",
        "Add a limit or a drive, or remove the joint.",
    ),
    "limit-shared-range": (
        "{limit} gives one range to several axes: Godot reads it axis by axis, other readers as a "
        "distance or a cone.",
        _ONE_EACH,
    ),
    "limit-together": (
        "{limit} is one bound on several axes, on a {kind}, which OMI_physics_joint does not have: "
        "there each axis has the largest range within it{lost}. Play is exact.",
        "Some readers of Khronos' extensions have it, if the file is written with them; for others "
        "give each axis a limit of its own.",
    ),
    "limits-contradict": (
        "Rigid limits {way} leave no room between them, so the first one wins.",
        "Remove one of these limits.",
    ),
    "limit-narrow": (
        "Nothing can move {way}: minimum and maximum are {width} apart.",
        "Set both to the same value to lock the axis, or widen the range.",
    ),
    "several-drives": (
        "There are {count} drives {way}, and most engines take only one.",
        "Join them into one drive.",
    ),
    "drive-on-lock": (
        "There is a drive {way}, but that axis is held at {held} and cannot move.",
        "Remove the drive, or give the axis a range.",
    ),
    "infinite-mass": (
        "This body has infinite mass, which OMI_physics_body cannot say: there it has the largest "
        "number for one.",
        "Make the body kinematic, or hold it by a joint.",
    ),
    "inertia-part-missing": (
        "One moment of inertia of this body is zero; readers of Khronos' extensions take zero for "
        "infinite.",
        f"Enter three values above zero, {_THREE_VALUES}",
    ),
    "mass-ratio-large": (
        "{heavy} weighs {times} times as much as {light}, which makes joints come apart in most "
        "engines.",
        "Make the two masses more alike.",
    ),
    "inertia-impossible": (
        "No body has such an inertia: no value can be larger than the other two together.",
        f"Enter three values that fit, {_THREE_VALUES}",
    ),
    "frame-mirrored": (
        "This frame is mirrored by a negative scale; its {axis} axis is flipped.",
        "Take the negative scale out of the frame itself, and check which way the joint moves.",
    ),
    "rest-outside-limits": (
        "At rest this joint is outside its limits by {outside}, so it jumps at the start.",
        "{cure}, or widen the limits.",
    ),
    "trimesh-moves": (
        "This collider is a mesh of triangles on a dynamic body, which most engines, Godot among "
        "them, do not support.",
        "Use a convex hull or a few simple shapes.",
    ),
    "collider-uneven": (
        "This {shape} is scaled unevenly, by {sizes}, and stays round: of the scales across it the "
        "largest counts.",
        "Scale it evenly, or make it a convex hull.",
    ),
    "reader-misled": (
        "The file is written for Godot with omi-godot, and misleads {readers}.",
        "Write a file of its own for each, or leave the other out of the readers.",
    ),
    "reader-deaf": (
        "The file has no extensions that {readers} can read.",
        "Write it with the extensions of OMI and Khronos.",
    ),
}
_HINTS = {
    "limit-without-bound": (
        "{limit} has no minimum and no maximum, so it does nothing.",
        "Give it a minimum or a maximum, unless it is free on purpose.",
    ),
    "collider-scaled": (
        "This collider is {how}, which some engines ignore.",
        "Apply its scale, so that the size is in the shape itself.",
    ),
    "soft-lock-sags": (
        "With {stiffness} N/m the weight of {body} pulls its joint {distance} apart{more}.{godot}",
        "Make the limit rigid, or give it at least {least} N/m.",
    ),
    "limit-powerless": (
        "{limit} has neither stiffness nor damping, so it holds nothing.",
        "Make it rigid, or give it a stiffness.",
    ),
    "limit-twice": ("The same limit is there twice {ways}.", "Remove one of the two."),
    "limit-never-reached": ("{limit} is never reached: {stop}.", "Remove it, or narrow it."),
    "velocity-without-damping": (
        "The drive {way} has a target velocity but no damping, so it never pushes.",
        "Give it a damping: the force for each unit of missing velocity.",
    ),
    "position-without-stiffness": (
        "The drive {way} has a target position but no stiffness, so it never pulls there.",
        "Give it a stiffness.",
    ),
    "drive-without-target": (
        "The drive {way} has a stiffness but no target position, so the stiffness does nothing.",
        "Give it a target; zero is one.",
    ),
    "drive-beyond-bound": (
        "The drive {way} pulls to {target}, beyond the limit at {stop}, and gets no farther.",
        "Move the target inside the limits, unless it should press against the limit.",
    ),
    "body-huge": (
        "This body is {size} long: as it falls it hardly seems to move.",
        "If it was drawn in millimeters, undo the joints, scale all by 0.001, and join it again; "
        'the mesh of a URDF or MJCF takes scale="0.001 0.001 0.001".',
    ),
    "drive-too-weak": (
        "The {drive} does at most {most}, and at rest {body} pulls at it with {pull}: it {so}.",
        "Give it a larger force or torque, or a spring more stiffness, unless something else "
        "bears that.",
    ),
    "motor-meets-bound": (
        "The motor {way} turns until the limit at {stop} stops it.",
        "Remove the limit, or make it a servo, unless it should press against the limit.",
    ),
    "bodies-apart": (
        "{bodies} are {apart} apart, but only {long} long together, and joined somewhere between.",
        "Move them together and the joint to where they meet, unless it holds them from afar.",
    ),
    "wrong-one-moves": (
        "{moves} moves and {stands} stands, though {moves} {why} {stands}.",
        "Let {stands} move instead, unless it is meant so.",
    ),
    "shape-off-mesh": (
        "Its shape reaches {out} out of its mesh, so others meet it where nothing is seen.",
        "Set the origin to the middle of the mesh, put the shape on an object below it that lies "
        "where it should, or make the collider a convex hull.",
    ),
    "mesh-flat": (
        "Its shape has no thickness: engines may refuse it, and its mass is not computed.",
        "Give it a thickness (in Blender Modifiers > Solidify), or a box for a shape, and a mass.",
    ),
    "body-without-collider": (
        "This {kind} body has no collider, so {what}.",
        "Add a collider to it or below it: a shape, or a mesh that is made of it.",
    ),
    "part-without-collider": (
        "This part of {body} has no collider and is outside of all that has one: it weighs nothing "
        "and passes through others.",
        "Give it a collider, or join its mesh into that of {body}.",
    ),
    "part-of-no-body": (
        "This is no part of {body} beside it, nor of another body: it stays as that moves.",
        "Parent it to {body} with its transform kept, unless it is meant to stay.",
    ),
    "body-without-joint": (
        "No joint holds this dynamic body, unlike the others here, so it falls.",
        "Join it, make it no body, or leave it if it is meant to be loose.",
    ),
    "trigger-parts-unnamed": (
        "This trigger has no shape and does not name the triggers below as its parts.",
        "Put the triggers below on its list, or remove this one.",
    ),
    "plane-as-box": (
        "OMI_physics_shape has no planes: there it is a thin box.",
        "Nothing, where the readers of the file know Khronos' extensions.",
    ),
    "infinite-inertia": (
        "Nothing turns this body about some of its axes, which OMI_physics_body cannot say: there "
        "its inertia is the largest number.",
        "Hold it by a joint, if the file is for readers of OMI_physics_body.",
    ),
    "mass-extreme": (
        "This body weighs {mass:g} kg: engines refuse it, or let it sink through what it lies on.",
        "Enter a mass between 1e-9 and 1e9 kg.",
    ),
    "mass-ratio": (
        "{heavy} weighs {times} times as much as {light}, which makes joints stretch in most "
        "engines.",
        "Make the two masses more alike.",
    ),
    "center-on-hinge": (
        "Its mass sits at its origin, on the axis of {hinge}, so gravity does not swing it.",
        "Set its center of mass from its collider.",
    ),
    "center-outside": (
        "Its center of mass lies outside of it, so it hangs, swings and turns wrongly.",
        "Set its center of mass from its collider.",
    ),
    "inertia-size": (
        "Its inertia is as of a mass {away} off its middle, which is far from its size.",
        f"Enter it in kg m\u00b2 (of g mm\u00b2 it is a billionth), {_THREE_VALUES}",
    ),
    "static-velocity": (
        "This static body has a velocity, and does not move.",
        "Make it kinematic, or set its velocities to zero.",
    ),
    "spins-off": (
        "It spins about its origin, which is off its center of mass: that moves off by {way} each "
        "second.",
        "Set its origin there (Object > Set Origin), or enter a linear velocity as well.",
    ),
    "filter-misspelt": (
        "It names the collision system {name}, in which nothing is: there is {other}.",
        "Spell both alike, capitals too.",
    ),
    "joint-twice": (
        "This joint does the same as {first}, in the same place.",
        "Remove one of the two.",
    ),
}


VERDICTS = {
    code: (severity, *texts)
    for severity, table in zip(Severity, (_ERRORS, _WARNINGS, _HINTS), strict=True)
    for code, texts in table.items()
} | {code: (one.severity, one.says, one.mend) for code, one in DIFFERENCES.items()}
"""What is said of all that is wrong in the same way: how bad it is, a sentence, and what to do."""
SEVERITIES = {code: severity for code, (severity, _, _) in VERDICTS.items()}
"""Severity by code. A code never changes its meaning; new ones are added."""


def issue_of(  # its own arguments by place, since words may be called anything
    code: str,
    where: str,
    node: int | None = None,
    says: str = "",
    mend: str = "",
    /,
    **words: object,
) -> Issue:
    """Return an issue in the words of its code, or in others that suit this case better."""
    severity, usual, fix = VERDICTS[code]
    message = says or usual.format(**words)
    return Issue(severity, code, where, message, mend or fix.format(**words), node)
