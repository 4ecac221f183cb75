# SPDX-License-Identifier: GPL-3.0-or-later
"""A single root keeps in URDF where it stands, so that gravity acts along the same axis of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from robot_models import named, read

from omi_physics_joint.model.geometry.transform import difference
from omi_physics_joint.robots.urdf.write import write_urdf

MODEL = (
    '<mujoco><worldbody><body name="base" {place}>{free}<geom size=".1"/><body name="arm">'
    '<joint axis="0 1 0"/><geom size=".1" pos=".5 0 0"/></body></body></worldbody></mujoco>'
)


@pytest.mark.parametrize(
    ("place", "free", "has_world", "is_told"),
    [
        ("", "", False, False),
        ('pos="0 0 1"', "", True, False),
        ('euler="33 0 20"', "", True, False),
        ("", "<freejoint/>", False, False),
        ('pos="0 0 1"', "<freejoint/>", False, True),
    ],
)
def test_a_single_root_stands_where_it_stood(
    place: str, free: str, has_world: bool, is_told: bool, tmp_path: Path
) -> None:
    """What stands elsewhere is tied to the world; of what is free it is said that it is not."""
    contents, _ = read(MODEL.format(place=place, free=free), tmp_path)
    package, issues = write_urdf(contents, tmp_path / "r.urdf")
    text = package.main.decode()
    assert ('<link name="world"/>' in text) == has_world
    assert ("urdf-elsewhere" in {issue.code for issue in issues}) == is_told
    again, _ = read(text, tmp_path, "r.urdf")
    first = named(contents.mechanism, "base").world
    other = named(again.mechanism, "base", is_body=not has_world).world
    assert (difference(first, other) < 1e-9) == (not is_told)
