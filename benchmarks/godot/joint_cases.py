# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of every kind of joint about and along every axis."""

from __future__ import annotations

from math import inf

from omi_physics_joint.model.geometry.transform import IDENTITY
from omi_physics_joint.model.joint import DriveMode, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld

from .building import (
    ASKEW,
    LEVEL,
    SPIN,
    TILTED,
    Case,
    at,
    bar,
    body,
    chained,
    driven_hinge,
    driven_slider,
    held,
    others,
    slides,
    turn,
    turns,
)

RIGID = 1e6
"""Damping of a motor that nothing slows down."""


def about(axis: int) -> dict[str, Case]:
    """Return cases of hinges about one axis of their frame."""
    level = LEVEL[axis]
    free, spring = hinge(axis), {"position_target": 0.3, "stiffness": 20.0, "damping": 1.0}
    settings = {
        "hinge": free,
        "hinge, bounds": hinge(axis, -0.6, 0.35),
        "hinge, lower bound": hinge(axis, -0.7, inf),
        "hinge, upper bound": hinge(axis, -inf, 0.7),
        "hinge, wide bounds": hinge(axis, -2.9, 2.6),
        "hinge, spring": driven_hinge(axis, **spring),
        "hinge, motor": driven_hinge(axis, velocity_target=2.0, damping=RIGID),
        "hinge, weak motor": driven_hinge(axis, velocity_target=2.0, damping=1e5, max_force=1.0),
        "hinge, damped motor": driven_hinge(axis, velocity_target=2.0, damping=0.8),
        "hinge, damper": driven_hinge(axis, velocity_target=0.0, damping=0.8),
        "hinge, servo": driven_hinge(axis, position_target=-0.5, stiffness=400.0, damping=40.0),
    }
    cases = {name: bar(one, level) for name, one in settings.items()}
    bounds = settings["hinge, bounds"]
    cases["hinge, posed"] = bar(bounds, level, connected=chained(level, turn(axis, 0.2)))
    cases["hinge, posed spring"] = bar(
        settings["hinge, spring"], level, connected=chained(level, turn(axis, -0.4))
    )
    cases["hinge, sides swapped"] = bar(bounds, level, swapped=True)
    cases["hinge, mirrored"] = bar(
        bounds, level, place=chained(at(0.5), turn(axis, 0.3), mirror(axis))
    )
    return cases


def along(axis: int) -> dict[str, Case]:
    """Return cases of sliders along one axis of their frame."""
    tilted = TILTED[axis]
    free, away = slider(axis), at(*(0.15 if one == axis else 0.0 for one in range(3)))
    settings = {
        "slider": free,
        "slider, bounds": slider(axis, -0.3, 0.4),
        "slider, lower bound": slider(axis, -0.3, inf),
        "slider, spring": driven_slider(axis, position_target=0.1, stiffness=100.0, damping=2.0),
        "slider, motor": driven_slider(axis, velocity_target=0.5, damping=RIGID),
        "slider, damped motor": driven_slider(axis, velocity_target=2.0, damping=5.0),
        "slider, damper": driven_slider(axis, velocity_target=0.0, damping=5.0),
    }
    cases = {name: bar(one, tilted) for name, one in settings.items()}
    bounds = settings["slider, bounds"]
    cases["slider, posed"] = bar(bounds, tilted, connected=chained(tilted, away))
    cases["slider, sides swapped"] = bar(bounds, tilted, swapped=True)
    return cases


def several(axis: int) -> dict[str, Case]:
    """Return cases of joints with several free axes, one of which is special."""
    one, two = others(axis)
    universal = held(range(3), (axis,))
    tilted = chained(turn(1, 0.3), turn(0, 0.5), LEVEL[axis])
    round_two = (turns(one, -0.5, 0.3), turns(two, -0.4, 0.6))
    cylinder, plane = held((one, two), (one, two)), held((axis,), (one, two))
    return {
        "universal": bar(universal, ASKEW, motion=SPIN),
        "two angles": bar(held(range(3), (axis,), *round_two), ASKEW, motion=SPIN),
        "cylindrical": bar(cylinder, tilted),
        "cylindrical, sides swapped": bar(cylinder, tilted, swapped=True),
        "cylindrical, bounds": bar(
            held((one, two), (one, two), slides(axis, -0.3, 0.4), turns(axis, -0.5, 0.8)), tilted
        ),
        "plane": bar(plane, ASKEW, motion=body(linear_velocity=(1.0, 0.5, -0.5))),
        "plane, bounds": bar(
            held((axis,), (one, two), slides(one, -0.3, 0.4), slides(two, -0.2, 0.3)),
            ASKEW,
            motion=body(linear_velocity=(1.0, 0.5, -0.5)),
        ),
        "slide and two angles": bar(
            held((one, two), (axis,), slides(axis, -0.2, 0.2), *round_two), ASKEW
        ),
    }


def mirror(axis: int) -> tuple[tuple[float, ...], ...]:
    """Return the scale that mirrors one axis."""
    return tuple(
        tuple((-1.0 if row == axis else 1.0) if row == column else 0.0 for column in range(4))
        for row in range(4)
    )


def once() -> dict[str, Case]:
    """Return cases that have no axis to go round."""
    place = Limit((0, 1, 2), (), 0.0, 0.0)
    spring = {"position_target": 0.3, "stiffness": 50.0, "damping": 5.0}

    def ball(*limits: Limit) -> Case:
        return bar(JointSettings("Ball", (place, *limits)), ASKEW, motion=SPIN)

    def spring_hinge(**values: float | DriveMode) -> Case:
        return bar(driven_hinge(2, **(spring | values)))

    return {
        "pin": bar(pin(), motion=SPIN),
        "weld": bar(weld()),
        "ball, small bounds": ball(*(turns(i, -0.2, 0.15) for i in range(3))),
        "ball, bounds": ball(turns(0, -0.7, 0.7), turns(1, -0.35, 0.35), turns(2, -0.7, 0.7)),
        "ball, one bound": ball(turns(1, -0.35, 0.35)),
        "lock off zero, posed": bar(
            held(range(3), (0, 1), turns(2, 0.3, 0.3)), connected=turn(2, 0.3)
        ),
        "soft lock of a slider": bar(
            held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 200.0, 4.0)), at(0.5)
        ),
        "soft lock of a hinge": bar(
            held(range(3), (0, 1), Limit((), (2,), 0.0, 0.0, 40.0, 1.0)), IDENTITY
        ),
        "soft weld": bar(
            JointSettings(
                "Rubber",
                (
                    Limit((0, 1, 2), (), 0.0, 0.0, 4000.0, 60.0),
                    Limit((), (0, 1, 2), 0.0, 0.0, 200.0, 4.0),
                ),
            )
        ),
        "soft stop": bar(held(range(3), (0, 1), Limit((), (2,), -0.3, 0.3, 40.0, 1.0))),
        "spring with a largest force": spring_hinge(max_force=3.0),
        "spring, acceleration": spring_hinge(mode=DriveMode.ACCELERATION),
        "spring with a speed": spring_hinge(velocity_target=1.0),
        "spring with speed zero": spring_hinge(velocity_target=0.0),
        "bounds past half a turn": bar(hinge(2, -4.7, 4.7)),
        "fast motor": bar(driven_hinge(2, velocity_target=60.0, damping=RIGID)),
    }


def joint_cases() -> dict[str, Case]:
    """Return all cases that are about the joint."""
    cases: dict[str, Case] = {}
    for axis, letter in enumerate("XYZ"):
        for family in (about, along, several):
            cases |= {f"{name}, {letter}": case for name, case in family(axis).items()}
    return cases | once()
