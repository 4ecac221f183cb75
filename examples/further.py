# SPDX-License-Identifier: GPL-3.0-or-later
"""Four mechanisms beside those of the gallery: a wheel, a lamp, scales and a ragdoll's leg."""

from __future__ import annotations

from math import radians

from examples.gallery import at, hinge, soften, use_preset
from examples.parts import AMBER, BLUE, INK, SKIN, SLATE, STEEL, TEAL, bar, disc, part
from examples.workshop import join


def build_wheel() -> None:
    """Build a driven wheel on a strut that gives way by a spring."""
    stand = part("Stand", [((0.0, 0.35, 0.6), (0.5, 0.1, 1.2))], SLATE, "static")
    carrier = part("Carrier", [((0.0, 0.2, 0.6), (0.2, 0.16, 0.2))], STEEL, "dynamic", mass=60.0)
    wheel = disc("Wheel", (0.0, 0.0, 0.6), 0.35, 0.18, INK, 12.0)
    at(0.0, 0.28, 0.6)
    join("SLIDER", stand, carrier, direction="GLOBAL_Z")
    use_preset("Suspension")
    at(0.0, 0.1, 0.6)
    join("HINGE", carrier, wheel, direction="GLOBAL_Y")
    use_preset("Wheel_Motor")


def build_lamp() -> None:
    """Build a lamp that swings within a cone."""
    beam = part("Beam", [((0.0, 0.0, 2.05), (0.8, 0.1, 0.1))], SLATE, "static")
    lamp = part(
        "Lamp",
        [((0.0, 0.0, 1.6), (0.03, 0.03, 0.8)), ((0.0, 0.0, 1.1), (0.34, 0.34, 0.2))],
        AMBER,
        "dynamic",
        mass=1.5,
    )
    at(0.0, 0.0, 2.0)
    join("PIN", beam, lamp, aim="TOWARDS")
    use_preset("Cone")
    push = 1.2
    lamp.omi_physics_body.angular_velocity = (push, push, 0.0)
    arm = 2.0 - lamp.location.z
    lamp.omi_physics_body.linear_velocity = (-push * arm, push * arm, 0.0)


def build_scales() -> None:
    """Build scales with two pans, one of which is heavier."""
    post = part("Post", [((0.0, 0.12, 0.6), (0.1, 0.1, 1.2))], SLATE, "static")
    beam = bar("Beam", (-0.6, 0.0, 1.15), (0.6, 0.0, 1.15), 0.06, TEAL, 2.0)
    hinge(post, beam, (0.0, 0.0, 1.15))
    soften(0.4)
    for side, mass in ((-0.6, 1.0), (0.6, 1.05)):
        name = "Left Pan" if side < 0.0 else "Right Pan"
        pan = part(
            name,
            [((side, -0.1, 0.9), (0.02, 0.02, 0.5)), ((side, -0.1, 0.64), (0.4, 0.3, 0.03))],
            STEEL,
            "dynamic",
            mass=mass,
        )
        hinge(beam, pan, (side, 0.0, 1.15))
        soften(0.02)


def build_leg() -> None:
    """Build a leg with a hip, a knee and an ankle that bend as far as a leg does."""
    hip, knee, ankle = (0.0, 0.0, 1.5), (0.0, 0.0, 1.0), (0.0, 0.0, 0.5)
    pelvis = part("Pelvis", [((0.0, 0.0, 1.6), (0.4, 0.22, 0.2))], SLATE, "static")
    thigh = bar("Thigh", hip, knee, 0.12, BLUE, 8.0)
    shin = bar("Shin", knee, ankle, 0.1, SKIN, 4.0)
    foot = part("Foot", [((0.0, -0.08, 0.42), (0.12, 0.3, 0.1))], SKIN, "dynamic", mass=1.0)
    at(*hip)
    join("PIN", pelvis, thigh, aim="TOWARDS")
    use_preset("Cone_Two_Angles")
    for still, moving, place, low, high in (
        (thigh, shin, knee, 0.0, 140.0),
        (shin, foot, ankle, -40.0, 30.0),
    ):
        at(*place)
        join(
            "HINGE",
            still,
            moving,
            direction="GLOBAL_X",
            angle_min=radians(low),
            angle_max=radians(high),
        )
        soften(0.6)
    thigh.omi_physics_body.angular_velocity = (3.0, 0.0, 0.0)
