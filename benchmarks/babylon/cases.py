# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases for readers of Khronos' extensions: what artists make, and where those readers differ."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi, radians

from benchmarks.godot.building import (
    ASKEW,
    LEVEL,
    LINEAR,
    SPIN,
    STATIC,
    TILTED,
    Case,
    at,
    bar,
    body,
    chained,
    driven,
    driven_hinge,
    driven_slider,
    held,
    turn,
    turns,
)
from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import DriveMode, JointNode, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.shape import Box

HEAVY_ENDS = body(inertia_diagonal=(0.02, 0.2, 0.2))
ACCELERATION = DriveMode.ACCELERATION
ALONG = (at(), turn(2, -0.5 * pi), turn(1, 0.5 * pi))
"""Frames whose X, Y or Z points along the bar."""
ROPE = held((), (), Limit((0, 1, 2), (), max=0.7, together=True))


def cone(axis: int, angle: float) -> Limit:
    """Return a cone about an axis."""
    first, second = (a for a in range(3) if a != axis)
    return Limit((), (first, second), max=radians(angle), together=True)


def cases() -> dict[str, Case]:
    """Return all cases by name."""
    return {**_hinges(), **_sliders(), **_balls(), **_drives(), **_bodies()}


def _hinges() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for axis in range(3):
        found[f"hinge about {'XYZ'[axis]}"] = bar(hinge(axis), LEVEL[axis])
        found[f"hinge about {'XYZ'[axis]}, tilted"] = bar(hinge(axis), TILTED[axis])
        found[f"hinge about {'XYZ'[axis]}, bounds"] = bar(hinge(axis, -0.6, 0.35), LEVEL[axis])
    found["hinge, one bound"] = bar(hinge(2, low=-0.7), LEVEL[2])
    found["hinge, sides swapped"] = bar(hinge(2, -0.6, 0.35), LEVEL[2], swapped=True)
    found["hinge, opened at rest"] = bar(
        hinge(2, -1.2, 0.9), LEVEL[2], connected=chained(LEVEL[2], turn(2, 0.4))
    )
    found["hinge, soft bounds"] = bar(
        held(range(3), (0, 1), Limit((), (2,), -0.2, 0.2, stiffness=20.0, damping=1.0)), LEVEL[2]
    )
    return found


def _sliders() -> dict[str, Case]:
    down = (turn(2, -0.9), turn(0, 0.4), turn(0, -0.8))
    found: dict[str, Case] = {}
    for axis in range(3):
        found[f"slider along {'XYZ'[axis]}"] = bar(slider(axis), down[axis])
        found[f"slider along {'XYZ'[axis]}, bounds"] = bar(slider(axis, -0.3, 0.2), down[axis])
    found["slider, free along two axes"] = bar(held((1,), range(3)), turn(2, 0.5))
    return found


def _balls() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for axis, frame in enumerate(ALONG):
        found[f"ball with cone about {'XYZ'[axis]}"] = bar(
            held(range(3), (axis,), cone(axis, 35.0)), frame
        )
    found["ball with cone, twist free"] = bar(held(range(3), (), cone(0, 35.0)))
    found["ball with cone, spinning"] = bar(held(range(3), (), cone(1, 35.0)), ASKEW, motion=SPIN)
    found["ball"] = bar(pin(), motion=SPIN)
    found["two angles, each with bounds"] = bar(
        held(range(3), (0,), turns(1, -0.3, 0.5), turns(2, -0.5, 0.3)), motion=SPIN
    )
    found["rope"] = bar(ROPE, connected=at(0.0, 0.5))
    found["soft rope"] = bar(
        replace(ROPE, limits=(replace(ROPE.limits[1], stiffness=60.0, damping=1.0),)),
        connected=at(0.0, 0.5),
    )
    found["weld"] = bar(weld())
    return found


def _drives() -> dict[str, Case]:
    spring = {"position_target": 0.4, "stiffness": 30.0, "damping": 2.0, "velocity_target": 0.0}
    motor = {"velocity_target": 1.5, "damping": 20.0}
    found: dict[str, Case] = {}
    for axis in range(3):
        found[f"motor about {'XYZ'[axis]}"] = bar(driven_hinge(axis, **motor), LEVEL[axis])
        found[f"spring about {'XYZ'[axis]}"] = bar(driven_hinge(axis, **spring), LEVEL[axis])
        found[f"motor along {'XYZ'[axis]}"] = bar(driven_slider(axis, **motor), TILTED[axis])
        found[f"spring along {'XYZ'[axis]}"] = bar(driven_slider(axis, **spring), TILTED[axis])
    found["spring alone"] = bar(driven_hinge(2, position_target=0.4, stiffness=30.0), LEVEL[2])
    found["motor by acceleration"] = bar(driven_hinge(2, mode=ACCELERATION, **motor), LEVEL[2])
    found["spring by acceleration"] = bar(
        driven_slider(0, mode=ACCELERATION, **spring), turn(2, -0.9)
    )
    found["weak motor"] = bar(driven_hinge(2, max_force=2.0, **motor), LEVEL[2])
    found["drive of no force"] = bar(driven_hinge(2, max_force=0.0, **motor), LEVEL[2])
    found["spring within bounds"] = bar(
        driven(slider(0, -0.2, 0.3), LINEAR, 0, **spring), turn(2, -0.9)
    )
    return found


def _bodies() -> dict[str, Case]:
    wheel = body(mass=inf, inertia_diagonal=(inf, inf, 0.3))
    return {
        "inertia said": bar(hinge(2), LEVEL[2], motion=HEAVY_ENDS),
        "inertia said, 2 kg": bar(hinge(2), LEVEL[2], motion=replace(HEAVY_ENDS, mass=2.0)),
        "inertia of a heavy body": bar(hinge(2), LEVEL[2], motion=body(mass=7.0)),
        "centre of mass": bar(
            hinge(2),
            LEVEL[2],
            place=at(0.0),
            motion=replace(HEAVY_ENDS, center_of_mass=(0.4, 0.1, 0.0)),
        ),
        "inertia turned": bar(
            pin(),
            motion=replace(
                SPIN,
                inertia_diagonal=(0.05, 0.2, 0.22),
                inertia_orientation=(0.0, 0.0, 0.38941834, 0.92106099),
            ),
        ),
        "gravity factor": bar(hinge(2), LEVEL[2], motion=body(gravity_factor=0.5)),
        "velocity of a turned body": _alone(
            chained(at(0.5), turn(1, 0.7)), linear_velocity=(1.0, 2.0, 0.5)
        ),
        "velocity of a scaled body": _alone(
            compose(scale=(0.5, 0.5, 0.5)), linear_velocity=(1.0, 0.0, 0.0)
        ),
        "velocity off the centre of mass": _alone(
            at(),
            center_of_mass=(0.3, 0.0, 0.0),
            inertia_diagonal=(0.1, 0.1, 0.1),
            angular_velocity=(0.0, 0.0, 2.0),
        ),
        "infinite mass": _alone(at(), mass=inf, inertia_diagonal=(inf, inf, 0.3)),
        "infinite inertia": bar(pin(), motion=body(inertia_diagonal=(inf, inf, 0.1))),
        "bob on a wheel of infinite mass": _on(wheel),
        "no collider": bar(hinge(2), LEVEL[2], motion=HEAVY_ENDS, solid=False),
        "scaled bar": bar(
            hinge(2),
            LEVEL[2],
            place=chained(at(0.5), compose(scale=(2.0, 2.0, 2.0))),
            motion=HEAVY_ENDS,
        ),
        "below an empty": bar(
            hinge(2, -0.6, 0.35), LEVEL[2], above=chained(at(0.3, 0.2), turn(0, 0.6))
        ),
        "chain of three": _chain(nested=False),
        "chain of three, nested": _chain(nested=True),
    }


def _alone(place: object, **motion: object) -> Case:
    node = Node("Bar", None, place, motion=body(**motion), collider=Collider(0))  # type: ignore[arg-type]
    return Case(Mechanism((node,), (), (Box((0.4, 0.2, 0.1)),)))


def _on(wheel: object) -> Case:
    nodes = (
        Node("Wheel", None, at(), motion=wheel, collider=Collider(0)),  # type: ignore[arg-type]
        Node("Bar", None, at(0.5, -0.5), motion=HEAVY_ENDS, collider=Collider(0)),
        Node("Joint", 1, at(0.5), joint=JointNode(0, 3)),
        Node("Anchor", 0, at(0.5)),
    )
    return Case(Mechanism(nodes, (hinge(2),), (Box((0.2, 0.2, 0.2)),)))


def _chain(*, nested: bool) -> Case:
    nodes = [Node("Wall", motion=STATIC)]
    for i in range(3):
        above = i if nested and i else None
        nodes.append(Node(f"Bar{i}", above, at(0.5 + i), motion=HEAVY_ENDS, collider=Collider(0)))
    for i in range(3):
        nodes.append(Node(f"Joint{i}", i + 1, at(i), joint=JointNode(0, len(nodes) + 1)))
        nodes.append(Node(f"Anchor{i}", i, at(i)))
    return Case(Mechanism(tuple(nodes), (hinge(2),), (Box((1.0, 0.1, 0.2)),)))
