# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity of a document, and physics that is not read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from omi_documents import document_of, door

from omi_physics_joint.gltf.dialects import spoken_by
from omi_physics_joint.gltf.node_gravity import without_mesh_volumes
from omi_physics_joint.gltf.numbering import Numbering
from omi_physics_joint.gltf.patching import patched
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.gltf.write import spell
from omi_physics_joint.model.body import Motion, MotionType, Vector3
from omi_physics_joint.model.mechanism import Mechanism, Node

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


def test_gravity_within_a_mesh_is_not_written_without_it() -> None:
    """Another document has other meshes: the volume is left out, or named and taken out before."""
    mechanism = read(in_a_mesh("convex")).mechanism
    document = document_of(mechanism)
    assert not any(
        "OMI_physics_gravity" in node.get("extensions", {}) for node in document["nodes"]
    )
    clean, lost = without_mesh_volumes(mechanism)
    assert lost == (0,)
    assert not any("OMI_physics_gravity" in node.unknown for node in clean.nodes)
    assert without_mesh_volumes(clean) == (clean, ())


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
