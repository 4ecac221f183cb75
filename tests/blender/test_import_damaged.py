# SPDX-License-Identifier: GPL-3.0-or-later
"""Import of damaged files: what is sound arrives, what is not is listed, and nothing crashes."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest
from omi_documents import door, joint_of, settings_in, shapes_of
from omi_export import (
    BODY,
    JOINT,
    export,
    import_file,
)

from omi_physics_joint.blender.gltf_hooks.imported import importing


@pytest.fixture(autouse=True)
def no_old_loggers() -> Iterator[None]:
    """Take away the handlers that Blender's importer leaves behind when it refuses a file."""
    yield
    for name in ("glTFImporter", "glTFImporter_errors"):
        logging.getLogger(name).handlers.clear()


def imported(gltf: dict[str, Any], folder: Path) -> dict[str, list[str]]:
    """Import a document and return the issues."""
    path = folder / "document.gltf"
    path.write_text(json.dumps(gltf))
    return import_file(path)


DAMAGE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "joint settings are a text": lambda g: g["extensions"][JOINT].update(physicsJoints="none"),
    "one setting is null": lambda g: settings_in(g).__setitem__(0, None),
    "limits are an object": lambda g: settings_in(g)[0].update(limits={"a": 1}),
    "a limit is a list": lambda g: settings_in(g)[0]["limits"].append([]),
    "a bound is a text": lambda g: settings_in(g)[0]["limits"][2].update(min="zero"),
    "an axis is out of range": lambda g: settings_in(g)[0]["limits"][2].update(angularAxes=[9]),
    "a drive is nothing": lambda g: settings_in(g)[0].update(drives=[None, {}]),
    "joint index out of range": lambda g: joint_of(g).update(joint=5),
    "joint index is negative": lambda g: joint_of(g).update(joint=-1),
    "joint index is a text": lambda g: joint_of(g).update(joint="0"),
    "connected node out of range": lambda g: joint_of(g).update(connectedNode=99),
    "connected node is itself": lambda g: joint_of(g).update(connectedNode=3),
    "connected node is missing": lambda g: joint_of(g).pop("connectedNode"),
    "joint is missing": lambda g: joint_of(g).pop("joint"),
    "motion is a text": lambda g: g["nodes"][2]["extensions"][BODY].update(motion="dynamic"),
    "motion of no known type": lambda g: g["nodes"][2]["extensions"][BODY].update(
        motion={"type": "flying"}
    ),
    "mass is a list": lambda g: g["nodes"][2]["extensions"][BODY]["motion"].update(mass=[1]),
    "vector too short": lambda g: g["nodes"][2]["extensions"][BODY]["motion"].update(
        centerOfMass=[1]
    ),
    "rotation of no length": lambda g: g["nodes"][2]["extensions"][BODY]["motion"].update(
        inertiaOrientation=[0, 0, 0, 0]
    ),
    "shape out of range": lambda g: g["nodes"][2]["extensions"][BODY]["collider"].update(shape=4),
    "shape of no known type": lambda g: shapes_of(g)[0].update(type="torus"),
    "shape is null": lambda g: shapes_of(g).__setitem__(0, None),
    "mesh of a shape out of range": lambda g: shapes_of(g).__setitem__(
        0, {"type": "convex", "convex": {"mesh": 3}}
    ),
    "extensions not declared": lambda g: g.pop("extensionsUsed"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damaged_file_is_imported_as_far_as_it_is_sound(
    what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Damage is listed, all nodes arrive, the other body is a body, and there is no traceback."""
    gltf = door()
    DAMAGE[what](gltf)
    found = imported(gltf, tmp_path)
    assert found
    names = {obj.name for obj in bpy.context.scene.objects}
    assert names >= {"Frame", "Door", "Door Hinge"}
    data = bpy.data.objects["Door Hinge"].omi_physics_joint
    assert "Frame Attachment" in {*names, data.connected_name}
    assert bpy.data.objects["Frame"].omi_physics_body.is_body
    captured = capfd.readouterr()
    assert "Traceback" not in captured.out + captured.err
    # What arrived can be exported again.
    export(tmp_path / "again.glb")


def test_loops_of_nodes_are_cut(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nodes that are below themselves arrive once each, and each loop is listed."""
    gltf = door()
    gltf["nodes"][3]["children"] = [2]
    gltf["nodes"] += [{"name": "Snake", "children": [4]}, {"name": "Child of two"}]
    gltf["nodes"][0]["children"].append(5)
    gltf["nodes"][1]["children"] = [5]
    gltf["scenes"][0]["nodes"].append(4)
    found = imported(gltf, tmp_path)
    assert {"parent-cycle", "two-parents"} <= set(found)
    assert "Snake" in found["parent-cycle"][0] or len(found["parent-cycle"]) == 2
    assert {"Frame", "Door", "Snake"} <= {obj.name for obj in bpy.context.scene.objects}
    captured = capfd.readouterr()
    assert "Traceback" not in captured.out + captured.err


REFUSED: dict[str, str] = {
    "cut off": "{",
    "extensions are a list": json.dumps({**door(), "extensions": [1, 2]}),
    "an extension is a number": json.dumps({**door(), "extensions": {JOINT: 7}}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_file_that_blender_refuses(what: str, tmp_path: Path) -> None:
    """What Blender's importer itself cannot parse it refuses in one line, before it asks us."""
    path = tmp_path / "nothing.gltf"
    path.write_text(REFUSED[what])
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.import_scene.gltf(filepath=str(path))
    assert "Traceback" not in str(caught.value)
    assert "omi_physics_joint" not in str(caught.value)


def test_files_without_physics_are_left_to_blender(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that says nothing of physics is not read a second time."""

    def unwanted(_path: Path) -> None:
        pytest.fail("it was read")

    monkeypatch.setattr(importing, "load", unwanted)
    path = tmp_path / "plain.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "Plain"}]}))
    bpy.ops.import_scene.gltf(filepath=str(path))
    assert "Plain" in bpy.data.objects
