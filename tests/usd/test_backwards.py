# SPDX-License-Identifier: GPL-3.0-or-later
"""In which order prims stand beside each other means nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.usd.prim import Stage
from omi_physics_joint.usd.reading.read import contents_of
from tests.usd.rich import BODIES, JOINTS


def backwards(stage: Stage) -> Stage:
    """Return a stage of which each prim has those below it in the opposite order."""
    found = []

    def take(above: str) -> None:
        below = [one for one in stage.prims if one.path.rpartition("/")[0] == above]
        for one in reversed(below):
            found.append(one)
            take(one.path)

    take("")
    assert len(found) == len(stage.prims)
    return replace(stage, prims=tuple(found))


@pytest.mark.parametrize("stage", [BODIES, JOINTS], ids=["bodies", "joints"])
def test_a_stage_means_the_same_backwards(stage: Stage) -> None:
    """Its bodies, joints and shapes, and what is said of it."""
    (one, said), (other, said_backwards) = map(contents_of, (stage, backwards(stage)))
    assert [str(change) for change in changes(*with_same_names((one, other)))] == []
    assert sorted({one.code for one in said}) == sorted({one.code for one in said_backwards})
