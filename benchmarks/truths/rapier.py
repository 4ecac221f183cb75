# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks Rapier (PyPI ``rapier3d``) how joints with two free angles go, in small steps.

    python -m benchmarks.truths.rapier

Rapier measures angles as the add-on does. It is of first order in single precision: what is kept is
one run, and how far half as many steps are from it. Prints how far the solver is from it.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import rapier3d as engine

from omi_physics_joint.solver import Simulation

from .angles import SCENES, Scene, mechanism_of
from .assembly import Array
from .catalogue import SAMPLES

TIMES = 4
"""Kept in a second."""
STEPS = 1920
FPS = 60
"""Of the solver beside it, at default settings."""
FILE = SAMPLES / "rapier.json"


def poses(scene: Scene, steps: int) -> list[list[list[float]]]:
    """Return the quaternions x y z w of all bodies at the kept times."""
    rods, balls = scene
    world = engine.PhysicsWorld()
    world.gravity = engine.Vec3(0.0, -9.81, 0.0)
    world.integration_parameters.dt = 1.0 / steps
    world.integration_parameters.num_solver_iterations = 8
    bodies = [world.add_body(engine.RigidBodyBuilder(engine.RigidBodyType.FIXED))]
    places = [(0.0, 0.0, 0.0)]
    for rod in rods:
        mass = engine.MassProperties(engine.Vec3(0.0, 0.0, 0.0), 1.0, engine.Vec3(*rod.inertia))
        builder = (
            engine.RigidBodyBuilder(engine.RigidBodyType.DYNAMIC)
            .translation(engine.Vec3(*rod.place))
            .linvel(engine.Vec3(*rod.velocity))
            .angvel(engine.Vec3(*rod.spin))
            .additional_mass_properties(mass)
            .gyroscopic_forces(True)
            .can_sleep(False)
        )
        bodies.append(world.add_body(builder))
        places.append(rod.place)
    angular = (engine.JointAxis.ANG_X, engine.JointAxis.ANG_Y, engine.JointAxis.ANG_Z)
    masks = (engine.JointAxesMask.ANG_X, engine.JointAxesMask.ANG_Y, engine.JointAxesMask.ANG_Z)
    for ball in balls:
        held = engine.JointAxesMask.LIN_AXES
        for axis in ball.locked:
            held |= masks[axis]
        joint = engine.GenericJointBuilder(held)
        first, second = (
            engine.Vec3(*(p - q for p, q in zip(ball.place, places[body], strict=True)))
            for body in (ball.a, ball.b)
        )
        joint = joint.local_anchor1(first).local_anchor2(second)
        for axis, (low, high) in ball.bounds.items():
            joint = joint.limits(angular[axis], low, high)
        if ball.motor:
            axis, target, stiffness, damping = ball.motor
            joint = joint.motor_model(angular[axis], engine.MotorModel.FORCE_BASED)
            joint = joint.motor(angular[axis], target, 0.0, stiffness, damping)
        world.impulse_joints.insert(bodies[ball.a], bodies[ball.b], joint.build())
    found = []
    for step in range(steps):
        world.step()
        if (step + 1) % (steps // TIMES) == 0:
            found.append([_quaternion(world.rigid_bodies[body].rotation) for body in bodies[1:]])
    return found


def _quaternion(turn: engine.Rotation3) -> list[float]:
    return [round(float(part), 6) for part in (turn.i, turn.j, turn.k, turn.w)]


def solved(scene: Scene) -> Array:
    """Return what ``poses`` does, as the solver moves it."""
    simulation, found = Simulation(mechanism_of(scene)), []
    for frame in range(FPS):
        simulation.step(1.0 / FPS)
        if (frame + 1) % (FPS // TIMES) == 0:
            found.append(simulation.rotations[1:])
    return np.array(found)


def apart(one: object, other: object) -> Array:
    """Return the largest angle between rotations at each kept time, in degrees."""
    a, b = np.asarray(one), np.asarray(other)
    b = b * np.where((a * b).sum(-1, keepdims=True) < 0.0, -1.0, 1.0)
    chord = np.linalg.norm(a - b, axis=-1)
    return np.degrees(4.0 * np.arcsin(chord / 2.0)).max(-1)


def main() -> int:
    """Keep what Rapier does, and say how far it is from the solver and from its own half steps."""
    kept = {}
    for name, build in SCENES.items():
        coarse, fine = (poses(build(), steps) for steps in (STEPS // 2, STEPS))
        kept[name] = {"coarse": coarse, "fine": fine}
        ours, own = apart(fine, solved(build())), apart(fine, coarse)
        print(
            f"{name}: {ours[-1]:.2f} degrees apart after 1 s, {ours.max():.2f} at most; "
            f"{STEPS // 2} steps are {own[-1]:.2f} from {STEPS}"
        )
    FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
