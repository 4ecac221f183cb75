# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies are in files of URDF, which stand at zero."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

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
