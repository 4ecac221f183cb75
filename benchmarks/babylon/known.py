# SPDX-License-Identifier: GPL-3.0-or-later
"""Why Babylon moves some cases otherwise: read in its loader, or measured."""

from __future__ import annotations

NO_BODY = "the loader stops at a joint below a node with neither motion nor collider"
TWIST = "Havok's cone turns the body about its axis"
TWO_ANGLES = "Havok has its own bounds where two angles are bounded"
SOFT_DISTANCE = "the loader drops stiffness and damping of a distance from a point"
SPEED = "Havok's motors run at 2.5 times the speed that is asked for"
ALONE = "Havok weighs acceleration by the body alone, as if nothing held it"
NO_FORCE = "the loader takes a largest force of zero for none given"
PER_KILOGRAM = "Havok takes an inertia for that of one kilogram"
SCALED = "the loader scales velocities with their node"
CENTRE = "the loader gives the velocity of the origin to the centre of mass"
HIGHEST = "the loader takes the highest body above a frame, not the nearest"

KNOWN: dict[str, str] = {
    "hinge, sides swapped": NO_BODY,
    "ball with cone, twist free": TWIST,
    "ball with cone, spinning": TWIST,
    "two angles, each with bounds": TWO_ANGLES,
    "soft rope": SOFT_DISTANCE,
    **{f"motor about {axis}": SPEED for axis in "XYZ"},
    **{f"motor along {axis}": SPEED for axis in "XYZ"},
    "motor by acceleration": f"{SPEED}; {ALONE}",
    "spring by acceleration": ALONE,
    "weak motor": SPEED,
    "drive of no force": NO_FORCE,
    "inertia said, 2 kg": PER_KILOGRAM,
    "velocity of a scaled body": SCALED,
    "velocity off the centre of mass": CENTRE,
    "chain of three, nested": HIGHEST,
}
"""By the name of the case."""
