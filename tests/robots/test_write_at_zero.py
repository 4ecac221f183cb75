# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies are in files of URDF, which stand at zero."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.truths.stored import placements, stored
from omi_physics_joint.model.geometry.transform import compose, translation_of
from omi_physics_joint.model.settings.recipes import slider
from omi_physics_joint.robots.urdf.write import write_urdf
from tests.robots.test_write import again, bodies, door


@pytest.mark.parametrize("axis", range(3))
def test_what_stands_elsewhere_on_a_slide_is_put_back_in_urdf(axis: int, tmp_path: Path) -> None:
    """A file of URDF stands at zero: there the body is where its joint has it at zero."""
    base = door(slider(axis, -1.0, 1.0))
    way = [0.25 * (one == axis) for one in range(3)]
    nodes = list(base.mechanism.nodes)
    nodes[2] = replace(nodes[2], world=compose((way[0], way[1] + 1.0, way[2])))
    contents = replace(base, mechanism=replace(base.mechanism, nodes=tuple(nodes)))
    found, _ = again(contents, write_urdf, ".urdf", tmp_path)
    before, after = (translation_of(bodies(one)["door"].world) for one in (contents, found))
    assert [b - a for a, b in zip(before, after, strict=True)] == pytest.approx(way)


def test_a_slide_that_single_precision_has_moved_is_at_zero(tmp_path: Path) -> None:
    """Turned anyhow, up to 50 m from the origin; what stands 20 micrometres off is not."""
    for distance in (20.0, 50.0):
        for at in placements(distance, 6):
            base = door(slider(0, -1.0, 1.0))
            moved = replace(base, mechanism=stored(base.mechanism, at))
            _, issues = write_urdf(moved, tmp_path / "door.urdf")
            assert not any("not at zero" in str(issue) for issue in issues)
    nodes = list(base.mechanism.nodes)
    nodes[2] = replace(nodes[2], world=compose((2e-5, 1.0, 0.0)))
    off = replace(base, mechanism=replace(base.mechanism, nodes=tuple(nodes)))
    _, issues = write_urdf(off, tmp_path / "door.urdf")
    assert any("not at zero" in str(issue) for issue in issues)
