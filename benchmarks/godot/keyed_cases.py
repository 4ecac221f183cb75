# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases whose settings change with time."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.geometry.transform import IDENTITY
from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.model.settings.recipes import hinge

from .building import (
    ASKEW,
    LEVEL,
    TILTED,
    Case,
    at,
    bar,
    body,
    chained,
    driven_hinge,
    driven_slider,
    held,
    slides,
    turn,
    turns,
)
from .joint_cases import RIGID, mirror

EVEN = body(inertia_diagonal=(0.1, 0.1, 0.1))
WEIGHTLESS = replace(EVEN, gravity_factor=0.0)
OPENING = Keys("max", (0.0, 0.5, 1.0), (0.1, 0.5, 0.3))
"""A bound that lets a body fall further, and lifts it again."""


def keyed(settings: JointSettings, *tracks: Keys) -> JointSettings:
    """Return settings whose last drive, or else last limit, has keys."""
    if settings.drives:
        drives = (*settings.drives[:-1], replace(settings.drives[-1], keys=tracks))
        return replace(settings, drives=drives)
    limits = (*settings.limits[:-1], replace(settings.limits[-1], keys=tracks))
    return replace(settings, limits=limits)


def bounded(axis: int, low: float, high: float, *tracks: Keys) -> JointSettings:
    """Return a hinge with keyed bounds."""
    two = [one for one in range(3) if one != axis]
    return keyed(held(range(3), two, turns(axis, low, high)), *tracks)


def about(axis: int) -> dict[str, Case]:
    """Return cases of hinges and sliders with one axis of their frame."""
    level, tilted = LEVEL[axis], TILTED[axis]
    two = [one for one in range(3) if one != axis]
    lower = Keys("min", (0.0, 0.5, 1.0), (-0.2, -0.6, -0.1))
    swings = bounded(axis, -0.2, 0.1, lower, OPENING)
    rails = keyed(held(two, range(3), slides(axis, -0.2, 0.1)), lower, OPENING)
    ends = (Keys("position_target", (0.0, 0.5, 1.0), (0.0, 0.6, -0.3)),)
    speeds = (Keys("velocity_target", (0.0, 0.5, 1.0), (2.0, -1.0, 0.5)),)
    servo = driven_hinge(axis, position_target=0.0, stiffness=400.0, damping=40.0)
    motor = driven_hinge(axis, velocity_target=2.0, damping=RIGID)
    cart = driven_slider(axis, position_target=0.0, stiffness=400.0, damping=40.0)
    winch = driven_slider(axis, velocity_target=0.5, damping=RIGID)
    return {
        "keyed bounds": bar(swings, level),
        "keyed bounds, sides swapped": bar(swings, level, swapped=True),
        "keyed bounds, posed": bar(
            bounded(axis, -0.2, 0.1, lower, OPENING),
            level,
            connected=chained(level, turn(axis, 0.1)),
        ),
        "keyed bounds, mirrored": bar(
            swings, level, place=chained(at(0.5), turn(axis, 0.3), mirror(axis))
        ),
        "keyed servo": bar(keyed(servo, *ends), level),
        "keyed motor": bar(keyed(motor, *speeds), level),
        "keyed slider": bar(rails, tilted),
        "keyed slider servo": bar(keyed(cart, *ends), tilted),
        "keyed slider motor": bar(keyed(winch, *speeds), tilted),
    }


def once() -> dict[str, Case]:
    """Return cases that have no axis to go round."""
    level = LEVEL[2]
    spring = driven_hinge(2, position_target=0.3, stiffness=20.0, damping=1.0)
    stronger = Keys("stiffness", (0.0, 1.0), (5.0, 80.0))
    damped = Keys("damping", (0.0, 1.0), (0.2, 6.0))
    weak = driven_hinge(2, velocity_target=2.0, damping=1e5, max_force=1.0)
    steps = Keys("max", (0.0, 0.25, 0.5), (0.1, 0.5, 0.2), is_stepped=True)
    lock = held(range(3), (0, 1), Limit((), (2,), 0.0, 0.0))
    leads = tuple(Keys(name, (0.0, 1.0), (0.0, 0.7)) for name in ("min", "max"))
    cart = keyed(
        held((1, 2), range(3), Limit((0,), (), 0.0, 0.0)),
        *(Keys(name, (0.0, 1.0), (0.0, 0.4)) for name in ("min", "max")),
    )
    return {
        "keyed stiffness and damping": bar(keyed(spring, stronger, damped), level),
        "keyed largest force": bar(keyed(weak, Keys("max_force", (0.0, 1.0), (1.0, 8.0))), level),
        "keyed bound, in steps": bar(bounded(2, -inf, 0.1, steps), level),
        "keyed one bound": bar(bounded(2, -0.3, inf, Keys("min", (0.0, 1.0), (-0.3, -0.1))), level),
        "keyed lock of a hinge": bar(keyed(lock, *leads), level, motion=EVEN),
        "keyed lock of a slider": bar(cart, TILTED[0]),
        "keyed universal": bar(
            keyed(held(range(3), (0,), turns(1, -0.2, 0.2)), Keys("max", (0.0, 1.0), (0.2, 0.5))),
            ASKEW,
            motion=EVEN,
        ),
        "keyed rope": bar(
            keyed(
                held((), (), Limit((0, 1, 2), (), max=0.3, together=True)),
                Keys("max", (0.0, 1.0), (0.3, 0.6)),
            ),
            motion=EVEN,
        ),
        "keyed motor, motion of a wheel": bar(
            keyed(
                driven_hinge(2, velocity_target=0.0, damping=RIGID),
                Keys("velocity_target", (0.0, 1.0), (0.0, 6.0)),
            ),
            place=IDENTITY,
            motion=WEIGHTLESS,
        ),
        "keyed collision": _meeting(),
        "keyed for two joints": _shared(),
    }


def _meeting() -> Case:
    """Return a bar that lies on a block of its wall until their joint lets it fall through."""
    opens = Keys("max", (0.0, 0.875), (0.0, 3.0), is_stepped=True)
    played = bar(bounded(2, -3.0, 3.0, opens), LEVEL[2], motion=EVEN).mechanism
    nodes = list(bar(hinge(2), LEVEL[2], motion=EVEN).mechanism.nodes)
    joint = nodes[2].joint
    assert joint is not None
    keys = (Keys("enable_collision", (0.0, 0.875), (1.0, 0.0), is_stepped=True),)
    nodes[2] = replace(nodes[2], joint=replace(joint, keys=keys))
    nodes.append(Node("Block", 0, at(0.8, -0.1), collider=Collider(0)))
    return Case(replace(played, nodes=tuple(nodes), settings=(hinge(2),)), played=played)


def _shared() -> Case:
    """Return two bars on one wall whose joints share their settings, one held by either side."""
    first = bar(bounded(2, -0.6, 0.1, OPENING, Keys("min", (0.0, 1.0), (-0.6, -0.2))), LEVEL[2])
    nodes = list(first.mechanism.nodes)
    joint = nodes[2].joint
    assert joint is not None
    aside = chained(at(0.0, 0.0, 2.0), LEVEL[2])
    nodes += [
        replace(nodes[1], name="Other", world=chained(at(0.0, 0.0, 2.0), nodes[1].world)),
        replace(
            nodes[2], name="Second", parent=0, world=aside, joint=replace(joint, connected_node=6)
        ),
        replace(nodes[3], name="Anchored", parent=4, world=aside),
    ]
    return Case(replace(first.mechanism, nodes=tuple(nodes)))


def keyed_cases() -> dict[str, Case]:
    """Return all of them."""
    cases: dict[str, Case] = {}
    for axis, letter in enumerate("XYZ"):
        cases |= {f"{name}, {letter}": case for name, case in about(axis).items()}
    return cases | once()
