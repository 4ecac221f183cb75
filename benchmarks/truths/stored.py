# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as files and Blender hold them: in single precision, turned anyhow, far from zero.

``python -m benchmarks.truths.stored`` prints how far they go from their twins in double precision.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

import numpy as np

from omi_physics_joint.model.body import Motion, Vector3
from omi_physics_joint.model.geometry.transform import Matrix
from omi_physics_joint.model.mechanics.rounding import PART, SINGLE
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver import Options, Simulation, lock_issues

from . import linkages, pendulums
from .assembly import HINGE, PIN, Array, matrix_of, quaternion_of
from .catalogue import Case, cases
from .judging import marks_of

FURTHER = (
    Case("lid_2_hinges", lambda: linkages.lid(HINGE, HINGE), 1.5, 0.9),
    Case("lid_3_hinges", lambda: linkages.lid(*3 * [HINGE]), 1.5, 0.9),
    Case("lid_4_hinges", lambda: linkages.lid(*4 * [HINGE]), 1.5, 0.9),
    Case("lid_2_hinges_1_pin", lambda: linkages.lid(HINGE, HINGE, PIN), 1.5, 0.9),
    Case("lid_3_pins", lambda: linkages.lid(PIN, PIN, PIN), 1.5, 0.9),
    Case("door_4_hinges", lambda: pendulums.door(4), 1.5, 2.0),
    Case("hoeken", linkages.hoeken, 1.5, 1.0),
    Case("four_bars_3", lambda: linkages.four_bars(3), 4.0, 3.0),
    Case("bar_3_welds", lambda: pendulums.welded_bar(3), 2.0, 1.0),
)
"""Mechanisms that single precision may harm, whose twin is truth enough."""
MECHANISMS = cases() | {case.name: case for case in FURTHER}
DISTANCES = (0.0, 5.0, 20.0, 50.0)
"""m from the origin."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a mechanism is put: a point x of it at ``turn @ x + away``, m.

    Frames of joints that are the same however they are turned about Z are turned about it, each by
    another angle: as long as all frames look the same way, they are rounded the same way.
    """

    turn: Array
    away: Array
    seed: int


def placements(distance: float, count: int = 12, seed: int = 0) -> list[Placement]:
    """Return some placements at random, in m from the origin."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        way = draw.normal(size=3)
        turn = matrix_of(draw.normal(size=(1, 4)))[0]
        seed = int(draw.integers(2**32))
        found.append(Placement(turn, distance * way / np.linalg.norm(way), seed))
    return found


def stored(mechanism: Mechanism, at: Placement) -> Mechanism:
    """Return a mechanism put somewhere, every node's own translation and rotation rounded."""
    worlds: list[Array] = []
    exact: list[Array] = []
    nodes = []
    spun = _spun(mechanism, at.seed)
    for index, node in enumerate(mechanism.nodes):
        world = np.array(node.world)
        if index in spun:
            world[:3, :3] = world[:3, :3] @ about_z(spun[index])
        if node.motion is None or node.moves:  # the ground stays at the origin, as in most files
            world = _put(at) @ world
        above = np.eye(4) if node.parent is None else worlds[node.parent]
        exact.append(world)
        parent = np.eye(4) if node.parent is None else exact[node.parent]
        local = np.linalg.solve(parent, world)
        worlds.append(above @ _rounded(local))
        nodes.append(
            replace(
                node,
                world=_matrix(worlds[-1]),
                motion=None if node.motion is None else _single(node.motion),
            )
        )
    return replace(mechanism, nodes=tuple(nodes))


def _spun(mechanism: Mechanism, seed: int) -> dict[int, float]:
    """Return by what angle about Z frames of joints are turned, by node."""
    draw, out = np.random.default_rng(seed), {}
    for index, _, joint in mechanism.joints():
        limits = mechanism.settings_of(joint).limits
        if all(
            (0 in axes) == (1 in axes)
            for limit in limits
            for axes in (limit.linear_axes, limit.angular_axes)
        ):
            out[index] = out[joint.connected_node] = float(draw.uniform(-np.pi, np.pi))
    return out


def about_z(angle: float) -> Array:
    """Return a rotation about Z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _put(at: Placement) -> Array:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = at.turn, at.away
    return out


def _rounded(local: Array) -> Array:
    """Return a rigid matrix from its translation and quaternion in single precision."""
    q = quaternion_of(local[:3, :3]).astype(np.float32).astype(np.float64)
    out = np.eye(4)
    out[:3, :3] = matrix_of(q[None])[0]
    out[:3, 3] = local[:3, 3].astype(np.float32)
    return out


def _matrix(values: Array) -> Matrix:
    return tuple(map(tuple, values.tolist()))


def _single(motion: Motion) -> Motion:
    names = ("linear_velocity", "angular_velocity", "inertia_diagonal")
    return replace(motion, **{name: _three(np.float32(getattr(motion, name))) for name in names})


def _three(values: Array) -> Vector3:
    x, y, z = map(float, values)
    return (x, y, z)


@dataclass(frozen=True, slots=True)
class Course:
    """How a mechanism moves.

    Attributes:
        marks: (frames + 1, bodies, 3) m, of the points that are judged.
        energy: (frames + 1,) J.
        kinetic: the most of it, J.
        fastest: any of the marks, m/s.
        forces: (frames, joints, 3) N.
        said: whether a report or an issue says that not all is as it should be.
    """

    marks: Array
    energy: Array
    kinetic: float
    fastest: float
    forces: Array
    said: bool


def course(case: Case, mechanism: Mechanism, gravity: Array) -> Course:
    """Move a case, or what was made of it."""
    x, y, z = gravity.tolist()
    simulation = Simulation(mechanism, Options(gravity=(x, y, z)))
    arms = np.array([body.mark for body in case.build().bodies])
    rows = [simulation.body_nodes.index(body + 1) for body in range(len(arms))]
    marks, forces, said = [marks_of(simulation, rows, arms)], [], bool(simulation.issues)
    energies = [simulation.energy()]
    for _ in range(case.frames):
        report = simulation.step(1.0 / case.fps)
        said |= not report.converged or bool(report.first_order or report.not_followed)
        marks.append(marks_of(simulation, rows, arms))
        energies.append(simulation.energy())
        forces.append(simulation.joint_report().force)
    path = np.array(marks)
    fastest = float(np.abs(np.diff(path, axis=0)).max()) * case.fps
    total, kinetic = np.array([(one.total, one.kinetic) for one in energies]).T
    return Course(path, total, float(kinetic.max()), fastest, np.array(forces), said)


@dataclass(frozen=True, slots=True)
class Beside:
    """How a mechanism moves beside its twin in double precision.

    Attributes:
        error: largest distance of a judged point from its twin's, of the length.
        energy: by how much the energy differs at most, of what is in motion.
        force: by how much a force differs at most in any frame, of the largest.
        said: whether a report or an issue says that not all is as it should be.
    """

    error: float
    energy: float
    force: float
    said: bool


def beside(case: Case, twin: Course, at: Placement) -> Beside:
    """Move a case as it is stored somewhere, and compare it with its twin frame by frame."""
    there = stored(case.mechanism(), at)
    own = course(case, there, at.turn @ case.build().gravity)
    marks, forces = (own.marks - at.away) @ at.turn, own.forces @ at.turn
    said = own.said or bool(lock_issues(there, metric))
    return _compared(case, twin, replace(own, marks=marks, forces=forces, said=said))


def _compared(case: Case, twin: Course, own: Course) -> Beside:
    error = np.sqrt(((own.marks - twin.marks) ** 2).sum(-1)).max() / case.length
    gained = (own.energy - own.energy[0]) - (twin.energy - twin.energy[0])
    least = np.sqrt((twin.forces**2).sum(-1)).max()
    force = np.sqrt(((own.forces - twin.forces) ** 2).sum(-1)).max() / least
    return Beside(float(error), float(np.abs(gained).max()) / twin.kinetic, float(force), own.said)


def sensitivity(case: Case, twin: Course, distance: float) -> Beside:
    """Return how a case differs from its twin where it starts otherwise by as much as rounding.

    All is in double precision: velocities alone are off, by the part that rounding is of the
    length. What leaves its twin by more than is allowed here leaves it anyhow.
    """
    part = max(4.0 * SINGLE * (distance / case.length + 1.0), PART)
    draw, made = np.random.default_rng(1), case.mechanism()
    nodes = []
    for node in made.nodes:
        motion = node.motion
        if motion is not None and node.moves:
            linear, angular = draw.normal(size=(2, 3)) * part * twin.fastest
            v = np.array(motion.linear_velocity) + linear
            w = np.array(motion.angular_velocity) + angular / case.length
            motion = replace(motion, linear_velocity=_three(v), angular_velocity=_three(w))
        nodes.append(replace(node, motion=motion))
    off = replace(made, nodes=tuple(nodes))
    return _compared(case, twin, course(case, off, case.build().gravity))


def main(names: list[str]) -> None:
    """Print a line for each mechanism and distance: the worst of twelve placements."""
    for name in names or MECHANISMS:
        case = MECHANISMS[name]
        twin = course(case, case.mechanism(), case.build().gravity)
        for distance in DISTANCES:
            found = [beside(case, twin, at) for at in placements(distance)]
            own = sensitivity(case, twin, distance)
            error, energy, force = (
                max(getattr(one, kind) for one in found) for kind in ("error", "energy", "force")
            )
            print(
                f"{name} at {distance:g} m: error {error:.1e} ({own.error:.0e}) of the length, "
                f"energy {energy:.1e} ({own.energy:.0e}), force {force:.1e} ({own.force:.0e}); "
                f"said in {sum(one.said for one in found)} of 12 ({'said' if twin.said else ''})",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
