# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a mechanism really goes: by one route, checked by a second, kept in the build folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path as File

import numpy as np

from .linkages import planar_loop, skew_loop
from .measures import judged_points
from .recording import record
from .routes import closed_forms, constrained, planar_chain
from .scene import Array, Scene

VERSION = "1"
"""Counts up when a route changes, so that what is kept is made anew."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The true path of the judged points, and how sure it is."""

    points: Array
    """(frames + 1, points, 3)."""
    routes: str
    """What was compared."""
    agreement: float
    """Largest distance between the two routes, as a fraction of the length."""


Route = tuple[str, Callable[[Scene], Array]]


def truth_of(scene: Scene, folder: File) -> Truth | None:
    """Return the truth of a scene, from the folder where it has been kept.

    None where there is none: rigid stops make the motion depend on what is not said, such as how
    two stops that are met at once share the blow.
    """
    if any(joint.is_limited for joint in scene.joints):
        return None
    file = folder / f"truth-{scene.name}-{_digest(scene)}.npz"
    if file.exists():
        with np.load(file) as kept:
            return Truth(kept["points"], str(kept["routes"]), float(kept["agreement"]))
    (first_name, first), (second_name, second) = _routes(scene)
    points = first(scene)
    away = np.linalg.norm(points - second(scene), axis=-1)
    truth = Truth(points, f"{first_name}, {second_name}", float(away.max() / scene.length))
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(file, points=truth.points, routes=truth.routes, agreement=truth.agreement)
    return truth


def _routes(scene: Scene) -> tuple[Route, Route]:
    """Return the surer route first."""
    general: Route = ("constrained accelerations, DOP853", _constrained)
    if scene.name in ("four_bar", "spatial_loop"):
        return general, ("one angle and its generalised mass, DOP853", _loop)
    if scene.name == "slider":
        return ("closed form", closed_forms.slider_path), _mujoco(100)
    if scene.name == "pendulum":
        return ("one angle, DOP853", _pendulum), general
    if scene.name.startswith("doors"):
        return ("one angle each, DOP853", closed_forms.hinged_path), _mujoco(50)
    if scene.name.startswith("chain") or scene.name == "heavy":
        planar: Route = ("absolute angles, DOP853", planar_chain.tip_path)
        return planar, (_mujoco(400) if scene.count <= 10 else general)
    return general, _mujoco(400)


def _constrained(scene: Scene) -> Array:
    tolerance = 1e-11 if scene.count < 100 else 1e-9
    return judged_points(scene, constrained.path_of(scene, tolerance))


def _pendulum(scene: Scene) -> Array:
    """Return the tip of the rod: twice as far from the hinge as its centre."""
    return 2.0 * closed_forms.hinged_path(scene)


def _loop(scene: Scene) -> Array:
    loop = planar_loop() if scene.name == "four_bar" else skew_loop()
    return closed_forms.loop_path(scene, loop)


def _mujoco(substeps: int) -> Route:
    """Return MuJoCo's fourth order with very small steps; where it is not, the general route."""
    try:
        from .peers.mujoco_engine import MujocoEngine
    except ImportError:
        return "constrained accelerations, DOP853", _constrained

    def path(scene: Scene) -> Array:
        return judged_points(scene, record(MujocoEngine(), scene, substeps).path)

    return f"MuJoCo RK4, {substeps} substeps", path


def _digest(scene: Scene) -> str:
    arrays = (scene.positions, scene.rotations, scene.masses, scene.sizes)
    text = repr((VERSION, scene.joints, scene.tip, scene.seconds, scene.fps))
    whole = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays) + text.encode()
    return hashlib.sha256(whole).hexdigest()[:12]
