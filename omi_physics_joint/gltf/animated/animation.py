# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the animations of a document put its nodes. Source: glTF 2.0, "Animations".

All animations count together; where two move the same property of a node, the first one wins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import acos, sin, sqrt

from ...model.body import Quaternion, Vector3
from ...model.geometry.transform import (
    ONE,
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
from ..document.members import Members, Place
from ..document.node_graph import vector3

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
    issues: list[Issue] = []
    accessors = Accessors(document)
    tracks: Tracks = {}
    root = Members(document.json, Place(), [])
    for _, animation in root.children("animations"):
        samplers = dict(animation.children("samplers"))
        for position, channel in animation.children("channels"):
            target = channel.child("target")
            node = None if target is None else target.integer("node")
            path = "" if target is None else target.text("path")
            if node is None or path not in WIDTHS or path in tracks.get(node, {}):
                continue
            sampler = samplers.get(channel.integer("sampler") or 0)
            try:
                tracks.setdefault(node, {})[path] = read_sampler(
                    sampler, WIDTHS[path], accessors, is_rotation=path == "rotation"
                )
            except AccessorError as error:
                here = animation.place.at("channels").at(position)
                Members({}, here, issues).warn(
                    "animation-not-read", str(error), "What it moves stands still."
                )
    return tracks, issues


def moving_poses(
    mechanism: Mechanism, tracks: Tracks, node: int, times: Iterable[float]
) -> Iterator[Matrix] | None:
    """Return the pose of a node in the world at some times; None where nothing moves it."""
    line = list(mechanism.ancestry(node))
    if not any(ancestor in tracks for ancestor in line):
        return None
    return (_pose(mechanism, tracks, line, time) for time in times)


def read_sampler(
    sampler: Members | None, width: int, accessors: Accessors, *, is_rotation: bool = False
) -> Track:
    """Read a sampler of values of some numbers each.

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
    return Track(flat, tuple(values), interpolation, is_rotation)


def _index(sampler: Members, key: str) -> int:
    index = sampler.integer(key)
    if index is None:
        raise AccessorError(f"A sampler has no {key}.")
    return index


def _pose(mechanism: Mechanism, tracks: Tracks, line: list[int], time: float) -> Matrix:
    """Return the pose of the first node of a line of ancestors."""
    world: Matrix | None = None
    for node in reversed(line):
        local = _local(mechanism, node)
        if node in tracks:
            local = _moved(local, tracks[node], time)
        world = local if world is None else multiply(world, local)
    assert world is not None  # a line holds at least the node itself
    return world


def _local(mechanism: Mechanism, node: int) -> Matrix:
    parent = mechanism.nodes[node].parent
    world = mechanism.nodes[node].world
    return world if parent is None else multiply(inverse(mechanism.nodes[parent].world), world)


def _moved(local: Matrix, tracks: dict[str, Track], time: float) -> Matrix:
    """Return a local transform with what its tracks say in place of its own parts."""
    columns = list(zip(*linear_part(local), strict=True))
    lengths = [sqrt(sum(x * x for x in column)) or 1.0 for column in columns]
    unit = tuple(tuple(columns[j][i] / lengths[j] for j in range(3)) for i in range(3))
    parts: dict[str, Row] = {
        "translation": translation_of(local),
        "rotation": quaternion_from_rotation(unit),
        "scale": (lengths[0], lengths[1], lengths[2]),
    }
    for path, track in tracks.items():
        value = track.at(time)
        if path != "rotation" or any(value):
            parts[path] = value
    rotation = parts["rotation"]
    turn: Quaternion = (rotation[0], rotation[1], rotation[2], rotation[3])
    scale: Vector3 = vector3(parts["scale"]) if "scale" in parts else ONE
    return compose(vector3(parts["translation"]), turn, scale)


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
