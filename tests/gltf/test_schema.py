# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own schemas reject what the text forbids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from omi_documents import FIXED, body, door, settings_of
from omi_schema import schema_errors, validators


def with_body(members: dict[str, Any]) -> dict[str, Any]:
    """Return the door whose frame has these members in its body extension."""
    gltf = door()
    gltf["nodes"][0]["extensions"] = body(members)
    return gltf


def with_joint(members: dict[str, Any]) -> dict[str, Any]:
    """Return the door whose joint node has these members."""
    gltf = door()
    gltf["nodes"][3]["extensions"] = {"OMI_physics_joint": members}
    return gltf


def with_shape(members: dict[str, Any]) -> dict[str, Any]:
    """Return the door with this shape."""
    gltf = door()
    gltf["extensions"]["OMI_physics_shape"] = {"shapes": [members]}
    return gltf


def with_drive(**members: object) -> dict[str, Any]:
    """Return the door with this drive."""
    start = {"type": "linear", "mode": "force", "axis": 0}
    return settings_of(FIXED, drives=[{**start, **members}])


def with_material(members: dict[str, Any]) -> dict[str, Any]:
    """Return the door with this physics material."""
    gltf = door()
    gltf["extensions"]["OMI_physics_body"] = {"physicsMaterials": [members]}
    return gltf


def with_filter(members: dict[str, Any]) -> dict[str, Any]:
    """Return the door with this collision filter."""
    gltf = door()
    gltf["extensions"]["OMI_physics_body"] = {"collisionFilters": [members]}
    return gltf


BAD: dict[str, Callable[[], dict[str, Any]]] = {
    "limit without axes": lambda: settings_of({"min": 0, "max": 0}),
    "limit with empty axes": lambda: settings_of({"linearAxes": [], "min": 0, "max": 0}),
    "limit without bounds": lambda: settings_of({"linearAxes": [0]}),
    "axis out of range": lambda: settings_of({"linearAxes": [3], "min": 0}),
    "axis twice": lambda: settings_of({"linearAxes": [0, 0], "min": 0}),
    "bound as text": lambda: settings_of({"linearAxes": [0], "min": "0"}),
    "negative damping": lambda: settings_of({**FIXED, "damping": -1}),
    "limits as object": lambda: {**settings_of(), **settings_of(limits={})},
    "drive without axis": lambda: settings_of(drives=[{"type": "linear", "mode": "force"}]),
    "drive without type": lambda: settings_of(drives=[{"mode": "force", "axis": 0}]),
    "drive axis": lambda: with_drive(axis=3),
    "drive stiffness": lambda: with_drive(stiffness=-1),
    "joint without settings": lambda: with_joint({"connectedNode": 0}),
    "joint without node": lambda: with_joint({"joint": 0}),
    "joint index -1": lambda: with_joint({"joint": -1, "connectedNode": 0}),
    "collision as number": lambda: with_joint(
        {"joint": 0, "connectedNode": 0, "enableCollision": 1}
    ),
    "motion without type": lambda: with_body({"motion": {}}),
    "motion type": lambda: with_body({"motion": {"type": "rigid"}}),
    "short vector": lambda: with_body({"motion": {"type": "static", "linearVelocity": [0]}}),
    "shape -2": lambda: with_body({"collider": {"shape": -2}}),
    "trigger with both": lambda: with_body({"trigger": {"shape": 0, "nodes": [1]}}),
    "trigger nodes and filter": lambda: with_body(
        {"trigger": {"nodes": [1], "collisionFilter": 0}}
    ),
    "trigger node twice": lambda: with_body({"trigger": {"nodes": [1, 1]}}),
    "friction": lambda: with_material({"staticFriction": -1}),
    "combine": lambda: with_material({"frictionCombine": "sum"}),
    "filter with both": lambda: with_filter(
        {"collideWithSystems": ["a"], "notCollideWithSystems": ["b"]}
    ),
    "shape type": lambda: with_shape({"type": "plane"}),
    "shape without type": lambda: with_shape({"box": {}}),
    "flat box": lambda: with_shape({"type": "box", "box": {"size": [1, 0, 1]}}),
    "convex without mesh": lambda: with_shape({"type": "convex", "convex": {}}),
    "convex without block": lambda: with_shape({"type": "convex"}),
    "negative radius": lambda: with_shape({"type": "sphere", "sphere": {"radius": -1}}),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_rejected(case: str) -> None:
    """Each document breaks one rule of the text, and a schema says so."""
    assert schema_errors(BAD[case]()) != []


def test_the_door_is_accepted() -> None:
    """The document that all bad ones are made of is good."""
    assert schema_errors(door()) == []
    assert schema_errors(with_drive()) == []


def test_there_is_a_schema_for_every_place() -> None:
    """Document and node have one for each extension that may stand there."""
    assert sorted(validators()) == [
        "document.KHR_implicit_shapes",
        "document.KHR_physics_rigid_bodies",
        "document.OMI_physics_body",
        "document.OMI_physics_joint",
        "document.OMI_physics_shape",
        "node.KHR_physics_rigid_bodies",
        "node.OMI_physics_body",
        "node.OMI_physics_joint",
    ]
