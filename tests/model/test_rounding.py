# SPDX-License-Identifier: GPL-3.0-or-later
"""By how much single precision puts places off."""

from __future__ import annotations

import pytest

from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.mechanics.rounding import rounding_of
from omi_physics_joint.model.mechanism import Mechanism, Node


def nodes_at(*places: float, parents: int = 0) -> Mechanism:
    """Return nodes along X, below so many parents in the first one's place."""
    chain = [Node("", i - 1 if i else None, compose((places[0], 0.0, 0.0))) for i in range(parents)]
    below = parents - 1 if parents else None
    return Mechanism((*chain, *(Node("", below, compose((x, 0.0, 0.0))) for x in places)))


@pytest.mark.parametrize(
    ("places", "parents", "expected"),
    [((0.0, 1.0), 0, 1e-6), ((20.0, 20.1), 0, 1e-5), ((20.0, 20.1), 40, 1e-4)],
    ids=["a metre in size", "20 m away", "20 m away, 40 parents"],
)
def test_places_are_off_by(places: tuple[float, ...], parents: int, expected: float) -> None:
    """A micrometre in a metre; four roundings of 20 m, or one for each parent."""
    mechanism = nodes_at(*places, parents=parents)
    off = rounding_of(mechanism, range(parents, parents + len(places)))
    assert expected / 2.0 < off < expected * 2.0
