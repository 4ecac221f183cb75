# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms on either side of each number at which the add-on changes its mind.

Nothing moves here, so each may be what Godot would move badly.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi

from benchmarks.godot.body_cases import WEDGE, loose, meshed, pair
from benchmarks.godot.building import (
    ANGULAR,
    ASKEW,
    BAR,
    DYNAMIC,
    LEVEL,
    Case,
    at,
    bar,
    body,
    chained,
    driven,
    driven_hinge,
    driven_slider,
    held,
    slides,
    turn,
    turns,
)
from benchmarks.godot.keyed_cases import bounded, keyed
from omi_physics_joint.model.body import (
    Motion,
    MotionType,
)
from omi_physics_joint.model.geometry.transform import IDENTITY, compose
from omi_physics_joint.model.joint import JointNode, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Sphere

EVEN = body(inertia_diagonal=(0.1, 0.1, 0.1))
HEAVY = Motion(MotionType.DYNAMIC, mass=inf, inertia_diagonal=(2.0, 2.0, 2.0))


def _unlike(heavy: int) -> Case:
    """Return two bars on a soft limit that bears the light one, and not the other."""
    made = pair(held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 50.0)), at(0.5))
    nodes = list(made.mechanism.nodes)
    nodes[heavy] = replace(nodes[heavy], motion=body(mass=40.0, inertia_diagonal=(4.0, 4.0, 4.0)))
    return replace(made, mechanism=replace(made.mechanism, nodes=tuple(nodes)))


def soft() -> dict[str, Case]:
    """Return soft limits that bear their bodies, and such as cannot."""
    cases = {}
    for axis, letter in enumerate("XYZ"):
        for name, stiffness in (
            ("bears", 30.0),
            ("sags", 3.0),
            ("sags far", 1.0),
            ("hardly bears", 11.0),
        ):
            lock = Limit((axis,), (), 0.0, 0.0, stiffness, 1.0)
            two = [one for one in range(3) if one != axis]
            upright = (turn(2, 0.5 * pi), IDENTITY, turn(0, 0.5 * pi))[axis]
            for where, frame in (("upright", upright), ("askew", ASKEW)):
                cases[f"soft, {name}, {where}, {letter}"] = bar(held(two, range(3), lock), frame)
    soft_range = Limit((0, 1, 2), (), -0.1, 0.2, 5.0, 1.0)
    one_sided = Limit((1,), (), -0.1, inf, 5.0, 1.0)
    twice = held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 4.0, 1.0), slides(1, -0.1, 0.1))
    both = held((0, 2), range(3), *(Limit((1,), (), 0.0, 0.0, 4.0, 1.0) for _ in range(2)))
    driven = driven_slider(1, position_target=0.0, stiffness=50.0, damping=2.0)
    cases |= {
        "soft range": bar(JointSettings("Rubber", (soft_range,)), ASKEW),
        "soft range, far": bar(JointSettings("Rubber", (replace(soft_range, stiffness=90.0),))),
        "soft, one side": bar(held((0, 2), range(3), one_sided)),
        "soft and rigid": bar(twice),
        "soft twice": bar(both),
        "soft and without stiffness": bar(
            held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 0.0, 1.0))
        ),
        "soft and driven": bar(
            replace(driven, limits=(*driven.limits, Limit((0,), (), 0.0, 0.0, 4.0, 1.0)))
        ),
        "soft, no shape": bar(
            held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 40.0, 1.0)), solid=False, motion=EVEN
        ),
        "soft, light": bar(
            held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 3.0, 1.0)), motion=body(mass=0.2)
        ),
        "soft, weightless": bar(
            held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 3.0, 1.0)),
            motion=body(gravity_factor=-0.1),
        ),
        "soft between two": pair(held((0, 2), range(3), Limit((1,), (), 0.0, 0.0, 3.0)), at(0.5)),
        "soft between unlike ones": _unlike(0),
        "soft between unlike ones, the other": _unlike(1),
        "soft angle": bar(held(range(3), (0, 1), Limit((), (2,), 0.2, 0.2, 3.0, 0.5))),
        "soft angle, range": bar(held(range(3), (0, 1), Limit((), (2,), -0.2, 0.3, 3.0, 0.5))),
    }
    return cases


def drives() -> dict[str, Case]:
    """Return motors and springs that are nearly what Godot cannot hold."""
    cases = {}
    pulls = {"position_target": 0.1, "stiffness": 30.0, "damping": 1.0}
    for axis, letter in enumerate("XYZ"):
        ball = driven(held(range(3), ()), ANGULAR, axis, **pulls)
        cases[f"ball, pulled about {letter}"] = bar(ball, ASKEW)
    for force in (5e3, 2e2, 60.0):
        cases[f"motor, damping {force:g}"] = bar(
            driven_hinge(2, velocity_target=1.0, damping=force)
        )
        cases[f"winch, damping {force:g}"] = bar(
            driven_slider(0, velocity_target=1.0, damping=force, max_force=50.0)
        )
    for speed in (47.0, -47.2, 95.0):
        cases[f"motor, {speed:g} rad/s"] = bar(
            driven_hinge(2, velocity_target=speed, damping=1e6, max_force=9.0)
        )
        cases[f"winch, {speed:g} m/s"] = bar(
            driven_slider(2, velocity_target=speed, damping=1e6, max_force=9.0)
        )
    for stiffness, target in ((20.0, 0.1), (20.0, 0.3), (200.0, 0.6), (200.0, -0.68), (1.0, 0.0)):
        values = {"position_target": target, "stiffness": stiffness, "damping": 1.0}
        cases[f"spring of {stiffness:g} to {target:g}"] = bar(driven_hinge(2, **values))
        cases[f"spring of {stiffness:g} to {target:g}, posed"] = bar(
            driven_hinge(1, **values), LEVEL[1], connected=chained(LEVEL[1], turn(1, 0.3))
        )
        cases[f"spring of {stiffness:g} to {target:g}, weightless"] = bar(
            driven_hinge(2, **values), motion=body(gravity_factor=0.05)
        )
    return cases | {
        "drive without power": bar(
            driven_hinge(2, velocity_target=1.0, damping=5.0, max_force=0.0)
        ),
        "drive without damping": bar(driven_hinge(2, velocity_target=1.0)),
        "motor of a locked axis": bar(
            replace(weld(), drives=driven_hinge(2, velocity_target=1.0, damping=3.0).drives)
        ),
        "spring and speed, slider": bar(
            driven_slider(0, position_target=0.1, velocity_target=0.2, stiffness=9.0, damping=3.0)
        ),
        "brake with a largest force": bar(
            driven_slider(0, velocity_target=0.0, damping=3.0, max_force=2.0)
        ),
        "target without stiffness": bar(driven_slider(0, position_target=0.2, damping=3.0)),
        "motor, far from its body": bar(
            driven_hinge(2, velocity_target=1.0, damping=900.0), place=at(4.0)
        ),
        "motor at its body": bar(
            driven_hinge(2, velocity_target=0.5, damping=20.0), place=IDENTITY
        ),
    }


def stops() -> dict[str, Case]:
    """Return bodies that strike bounds, hard enough to be noticed and hardly."""
    ends = hinge(2, -0.3, 0.3)
    cases = {
        "stop, at its middle": bar(ends, place=IDENTITY),
        "stop, middle, spun": bar(
            ends, place=at(0.02), motion=body(angular_velocity=(0.0, 0.0, 3.0))
        ),
        "stop, arm of 0.1": bar(ends, place=at(0.1)),
        "stop, arm of 0.3": bar(ends, place=at(0.3)),
        "stop, hanging": bar(ends, place=at(0.0, -0.5)),
        "stop, standing": bar(ends, place=at(0.0, 0.5)),
        "stop, at rest on it": bar(hinge(2, 0.0, 1.0)),
        "stop, from below": bar(hinge(2, -1.0, 0.0)),
        "stop, narrow": bar(hinge(2, -0.004, 0.004)),
        "stop, thrown up": bar(
            hinge(2, -0.1, 2.0),
            place=at(0.0, -0.5),
            motion=replace(EVEN, angular_velocity=(0.0, 0.0, 6.0)),
        ),
        "stop, pushed up": bar(
            hinge(2, -0.1, 2.0),
            place=at(0.0, -0.5),
            motion=replace(EVEN, linear_velocity=(3.0, 0.0, 0.0)),
        ),
        "stop, weightless": bar(ends, motion=body(gravity_factor=0.0)),
        "stop, floating": bar(ends, motion=body(gravity_factor=-1.0)),
        "stop, damped": bar(driven_hinge(2, velocity_target=0.0, damping=2.0), motion=EVEN),
        "rail, level": bar(slider(0, -0.3, 0.3)),
        "rail, level, pushed": bar(slider(0, -0.3, 0.3), motion=body(linear_velocity=(1, 0, 0))),
        "rail, upright": bar(slider(1, -0.3, 0.3), place=IDENTITY),
        "rail, upright, aside": bar(slider(1, -0.3, 0.3), place=at(0.3)),
        "rail, upright, far": bar(slider(1, -0.3, 0.3), place=at(2.0)),
        "rail, slanted": bar(slider(0, -0.3, 0.3), turn(2, 0.4), place=at(1.0)),
        "stop, idle drive": bar(
            replace(ends, drives=driven_hinge(2, position_target=0.0, damping=1.0).drives)
        ),
        "stop, no inertia known": bar(ends, solid=False, motion=DYNAMIC),
        "stop, of a sphere": bar(ends, shape=Sphere(0.1), place=at(0.4)),
        "stop, of a sphere, nearer": bar(ends, shape=Sphere(0.3), place=at(0.2)),
        "stop, of a capsule": bar(ends, shape=Capsule(0.3, 0.1, 0.1), place=at(0.15)),
        "stop, of a cylinder": bar(ends, shape=Cylinder(0.3, 0.2, 0.2), place=at(0.15, 0.05)),
        "stop, of a wedge": meshed(bar(ends, shape=Convex(0), place=at(0.1)), WEDGE),
        "stop, at a kinematic": _on(Motion(MotionType.KINEMATIC), ends),
        "stop, at a loose one": pair(ends, at(0.5)),
    }
    swung = replace(EVEN, angular_velocity=(0.0, 0.0, 2.2))  # it swings up to 0.6 rad
    for end in (0.4, 0.5, 0.8, 1.0):
        cases |= {
            f"stop, swung to {end:g}": bar(hinge(2, -inf, end), place=at(0, -0.5), motion=swung),
            f"stop, swung to -{end:g}": bar(hinge(2, -end, inf), place=at(0, -0.5), motion=swung),
        }
    for axis, letter in enumerate("XYZ"):
        low = hinge(axis, -0.5, 0.2)
        cases[f"stop, about {letter}"] = bar(low, LEVEL[axis], place=at(0.25, 0.05, 0.1))
        cases[f"stop, about {letter}, swapped"] = bar(
            low, LEVEL[axis], place=at(0.25, 0.05, 0.1), swapped=True
        )
        cases[f"rail, along {letter}"] = bar(slider(axis, -0.5, 0.2), ASKEW, place=at(0.3, 0.2))
        cases[f"rail, along {letter}, swapped"] = bar(
            slider(axis, -0.5, 0.2), ASKEW, place=at(0.3, 0.2), swapped=True
        )
    return cases


def _on(motion: Motion, settings: JointSettings) -> Case:
    case = bar(settings)
    first, *others = case.mechanism.nodes
    return Case(replace(case.mechanism, nodes=(replace(first, motion=motion), *others)))


def posed() -> dict[str, Case]:
    """Return joints whose frames do not coincide, in every way."""
    about = {"X": turn(0, 0.3), "Y": turn(1, -0.4), "Z": turn(2, 0.5), "all": ASKEW}
    away = {"X": at(0.1), "Y": at(0.0, 0.2), "Z": at(0.0, 0.0, -0.15), "all": at(0.1, 0.2, 0.3)}
    kinds = {
        "hinge Z": hinge(2, -1.0, 1.0),
        "free hinge Y": hinge(1),
        "rail X": slider(0, -0.5, 0.5),
        "pin": pin(),
        "ball": held(range(3), (), *(turns(axis, -1.2, 1.0) for axis in range(3))),
        "universal": held(range(3), (0,), turns(2, -0.7, 0.9)),
        "cylinder Z": held((0, 1), (0, 1), slides(2, -0.3, 0.4)),
        "plane Y": held((1,), (0, 2), slides(0, -0.3, 0.4)),
        "free": JointSettings("Free"),
        "rod": held((0, 1), ()),
    }
    cases = {}
    for name, settings in kinds.items():
        for words, pose in (*about.items(), *((f"off {way}", one) for way, one in away.items())):
            cases[f"posed {name} {words}"] = bar(
                settings, LEVEL[1], connected=chained(LEVEL[1], pose), motion=EVEN
            )
        cases[f"posed {name}, swapped"] = bar(
            settings, connected=chained(turn(2, 0.2), at(0.0, 0.0, 0.1)), motion=EVEN, swapped=True
        )
    cases["posed past half a turn"] = bar(hinge(2, 3.0, 4.0), connected=turn(2, 3.5))
    cases["posed past half a turn back"] = bar(hinge(2, -4.0, -3.0), connected=turn(2, -3.5))
    cases["posed lock"] = bar(
        held(range(3), (0, 1), turns(2, 0.4, 0.4)), connected=turn(2, 0.40002)
    )
    cases["posed beside a lock"] = bar(
        held(range(3), (0, 1), turns(2, 0.4, 0.4)), connected=turn(2, 0.6)
    )
    return cases


def endless() -> dict[str, Case]:
    """Return what slides along and turns about one axis, with an end on one side or none."""
    cases = {}
    for axis, letter in enumerate("XYZ"):
        two = [one for one in range(3) if one != axis]
        for name, low, high in (("up", -0.5, inf), ("down", -inf, 0.5), ("far", -3.5, 3.0)):
            settings = held(two, two, slides(axis, -0.2, 0.2), turns(axis, low, high))
            cases[f"screw, {name}, {letter}"] = bar(settings, LEVEL[axis])
    return cases


def tumbling() -> dict[str, Case]:
    """Return bodies that gravity or a joint sets turning about changing axes, and such as none."""
    slow = body(inertia_diagonal=(0.1, 0.2, 0.25))
    spun = replace(slow, angular_velocity=(0.0, 0.0, 1.0))
    aside = replace(slow, angular_velocity=(0.0, 0.4, 1.0))
    pushed = replace(slow, linear_velocity=(0.0, 1.0, 0.0))
    cases = {
        "alone, spun": loose(spun),
        "alone, spun aside": loose(aside),
        "alone, pushed": loose(pushed),
        "pair, one spun": pair(pin(), at(0.5), inertia=(0.1, 0.2, 0.25)),
        "pair, even": pair(pin(), at(0.5)),
        "pair, driven": pair(
            driven_hinge(2, velocity_target=1.0, damping=1e6), at(0.5), inertia=(0.1, 0.2, 0.25)
        ),
        "hung on a pin": bar(pin(), motion=slow, place=at(0.3, 0.1, 0.2)),
        "pushed on a pin": bar(pin(), motion=pushed),
        "cube on a pin": bar(pin(), shape=Box((0.3, 0.3, 0.3)), place=at(0.3)),
        "cube aside": bar(
            pin(), shape=Box((0.3, 0.3, 0.3)), motion=body(center_of_mass=(0.1, 0, 0))
        ),
        "turned hinge on a kinematic": _on(
            Motion(MotionType.KINEMATIC, angular_velocity=(0.0, 1.0, 0.0)), hinge(2)
        ),
        "parallel hinge on a kinematic": _on(
            Motion(MotionType.KINEMATIC, angular_velocity=(0.0, 0.0, 1.0)), hinge(2)
        ),
    }
    falls = pair(hinge(2), at(0.5), inertia=(0.1, 0.2, 0.25)).mechanism
    light = [replace(node) for node in falls.nodes]
    motion = light[1].motion
    assert motion is not None
    light[0] = replace(light[0], motion=motion)
    still = Case(replace(falls, nodes=tuple(light)))
    light[1] = replace(light[1], motion=replace(motion, gravity_factor=0.5))
    return cases | {
        "pair, fall alike": still,
        "pair, one falls slower": Case(replace(falls, nodes=tuple(light))),
        "two endless ones": _both(HEAVY, HEAVY),
        "an endless one": _both(HEAVY, slow),
        "held in place, thrown": _both(replace(HEAVY, linear_velocity=(1.0, 0.0, 0.0)), slow),
        "held in place": _both(Motion(MotionType.DYNAMIC, mass=inf), slow),
        "endless inertia": loose(body(inertia_diagonal=(inf, 0.2, inf))),
        "fast": loose(body(angular_velocity=(0.0, 48.0, 0.0))),
        "not so fast": loose(body(angular_velocity=(0.0, 46.0, 0.0))),
        "small": loose(DYNAMIC, compose(scale=(1.0, 1.0, 1.0))),
        "of 4 cm": bar(hinge(2), shape=Box((0.04, 0.01, 0.01))),
        "of 6 cm": bar(hinge(2), shape=Box((0.01, 0.06, 0.01))),
    }


def _both(first: Motion, second: Motion) -> Case:
    """Return two bodies with a hinge between them."""
    nodes = list(pair(hinge(2), at(0.5)).mechanism.nodes)
    for index, motion in enumerate((first, second)):
        nodes[index] = replace(nodes[index], motion=motion)
    return Case(Mechanism(tuple(nodes), (hinge(2),), (BAR,)))


def mechanisms() -> dict[str, Case]:
    """Return all of them."""
    cone = Limit((), (0, 1), 0.0, 0.6, together=True)
    rod = Limit((0, 1, 2), (), 0.2, 0.5, together=True)
    ball = Limit((), (0, 1, 2), 0.0, 3.5, together=True)
    lock = Limit((0, 1), (), 0.0, 0.0, together=True)
    opens = Keys("max", (0.2, 0.6, 1.2), (0.1, 0.5, 0.3))
    steps = Keys("position_target", (0.1, 0.4, 0.9), (0.1, 0.5, 0.3), is_stepped=True)
    servo = driven_hinge(2, position_target=0.1, stiffness=30.0, damping=2.0)
    return (
        soft()
        | drives()
        | stops()
        | posed()
        | endless()
        | tumbling()
        | {
            "cone": bar(held(range(3), (2,), cone)),
            "rod": bar(JointSettings("Rod", (rod,))),
            "wide ball": bar(held(range(3), (), ball)),
            "locked together": bar(JointSettings("Line", (lock,))),
            "contradiction": bar(held(range(3), (0, 1), turns(2, 0.2, 0.5), turns(2, -0.5, -0.2))),
            "keyed from a late moment": bar(bounded(2, -0.5, 0.1, opens)),
            "keyed in steps": bar(keyed(servo, steps)),
            "bodies collide": _colliding(),
        }
    )


def _colliding() -> Case:
    mechanism = bar(hinge(2)).mechanism
    joint = replace(mechanism.nodes[2], joint=JointNode(0, 3, enable_collision=True))
    nodes = (*mechanism.nodes[:2], joint, *mechanism.nodes[3:])
    return Case(replace(mechanism, nodes=nodes))
