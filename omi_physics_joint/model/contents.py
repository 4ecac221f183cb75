# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file of any kind holds of use here: a mechanism, and the triangles of its meshes.

A format is read into it and written from it; none knows of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .geometry.axes import AxisMap
from .geometry.transform import Matrix
from .mechanism import Mechanism
from .solid import Triangles


class ContentsError(Exception):
    """A file that cannot be read or written as a whole; its text is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class PoseKeys:
    """How a node is led, by an animation of the file."""

    times: tuple[float, ...]
    """s, rising."""
    poses: tuple[Matrix, ...]
    """Below the node above, in m, at each of these times."""


STEPS, MOST_POSES = 24.0, 100_000
"""Poses in a second that are taken of one that changes, and in all."""


def moments(keys: Sequence[float], per_second: float = 1.0) -> tuple[float, ...]:
    """Return rising times of keys with others between them, close enough for straight lines.

    Angles go further between two keys than the shortest way. A second has so many of their units.
    """
    step = per_second / STEPS
    count = min(int((keys[-1] - keys[0]) / step), MOST_POSES)
    return tuple(sorted({*keys, *(keys[0] + step * number for number in range(count))}))


@dataclass(frozen=True, slots=True)
class Contents:
    """A mechanism and its meshes."""

    mechanism: Mechanism
    """In glTF axes (Y up), SI units."""
    meshes: tuple[Triangles | None, ...] = ()
    """Of each mesh of the mechanism; None where it could not be read."""
    shown: Mapping[int, int] = field(default_factory=dict)
    """Nodes that show a mesh, and which; none of them holds a joint."""
    led: Mapping[int, PoseKeys] = field(default_factory=dict)
    """Nodes that animations move, where a format has read them."""

    def turned(self, axes: AxisMap) -> Contents:
        """Return the same in other axes."""
        meshes = tuple(
            mesh and replace(mesh, points=tuple(map(axes.vector, mesh.points)))
            for mesh in self.meshes
        )
        led = {
            node: replace(keys, poses=tuple(map(axes.matrix, keys.poses)))
            for node, keys in self.led.items()
        }
        return Contents(axes.mechanism(self.mechanism), meshes, self.shown, led)


@dataclass(slots=True)
class Package:
    """Files of a format, before they are on disk.

    Attributes:
        main: bytes of the file that was asked for.
        sides: what goes beside it, by relative path: bytes, or the file to copy.
    """

    main: bytes = field(repr=False)
    sides: dict[str, bytes | Path] = field(default_factory=dict, repr=False)
