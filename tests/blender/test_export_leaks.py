# SPDX-License-Identifier: GPL-3.0-or-later
"""An export leaves nothing behind in memory, however often it is made."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest
from omi_export import export
from scenes import door


@pytest.fixture(autouse=True)
def _no_log() -> Iterator[None]:
    """Keep pytest from collecting what the exporter logs."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


def objects() -> int:
    """Return how many objects Python has once its collector has run."""
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.long
def test_nothing_is_kept_over_two_hundred_exports(tmp_path: Path) -> None:
    """After two hundred exports Python has no more objects than after twenty.

    It may have fewer: what tests before it have left is collected meanwhile.
    """
    door()
    target = tmp_path / "door.glb"
    counts = []
    for run in range(200):
        export(target)
        if run in (19, 199):
            counts.append(objects())
    assert counts[1] - counts[0] < 20


@pytest.mark.long
def test_nothing_is_kept_of_refused_exports(tmp_path: Path) -> None:
    """Exports that are refused keep nothing either, and leave the collector as it was."""
    _, _, hinge = door()
    hinge.omi_physics_joint.connected_body = None
    bpy.context.scene.omi_physics_joint.strict = True
    counts = []
    for run in range(30):
        with pytest.raises(RuntimeError):
            export(tmp_path / "door.glb")
        if run in (9, 29):
            counts.append(objects())
    assert counts[1] - counts[0] < 20
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
