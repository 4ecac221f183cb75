# SPDX-License-Identifier: GPL-3.0-or-later
"""By how much a mechanism may be off because its numbers were rounded to single precision.

Blender and files hold places and rotations in single precision, 2^-24 of a number, each parent adds
its own, and a rotation turns what is far from the origin farther. What is equal within this was
meant to be equal. Check, the solver and what diagnoses a mechanism ask here alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ..geometry.transform import translation_of
from ..mechanism import Mechanism

SINGLE = 2.0**-23
"""What separates two neighbouring numbers, as a part of them."""
PARENTS = 4
"""So many roundings there always are; a deeper node has one for each node above it."""
PART = 1e-6
"""Of the size of what belongs together: a mechanism of a metre is modelled to a micrometre."""
TURNED = 4e-6
"""rad, of directions and of angles."""


def rounding_of(mechanism: Mechanism, nodes: Iterable[int]) -> float:
    """Return in m by how much places of nodes that belong together may be off.

    Coordinates count of all nodes on the way to them, and how large they are together.
    """
    largest, deepest = 0.0, PARENTS
    low, high = [inf] * 3, [-inf] * 3
    for node in nodes:
        way = list(mechanism.ancestry(node))
        deepest = max(deepest, len(way))
        for at, one in enumerate(way):
            place = translation_of(mechanism.nodes[one].world)
            largest = max(largest, *map(abs, place))
            if at == 0:
                low, high = list(map(min, low, place)), list(map(max, high, place))
    size = max((last - first for first, last in zip(low, high, strict=True)), default=0.0)
    return max(deepest * SINGLE * largest, PART * size, 0.0)
