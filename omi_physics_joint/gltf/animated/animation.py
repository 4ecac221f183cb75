# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the animations of a document put its nodes. Source: glTF 2.0, "Animations"."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import acos, hypot, sin
from typing import TypeVar

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
from ...model.issue import Issue
from ...model.mechanism import Mechanism
from ..document.accessors import AccessorError, Accessors, Row
from ..document.files import Document
from ..document.json_text import Json
from ..document.members import Members, quiet
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
