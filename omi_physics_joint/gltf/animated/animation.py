# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the animations of a document put its nodes, and which bodies they lead.

What is led does not stand still. Source: glTF 2.0, "Animations".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import acos, hypot, isfinite, sin
from typing import TypeVar

from ...files.inputs import spend
from ...model.body import MotionType
from ...model.contents import PoseKeys, moments
from ...model.geometry.transform import (
    IDENTITY,
    Matrix,
    compose,
    inverse,
    linear_part,
    multiply,
    quaternion_from_rotation,
    translation_of,
)
from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...model.wording.findings import ANIMATED_BODIES
from ..document.accessors import AccessorError, Accessors, Row
from ..document.files import Document
from ..document.json_text import Json
from ..document.members import Members, Place, quiet
from ..document.node_graph import vector3

Aim = TypeVar("Aim", bound=Hashable)
WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
STRAIGHT = 0.9995
"""Cosine of half an angle above which a chord is as good as an arc."""


@dataclass(frozen=True, slots=True)
class Track:
    """One property of one node over time."""

    times: tuple[float, ...]
    """s, rising."""
    values: tuple[Row, ...]
    """One a time; of cubic splines three: tangent in, value, tangent out."""
    interpolation: str
    is_rotation: bool

    def at(self, time: float) -> Row:
        """Return the value at a time; before the first and after the last it stays."""
        after = bisect_right(self.times, time)
        if after == 0 or after == len(self.times):
            return self._key(max(after - 1, 0))
        before = after - 1
        span = self.times[after] - self.times[before]
        part = (time - self.times[before]) / span
        if self.interpolation == "STEP":
            return self._key(before)
        if self.interpolation == "CUBICSPLINE":
            return self._cubic(before, part, span)
        if self.is_rotation:
            return _slerp(self._key(before), self._key(after), part)
        ends = zip(self._key(before), self._key(after), strict=True)
        return tuple(a + part * (b - a) for a, b in ends)

    def _key(self, index: int) -> Row:
        return self.values[3 * index + 1 if self.interpolation == "CUBICSPLINE" else index]

    def _cubic(self, index: int, t: float, span: float) -> Row:
        """Return a point of a cubic Hermite spline. Source: glTF 2.0, appendix C."""
        start, leaving = self.values[3 * index + 1 : 3 * index + 3]
        arriving, end = self.values[3 * index + 3 : 3 * index + 5]
        weights = (
            2.0 * t**3 - 3.0 * t**2 + 1.0,
            span * (t**3 - 2.0 * t**2 + t),
            -2.0 * t**3 + 3.0 * t**2,
            span * (t**3 - t**2),
        )
        four = zip(start, leaving, end, arriving, strict=True)
        return tuple(sum(w * x for w, x in zip(weights, xs, strict=True)) for xs in four)


Tracks = dict[int, dict[str, Track]]
"""By node and property."""


def read_tracks(document: Document) -> tuple[Tracks, list[Issue]]:
    """Return what moves in a document, and an issue for every channel that cannot be read."""
    found, issues = sampled(document, _moved_property, "What it moves stands still.")
    tracks: Tracks = {}
    for (node, path), track in found.items():
        tracks.setdefault(node, {})[path] = track
    return tracks, issues


def moved_nodes(gltf: Mapping[str, Json]) -> Iterator[int]:
    """Yield the nodes that animations of a document move."""
    for _, animation in quiet(gltf).children("animations"):
        aims = (_moved_property(channel) for _, channel in animation.children("channels"))
        yield from (aim[0][0] for aim in aims if aim is not None)


def _moved_property(channel: Members) -> tuple[tuple[int, str], int] | None:
    target = channel.child("target")
    node = None if target is None else target.integer("node")
    path = "" if target is None else target.text("path")
    return None if node is None or path not in WIDTHS else ((node, path), WIDTHS[path])


def sampled(
    document: Document, aim_of: Callable[[Members], tuple[Aim, int] | None], lost: str
) -> tuple[dict[Aim, Track], list[Issue]]:
    """Return what channels do, by what they lead to, and an issue for each that cannot be read.

    All animations count together; where two lead to the same, the first one wins. ``aim_of``
    returns what a channel leads to and how many numbers that has, None of others; issues say what
    becomes of what is lost.
    """
    issues: list[Issue] = []
    accessors = Accessors(document)
    found: dict[Aim, Track] = {}
    for _, animation in quiet(document.json).children("animations"):
        samplers = dict(animation.children("samplers"))
        for _, channel in animation.children("channels"):
            aim, width = aim_of(channel) or (None, 0)
            if aim is None or aim in found:
                continue
            sampler = samplers.get(channel.integer("sampler") or 0)
            try:
                found[aim] = _read_sampler(sampler, width, accessors)
            except AccessorError as error:
                issues.append(channel.place.warning("animation-not-read", str(error), lost))
    return found, issues


def moving_poses(
    mechanism: Mechanism, tracks: Tracks, node: int, times: Iterable[float]
) -> Iterator[Matrix] | None:
    """Return the pose of a node in the world at some times; None where nothing moves it."""
    line = list(mechanism.ancestry(node))
    if not any(ancestor in tracks for ancestor in line):
        return None
    return (_pose(mechanism, tracks, line, time) for time in times)


def local_poses(
    mechanism: Mechanism, tracks: dict[str, Track], node: int, times: Iterable[float]
) -> Iterator[Matrix]:
    """Yield the pose of a node below the one above it, at some times, with its own tracks."""
    local = _local(mechanism, node)
    return (_moved(local, tracks, time) for time in times)


def _read_sampler(sampler: Members | None, width: int, accessors: Accessors) -> Track:
    """Read a sampler of values of some numbers each; four are a rotation.

    Raises:
        AccessorError: there is none, or its times and values do not fit together.
    """
    if sampler is None:
        raise AccessorError("A channel has no sampler.")
    interpolation = sampler.text("interpolation", "LINEAR")
    times = accessors.rows(_index(sampler, "input"), 1)
    values = accessors.rows(_index(sampler, "output"), width)
    each = 3 if interpolation == "CUBICSPLINE" else 1
    flat = tuple(row[0] for row in times)
    rising = all(a < b for a, b in pairwise(flat))
    if not flat or not rising or len(values) != each * len(flat):
        raise AccessorError("The times and values of a sampler do not fit together.")
    return Track(flat, tuple(values), interpolation, is_rotation=width == WIDTHS["rotation"])


def _index(sampler: Members, key: str) -> int:
    index = sampler.integer(key)
    if index is None:
        raise AccessorError(f"A sampler has no {key}.")
    return index


def _pose(mechanism: Mechanism, tracks: Tracks, line: list[int], time: float) -> Matrix:
    """Return the pose of the first node of a line of ancestors."""
    world = IDENTITY
    for node in reversed(line):
        local = _local(mechanism, node)
        world = multiply(world, _moved(local, tracks[node], time) if node in tracks else local)
    return world


def _local(mechanism: Mechanism, node: int) -> Matrix:
    parent = mechanism.nodes[node].parent
    world = mechanism.nodes[node].world
    return world if parent is None else multiply(inverse(mechanism.nodes[parent].world), world)


def _moved(local: Matrix, tracks: dict[str, Track], time: float) -> Matrix:
    """Return a local transform with what its tracks say in place of its own parts."""
    linear = linear_part(local)
    scale = tuple(hypot(*column) or 1.0 for column in zip(*linear, strict=True))
    unit = tuple(tuple(x / length for x, length in zip(row, scale, strict=True)) for row in linear)
    parts: dict[str, Row] = {
        "translation": translation_of(local),
        "rotation": quaternion_from_rotation(unit),
        "scale": scale,
    }
    for path, track in tracks.items():
        value = track.at(time)
        if path != "rotation" or any(value):
            parts[path] = value
    x, y, z, w = parts["rotation"]
    return compose(vector3(parts["translation"]), (x, y, z, w), vector3(parts["scale"]))


def _slerp(a: Row, b: Row, part: float) -> Row:
    """Return a rotation on the shorter arc between two."""
    cosine = sum(x * y for x, y in zip(a, b, strict=True))
    sign = -1.0 if cosine < 0.0 else 1.0
    cosine = min(abs(cosine), 1.0)
    if cosine > STRAIGHT:
        first, second = 1.0 - part, sign * part
    else:
        angle = acos(cosine)
        first = sin((1.0 - part) * angle) / sin(angle)
        second = sign * sin(part * angle) / sin(angle)
    return tuple(first * x + second * y for x, y in zip(a, b, strict=True))


NUMBERS = 16
"""In a pose."""
JUST_BEFORE = 1e-4
"""s before a step at which a node is still where it was."""
SAID = {
    **ANIMATED_BODIES,
    "animation-left-out": (
        "The animation of a body that forces move goes into no other format.",
        "Make it kinematic, or take its animation out.",
    ),
    "animation-not-read": (
        "Its animation has numbers that are none, or it is scaled to nothing above.",
        "It stands still.",
    ),
}
"""Of bodies that an animation moves: what is so, and what to do."""


def with_led(mechanism: Mechanism, gltf: Mapping[str, Json]) -> tuple[Mechanism, tuple[Issue, ...]]:
    """Return a mechanism of a document whose animated bodies are not static, and what is to say."""
    animated = set(moved_nodes(gltf))
    nodes, issues = list(mechanism.nodes), []
    for index, node in enumerate(nodes if animated else ()):
        if node.motion is None:
            continue
        kind = node.motion.type
        if kind is MotionType.STATIC and _is_led(mechanism, index, animated):
            nodes[index] = replace(node, motion=replace(node.motion, type=MotionType.KINEMATIC))
            issues.append(_issue(mechanism, index, "static-animated"))
        elif kind is MotionType.DYNAMIC and _is_led(mechanism, index, animated):
            issues.append(_issue(mechanism, index, "dynamic-animated", Severity.WARNING))
    return (replace(mechanism, nodes=tuple(nodes)) if issues else mechanism), tuple(issues)


def led_poses(mechanism: Mechanism, tracks: Tracks) -> tuple[dict[int, PoseKeys], list[Issue]]:
    """Return how nodes are led, often enough for straight lines in between, and what is not."""
    led: dict[int, PoseKeys] = {}
    issues: list[Issue] = []
    for index, moved in tracks.items():
        if not 0 <= index < len(mechanism.nodes):
            continue
        if mechanism.is_dynamic(index):
            issues.append(_issue(mechanism, index, "animation-left-out", Severity.WARNING))
            continue
        keys = {time for track in moved.values() for time in track.times}
        steps = (track.times for track in moved.values() if track.interpolation == "STEP")
        keys |= {time - JUST_BEFORE for times in steps for time in times[1:]}
        poses = _poses(mechanism, moved, index, sorted(filter(isfinite, keys)))
        if poses is None:
            issues.append(_issue(mechanism, index, "animation-not-read", Severity.WARNING))
        else:
            led[index] = poses
    return led, issues


def _poses(
    mechanism: Mechanism, moved: dict[str, Track], index: int, keys: list[float]
) -> PoseKeys | None:
    """Return how a node is led at its keys and in between; None where that is no pose."""
    times = moments(keys) if keys else ()
    spend("numbers", NUMBERS * len(times))
    try:
        poses = tuple(local_poses(mechanism, moved, index, times))
    except ZeroDivisionError:
        return None
    is_sound = all(isfinite(sum(map(sum, pose))) for pose in poses)
    return PoseKeys(times, poses) if times and is_sound else None


def _is_led(mechanism: Mechanism, index: int, animated: Collection[int]) -> bool:
    """Return whether an animation moves a body, or what is above it.

    Not above what forces move, and of a dynamic body not above any other.
    """
    is_free = mechanism.is_dynamic(index)
    for above in mechanism.ancestry(index):
        is_body = mechanism.nodes[above].motion is not None
        if above != index and (mechanism.is_dynamic(above) or (is_free and is_body)):
            return False
        if above in animated:
            return True
    return False


def _issue(
    mechanism: Mechanism, index: int, code: str, severity: Severity = Severity.HINT
) -> Issue:
    where = str(Place(f"/nodes/{index}", mechanism.nodes[index].name))
    return Issue(severity, code, where, *SAID[code], index)
