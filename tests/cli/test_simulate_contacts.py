# SPDX-License-Identifier: GPL-3.0-or-later
"""``simulate --contacts``: bodies touch, fall on a floor, and it is told who touched whom."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from omi_documents import body, door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import WRONG_USE
from omi_physics_joint.gltf.document.files import glb_bytes
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.library.motion.noted import Touched
from omi_physics_joint.model.body import IDENTITY_QUATERNION as UPRIGHT
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex, Trimesh
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.solver import Touching
from omi_physics_joint.solver.contacts.contacts import NO_TOUCHING

Captured = pytest.CaptureFixture[str]
MASS, GRAVITY = 3.0, 9.81


def heap(height: float) -> dict[str, Any]:
    """Return a plate at a height that is in no body, and a box half a metre above it."""
    gltf = door()
    shapes = [{"type": "box", "box": {"size": [1.0, 1.0, 1.0]}}]
    moves = {"motion": {"type": "dynamic", "mass": MASS}, "collider": {"shape": 0}}
    gltf["extensions"] = {"OMI_physics_shape": {"shapes": shapes}}
    gltf["extensionsUsed"] = ["OMI_physics_body", "OMI_physics_shape"]
    gltf["scenes"] = [{"nodes": [0, 1]}]
    gltf["nodes"] = [
        {"translation": [20.0, height - 0.5, 0.0], "extensions": body({"collider": {"shape": 0}})},
        {"name": "Box", "translation": [20.0, height + 1.0, 0.0], "extensions": body(moves)},
    ]
    return gltf


def simulated(folder: Path, gltf: dict[str, Any], *words: object) -> dict[str, Any]:
    """Return what ``--json`` writes of two seconds."""
    path, out = folder / "heap.glb", folder / "out.json"
    path.write_bytes(glb(gltf))
    named = ["simulate", str(path), "--seconds", "2", "--json", str(out), *map(str, words)]
    assert main(named) == 0
    document: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return document


def height_at_last(run: dict[str, Any]) -> float:
    """Return how high the box is at last, m."""
    return float(run["bodies"]["Box"]["translation"][-1][1])


def test_what_meets_nothing_is_named(tmp_path: Path, capsys: Captured) -> None:
    """A body without a collider falls through the floor: with contacts, and then alone, it says."""
    gltf = heap(2.0)
    del gltf["nodes"][1]["extensions"]["OMI_physics_body"]["collider"]
    for words, is_told in (((), False), (("--contacts", "--floor"), True)):
        run = simulated(tmp_path, gltf, *words)
        assert height_at_last(run) < -10.0
        said = capsys.readouterr().err
        assert ("Box: This dynamic body has no collider" in said) is is_told


def test_a_box_lies_on_a_plate_and_presses_with_its_weight(
    tmp_path: Path, capsys: Captured
) -> None:
    """Document and summary tell who touches whom, in how many frames, and with what force."""
    run = simulated(tmp_path, heap(2.0), "--contacts")
    assert height_at_last(run) == pytest.approx(2.5, abs=1e-3)
    (pair,) = run["touching"]
    assert pair["bodies"] == ["Box", "(world)"]
    assert pair["last"] == pytest.approx(MASS * GRAVITY, rel=1e-3)
    assert pair["force"] > pair["last"]
    assert 80 < pair["frames"] < 110
    said = f"Box touches (world) in {pair['frames']} frames, with "
    assert said in capsys.readouterr().out


def test_what_has_parted_is_told_without_a_force_at_last() -> None:
    """What pressed a frame ago and does not touch any more has its largest force, and 0 N."""
    one = np.array([[0, 3]]), np.zeros((1, 3)), np.array([[0.0, 5.0, 0.0]])
    touched = Touched()
    for touching in (Touching(*one), NO_TOUCHING, Touching(*one), NO_TOUCHING):
        touched.note(touching)
    (pair,) = touched.document({0: "Ball", 3: "Box"})
    assert pair == {"bodies": ["Box", "Ball"], "frames": 2, "force": 5.0, "last": 0.0}


def test_without_the_word_all_is_as_ever(tmp_path: Path, capsys: Captured) -> None:
    """It falls through, no member is new, and the last line says why."""
    run = simulated(tmp_path, heap(2.0))
    assert height_at_last(run) < -10.0
    assert "touching" not in run
    assert "Contacts are not simulated: bodies pass through" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"), [((), -7.0), ((-9.25,), -9.25), ((1.5,), 1.5)], ids=str
)
def test_a_floor_lies_where_it_is_asked_for(
    words: tuple[float, ...], expected: float, tmp_path: Path
) -> None:
    """By itself under the lowest collider, where that is below zero; else at the height."""
    gltf = heap(2.0)
    gltf["nodes"][0]["translation"][:2] = [40.0, -6.5]  # aside, from -7
    run = simulated(tmp_path, gltf, "--contacts", "--floor", *words)
    assert height_at_last(run) == pytest.approx(expected + 0.5, abs=1e-2)
    assert [one["bodies"] for one in run["touching"]] == [["Box", "(floor)"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--floor",), "--floor is for --contacts"),
        (("--contacts", "--as", "godot"), "Steps of --as godot have no contacts"),
    ],
)
def test_words_that_mean_nothing_are_refused(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: Captured
) -> None:
    """A user would not know that nothing came of them."""
    path = tmp_path / "heap.glb"
    path.write_bytes(glb(heap(2.0)))
    assert main(["simulate", str(path), *words]) == WRONG_USE
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_meshes_of_a_file_touch_as_they_are(tmp_path: Path, scale: float) -> None:
    """The hull of a scaled mesh comes to lie on triangles; half as high as it is."""
    half = (-0.25, 0.25)
    corners = [(x, y, z) for x in half for y in half for z in half]
    cube = Triangles(tuple(corners), tuple((0, i, i + 1) for i in range(1, 7)))
    edge = (-4.0, 4.0)
    square = Triangles(tuple((x, 0.0, z) for x in edge for z in edge), ((0, 1, 3), (0, 3, 2)))
    place = compose((20.0, 1.0, -20.0), UPRIGHT)
    high = compose((20.5, 3.0, -20.3), UPRIGHT, (scale, scale, scale))
    nodes = (
        Node("Ground", world=place, collider=Collider(0)),
        Node("Box", world=high, motion=Motion(MotionType.DYNAMIC, MASS), collider=Collider(1)),
    )
    mechanism = Mechanism(nodes, shapes=(Trimesh(0), Convex(1)), meshes=("square", "cube"))
    document, _ = fresh_document(Contents(mechanism, (square, cube), {0: 0, 1: 1}), tmp_path / "a")
    path, out = tmp_path / "a.glb", tmp_path / "out.json"
    path.write_bytes(glb_bytes(document.json, document.binary))
    words = ["simulate", str(path), "--seconds", "2", "--contacts", "--json", str(out)]
    assert main(words) == 0
    run = json.loads(out.read_text("utf-8"))
    assert height_at_last(run) == pytest.approx(1.0 + 0.25 * scale, abs=1e-3)
    assert [one["bodies"] for one in run["touching"]] == [["Box", "(world)"]]
