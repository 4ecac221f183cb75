# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of bodies: shapes, places, scales, parents, velocities, centres of mass, chains."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

from omi_physics_joint.model.body import ZERO, Collider, Motion, MotionType, Quaternion, Vector3
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh

from .building import (
    BAR,
    DYNAMIC,
    STATIC,
    TILTED,
    Case,
    Points,
    Triangles,
    at,
    bar,
    body,
    chained,
    driven_hinge,
    held,
    slides,
    turn,
    turns,
)
from .joint_cases import mirror

BOUNDS = hinge(2, -0.6, 0.35)
ASIDE = chained(at(0.5), turn(1, 0.7), turn(0, 0.5))
EVEN = (0.1, 0.1, 0.1)
"""kg m^2, of what tumbles without gyroscopic forces."""
WEDGE: tuple[Points, Triangles] = (
    ((-0.5, -0.1, -0.1), (0.6, -0.1, -0.1), (-0.5, 0.4, -0.1), (-0.5, -0.1, 0.3)),
    ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
)
"""A body that is no mirror image of itself, with its mass beside the origin."""


def disc(sides: int = 32, radius: float = 0.4, half: float = 0.1) -> tuple[Points, Triangles]:
    """Return a disc about Z."""
    rims = [
        [(radius * cos(2 * pi * i / sides), radius * sin(2 * pi * i / sides), z)
         for i in range(sides)]
        for z in (-half, half)
    ]  # fmt: skip
    triangles: list[tuple[int, int, int]] = []
    for i in range(sides):
        j = (i + 1) % sides
        triangles += [(i, j, sides + j), (i, sides + j, sides + i)]
    for i in range(1, sides - 1):
        triangles += [(0, i + 1, i), (sides, sides + i, sides + i + 1)]
    return (*rims[0], *rims[1]), tuple(triangles)


def meshed(case: Case, mesh: tuple[Points, Triangles]) -> Case:
    """Return a case whose shape is that of a mesh."""
    return Case(replace(case.mechanism, meshes=("Mesh",)), (mesh,))


def shapes() -> dict[str, Case]:
    """Return cases of every shape of collider, with the inertia that follows from it."""
    plain: dict[str, Shape] = {
        "sphere": Sphere(0.3),
        "cylinder": Cylinder(0.4, 0.3, 0.3),
        "capsule": Capsule(0.4, 0.2, 0.2),
        "long capsule": Capsule(1.2, 0.1, 0.1),
        "tapered cylinder": Cylinder(0.4, 0.3, 0.1),
    }
    cases = {f"shape, {name}": bar(hinge(2), shape=shape) for name, shape in plain.items()}
    cases["shape, capsule about its length"] = bar(
        hinge(1), TILTED[2], place=chained(at(0.7), turn(2, 0.4)), shape=plain["capsule"]
    )
    for name, shape, place in (
        ("convex disc", Convex(0), at(0.5)),
        ("convex disc aside", Convex(0), ASIDE),
        ("trimesh disc", Trimesh(0), at(0.5)),
    ):
        cases[f"shape, {name}"] = meshed(bar(hinge(2), shape=shape, place=place), disc())
    for name, shape in (("convex wedge", Convex(0)), ("trimesh wedge", Trimesh(0))):
        centred = body(center_of_mass=(-0.225, 0.025, 0.0))
        cases[f"shape, {name}"] = meshed(bar(hinge(2), shape=shape, motion=centred), WEDGE)
    return cases


def places() -> dict[str, Case]:
    """Return cases of bodies that are scaled, mirrored, parented and turned."""
    above = chained(at(0.3, 0.2, -0.4), turn(0, 0.6), turn(2, -0.8))
    uneven, flipped = compose(scale=(2.0, 1.0, 0.5)), chained(at(0.5), turn(2, 0.3), mirror(0))
    inside_out = compose(scale=(-1.0, -1.0, -1.0))
    lopsided = body(
        center_of_mass=(0.1, 0.05, 0.08),
        inertia_diagonal=(0.02, 0.1, 0.11),
        linear_velocity=(0.2, 0.1, -0.3),
    )
    moving = replace(lopsided, linear_velocity=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 1.5))
    centred = body(center_of_mass=(-0.225, 0.025, 0.0))
    wedge = bar(hinge(2), shape=Convex(0), motion=centred, place=flipped)
    trimesh = bar(hinge(2), shape=Trimesh(0), motion=centred, place=flipped)
    spring = driven_hinge(2, position_target=0.3, stiffness=20.0, damping=1.0)
    return {
        "mirrored, compound": compound(flipped, mirror(1)),
        "compound of a mirrored collider": compound(at(0.5), mirror(1)),
        "scaled": bar(hinge(2), place=chained(at(0.5), compose(scale=(2.0, 2.0, 2.0)))),
        "scaled unevenly": bar(BOUNDS, place=chained(at(0.5), uneven)),
        "below an empty": bar(BOUNDS, above=above),
        "below a scaled empty": bar(
            hinge(2), above=chained(above, compose(scale=(2.0, 2.0, 2.0)))
        ),
        "below a mirrored empty": bar(
            hinge(2), above=chained(above, mirror(0)), place=chained(at(0.5), turn(1, 0.2))
        ),
        "wall turned": bar(hinge(2), wall=above),
        "wall mirrored": bar(hinge(2), wall=chained(above, mirror(0))),
        "mirrored in X": bar(hinge(2), place=flipped),
        "mirrored in all": bar(hinge(2), place=chained(ASIDE, inside_out)),
        "mirrored, bounds": bar(BOUNDS, place=flipped),
        "mirrored, spring": bar(spring, place=chained(ASIDE, mirror(1))),
        "mirrored, slider": bar(slider(1, -0.3, 0.4), place=flipped),
        "mirrored, sides swapped": bar(hinge(2), place=flipped, swapped=True),
        "mirrored, two angles": bar(
            held(range(3), (1,), turns(0, -0.5, 0.6), turns(2, -0.4, 0.3)), place=flipped
        ),
        "mirrored, centre and velocity": loose(lopsided, chained(ASIDE, mirror(0))),
        "mirrored, turning": bar(hinge(2), place=flipped, motion=moving),
        "mirrored and scaled": bar(
            hinge(2), place=chained(flipped, compose(scale=(2.0, 2.0, 2.0)))
        ),
        "mirrored, below a mirrored empty": bar(
            hinge(2), above=chained(above, mirror(1)), place=flipped
        ),
        "mirrored, capsule": bar(hinge(2), place=flipped, shape=Capsule(0.4, 0.2, 0.2)),
        "mirrored, convex": meshed(wedge, WEDGE),
        "mirrored, trimesh": meshed(trimesh, WEDGE),
    }  # fmt: skip


def compound(place: Matrix, part: Matrix) -> Case:
    """Return a bar on a hinge whose colliders lie below it, one of them a wedge."""
    mechanism = bar(hinge(2), place=place).mechanism
    nodes = list(mechanism.nodes)
    motion = body(center_of_mass=(0.1, 0.0, 0.0), inertia_diagonal=(0.1, 0.2, 0.25))
    nodes[1] = replace(nodes[1], collider=None, motion=motion)
    nodes += [
        Node("Box", 1, chained(place, at(0.3, 0.1), turn(2, 0.4)), collider=Collider(0)),
        Node("Wedge", 1, chained(place, at(-0.2), part), collider=Collider(1)),
    ]
    whole = replace(mechanism, nodes=tuple(nodes), shapes=(BAR, Convex(0)))
    return meshed(Case(whole), WEDGE)


def loose(motion: Motion, place: Matrix = ASIDE) -> Case:
    """Return a bar that nothing holds."""
    return Case(
        Mechanism((Node("Bar", None, place, motion=motion, collider=Collider(0)),), (), (BAR,))
    )


def motions() -> dict[str, Case]:
    """Return cases of velocities, centres of mass and inertias."""
    about_z: Quaternion = (0.0, 0.0, sin(0.3), cos(0.3))
    return {
        "velocity of a turned body": loose(body(linear_velocity=(1.0, 2.0, 3.0))),
        "velocity off the centre of mass": loose(
            body(
                linear_velocity=(1.0, 2.0, 3.0),
                angular_velocity=(0.0, 4.0, 0.0),
                center_of_mass=(0.2, 0.0, 0.1),
                inertia_diagonal=EVEN,
            )
        ),
        "thrown stick": loose(body(angular_velocity=(3.0, 2.0, 5.0))),
        "centre of mass": bar(
            hinge(2), place=IDENTITY, motion=body(center_of_mass=(0.5, 0.0, 0.0))
        ),
        "centre of mass and inertia": bar(
            hinge(2),
            place=IDENTITY,
            motion=body(center_of_mass=(0.5, 0.0, 0.0), inertia_diagonal=(0.02, 0.1, 0.1)),
        ),
        "turned inertia": bar(
            pin(),
            motion=body(
                inertia_diagonal=(0.2, 0.3, 0.15),
                inertia_orientation=about_z,
                angular_velocity=(1.0, 0.0, 0.0),
            ),
        ),
        "gravity factor": bar(hinge(2), motion=body(gravity_factor=0.5)),
        "no collider": bar(hinge(2), motion=body(inertia_diagonal=(0.01, 0.1, 0.1)), solid=False),
        "tiny": bar(
            hinge(2), place=at(0.007), shape=Box((0.014, 0.002, 0.002)), motion=body(mass=0.001)
        ),
    }


def chain(parent: int | None = None, last: float = 1.0, count: int = 2) -> Case:
    """Return a chain of level bars from a wall, each on the one before.

    Args:
        parent: node above the second bar, None for none.
        last: mass of the last bar, kg.
        count: how many bars.
    """
    nodes = [Node("Wall", motion=STATIC)]
    for i in range(count):
        motion = body(mass=last if i == count - 1 else 1.0)
        above = parent if i == 1 else None
        nodes.append(Node(f"Bar{i}", above, at(0.5 + i), motion=motion, collider=Collider(0)))
    for i in range(count):
        nodes.append(Node(f"Joint{i}", i + 1, at(i), joint=JointNode(0, len(nodes) + 1)))
        nodes.append(Node(f"Anchor{i}", i, at(i)))
    return Case(Mechanism(tuple(nodes), (hinge(2),), (BAR,)))


def pair(
    settings: JointSettings, frame: Matrix, *, swapped: bool = False, inertia: Vector3 = EVEN
) -> Case:
    """Return two bars that fall, turn, and are joined to each other only."""
    still = body(inertia_diagonal=inertia)
    spin = replace(still, angular_velocity=(1.0, 2.0, 0.0))
    ends = (0, 1) if swapped else (1, 0)
    nodes = (
        Node("One", None, chained(turn(0, 0.2), turn(1, 0.3)), motion=spin, collider=Collider(0)),
        Node("Two", None, at(1.0), motion=still, collider=Collider(0)),
        Node("Joint", ends[0], frame, joint=JointNode(0, 3)),
        Node("Anchor", ends[1], frame),
    )
    return Case(Mechanism(nodes, (settings,), (BAR,)))


def below_what_falls(motion: Motion) -> Case:
    """Return a chain that falls, with a body below its first bar that no force moves.

    Args:
        motion: of that body; a bar of its own hangs on it.
    """
    falls = chain().mechanism
    first, bars = len(falls.nodes), replace(DYNAMIC, mass=2.0)
    nodes = (
        Node("Post", 1, chained(at(0.4, 0.6, 0.8), turn(1, 0.3)), motion=motion),
        Node("Hung", None, at(0.9, 0.6, 0.8), motion=bars, collider=Collider(0)),
        Node("Held", first + 1, at(0.4, 0.6, 0.8), joint=JointNode(0, first + 3)),
        Node("Hook", first, at(0.4, 0.6, 0.8)),
    )
    return Case(replace(falls, nodes=(*falls.nodes, *nodes)))


def trees() -> dict[str, Case]:
    """Return cases of several bodies that move."""
    middle = chained(at(0.5), turn(1, 0.3))
    cylinder = held((1, 2), (1, 2))
    own = Case(
        Mechanism(
            (
                Node("Wall", motion=STATIC),
                Node("Bar", None, at(0.5), motion=DYNAMIC, collider=Collider(0)),
                Node("Joint", 1, IDENTITY, joint=JointNode(0, 0)),
            ),
            (hinge(2, -0.5, 0.3),),
            (BAR,),
        )
    )
    cases = {
        "double pendulum": chain(),
        "double pendulum, nested": chain(parent=1),
        "chain of four": chain(count=4),
        "heavy end": chain(last=300.0),
        "connected node is the body": own,
        "two fall, hinge": pair(hinge(2), middle),
        "two fall, uneven": pair(hinge(2), middle, inertia=ZERO),
        "two fall, uneven slider": pair(slider(0), middle, inertia=ZERO),
        "two fall, bounds": pair(hinge(2, -0.4, 0.7), middle),
        "two fall, universal": pair(
            held(range(3), (1,), turns(0, -0.5, 0.6), turns(2, -0.4, 0.3)), middle
        ),
        "two fall, cylindrical": pair(cylinder, middle),
        "two fall, cylindrical swapped": pair(cylinder, middle, swapped=True),
        "two fall, cylindrical across": pair(cylinder, chained(at(0.5), turn(2, 1.2))),
        "two fall, cylindrical bounds": pair(
            held((1, 2), (1, 2), slides(0, -0.3, 0.4), turns(0, -0.5, 0.8)), middle
        ),
        "two fall, slider": pair(slider(0), middle),
    }
    kinematic = Motion(MotionType.KINEMATIC)
    cases["static below a dynamic body"] = below_what_falls(STATIC)
    cases["kinematic below a dynamic body"] = below_what_falls(kinematic)
    moving = replace(kinematic, linear_velocity=(0.3, 0.0, 0.0))
    cases["moving kinematic below a dynamic body"] = below_what_falls(moving)
    cases["on a kinematic body"] = _on(kinematic, hinge(2))
    turning = replace(kinematic, angular_velocity=(0.0, 0.0, 0.4))
    cases["plane on a turning kinematic body"] = _on(turning, held((1,), (0, 2)), turn(2, 0.8))
    return cases


def _on(motion: Motion, settings: JointSettings, frame: Matrix = IDENTITY) -> Case:
    """Return a bar that a joint holds to a body of such a motion."""
    case = bar(settings, frame, motion=body(inertia_diagonal=EVEN))
    first, *others = case.mechanism.nodes
    return Case(replace(case.mechanism, nodes=(replace(first, motion=motion), *others)))


def body_cases() -> dict[str, Case]:
    """Return all cases that are about bodies."""
    return shapes() | places() | motions() | trees()
