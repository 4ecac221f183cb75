# SPDX-License-Identifier: GPL-3.0-or-later
"""``simulate --contacts``: bodies touch, fall on a floor, and it is told who touched whom."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from omi_documents import body, door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import WRONG_USE

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
