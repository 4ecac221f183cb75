# SPDX-License-Identifier: GPL-3.0-or-later
"""What the project does not know of its extensions goes through Blender and back to its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door
from omi_export import export, import_file

KHR, GRAVITY = "KHR_physics_rigid_bodies", "OMI_physics_gravity"
NOTE: dict[str, Any] = {"X_note": [1, {"a": 2.5}]}
BALL: dict[str, Any] = {"type": "sphere", "sphere": {"radius": 9.0}}
POINT: dict[str, Any] = {"type": "point", "gravity": 3.0, "point": {"unitDistance": 2.0}, **NOTE}
SHAPED: dict[str, Any] = {"type": "shaped", "gravity": 2.5, "shaped": {"shape": 1}}


def noted() -> dict[str, Any]:
    """Return a door with gravity volumes, and with members that no specification has."""
    gltf = door()
    gltf["asset"]["generator"] = "test"
    gltf["extensionsUsed"] += [GRAVITY, KHR]
    extensions = gltf["extensions"]
    extensions["OMI_physics_shape"]["shapes"].append(BALL)
    extensions["OMI_physics_joint"]["physicsJoints"][0].update(NOTE)
    extensions[GRAVITY] = {"gravity": 9.81, **NOTE}
    extensions[KHR] = NOTE
    planet = {"name": "Planet", "extensions": {GRAVITY: POINT}}
    pit = {"name": "Pit", "extensions": {GRAVITY: SHAPED, "OMI_physics_body": NOTE, KHR: NOTE}}
    gltf["nodes"] += [planet, pit]
    gltf["scenes"][0]["nodes"] += [4, 5]
    gltf["nodes"][2]["extensions"][KHR] = {"motion": {"mass": 1.0, **NOTE}, **NOTE}
    return gltf


def test_what_is_not_known_stays_where_it_is(tmp_path: Path) -> None:
    """Volumes of gravity and unknown members are on their nodes, in their dialects, after Blender.

    Once more through Blender nothing is another than before.
    """
    path = tmp_path / "noted.gltf"
    path.write_text(json.dumps(noted()))
    assert "gravity-of-nodes" in import_file(path)
    again = export(tmp_path / "again.gltf")
    assert import_file(tmp_path / "again.gltf").keys() == {"gravity-of-nodes"}
    for gltf in (again, export(tmp_path / "once_more.gltf")):
        nodes = {node["name"]: node.get("extensions", {}) for node in gltf["nodes"]}
        assert nodes["Planet"] == {GRAVITY: POINT}
        assert nodes["Pit"].keys() == {GRAVITY, "OMI_physics_body", KHR}
        assert nodes["Pit"]["OMI_physics_body"] == nodes["Pit"][KHR] == NOTE
        at = nodes["Pit"][GRAVITY]["shaped"]["shape"]
        assert gltf["extensions"]["OMI_physics_shape"]["shapes"][at] == BALL
        assert nodes["Door"][KHR]["X_note"] == NOTE["X_note"]
        assert nodes["Door"][KHR]["motion"]["X_note"] == NOTE["X_note"]
        assert "X_note" not in nodes["Door"]["OMI_physics_body"]
        assert gltf["extensions"][GRAVITY] == {"gravity": 9.81, **NOTE}
        assert gltf["extensions"][KHR]["X_note"] == NOTE["X_note"]
        settings = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]
        assert settings["X_note"] == NOTE["X_note"]


@pytest.mark.parametrize(
    ("name", "said"), [(GRAVITY, POINT), (KHR, NOTE), ("OMI_physics_body", NOTE)]
)
def test_what_is_not_known_is_kept_where_nothing_else_is(
    name: str, said: dict[str, Any], tmp_path: Path
) -> None:
    """A volume of gravity needs no body beside it, nor does what a vendor says of a node."""
    path = tmp_path / "alone.gltf"
    gltf = {
        "asset": {"version": "2.0"},
        "extensionsUsed": [name],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Planet", "extensions": {name: said}}],
    }
    path.write_text(json.dumps(gltf))
    import_file(path)
    again = export(tmp_path / "again.gltf")
    assert again["nodes"][0]["extensions"] == {name: said}
    assert again["extensionsUsed"] == [name]


def test_a_volume_whose_mesh_is_not_there_is_named(tmp_path: Path) -> None:
    """A volume of a mesh that the file lacks is named on its node, and the rest stays."""
    gltf = noted()
    gltf["meshes"] = []
    gltf["extensions"]["OMI_physics_shape"]["shapes"][1] = {"type": "convex", "convex": {"mesh": 0}}
    path = tmp_path / "mesh.gltf"
    path.write_text(json.dumps(gltf))
    found = import_file(path)
    assert found["unreadable-reference"] == [
        '/nodes/5/extensions/OMI_physics_gravity/shaped/shape "Pit"'
    ]
    again = export(tmp_path / "again.gltf")
    nodes = {node["name"]: node.get("extensions", {}) for node in again["nodes"]}
    assert nodes["Planet"] == {GRAVITY: POINT}
    assert nodes["Pit"].keys() == {GRAVITY, "OMI_physics_body", KHR}
    assert nodes["Pit"][GRAVITY] == {**SHAPED, "shaped": {}}
