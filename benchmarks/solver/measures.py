# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured on the path of any engine, from its poses and velocities alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .rotations import conjugate, product, turned, twist_angle
from .scene import GRAVITY, WORLD, Array, Joint, Kind, Path, Scene


@dataclass(frozen=True, slots=True)
class Figures:
    """Errors of one path; NaN is not known."""

    error: float
    """Distance from the truth at the end, as a fraction of the length of the mechanism."""
    path_error: float
    """The largest such distance of all frames."""
    separation: float
    """Largest distance between two points that should coincide, in m."""
    overshoot: float
    """Largest excess over a bound, in rad."""
    energy_gain: float
    """max(E - E0) / max|PE - PE0|, springs included."""


def figures(scene: Scene, path: Path, truth: Array | None) -> Figures:
    """Measure a path against the judged points of the truth, see ``judged_points``."""
    if not np.isfinite(path.positions).all():
        return Figures(np.inf, np.inf, np.inf, np.inf, np.inf)
    error = np.full(1, np.nan)
    if truth is not None:
        away = np.linalg.norm(judged_points(scene, path) - truth, axis=-1)
        error = away.max(axis=1) / scene.length
    return Figures(
        float(error[-1]),
        float(error.max()),
        separation(scene, path),
        overshoot(scene, path),
        energy_gain(scene, path),
    )


def judged_points(scene: Scene, path: Path) -> Array:
    """Return the points whose error counts, (frames + 1, points, 3)."""
    if scene.tip is None:
        return path.positions
    end = path.positions[:, -1] + turned(path.rotations[:, -1], np.array(scene.tip))
    return end[:, None]


def separation(scene: Scene, path: Path) -> float:
    """Return the largest separation of a joint over all frames."""
    return max(float(_gap(scene, path, joint).max()) for joint in scene.joints)


def _gap(scene: Scene, path: Path, joint: Joint) -> Array:
    """Return the separation in every frame; along a slider it is free."""
    anchor = np.array(joint.anchor)
    gap = _carried(scene, path, joint.child, anchor) - _carried(scene, path, joint.parent, anchor)
    if joint.kind is Kind.SLIDER:
        axis = np.array(joint.axis)
        gap = gap - (gap @ axis)[:, None] * axis
    return np.linalg.norm(gap, axis=-1)


def _carried(scene: Scene, path: Path, body: int, start: Array) -> Array:
    """Return where a point that is fixed to a body goes."""
    if body == WORLD:
        return np.broadcast_to(start, (len(path.positions), 3))
    local = turned(conjugate(scene.rotations[body]), start - scene.positions[body])
    return path.positions[:, body] + turned(path.rotations[:, body], local)


def overshoot(scene: Scene, path: Path) -> float:
    """Return the largest excess of a hinge over its bounds; NaN where there are no bounds."""
    worst = [np.nan]
    for joint in scene.joints:
        if joint.is_limited and joint.kind is Kind.HINGE:
            angle = _hinge_angle(scene, path, joint)
            excess = np.maximum(angle - joint.high, joint.low - angle)
            worst.append(max(0.0, float(excess.max())))
    return float(np.nanmax(worst)) if len(worst) > 1 else np.nan


def _hinge_angle(scene: Scene, path: Path, joint: Joint) -> Array:
    moved = product(path.rotations[:, joint.child], conjugate(scene.rotations[joint.child]))
    axis = np.array(joint.axis)
    if joint.parent != WORLD:
        base = product(path.rotations[:, joint.parent], conjugate(scene.rotations[joint.parent]))
        moved = product(conjugate(base), moved)
    return twist_angle(moved, axis)


def energy_gain(scene: Scene, path: Path) -> float:
    """Return how much energy came from nowhere; NaN where velocities are not known."""
    if path.velocities is None or path.spins is None:
        return np.nan
    spins = turned(conjugate(path.rotations), path.spins)
    kinetic = 0.5 * (
        (scene.masses * (path.velocities**2).sum(-1)).sum(-1)
        + (scene.inertias() * spins**2).sum((-1, -2))
    )
    potential = GRAVITY * (scene.masses * path.positions[..., 1]).sum(-1)
    for joint in scene.joints:
        if joint.stiffness:
            start = scene.positions[joint.child]
            stretch = (path.positions[:, joint.child] - start) @ np.array(joint.axis)
            potential = potential + 0.5 * joint.stiffness * stretch**2
    total = kinetic + potential
    span = np.abs(potential - potential[0]).max()
    return float((total - total[0]).max() / span) if span > 0.0 else np.nan
