# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read of drawn files of others is what it was, to a digest: stages, models, robots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from omi_physics_joint.model.body import Motion
from omi_physics_joint.model.contents import Contents, ContentsError
from omi_physics_joint.model.geometry.transform import rotation_from_quaternion
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.robots.importing.bases import RootBase
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.urdf.read import read_urdf
from omi_physics_joint.robots.urdf.write import write_urdf
from omi_physics_joint.usd.reading.read import contents_and_prims, contents_of
from omi_physics_joint.usd.writing.write import written_over
from tests.digests import Lines, approved_by_digest, numbers, places, summed
from tests.drawn_models import drawn_model, drawn_robot
from tests.drawn_stages import drawn_stage
from tests.outputs_of_cases import (
    AXES_OF_MOMENTS,
    issues_of,
    otherwise,
    package,
    without_free_axes,
)
from tests.perturbed import Found

SOME, COUNT = 12, 50
"""Files of each kind: those that are taken in haste, and all."""
BASES = tuple(RootBase)
WRITERS = (package(write_mjcf, "case.xml"), package(write_urdf, "case.urdf"))


def weight(motion: Motion) -> str:
    """Return how a body moves; its inertia as a tensor: equal moments have no axes of their own."""
    turn = np.array(rotation_from_quaternion(motion.inertia_orientation))
    spread = np.where(np.isfinite(motion.inertia_diagonal), motion.inertia_diagonal, -1.0)
    parts = (
        *(motion.mass, motion.gravity_factor, *motion.center, *motion.linear_velocity),
        *(*motion.angular_velocity, *(turn @ np.diag(spread) @ turn.T).ravel()),
    )
    words = (motion.type, motion.center_of_mass is None, motion.starts_asleep, motion.unknown)
    return f"{words} {numbers(parts, 5)}"


def without_axes(line: str) -> str:
    """Return a line without principal axes where which way they go is open."""
    is_found = "diaginertia" in line or "colliderInertia" in line
    return AXES_OF_MOMENTS.sub("", line) if is_found else without_free_axes(line)


def meaning(contents: Contents, issues: Sequence[Issue]) -> Iterator[str]:
    """Yield what was read, and what is said of it."""
    mechanism = contents.mechanism
    for index, node in enumerate(mechanism.nodes):
        motion = "" if node.motion is None else weight(node.motion)
        yield f"{index} {node.name} below {node.parent} at {places(node.world)} {motion}"
        yield f"{node.collider} {node.trigger} {node.joint} {node.unknown}"
    yield from map(str, mechanism.settings)
    yield from map(str, mechanism.shapes)
    yield from map(str, (mechanism.physics_materials, mechanism.collision_filters))
    yield f"{mechanism.gravity} {mechanism.meshes} {contents.shown}"
    for mesh in contents.meshes:
        yield "no mesh" if mesh is None else f"{summed(mesh.points)} {summed(mesh.triangles)}"
    for index, keys in contents.led.items():
        yield f"{index} is led: {keys.times} {[places(one) for one in keys.poses]}"
    yield from issues_of(issues)


def of_stage(number: int) -> Iterator[str]:
    """Yield what is read of a stage."""
    yield from meaning(*contents_of(drawn_stage(number)))


def over(number: int) -> Iterator[str]:
    """Yield what is said above a stage that holds all but what is shared by others there."""
    base = drawn_stage(number)
    contents, _, paths = contents_and_prims(base)
    contents = replace(contents, mechanism=otherwise(contents.mechanism))
    known = {at: path for at, path in paths.items() if at % 7} if number % 2 else None
    made, lost = written_over(contents, base, flat=number % 3 == 0, made_of=known)
    for one in made:
        yield without_axes(f"{replace(one, local=None, poses=())}")
        yield "" if one.local is None else places(one.local)
    yield from issues_of(lost)


def of_model(number: int, folder: Path) -> Found:
    """Return what is read of a model of MuJoCo."""
    path = folder / "model.xml"
    path.write_text(drawn_model(number), "utf-8")
    return read_mjcf(path, BASES[number % 3])


def of_robot(number: int, folder: Path) -> Found:
    """Return what is read of a robot of ROS."""
    path = folder / "robot.urdf"
    path.write_text(drawn_robot(number), "utf-8")
    return read_urdf(path, BASES[number % 3])


def read_and_written(read: Callable[[int, Path], Found]) -> Lines:
    """Return what yields what is read of a file, and of two of three what is written of that."""

    def lines(number: int) -> Iterator[str]:
        with TemporaryDirectory() as folder:
            try:
                contents, issues = read(number, Path(folder))
            except ContentsError as error:
                yield str(error)
                return
        yield from meaning(contents, issues)
        if number % 3 < len(WRITERS):
            yield from map(without_axes, WRITERS[number % 3](contents))

    return lines


@pytest.mark.parametrize("part", [(0, SOME), pytest.param((SOME, COUNT), marks=pytest.mark.long)])
def test_what_is_read_of_drawn_files_is_as_approved(part: tuple[int, int]) -> None:
    """Whatever their units, words, defaults and faults are, and in whatever combination."""
    outputs: dict[str, Lines] = {"stage": of_stage, "over": over}
    outputs |= {"model": read_and_written(of_model), "robot": read_and_written(of_robot)}
    cases = {f"file {number:02}": number for number in range(*part)}
    approved_by_digest("cases_read.txt", outputs, cases)
