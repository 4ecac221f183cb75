# SPDX-License-Identifier: GPL-3.0-or-later
"""Ragdolls of 20 boxes that fall on a floor any way up: what must hold however they come to lie.

``python -m benchmarks.truths.falls [COUNT [SECONDS]] [--capsules]``, with which they are 15
capsules, whose pins have a cone and a range of twist: where one lies nobody can say, as engines
part after the first touch by centimetres in a tenth of a second. But joints stay together, limits
hold, nothing sinks, energy never rises, and what lies comes to rest.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from omi_physics_joint.model.body import Collider, PhysicsMaterial
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.joint import Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import pin
from omi_physics_joint.model.shape import Box, Capsule
from omi_physics_joint.solver import Options, Simulation
from omi_physics_joint.solver.contacts.surfaces import Floor

from ..solver.as_model import mechanism_of
from ..solver.ragdoll import SPARED, any_way_up
from ..solver.rotations import turned
from ..solver.scene import Array, Kind, Scene, point

GRIP = PhysicsMaterial("", 0.6, 0.6, 0.0)
CONE = Limit(angular_axes=(0, 1), min=0.0, max=0.8, together=True)
TWIST = Limit(angular_axes=(2,), min=-0.5, max=0.5)
"""About the bone, Z of a pin's frame, rad."""
Y_TO_X = (0.0, 0.0, -(0.5**0.5), 0.5**0.5)
SHORTEST = 0.01
"""m between the ends of a capsule."""
HEIGHT = 0.5
"""m above the floor of the lowest corner."""
FAR = 20.0
"""m from the origin."""
FPS = 60


@dataclass
class Fall:
    """How a ragdoll fell.

    Attributes:
        rise: J by which energy rose at most in a frame.
        passed: rad or m by which a limit was passed at most.
        apart: m between joints' frames at most.
        sunk: m by which a corner was below the floor at most.
        speed: m/s of the fastest of the bodies that touch, at the end.
        retries, first_order: steps that were tried again, and that are of first order.
        seconds: of the processor's, for a simulated one.
    """

    rise: float = 0.0
    passed: float = 0.0
    apart: float = 0.0
    sunk: float = 0.0
    speed: float = 0.0
    retries: int = 0
    first_order: int = 0
    seconds: float = 0.0


def above_floor(seed: int, *, capsules: bool = False) -> Mechanism:
    """Return a ragdoll any way up above a floor; its bodies come after one that stands still."""
    scene = _turned_pins(any_way_up(seed, SPARED)) if capsules else any_way_up(seed)
    low = float(corners(scene.sizes, scene.positions, scene.rotations)[..., 1].min())
    scene = _moved(scene, np.array([FAR, HEIGHT - low, -FAR]))
    mechanism = mechanism_of(replace(scene, joints=scene.joints[1:]))
    if capsules:
        return _with_capsules(mechanism, scene.sizes)
    nodes = tuple(
        replace(node, collider=Collider(i - 1, 0)) if 0 < i <= scene.count else node
        for i, node in enumerate(mechanism.nodes)
    )
    shapes = tuple(Box(point(size)) for size in scene.sizes)
    return replace(mechanism, nodes=nodes, shapes=shapes, physics_materials=(GRIP,))


def _turned_pins(scene: Scene) -> Scene:
    """Return a scene whose pins have their bone for an axis."""
    bones = turned(scene.rotations, np.array([1.0, 0.0, 0.0]))
    joints = tuple(
        replace(joint, axis=point(bones[joint.child])) if joint.kind is Kind.BALL else joint
        for joint in scene.joints
    )
    return replace(scene, joints=joints)


def _with_capsules(mechanism: Mechanism, sizes: Array) -> Mechanism:
    """Return a figure with a capsule in each box, and bounds of its pins."""
    nodes, shapes = list(mechanism.nodes), []
    for i, (length, thick, _) in enumerate(sizes.tolist()):
        shapes.append(Capsule(max(length - thick, SHORTEST), 0.5 * thick, 0.5 * thick))
        world = multiply(nodes[i + 1].world, compose(rotation=Y_TO_X))
        nodes.append(Node(f"capsule {i}", i + 1, world, collider=Collider(i, 0)))
    settings = tuple(
        replace(one, limits=(*one.limits, CONE, TWIST)) if one == pin() else one
        for one in mechanism.settings
    )
    return replace(
        mechanism,
        nodes=tuple(nodes),
        settings=settings,
        shapes=tuple(shapes),
        physics_materials=(GRIP,),
    )


def _lowest(mechanism: Mechanism, positions: Array, rotations: Array) -> float:
    """Return how high the lowest point of a ragdoll is, m, from frames of its bodies."""
    if isinstance(mechanism.shapes[0], Capsule):
        sizes = np.array([(one.height, one.radius_top) for one in mechanism.shapes])
        along = turned(rotations, np.array([0.5, 0.0, 0.0]))[:, 1] * sizes[:, 0]
        return float((positions[:, 1] - np.abs(along) - sizes[:, 1]).min())
    sizes = np.array([one.size for one in mechanism.shapes])
    return float(corners(sizes, positions, rotations)[..., 1].min())


def corners(sizes: Array, positions: Array, rotations: Array) -> Array:
    """Return where corners of boxes are, (n, 8, 3) m, from their (n, 4) rotations x y z w."""
    own = np.array(list(product((-0.5, 0.5), repeat=3))) * sizes[:, None]
    return positions[:, None] + turned(rotations[:, None], own)


def _moved(scene: Scene, way: Array) -> Scene:
    joints = tuple(replace(j, anchor=point(np.array(j.anchor) + way)) for j in scene.joints)
    return replace(scene, positions=scene.positions + way, joints=joints)


def fall(seed: int, seconds: float, *, capsules: bool = False) -> Fall:
    """Let a ragdoll fall, and return how that went."""
    mechanism = above_floor(seed, capsules=capsules)
    simulation = Simulation(mechanism, Options(contacts=True, floor=Floor(0.0, GRIP)))
    count = len(mechanism.shapes)
    found, before, began = Fall(), simulation.energy().total, time.process_time()
    for _ in range(round(seconds * FPS)):
        report = simulation.step(1.0 / FPS)
        energy, joints = simulation.energy().total, simulation.joint_report()
        found.rise, before = max(found.rise, energy - before), energy
        found.passed = max(found.passed, float(joints.overshoot.max()))
        found.apart = max(found.apart, float(joints.separation.max()))
        places = simulation.positions[1 : count + 1], simulation.rotations[1 : count + 1]
        found.sunk = max(found.sunk, -_lowest(mechanism, *places))
        found.retries += sum(island.retries for island in report.islands)
        found.first_order += sum(island.first_order for island in report.islands)
    touching = np.unique(simulation.touching().nodes)
    speeds = np.linalg.norm(simulation.linear_velocities, axis=1)
    found.speed = float(speeds[touching[touching > 0]].max(initial=0.0))
    found.seconds = (time.process_time() - began) / seconds
    return found


def main() -> None:
    """Print the worst of all falls, and of how many energy rises or what lies is not at rest."""
    capsules = "--capsules" in sys.argv
    asked = [float(x) for x in sys.argv[1:] if x != "--capsules"]
    count, seconds = int(asked[0]) if asked else 20, asked[1] if asked[1:] else 6.0
    falls = [fall(seed, seconds, capsules=capsules) for seed in range(count)]
    for name in ("rise", "passed", "apart", "sunk", "speed", "seconds"):
        values = np.array([getattr(one, name) for one in falls])
        print(f"{name}: median {np.median(values):.2g}, most {values.max():.2g}")
    print(f"tried again {sum(one.retries for one in falls)} steps of {count} falls")
    print(f"of first order {sum(one.first_order for one in falls)}")
    print(f"at rest within 2 mm/s: {sum(one.speed < 2e-3 for one in falls)} of {count}")
    print("energy rises by 0.1 J or more:", [i for i, one in enumerate(falls) if one.rise >= 0.1])


if __name__ == "__main__":
    main()
