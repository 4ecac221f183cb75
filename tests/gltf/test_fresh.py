# SPDX-License-Identifier: GPL-3.0-or-later
"""Contents of any format as a glTF document: nothing of them is lost, and the file is sound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from omi_documents import door
from omi_mechanisms import Sample, over, samples

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import Document, glb_bytes, load
from omi_physics_joint.gltf.fresh import contents_of, fresh_document
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import Breaking, Drive, DriveMode, Freedom
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Node
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.model.validate import check

NOWHERE = Path("door.xml")
WEDGE = Triangles(
    ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.5)),
    ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),
)


def a_door() -> Contents:
    """Return a door that shows a wedge, is one, and is driven to and fro."""
    mechanism = read(door()).mechanism
    body = next(i for i, node in enumerate(mechanism.nodes) if node.motion is not None)
    nodes = list(mechanism.nodes)
    nodes[body] = replace(nodes[body], collider=Collider(0))
    keys = Keys("position_target", (0.0, 0.5, 2.0), (0.0, 0.25, 1.0))
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, 5.0, 0.0, None, 8.0, 0.5, keys=(keys,))
    settings = (replace(mechanism.settings[0], drives=(drive,)), *mechanism.settings[1:])
    shaped = replace(
        mechanism,
        nodes=tuple(nodes),
        settings=settings,
        shapes=(Convex(1),),
        meshes=("spare", "wedge"),
    )
    return Contents(shaped, (None, WEDGE), {body: 1})


def with_mesh_names(contents: Contents) -> Contents:
    """Return contents with the meshes alone that are used."""
    (mesh,) = set(contents.shown.values())
    mechanism = replace(
        contents.mechanism, meshes=(contents.mechanism.meshes[mesh],), shapes=(Convex(0),)
    )
    return Contents(mechanism, (contents.meshes[mesh],), dict.fromkeys(contents.shown, 0))


def test_contents_come_back() -> None:
    """Mechanism, triangles, what is shown and keys are those that went in."""
    contents = a_door()
    document, issues = fresh_document(contents, NOWHERE)
    again, found = contents_of(document)
    assert issues == ()
    assert [issue for issue in found if issue.severity != "hint"] == []
    assert list(changes(contents.mechanism, again.mechanism)) == []
    assert again.mechanism.settings[0].drives == contents.mechanism.settings[0].drives
    expected = with_mesh_names(contents)
    assert again.meshes == expected.meshes
    assert again.shown == expected.shown


@pytest.mark.long
@given(samples())
@over(30)
def test_random_mechanisms_come_back(sample: Sample) -> None:
    """Whatever both dialects can say of a mechanism is in its fresh document.

    Nodes are put where single precision can: what poses go through, another test looks at.
    """
    spelling = spell(sample.mechanism, sample.same_numbers(), spoken=frozenset(Spoken))
    read_in = read(patched(sample.gltf, spelling)).mechanism
    places = (
        compose((float(i), 0.0, 1.0), (0.0, 0.6, 0.0, 0.8), (1.0, 1.0, 2.0))
        for i in range(len(read_in.nodes))
    )
    nodes = (
        replace(node, name=f"node {i}", world=place)
        for i, (node, place) in enumerate(zip(read_in.nodes, places, strict=True))
    )
    first = replace(read_in, nodes=tuple(nodes))
    meshes = tuple(WEDGE for _ in first.meshes)
    document, issues = fresh_document(Contents(first, meshes), NOWHERE)
    assert issues == ()
    assert list(changes(first, read(document.json).mechanism)) == []


def test_shape_without_triangles_is_named() -> None:
    """A collision mesh that nobody could read is said, with its node."""
    contents = replace(a_door(), meshes=(None, None))
    _, issues = fresh_document(contents, NOWHERE)
    assert {(issue.code, issue.where) for issue in issues} == {
        ("mesh-not-read", "Frame"),
        ("mesh-not-read", "Door"),
    }


def test_a_mesh_beyond_single_precision_is_named() -> None:
    """It is left out where a node is solid or shows it, and the rest of the document stands."""
    contents = a_door()
    (body,) = contents.shown
    far = replace(WEDGE, points=(*WEDGE.points[:3], (0.0, 0.0, 1e39)))
    document, issues = fresh_document(replace(contents, meshes=(WEDGE, far)), NOWHERE)
    assert {(one.code, one.where) for one in issues} == {
        ("mesh-too-far", "Frame"),
        ("mesh-too-far", "Door"),
    }
    again, _ = contents_of(document)
    assert again.meshes == (WEDGE,)
    assert again.mechanism.nodes[body].motion is not None
    bare = tuple(replace(node, collider=None) for node in contents.mechanism.nodes)
    shown = replace(contents.mechanism, nodes=bare)
    _, issues = fresh_document(replace(contents, mechanism=shown, meshes=(WEDGE, far)), NOWHERE)
    assert [(one.code, one.node) for one in issues] == [("mesh-too-far", body)]


def test_keys_beyond_single_precision_stay_in_it() -> None:
    """A number that no accessor holds is the largest that one does."""
    contents = a_door()
    drive = contents.mechanism.settings[0].drives[0]
    keys = Keys("position_target", (0.0, 1.0), (0.0, -1e39))
    settings = replace(contents.mechanism.settings[0], drives=(replace(drive, keys=(keys,)),))
    others = contents.mechanism.settings[1:]
    mechanism = replace(contents.mechanism, settings=(settings, *others))
    document, _ = fresh_document(replace(contents, mechanism=mechanism), NOWHERE)
    again, issues = contents_of(document)
    assert issues == ()
    (track,) = again.mechanism.settings[0].drives[0].keys
    assert track.values[-1] == pytest.approx(-3.4028235e38)


def test_a_volume_of_gravity_is_a_shape_too() -> None:
    """Its mesh comes along with its number, and is said where nobody could read it."""
    contents = a_door()
    (body,) = contents.shown
    text = '{"OMI_physics_gravity":{"shaped":{"shape":null},"type":"shaped"}}'
    nodes = list(contents.mechanism.nodes)
    nodes[body] = replace(nodes[body], collider=None, unknown=text, gravity_shape=0)
    mechanism = replace(contents.mechanism, nodes=tuple(nodes))
    document, _ = fresh_document(replace(contents, mechanism=mechanism), NOWHERE)
    again = read(document.json).mechanism
    assert [again.meshes[mesh] for mesh in again.meshes_of(body)] == ["wedge"]
    _, issues = fresh_document(Contents(mechanism, (None, None)), NOWHERE)
    assert ("mesh-not-read", nodes[body].name) in {(one.code, one.where) for one in issues}


@pytest.mark.parametrize(
    ("joint", "motion", "code", "where"),
    [
        ({"breaking": Breaking(force=100.0)}, {}, "breaking-not-said", "Door Hinge"),
        ({"enabled": False}, {}, "muted-not-said", "Door Hinge"),
        ({}, {"starts_asleep": True}, "sleep-not-said", "Door"),
    ],
)
def test_what_no_gltf_can_hold_is_named(
    joint: dict[str, Any], motion: dict[str, Any], code: str, where: str
) -> None:
    """A joint that breaks does not in glTF, one that is muted is none, and nobody sleeps."""
    contents = a_door()

    def other(node: Node) -> Node:
        if node.joint is not None:
            return replace(node, joint=replace(node.joint, **joint))
        if node.motion is not None and node.name == where:
            return replace(node, motion=replace(node.motion, **motion))
        return node

    nodes = tuple(map(other, contents.mechanism.nodes))
    more = replace(contents, mechanism=replace(contents.mechanism, nodes=nodes))
    document, issues = fresh_document(more, NOWHERE)
    assert [(issue.code, issue.where) for issue in issues] == [(code, where)]
    held = list(read(document.json).mechanism.all_joints())
    assert len(held) == ("enabled" not in joint)


@pytest.mark.long
def test_fresh_file_is_sound(tmp_path: Path, khronos_validate: Callable[..., Any]) -> None:
    """The Khronos validator has nothing to say of it, nor has Check."""
    document, _ = fresh_document(a_door(), NOWHERE)
    path = tmp_path / "door.glb"
    path.write_bytes(glb_bytes(document.json, document.binary))
    (report,) = khronos_validate(path)
    assert (report["errors"], report["warnings"]) == (0, 0), report["messages"]
    loaded: Document = load(path)
    assert [one for one in check(read(loaded.json).mechanism) if one.severity == "error"] == []


@pytest.mark.parametrize(
    ("scenes", "told"), [([[0, 2]], False), ([[0], [2]], True), ([[0, 2], []], False)]
)
def test_scenes_that_become_one_are_told_of(scenes: list[list[int]], told: bool) -> None:
    """Formats with one stage or robot have all of it in one place."""
    gltf = door()
    gltf["scenes"] = [{"nodes": nodes} for nodes in scenes]
    _, issues = contents_of(Document(gltf, Path()))
    assert [one.code for one in issues] == ["scenes-in-one"] * told
