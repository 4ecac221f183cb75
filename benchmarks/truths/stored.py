# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as files and Blender hold them: in single precision, turned anyhow, far from zero.

``python -m benchmarks.truths.stored`` prints how far they go from their twins in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from omi_physics_joint.model.body import Motion
from omi_physics_joint.model.geometry.transform import Matrix
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.solver import Options, Simulation

from . import linkages, pendulums, spatial
from .as_mechanism import mechanism_of
from .assembly import PIN, Array, Assembly, matrix_of, quaternion_of

Build = Callable[[], Assembly]
LINKAGES: dict[str, tuple[Build, float, int]] = {
    "lid on two hinges": (lambda: linkages.lid(2), 0.9, 90),
    "lid on three hinges": (lambda: linkages.lid(3), 0.9, 90),
    "lid on four hinges": (lambda: linkages.lid(4), 0.9, 90),
    "lid on two hinges and a pin": (lambda: linkages.lid(3, PIN), 0.9, 90),
    "parallel cranks": (linkages.cranks, 2.0, 90),
    "crank-rocker": (linkages.crank_rocker, 1.0, 90),
    "hoeken": (linkages.hoeken, 1.0, 90),
    "slider-crank": (linkages.slider_crank, 1.3, 45),
    "parallelogram": (lambda: linkages.four_bars(1), 1.0, 240),
    "three parallelograms": (lambda: linkages.four_bars(3), 3.0, 240),
    "peaucellier": (linkages.peaucellier, 0.9, 150),
    "sarrus": (spatial.sarrus, 1.0, 120),
    "double pendulum": (lambda: pendulums.chain(2), 2.0, 60),
}
"""How it is built, its length in m, and frames."""
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
    three = {name: np.float32(getattr(motion, name)).astype(float).tolist() for name in names}
    return replace(motion, **{name: tuple(values) for name, values in three.items()})


@dataclass(frozen=True, slots=True)
class Beside:
    """How a stored mechanism moves beside its twin in double precision.

    Attributes:
        error: largest distance of an origin of a body from its twin's, of the length.
        energy: by how much the energy differs at most, of what is in motion.
        force: by how much the largest force differs, of the twin's.
        said: whether a report or an issue says that not all is as it should be.
    """

    error: float
    energy: float
    force: float
    said: bool


def beside(
    mechanism: Mechanism,
    at: Placement,
    gravity: Array,
    length: float,
    frames: int,
    fps: float = 60.0,
) -> Beside:
    """Move both, and compare them frame by frame."""
    twin = Simulation(mechanism, _options(gravity))
    own = Simulation(stored(mechanism, at), _options(at.turn @ gravity))
    error, off, exchanged, said = 0.0, 0.0, twin.energy().kinetic, False
    starts = twin.energy().total, own.energy().total
    peaks = np.zeros(2)
    moving = [mechanism.nodes[node].moves for node in twin.body_nodes]
    for _ in range(frames):
        reports = [one.step(1.0 / fps) for one in (twin, own)]
        said |= not reports[1].converged or bool(reports[1].first_order)
        places = (own.positions - at.away) @ at.turn - twin.positions
        error = max(error, float(np.abs(places[moving]).max()))
        energies = [one.energy() for one in (twin, own)]
        exchanged = max(exchanged, energies[0].kinetic)
        changes = [one.total - start for one, start in zip(energies, starts, strict=True)]
        off = max(off, abs(changes[1] - changes[0]))
        for i, one in enumerate((twin, own)):
            force = one.joint_report().force
            peaks[i] = max(peaks[i], float(np.sqrt((force**2).sum(-1)).max(initial=0.0)))
    return Beside(error / length, off / exchanged, abs(peaks[1] / peaks[0] - 1.0), said)


def _options(gravity: Array) -> Options:
    x, y, z = gravity.tolist()
    return Options(gravity=(x, y, z))


def main() -> None:
    """Print a line for each mechanism and distance: the worst of twelve placements."""
    others = {"bennett": (spatial.bennett, 0.9, 120), "bricard": (spatial.bricard, 1.0, 200)}
    for name, (build, length, frames) in {**LINKAGES, **others}.items():
        made = build()
        for distance in DISTANCES:
            found = [
                beside(mechanism_of(made), at, made.gravity, length, frames)
                for at in placements(distance)
            ]
            error, energy, force = (
                max(getattr(one, kind) for one in found) for kind in ("error", "energy", "force")
            )
            print(
                f"{name} at {distance:g} m: error {error:.1e} of the length, energy {energy:.1e}, "
                f"largest force {force:.1e}; said in {sum(one.said for one in found)} of 12",
                flush=True,
            )


if __name__ == "__main__":
    main()
