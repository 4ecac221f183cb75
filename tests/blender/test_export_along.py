# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to the bodies of an export goes along, however part of a scene is chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from blender.partial_scenes import (
    BODIES,
    PARTS,
    VARIANTS,
    Options,
    apart,
    disabled,
    door,
    excluded,
    hidden,
    select,
)
from omi_export import (
    BODY,
    SHAPE,
    errors,
    export,
    extension,
    index_of,
    issues,
    joints,
    reading,
)

from omi_physics_joint.blender.batch.files import run
from omi_physics_joint.blender.gltf_hooks.exported.scope import _move_below
from omi_physics_joint.blender.gltf_hooks.exported.staging import confined
from omi_physics_joint.blender.gltf_hooks.forecast import forecast
from omi_physics_joint.blender.robots.files import export_robot
from omi_physics_joint.blender.usd_hooks import HAS_USD
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.wording.words import counted, listed
from omi_physics_joint.usd import stage
from omi_physics_joint.usd.reading.read import contents_of as read_contents
from omi_physics_joint.usd.stage import is_available


def said(mechanism: Mechanism) -> list[tuple[object, ...]]:
    """Return what a file says of the bodies Frame and Door, seen from the frame, sorted."""
    nodes = mechanism.nodes
    found = []
    for index, node in enumerate(nodes):
        body = mechanism.body_of(index)
        if body is None or nodes[body].name.partition(".")[0] not in BODIES:
            continue
        ends = {nodes[body].name}
        what: list[str] = [
            kind for kind in ("motion", "collider", "trigger") if getattr(node, kind)
        ]
        if node.joint is not None:
            other = mechanism.body_of(node.joint.connected_node)
            ends.add("" if other is None else nodes[other].name)
            settings = mechanism.settings_of(node.joint)
            what += ["joint", repr((settings.limits, settings.drives))]
            what.append(placed(mechanism, node.joint.connected_node, body))
        if node.collider is not None and node.collider.shape is not None:
            what.append(type(mechanism.shapes[node.collider.shape]).__name__)
        if what:
            found.append((sorted(ends), *what, placed(mechanism, index, body)))
    return sorted(found, key=repr)


def placed(mechanism: Mechanism, index: int, body: int) -> str:
    """Return where a node is, seen from a body."""
    from_body = np.linalg.inv(np.array(mechanism.nodes[body].world))
    matrix = from_body @ np.array(mechanism.nodes[index].world)
    return repr((np.round(matrix, 4) + 0.0).tolist())


@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_of_a_body_goes_along(variant: str, dialect: str, tmp_path: Path) -> None:
    """A part of a scene says of its bodies what the whole scene says of them, and no error.

    The dialog says beforehand what will be in the file.
    """
    if variant == "instances, collections as nodes" and bpy.app.version < (5, 1):
        pytest.skip("Blender's own exporter leaves out all that is instanced there")
    make, leave_out, *options = VARIANTS[variant]
    both: Options = dict(*options)
    make()
    bpy.context.view_layer.update()
    bpy.context.scene.omi_physics_joint.dialect = dialect
    whole = said(reading(export(tmp_path / "whole.glb", **both)).mechanism)
    some = leave_out()
    for name in ("Frame", "Door", "Rig"):
        obj = bpy.data.objects.get(name)
        if obj is not None and obj.parent is None:
            obj.location.y += 7.0
    bpy.context.view_layer.update()
    assert len(whole) >= 6
    foretold = forecast({"use_active_collection_with_nested": True, **both, **some})
    part = export(tmp_path / "part.glb", **both, **some)
    assert said(reading(part).mechanism) == whole
    assert not errors()
    assert foretold == (counted_in(reading(part).mechanism), "")


def counted_in(mechanism: Mechanism) -> str:
    """Return what a file holds, as the dialog says it."""
    parts = {"body": "motion", "joint": "joint", "collider": "collider", "trigger": "trigger"}
    counts = {
        noun: sum(getattr(node, part) is not None for node in mechanism.nodes)
        for noun, part in parts.items()
    }
    return listed([counted(count, noun) for noun, count in counts.items() if count])


def test_what_goes_along_is_not_seen(tmp_path: Path) -> None:
    """A mesh that is not selected is in the file for its shape alone, one that is is seen."""
    door()
    gltf = export(tmp_path / "part.glb", **select(*BODIES))
    assert "mesh" in gltf["nodes"][index_of(gltf, "Door")]
    shapes = gltf["extensions"][SHAPE]["shapes"]
    hull = shapes[extension(gltf, "Hull", BODY)["collider"]["shape"]]["convex"]
    assert gltf["meshes"][hull["mesh"]]["name"] == "Hull"
    node = gltf["nodes"][index_of(gltf, "Hull")]
    assert "mesh" not in node
    assert not any(
        gltf["nodes"][one].get("mesh") == hull["mesh"] for one in node.get("children", ())
    )
    assert "Other" not in {one["name"] for one in gltf["nodes"]}


def test_a_box_brings_no_mesh(tmp_path: Path) -> None:
    """A collider that needs no mesh leaves its own out of the file."""
    door()["Hull"].omi_physics_body.collider.shape.type = "box"
    gltf = export(tmp_path / "part.glb", **select(*BODIES))
    assert {mesh["name"] for mesh in gltf["meshes"]} == set(BODIES)


def test_nothing_goes_along_without_physics(tmp_path: Path) -> None:
    """Where "Physics Joints" is off a file has what Blender alone would write, also in a batch."""
    door()
    options = select(*BODIES)
    bpy.context.scene.omi_physics_joint.use_export = False
    with confined(tmp_path):
        gltf = export(tmp_path / "part.glb", **options)
    assert {one["name"] for one in gltf["nodes"]} == set(BODIES)


def test_switched_off_names_what_is_left_out(tmp_path: Path) -> None:
    """Without the option what stays behind is one error that counts it, and strict refuses."""
    door()
    scene = bpy.context.scene
    scene.omi_physics_joint.use_belonging = False
    options = select(*BODIES)
    lacking = "2 joints, 1 collider and 1 trigger"
    assert forecast(options) == ("2 bodies and 1 collider", lacking)
    export(tmp_path / "part.glb", **options)
    ((code, where),) = errors().items()
    assert (code, len(where)) == ("left-out-of-export", 1)
    (line,) = [
        one for one in bpy.context.window_manager.omi_physics_joint.issues if one.code == code
    ]
    assert line.message.startswith("Left out of the file though")
    assert lacking in line.message
    assert "Joints and Colliders of Bodies" in line.fix
    scene.omi_physics_joint.strict = True
    with pytest.raises(RuntimeError, match=lacking):
        export(tmp_path / "refused.glb", **options)
    assert not (tmp_path / "refused.glb").exists()


@pytest.mark.parametrize("one", BODIES)
def test_joint_of_one_exported_body_is_named(one: str, tmp_path: Path) -> None:
    """A joint whose other body is not exported is an error; what belongs to one body goes along."""
    door()
    gltf = export(tmp_path / "one.glb", **select(one))
    (line,) = [
        line
        for line in bpy.context.window_manager.omi_physics_joint.issues
        if line.code == "left-out-of-export"
    ]
    (other,) = set(BODIES) - {one}
    assert f"for want of '{other}': 2 joints ('Hinge' and 'Latch')" in line.message
    names = {node["name"] for node in gltf["nodes"]}
    assert names == ({"Door", "Hull", "Beam"} if one == "Door" else {"Frame"})


def test_muted_and_deleted_ones_stay(tmp_path: Path) -> None:
    """A muted joint and what was deleted do not go along, and nobody misses them."""
    made = door()
    made["Hinge"].omi_physics_joint.mute = True
    made["Hull"].use_fake_user = True
    made["Hull"].users_collection[0].objects.unlink(made["Hull"])
    gltf = export(tmp_path / "part.glb", **select(*BODIES))
    assert not errors()
    assert {node["name"] for node in gltf["nodes"]} == {*BODIES, "Latch", "Beam", PARTS[-1]}


@pytest.mark.parametrize("side", ["selected", "hidden"])
def test_robot_and_command_line_take_it_along(side: str, tmp_path: Path) -> None:
    """A robot of what is selected has its joint; so has a saved file that exports the visible."""
    made = door()
    bpy.data.objects.remove(made["Latch"])
    if side == "selected":
        select(*BODIES)
        export_robot(tmp_path / "door.urdf", only_selected=True)
        text = (tmp_path / "door.urdf").read_text("utf-8")
        assert '<joint name="Hinge"' in text
        return
    hidden("Hinge")
    bpy.context.scene["glTF2ExportSettings"] = {"use_visible": True}
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "door.blend"))
    output = tmp_path / "door.glb"
    request = {"command": "export", "path": tmp_path / "door.blend", "output": output}
    assert run(request | {"format": "glb", "strict": True})["ok"]
    assert len(joints(load(output).json)) == 1


STAGES: dict[str, Callable[[], Options]] = {
    "bodies selected": lambda: select(*BODIES) and {"selected_objects_only": True},
    "joints hidden": lambda: hidden("Hinge", "Latch", PARTS[-1]) and {},
    "colliders hidden": lambda: hidden("Hull", "Beam") and {},
    "all disabled": lambda: disabled(*PARTS) and {},
    "collection excluded": lambda: excluded("Parts") and {},
    "a collection": lambda: {"root_prim_path": "/root", "collection": "Bodies"},
}


@pytest.mark.parametrize("part", STAGES)
def test_all_of_a_body_goes_onto_a_stage(part: str, tmp_path: Path) -> None:
    """A stage of a part of a scene says of its bodies what one of all of it says, and no issue."""
    if not (HAS_USD and is_available()):
        pytest.skip("this Blender has no USD, or no pxr")
    apart()

    def exported(name: str, **options: object) -> list[tuple[object, ...]]:
        path = tmp_path / name
        assert bpy.ops.wm.usd_export(filepath=str(path), **options) == {"FINISHED"}
        return said(read_contents(stage.read(path))[0].mechanism)

    whole = exported("whole.usda")
    assert len(whole) >= 6
    told = issues()
    options = STAGES[part]()
    bpy.data.objects["Door"].location.y += 7.0
    bpy.data.objects["Frame"].location.y += 7.0
    bpy.context.view_layer.update()
    assert exported("part.usda", **options) == whole
    assert issues() == told


@pytest.mark.parametrize("below", [None, "Other"])
@pytest.mark.parametrize("at", range(3))
def test_what_goes_below_its_body_is_taken_from_where_it_was(at: int, below: str | None) -> None:
    """Be that the top of the tree or another node, and among others, which stay."""
    nodes = {
        name: SimpleNamespace(
            uuid=name, parent_uuid=None, children=[], children_type={}, CHILDREN_REAL="real"
        )
        for name in ("Body", "Other", "One", "Two", "Three")
    }
    moved, parts = ("One", "Two", "Three")[at], ["One", "Two", "Three"]
    tree = SimpleNamespace(nodes=nodes, roots=["Body", "Other"])
    before = tree.roots if below is None else nodes[below].children
    before += parts
    for name in parts:
        nodes[name].parent_uuid = below
    _move_below(tree, nodes[moved], nodes["Body"])
    left = [name for name in parts if name != moved]
    assert tree.roots == ["Body", "Other", *left * (below is None)]
    assert nodes["Other"].children == left * (below is not None)
    assert nodes["Body"].children == [moved]
    assert nodes["Body"].children_type == {moved: "real"}
    assert nodes[moved].parent_uuid == "Body"
