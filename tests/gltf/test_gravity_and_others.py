# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity of a document, and physics that is not read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from omi_documents import document_of, door

from omi_physics_joint.gltf.dialects import spoken_by
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex, Sphere
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check

BALL = Mechanism((Node("Ball", motion=Motion(MotionType.DYNAMIC)),))


@pytest.mark.parametrize(
    ("gravity", "spelled"),
    [
        ((0.0, -1.62, 0.0), {"gravity": 1.62}),
        ((0.0, 0.0, 0.0), {"gravity": 0.0}),
        ((3.0, 0.0, 0.0), {"gravity": 3.0, "direction": [1.0, 0.0, 0.0]}),
    ],
)
def test_gravity_of_another_place_is_in_the_file(gravity: Vector3, spelled: dict[str, Any]) -> None:
    """What is not the Earth's gravity is written, declared and read back."""
    document = document_of(replace(BALL, gravity=gravity))
    assert document["extensions"]["OMI_physics_gravity"] == spelled
    assert "OMI_physics_gravity" in document["extensionsUsed"]
    reading = read(document)
    assert reading.issues == ()
    assert reading.mechanism.gravity == pytest.approx(gravity)


def test_gravity_of_the_earth_is_not_said() -> None:
    """A file without a word means the Earth, and so does one that says it."""
    assert "OMI_physics_gravity" not in document_of(BALL)["extensions"]
    gltf = door()
    gltf["extensions"]["OMI_physics_gravity"] = {"gravity": 9.81}
    assert read(gltf).mechanism.gravity is None


def test_gravity_that_was_changed_is_changed_in_the_file() -> None:
    """A document that is written anew has the gravity of the mechanism, not what it had."""
    before = document_of(replace(BALL, gravity=(0.0, -1.62, 0.0)))
    spelling = spell(BALL, Numbering({0: 0}, {}))
    assert "OMI_physics_gravity" not in patched(before, spelling).get("extensions", {})


@pytest.mark.parametrize(
    "name", ["MSFT_rigid_bodies", "EXT_implicit_shapes", "OMI_collider", "X_RIGID_BODY"]
)
def test_physics_that_is_not_read_is_named(name: str) -> None:
    """A file whose physics is in another extension is not passed as one without a fault."""
    gltf = door()
    gltf["extensionsUsed"].append(name)
    (issue,) = read(gltf).issues
    assert issue.code == "physics-not-read"
    assert name in issue.message


def test_undeclared_physics_of_nodes_is_named() -> None:
    """Also what a node has without that the document declares it."""
    gltf = door()
    gltf["nodes"][2]["extensions"]["MSFT_rigid_bodies"] = {}
    assert [issue.code for issue in read(gltf).issues] == ["physics-not-read"]


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ({"motion": {"type": "dynamic"}}, True),
        ({"collider": {"shape": 0}}, True),
        ({"trigger": {"shape": 0}}, True),
        (None, False),
    ],
)
def test_instances_of_what_has_physics_are_named(part: dict[str, Any] | None, named: bool) -> None:
    """Readers show several of which one moves or collides; what is looked at alone is well."""
    body = {} if part is None else {"OMI_physics_body": part}
    node = {"name": "Crates", "extensions": {"EXT_mesh_gpu_instancing": {}, **body}}
    gltf: dict[str, Any] = {
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape", "EXT_mesh_gpu_instancing"],
        "nodes": [node],
        "extensions": {"OMI_physics_shape": {"shapes": [{"type": "sphere"}]}},
    }
    found = [one for one in read(gltf).issues if one.code == "physics-not-read"]
    assert len(found) == named
    assert all("Crates" in one.message and one.loss for one in found)


def test_gravity_of_nodes_is_named() -> None:
    """Gravity of a node is not the document's, and is not lost without a word."""
    gltf = door()
    gltf["nodes"][2]["extensions"]["OMI_physics_gravity"] = {"type": "point", "gravity": 3.0}
    reading = read(gltf)
    assert [issue.code for issue in reading.issues] == ["gravity-of-nodes"]
    assert reading.mechanism.gravity is None


def test_gravity_of_nodes_is_written_where_it_was() -> None:
    """It goes back to its node, and what it needs of the document goes along."""
    gltf = door()
    gltf["nodes"][0]["extensions"]["OMI_physics_gravity"] = {"type": "point", "gravity": 3.0}
    ball = {"type": "sphere", "sphere": {"radius": 9.0}}
    gltf["extensions"]["OMI_physics_shape"]["shapes"].insert(0, ball)
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["collider"]["shape"] = 1
    shaped = {"type": "shaped", "gravity": 2.0, "shaped": {"shape": 0}}
    gltf["nodes"][2]["extensions"]["OMI_physics_gravity"] = shaped
    mechanism = read(gltf).mechanism
    document = document_of(mechanism)
    volumes = [node.get("extensions", {}).get("OMI_physics_gravity") for node in document["nodes"]]
    assert volumes[0] == {"type": "point", "gravity": 3.0}
    assert document["extensions"]["OMI_physics_shape"]["shapes"][1] == ball
    assert volumes[2] == {**shaped, "shaped": {"shape": 1}}
    assert "OMI_physics_gravity" in document["extensionsUsed"]
    kept = [[node.unknown for node in one.nodes] for one in (mechanism, read(document).mechanism)]
    assert kept[0] == kept[1]


def in_a_mesh(kind: str) -> dict[str, Any]:
    """Return a door whose wall has a gravity within the second mesh, its shapes behind that."""
    gltf = door()
    gltf["meshes"] = [{"name": "First", "primitives": []}, {"name": "Second", "primitives": []}]
    gltf["extensions"]["OMI_physics_shape"]["shapes"].insert(0, {"type": kind, kind: {"mesh": 1}})
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["collider"]["shape"] = 1
    shaped = {"type": "shaped", "gravity": 2.0, "shaped": {"shape": 0}}
    gltf["nodes"][0]["extensions"]["OMI_physics_gravity"] = shaped
    gltf["extensionsUsed"].append("OMI_physics_gravity")
    return gltf


@pytest.mark.parametrize("kind", ["convex", "trimesh"])
@pytest.mark.parametrize("dialect", ["omi", "khr", "both"])
def test_gravity_within_a_mesh_stays_where_the_meshes_stay(kind: str, dialect: str) -> None:
    """A document that is converted has the same meshes, and the volume still means its own."""
    gltf: Any = respelled(in_a_mesh(kind), spoken_by(dialect)).json
    volume = gltf["nodes"][0]["extensions"]["OMI_physics_gravity"]
    shape = gltf["extensions"]["OMI_physics_shape"]["shapes"][volume["shaped"]["shape"]]
    assert shape == {"type": kind, kind: {"mesh": 1}}


def test_the_volume_of_gravity_is_one_of_the_shapes() -> None:
    """The model has it as it has the shape of a collider, and in no other dialect than OMI's."""
    gltf = in_a_mesh("convex")
    mechanism = read(gltf).mechanism
    at = mechanism.nodes[0].gravity_shape
    assert at is not None
    assert mechanism.shapes[at] == Convex(1)
    assert list(mechanism.meshes_of(0)) == [1]
    khr: Any = respelled(gltf, spoken_by("khr")).json
    again = read(khr).mechanism
    assert again.nodes[0].gravity_shape is not None
    assert again.shapes[again.nodes[0].gravity_shape] == Convex(1)


def test_gravity_within_a_mesh_follows_its_mesh() -> None:
    """In a document with other meshes it means the same one; where that is not, it is left out."""
    mechanism = read(in_a_mesh("trimesh")).mechanism
    nodes = {index: index for index in range(len(mechanism.nodes))}
    spelling = spell(mechanism, Numbering(nodes, {0: 4, 1: 7}))
    at: Any = spelling.nodes[0]["OMI_physics_gravity"]["shaped"]
    shapes: Any = spelling.document["OMI_physics_shape"]["shapes"]
    assert shapes[at["shape"]] == {"type": "trimesh", "trimesh": {"mesh": 7}}
    assert "OMI_physics_gravity" not in spell(mechanism, Numbering(nodes, {})).nodes[0]


def test_a_collider_and_a_gravity_share_a_shape() -> None:
    """One shape that both use is one in the model and in the file, and keeps its name."""
    gltf = in_a_mesh("convex")
    gltf["extensions"]["OMI_physics_shape"]["shapes"][0]["name"] = "Hull"
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["collider"]["shape"] = 0
    spoken: Any = respelled(gltf, spoken_by("omi")).json
    assert spoken["extensions"]["OMI_physics_shape"]["shapes"] == [
        {"name": "Hull", "type": "convex", "convex": {"mesh": 1}}
    ]
    assert spoken["nodes"][0]["extensions"]["OMI_physics_gravity"]["shaped"] == {"shape": 0}
    mechanism = read(gltf).mechanism
    assert len(mechanism.shapes) == 2
    assert mechanism.nodes[0].gravity_shape == 0
    alone: Any = respelled(gltf, spoken_by("khr")).json
    own = spoken["extensions"]["OMI_physics_shape"]
    assert alone["extensions"]["OMI_physics_shape"] == own


def test_the_name_of_a_volume_is_none_of_its_value() -> None:
    """A collider with the same shape and no name, or another, has the same one in the file."""
    gltf = in_a_mesh("convex")
    shapes = gltf["extensions"]["OMI_physics_shape"]["shapes"]
    shapes[0]["name"] = "Well"
    shapes[1] = {"type": "convex", "convex": {"mesh": 1}}
    for name in ("Well", "Hull"):
        spoken: Any = respelled(gltf, spoken_by("omi")).json
        assert spoken["extensions"]["OMI_physics_shape"]["shapes"] == [
            {"name": name, "type": "convex", "convex": {"mesh": 1}}
        ]
        shapes[1]["name"] = "Hull"


def test_whichever_of_two_equal_shapes_has_the_name_the_same_text_is_written() -> None:
    """The members of a file have one order, and what is written is written so again."""
    texts = set()
    for named in (0, 1):
        gltf = in_a_mesh("convex")
        shapes = gltf["extensions"]["OMI_physics_shape"]["shapes"]
        shapes[1] = {"type": "convex", "convex": {"mesh": 1}}
        shapes[named] = {"name": "Well", **shapes[named]}
        for _ in range(2):
            gltf = dict(respelled(gltf, spoken_by("omi")).json)
            texts.add(json.dumps(gltf["extensions"]["OMI_physics_shape"]))
    assert len(texts) == 1


def test_a_volume_of_a_type_that_is_not_read_is_kept_to_the_letter() -> None:
    """Its shape goes along as it is, since nobody knows what is in it."""
    gltf = in_a_mesh("convex")
    foreign = {"type": "X_torus", "X_torus": {"radius": 2.0}}
    gltf["extensions"]["OMI_physics_shape"]["shapes"][0] = foreign
    mechanism = read(gltf).mechanism
    assert mechanism.nodes[0].gravity_shape is None
    document = document_of(mechanism)
    at = document["nodes"][0]["extensions"]["OMI_physics_gravity"]["shaped"]["shape"]
    assert document["extensions"]["OMI_physics_shape"]["shapes"][at] == foreign


@pytest.mark.parametrize(
    ("shape", "code"), [(7, "index-out-of-range"), (0, "unreadable-reference"), ("A", "wrong-type")]
)
def test_a_volume_that_is_not_there_is_named(shape: object, code: str) -> None:
    """It costs itself: all else that the node says of gravity stays, and leads nowhere else."""
    gltf = in_a_mesh("convex")
    gltf["extensions"]["OMI_physics_shape"]["shapes"][0]["convex"]["mesh"] = 9
    gltf["nodes"][0]["extensions"]["OMI_physics_gravity"]["shaped"]["shape"] = shape
    reading = read(gltf)
    (issue,) = (issue for issue in reading.issues if issue.code == code and issue.node == 0)
    assert "OMI_physics_gravity/shaped" in issue.where
    document: Any = respelled(gltf, spoken_by("both")).json
    kept = document["nodes"][0]["extensions"]["OMI_physics_gravity"]
    assert kept == {"type": "shaped", "gravity": 2.0, "shaped": {}}


def test_a_volume_with_a_size_is_written_as_its_reader_takes_it() -> None:
    """It is a shape like any other: a capsule for Godot has a height with both of its ends."""
    gltf = in_a_mesh("convex")
    gltf["extensions"]["OMI_physics_shape"]["shapes"][0] = {"type": "capsule"}
    document = document_of(read(gltf).mechanism, Target.GODOT)
    at = document["nodes"][0]["extensions"]["OMI_physics_gravity"]["shaped"]["shape"]
    shape = document["extensions"]["OMI_physics_shape"]["shapes"][at]
    assert (shape["capsule"]["height"], shape["capsule"]["radius"]) == (2.0, 0.5)
    ball = replace(BALL, shapes=(Sphere(0.0),))
    nodes = (replace(ball.nodes[0], gravity_shape=0),)
    (issue,) = (one for one in check(replace(ball, nodes=nodes)) if one.code == "shape-size")
    assert issue.node == 0


def test_words_beside_the_gravity_of_the_earth_are_kept() -> None:
    """Unknown members of a document's gravity stay where it is the Earth's."""
    gltf = door()
    gltf["extensions"]["OMI_physics_gravity"] = {"gravity": 9.81, "X_note": "sea level"}
    document = document_of(read(gltf).mechanism)
    assert document["extensions"]["OMI_physics_gravity"] == {"gravity": 9.81, "X_note": "sea level"}


def test_other_extensions_are_no_physics() -> None:
    """Extensions for looks and animation are not taken for physics."""
    gltf = door()
    gltf["extensionsUsed"] += ["KHR_materials_ior", "KHR_lights_punctual", "KHR_texture_transform"]
    assert read(gltf).issues == ()
