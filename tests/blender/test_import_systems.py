# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of collision systems come through the text that Blender keeps them in."""

from __future__ import annotations

from pathlib import Path

import pytest
from omi_export import BODY, add_body, export, import_file

from omi_physics_joint.blender.bridge.read_groups import filter_from, names_from
from omi_physics_joint.blender.bridge.write import text_from

NAMES = ("a, b", ",", "\\", "back\\slash", "end\\", "c\\,d", " around ", " ", "plain", "two words")


def test_odd_names_come_back() -> None:
    """Commas, backslashes and spaces around a name are kept, one by one and in a list."""
    assert names_from(text_from(NAMES)) == NAMES
    for name in NAMES:
        assert names_from(text_from((name,))) == (name,)


@pytest.mark.parametrize(
    ("text", "names"), [("", ()), (" , ", ()), ("a,b , c", ("a", "b", "c")), ("a\\b", ("a\\b",))]
)
def test_typed_names_are_read_as_before(text: str, names: tuple[str, ...]) -> None:
    """What people type, without a thought of backslashes, means what it says."""
    assert names_from(text) == names


def test_comma_survives_a_round_trip(tmp_path: Path) -> None:
    """A file with a comma in the name of a system has it again after import and export."""
    body = add_body("Body").omi_physics_body
    body.use_collider = body.collider.use_collision_filter = True
    body.collider.shape.type = "sphere"
    group = body.collider.collision_filter
    group.collision_systems = text_from(("cars, red",))
    first = export(tmp_path / "first.glb")["extensions"][BODY]
    assert first["collisionFilters"] == [{"collisionSystems": ["cars, red"]}]
    import_file(tmp_path / "first.glb")
    assert export(tmp_path / "second.glb")["extensions"][BODY] == first


def test_only_with_no_names_is_played_as_the_file_says(tmp_path: Path) -> None:
    """Exporters of Blender drop empty lists: the file says nothing of it, and Play does not."""
    body = add_body("Body").omi_physics_body
    body.use_collider = body.collider.use_collision_filter = True
    body.collider.shape.type = "sphere"
    group = body.collider.collision_filter
    group.collision_systems = text_from(("cars",))
    group.mode = "only"
    assert filter_from(group).collide_with_systems is None
    (filed,) = export(tmp_path / "only.glb")["extensions"][BODY]["collisionFilters"]
    assert filed == {"collisionSystems": ["cars"]}
