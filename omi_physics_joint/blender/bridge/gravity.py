# SPDX-License-Identifier: GPL-3.0-or-later
"""The gravity of a scene, which is Blender's own setting, and that of a mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import hypot

from bpy.types import Scene

from ...gltf.shared.gravity import is_earths
from ...model.body import Vector3
from ...model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from ...model.issue import Issue, Severity
from ...model.mechanism import GRAVITY, Mechanism
from ...model.wording.words import some
from .animation import is_written
from .read_groups import typed_vector


def has_keys(scene: Scene) -> bool:
    """Return whether keys, strips or drivers change the gravity of a scene."""
    return is_written(scene, ("gravity", "use_gravity"))


def kept_gravity(scene: Scene) -> Iterator[Issue]:
    """Yield a warning of gravity that changes, which no file says."""
    if has_keys(scene):
        what, fix = "Gravity is animated; files keep one value.", "Expect that of its frame."
        yield Issue(Severity.WARNING, "keyed-physics", scene.name, what, fix)


def pulled(mechanism: Mechanism, scene: Scene) -> Mechanism:
    """Return a mechanism with the gravity of a scene."""
    found = typed_vector(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)
    gravity = Y_UP_FROM_Z_UP.vector(found)
    return replace(mechanism, gravity=None if is_earths(gravity) else gravity)


def pulled_otherwise(scene: Scene, scenes: Sequence[Scene]) -> Iterator[Issue]:
    """Yield a warning where bodies of other scenes go into one file, and have another gravity."""
    own, *others = (pulled(Mechanism(), one).gravity for one in (scene, *scenes))
    found = [one for one, other in zip(scenes, others, strict=True) if other != own]
    other = [one.name for one in found if any(o.omi_physics_body.is_body for o in one.objects)]
    if other:
        what = f"A file has one gravity, that of the active scene; that of {some(other)} differs."
        fix = "Turn on Include > Active Scene in the export, or give all of them one gravity."
        yield Issue(Severity.WARNING, "gravities-differ", scene.name, what, fix)


def take_gravity(scene: Scene, gravity: Vector3 | None) -> list[Issue]:
    """Give a scene the gravity of a file, in units of the scene, and say so.

    A file that does not say it leaves the scene as it is.
    """
    if gravity is None:
        return []
    scene.use_gravity = any(gravity)
    if any(gravity):
        scene.gravity = Z_UP_FROM_Y_UP.vector(gravity)
    strength = f"{hypot(*gravity):g} m/s\N{SUPERSCRIPT TWO}"
    what = f"The file has a gravity of its own, {strength}, which the scene has now."
    fix = f"Set the gravity of the scene to {GRAVITY:g} if it is meant to be on Earth."
    return [Issue(Severity.HINT, "gravity-taken", scene.name, what, fix)]
