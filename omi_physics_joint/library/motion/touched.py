# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies touched while a mechanism was simulated, how long and how hard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
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


class Touched:
    """Takes note frame by frame."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._forces: defaultdict[tuple[int, int], dict[int, float]] = defaultdict(dict)
        """N by frame, of pairs of nodes."""
        self._frame = 0

    def note(self, touching: Touching) -> None:
        """Note what touches at the end of a frame."""
        self._frame += 1
        for pair, force in touching.pressed().items():
            self._forces[pair][self._frame] = float(np.linalg.norm(force))

    def document(self, names: Mapping[int, str]) -> list[TouchedPair]:
        """Return all pairs, those that pressed hardest first; bodies have names by node."""
        called, most = {**names, **STANDS}, lambda item: -max(item[1].values())
        return [
            {
                "bodies": [called[second], called[first]],
                "frames": len(forces),
                "force": number(max(forces.values())),
                "last": number(forces.get(self._frame, 0.0)),
            }
            for (first, second), forces in sorted(self._forces.items(), key=most)
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
