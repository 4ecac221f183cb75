# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases that random ones taught: scaled bodies, compounds, two posed angles, what tumbles."""

from __future__ import annotations

from dataclasses import replace
from math import pi

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose
from omi_physics_joint.model.joint import JointNode, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh

from .body_cases import ASIDE, EVEN, WEDGE, loose, meshed
from .building import (
    ANGULAR,
    ASKEW,
    BAR,
    DYNAMIC,
    TILTED,
    Case,
    at,
    bar,
    body,
    chained,
    driven,
    driven_hinge,
    held,
    turn,
    turns,
)
from .joint_cases import mirror

CENTRED = body(center_of_mass=(0.2, 0.1, 0.05))
SCALES = {
    "scaled": compose(scale=(1.7, 1.7, 1.7)),
    "scaled unevenly": compose(scale=(2.0, 1.0, 0.6)),
}


def scaled() -> dict[str, Case]:
    """Return cases of bodies with a scale."""
    shapes: dict[str, Shape] = {
        "sphere": Sphere(0.3),
        "capsule": Capsule(0.4, 0.2, 0.2),
        "cylinder": Cylinder(0.5, 0.2, 0.2),
    }
    cases: dict[str, Case] = {}
    for name, scale in SCALES.items():
        turned = chained(at(0.5, 0.2), turn(0, 0.3), turn(1, 0.4), scale)
        spun = replace(CENTRED, angular_velocity=(1.0, 2.0, 3.0), inertia_diagonal=EVEN)
        cases |= {
            f"{name}, centre": bar(hinge(1), TILTED[1], motion=CENTRED, place=turned),
            f"{name}, spun": loose(spun, chained(ASIDE, scale)),
            f"{name}, hull": meshed(
                bar(hinge(2), shape=Convex(0), place=chained(at(0.5), scale)), WEDGE
            ),
            f"{name}, wall": bar(hinge(2), wall=chained(at(0.3), scale)),
        }
        for kind, shape in shapes.items():
            place = chained(at(0.5), turn(1, 0.3), scale)
            cases[f"{name}, {kind}"] = bar(hinge(2), shape=shape, place=place)
    return cases


def _compound(place: Matrix, between: Matrix, part: Matrix, shape: Shape) -> Case:
    """Return a bar on a hinge with a box below it, and a shape below an empty below it."""
    mechanism = bar(hinge(2), place=place).mechanism
    nodes = list(mechanism.nodes)
    nodes[1] = replace(nodes[1], collider=None)
    empty = chained(place, between)
    nodes += [
        Node("Box", 1, chained(place, at(0.3, 0.1), turn(2, 0.4)), collider=Collider(0)),
        Node("Empty", 1, empty),
        Node("Part", 5, chained(empty, part), collider=Collider(1)),
    ]
    return meshed(Case(replace(mechanism, nodes=tuple(nodes), shapes=(BAR, shape))), WEDGE)


def compounds() -> dict[str, Case]:
    """Return cases of bodies whose shapes are further down."""
    cases: dict[str, Case] = {}
    even = SCALES["scaled"]
    for kind, shape in (("hull", Convex(0)), ("cylinder", Cylinder(0.5, 0.2, 0.2))):
        for name, place, between, part in (
            ("turned", at(0.5), chained(at(0.1, 0.2), turn(0, 0.4)), turn(2, 0.5)),
            ("empty scaled", at(0.5), chained(at(0.1, 0.2), even), turn(2, 0.5)),
            ("part scaled", at(0.5), turn(0, 0.4), chained(at(0.2), even)),
            ("body scaled", chained(at(0.5), even), at(-0.2), turn(1, 0.5)),
            ("empty mirrored", at(0.5), mirror(0), turn(2, 0.5)),
        ):
            cases[f"compound, {name}, {kind}"] = _compound(place, between, part, shape)
    return cases


def others_still() -> dict[str, Case]:
    """Return cases of two posed angles, of pins beside a body, and of what moves by itself."""
    posed = chained(ASKEW, turn(0, 0.3), turn(2, 0.3))
    spring = {"position_target": 0.4, "stiffness": 30.0, "damping": 1.0}
    even = body(inertia_diagonal=EVEN)
    bounds = held(range(3), (1,), turns(0, -1.2, 1.2), turns(2, -1.2, 1.2))
    moving = Motion(MotionType.KINEMATIC, angular_velocity=(0.0, 0.0, 1.0))
    carried = bar(hinge(2)).mechanism
    crooked = [turns(axis, -0.6, 0.7) for axis in range(3)]
    return {
        "two angles, both posed": bar(bounds, ASKEW, connected=posed, motion=even),
        "two angles, both posed, spring": bar(
            driven(bounds, ANGULAR, 2, **spring), ASKEW, connected=posed, motion=even
        ),
        "ball, posed": bar(
            held(range(3), (), *crooked), ASKEW, connected=chained(posed, turn(1, 0.2)), motion=even
        ),
        "pin, along the bar": bar(pin(), motion=DYNAMIC),
        "pin, beside the bar": bar(pin(), place=at(0.4, 0.0, 0.3)),
        "pin, centre aside": bar(pin(), motion=body(center_of_mass=(0.0, 0.1, 0.2))),
        "on a moving kinematic body": Case(
            replace(
                carried, nodes=(Node("Wall", None, IDENTITY, motion=moving), *carried.nodes[1:])
            )
        ),
    }


def reviewed() -> dict[str, Case]:
    """Return cases of a review: two hinges in a row, a spring from afar, no target, a disc."""
    cross = body(mass=0.05, inertia_diagonal=(1e-4, 1e-4, 1e-4))
    nodes = [
        Node("Wall", motion=Motion(MotionType.STATIC)),
        Node("Bar0", None, at(0.1), motion=cross),
        Node("Bar1", None, at(0.45), motion=body(), collider=Collider(0)),
    ]
    for number, world in enumerate((IDENTITY, chained(at(0.2), turn(0, 0.5 * pi))), start=1):
        joint = JointNode(0, len(nodes) + 1)
        nodes.append(Node(f"Joint{number}", number, world, joint=joint))
        nodes.append(Node(f"Anchor{number}", number - 1, world))
    shapes = (Box((0.5, 0.1, 0.1)),)
    disc = Limit((0, 1), (), max=0.25, together=True)
    return {
        "behind two hinges": Case(Mechanism(tuple(nodes), (hinge(2),), shapes)),
        "spring from afar": bar(driven_hinge(2, position_target=2.2, stiffness=9.0, damping=0.3)),
        "drive without a target": bar(driven_hinge(2, damping=1.5)),
        "disc": bar(held((2,), range(3), disc), ASKEW),
    }


def open_centres() -> dict[str, Case]:
    """Return cases of bodies that leave their centre of mass to their shapes."""
    left = body(center_of_mass=None)
    spun = replace(left, angular_velocity=(1.0, 2.0, 3.0), inertia_diagonal=EVEN)
    thrown = loose(spun, ASIDE).mechanism
    cases = {
        "centre left open, thrown": meshed(Case(replace(thrown, shapes=(Convex(0),))), WEDGE),
        "centre left open, triangles": meshed(bar(hinge(2), shape=Trimesh(0), motion=left), WEDGE),
    }
    for name, one in (("hull", Convex(0)), ("cylinder", Cylinder(0.5, 0.2, 0.2))):
        parts = _compound(at(0.0), turn(0, 0.4), chained(at(0.2, 0.1), turn(2, 0.5)), one)
        nodes = list(parts.mechanism.nodes)
        nodes[1] = replace(nodes[1], motion=left)
        cases[f"centre left open, {name}"] = replace(
            parts, mechanism=replace(parts.mechanism, nodes=tuple(nodes))
        )
    return cases


def further_cases() -> dict[str, Case]:
    """Return all of them."""
    return scaled() | compounds() | others_still() | reviewed() | open_centres()
