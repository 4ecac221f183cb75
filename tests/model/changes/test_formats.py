# SPDX-License-Identifier: GPL-3.0-or-later
"""What is the same in several formats is no change, and what a format alone says is one."""

from __future__ import annotations

from typing import Any

from tests.model.changes.test_changes import Edit, lines

FRAME, HINGE = 0, 3
BODY, JOINT, SHAPE = "OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape"


def test_a_static_body_is_the_same_wherever_it_is_solid() -> None:
    """Formats have its collider on it or below it."""

    def solid(gltf: dict[str, Any], node: int) -> None:
        gltf["extensions"][SHAPE] = {"shapes": [{"type": "box"}]}
        own = gltf["nodes"][node].setdefault("extensions", {}).setdefault(BODY, {})
        own["collider"] = {"shape": 0}

    def below(gltf: dict[str, Any]) -> None:
        gltf["nodes"].append({"name": "Solid"})
        del gltf["nodes"][FRAME]["extensions"][BODY]["collider"]
        gltf["nodes"][FRAME]["children"] = [*gltf["nodes"][FRAME].get("children", []), 4]
        solid(gltf, 4)

    found = lines(below, lambda gltf: solid(gltf, FRAME))
    assert found
    assert not [line for line in found if "second body" in line]


def test_what_goes_along_from_robot_to_robot_is_compared() -> None:
    """An effort or a mimic that is another one is no "no changes"."""

    def says(**words: Any) -> Edit:
        extras = {"robot": [{"number": 0, **words}]}
        return lambda gltf: gltf["nodes"][HINGE]["extensions"][JOINT].update(extras=extras)

    assert lines(says(effort=20.0), says(effort=10.0)) == ["Door Hinge: effort 10 -> 20"]
    follows = says(mimic={"joint": "a", "multiplier": 2.0})
    assert lines(follows, says()) == ["Door Hinge: mimic none -> joint a, multiplier 2"]
    assert lines(says(number=3), says()) == []
    assert lines(says(effort=1.0)) == []  # the other file has never been a robot
