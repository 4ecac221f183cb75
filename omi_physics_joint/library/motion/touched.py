# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies touched while a mechanism was simulated, how long and how hard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from ...gltf.document.numbers import number
from ...model.wording.words import counted
from ...solver import FLOOR, WORLD, Touching

STANDS = {WORLD: "(world)", FLOOR: "(floor)"}
"""What colliders without a body, and the floor, are called."""


class TouchedPair(TypedDict):
    """Two bodies that touched."""

    bodies: list[str]
    frames: int
    """In how many frames."""
    force: float
    """N, the largest."""
    last: float
    """N, in the last frame; 0 where they do not touch any more."""


@dataclass(slots=True)
class _Pair:
    frames: int = 0
    force: float = 0.0
    last: float = 0.0


class Touched:
    """Takes note frame by frame."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._pairs: dict[tuple[int, int], _Pair] = {}

    def note(self, touching: Touching) -> None:
        """Note what touches at the end of a frame."""
        for pair in self._pairs.values():
            pair.last = 0.0
        for nodes, force in touching.pressed().items():
            pair = self._pairs.setdefault(nodes, _Pair())
            pair.frames, pair.last = pair.frames + 1, float(np.linalg.norm(force))
            pair.force = max(pair.force, pair.last)

    def document(self, names: Mapping[int, str]) -> list[TouchedPair]:
        """Return all pairs, those that pressed hardest first; bodies have names by node."""
        called, order = {**names, **STANDS}, lambda item: -item[1].force
        return [
            {
                "bodies": [called[second], called[first]],
                "frames": pair.frames,
                "force": number(pair.force),
                "last": number(pair.last),
            }
            for (first, second), pair in sorted(self._pairs.items(), key=order)
        ]

    def lines(self, names: Mapping[int, str], most: int) -> Iterator[str]:
        """Yield the pairs for people, so many at most."""
        told = self.document(names)
        if not told:
            yield "nothing touches"
        for one in told[:most]:
            yield (
                f"{' touches '.join(one['bodies'])} in {counted(one['frames'], 'frame')}, with "
                f"{one['force']:.3g} N at most, {one['last']:.3g} N at last"
            )
        if len(told) > most:
            yield f"{counted(len(told) - most, 'pair')} more that touch, less hard"
