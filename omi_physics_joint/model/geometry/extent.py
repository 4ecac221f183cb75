# SPDX-License-Identifier: GPL-3.0-or-later
"""How long bodies are: the longest side of the box around their colliders and meshes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations, starmap
from math import dist, hypot, isfinite, prod
from operator import le

from ..body import ZERO, Vector3
from ..mechanism import Mechanism, Node
from ..shape import Box, Capsule, Cylinder, MeshShape, Sphere
from ..solid import Bounds
from .scale import scale_of, standing
from .transform import apply, cross, dot, linear_part, minus, plus, times, translation_of

Corners = tuple[Vector3, Vector3]
"""Smallest and largest X, Y and Z, in m."""
OwnBox = tuple[Vector3, tuple[Vector3, Vector3, Vector3]]
"""Middle of a box that may be turned, and half of each of its sides, m."""


def extents(mechanism: Mechanism) -> dict[int, float]:
    """Return the length in m of each body that has any, by its node."""
    return {
        body: side for body, box in boxes(mechanism).items() if (side := longest_side(box)) > 0.0
    }


def longest_side(box: Corners) -> float:
    """Return the longest side of a box, m."""
    return max(minus(box[1], box[0]))


def boxes(mechanism: Mechanism) -> dict[int, Corners]:
    """Return the box in the world around each body that has meshes, or colliders, by its node."""
    found: dict[int, Corners] = {}
    for index, node in enumerate(mechanism.nodes):
        if node.bounds is None and node.collider is None:
            continue
        body = mechanism.body_of(index)
        if body is None:
            continue
        several, shape = [mesh_box(node)], mechanism.shape_of(node)
        is_it = isinstance(shape, MeshShape) and mechanism.room_of(node) == node.bounds
        if shape is not None and not is_it:
            several.append(collider_box(mechanism, node))
        for box in several:
            if box is not None:
                found[body] = box_around((found[body], box)) if body in found else box
    return found


def collider_box(mechanism: Mechanism, node: Node) -> Corners | None:
    """Return the box in the world around a node's collider; None where nobody knows its size."""
    return _around(own_box(mechanism, node))


def own_box(mechanism: Mechanism, node: Node) -> OwnBox | None:
    """Return the box along a node's own axes around its collider; None of one of unknown size."""
    half = half_of(mechanism, node)
    if half is None:
        return _filled(node, mechanism.room_of(node))
    return _placed(node, half, scaled=False)


def share_room(one: OwnBox, other: OwnBox, part: float) -> bool:
    """Return whether two boxes are in one another by a part of the shorter one, any way seen."""
    (here, sides), (there, others) = one, other
    away = minus(there, here)
    edges = [*sides, *others]  # along which unsheared ones are told apart first
    for way in chain(edges, starmap(cross, combinations(edges, 2))):
        a, b = (sum(abs(dot(way, side)) for side in own) for own in (sides, others))
        if a + b and a + b - abs(dot(way, away)) <= 2.0 * part * min(a, b):
            return False
    return True


def mesh_box(node: Node) -> Corners | None:
    """Return the box in the world around a node's own mesh; None where it has none."""
    return _around(_filled(node, node.bounds))


def _filled(node: Node, room: Bounds | None) -> OwnBox | None:
    if room is None:
        return None
    low, high = room.low, room.high
    return _placed(node, times(minus(high, low), 0.5), times(plus(low, high), 0.5))


def own_room(node: Node) -> float:
    """Return what the box around a node's own mesh holds along the axes of the node, m^3."""
    if node.bounds is None:
        return 0.0
    return prod(minus(node.bounds.high, node.bounds.low)) * prod(scale_of(node.world))


def box_around(several: Sequence[Corners]) -> Corners:
    """Return the box around one or more."""
    x, y, z = (min(one[0][axis] for one in several) for axis in range(3))
    a, b, c = (max(one[1][axis] for one in several) for axis in range(3))
    return (x, y, z), (a, b, c)


def distance(one: Corners, other: Corners) -> float:
    """Return how far two boxes are apart, m; zero where they touch or overlap."""
    sides = zip(*one, *other, strict=True)
    return hypot(*(max(c - b, a - d, 0.0) for a, b, c, d in sides))


def touch(one: Corners, other: Corners) -> bool:
    """Return whether two boxes touch or overlap."""
    return all(map(le, one[0], other[1])) and all(map(le, other[0], one[1]))


def touching(some: Mapping[int, Corners], others: Mapping[int, Corners]) -> dict[int, list[int]]:
    """Return which of other boxes each of some touches, by their keys.

    Boxes enter in the order of their lower ends along the axis on which they are spread most, and
    are compared with those of the other kind that have not ended before.
    """
    kinds = some, others
    corners = [box[0] for boxes in kinds for box in boxes.values()]
    spread = [max(lows) - min(lows) for lows in zip(*corners, strict=True)]
    axis = spread.index(max(spread)) if spread else 0
    every = ((boxes[key][0][axis], kind, key) for kind, boxes in enumerate(kinds) for key in boxes)
    found: dict[int, list[int]] = {key: [] for key in some}
    ahead: list[dict[int, Corners]] = [{}, {}]
    for low, kind, key in sorted(every):
        box = ahead[kind][key] = kinds[kind][key]
        ahead[1 - kind] = {at: one for at, one in ahead[1 - kind].items() if one[1][axis] >= low}
        for at, one in ahead[1 - kind].items():
            if touch(box, one):
                found[at if kind else key].append(key if kind else at)
    return found


def diagonal(box: Corners) -> float:
    """Return how long a box is from corner to corner, m."""
    return dist(*box)


def half_of(mechanism: Mechanism, node: Node) -> Vector3 | None:
    """Return half the sides of a node's shape as it stands, in m; None of one that is its mesh."""
    own = mechanism.shape_of(node)
    shape = None if own is None else standing(own, node.world)
    if isinstance(shape, Box):
        x, y, z = (0.5 * abs(side) for side in shape.size)
        return (x, y, z)
    if isinstance(shape, Sphere):
        return (shape.radius,) * 3
    if isinstance(shape, Capsule | Cylinder):
        radius = max(shape.radius_bottom, shape.radius_top)
        ends = radius if isinstance(shape, Capsule) else 0.0
        return (radius, 0.5 * shape.height + ends, radius)
    return None


def _placed(
    node: Node, half: Vector3, middle: Vector3 = ZERO, *, scaled: bool = True
) -> OwnBox | None:
    """Return where a box in a node is, that is scaled along with it or not; None without a size."""
    (a, b, c), (d, e, f), (g, h, i) = linear = linear_part(node.world)
    p, q, r = half
    if not scaled:
        lengths = k, m, n = hypot(a, d, g), hypot(b, e, h), hypot(c, f, i)
        if not all(lengths):
            return None
        p, q, r = p / k, q / m, r / n
    sides = (a * p, d * p, g * p), (b * q, e * q, h * q), (c * r, f * r, i * r)
    return plus(translation_of(node.world), apply(linear, middle)), sides


def _around(box: OwnBox | None) -> Corners | None:
    """Return the box in the world around one that may be turned; None where it is no number."""
    if box is None:
        return None
    (x, y, z), ((a, d, g), (b, e, h), (c, f, i)) = box
    u, v, w = abs(a) + abs(b) + abs(c), abs(d) + abs(e) + abs(f), abs(g) + abs(h) + abs(i)
    if not (isfinite(x + y + z) and isfinite(u + v + w)):
        return None
    return (x - u, y - v, z - w), (x + u, y + v, z + w)
