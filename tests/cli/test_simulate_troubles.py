# SPDX-License-Identifier: GPL-3.0-or-later
"""``simulate`` says what could not be done as it was asked, and ends with 1."""

from __future__ import annotations

import json
from math import cos, sin
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from omi_documents import door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.library.motion.noted import RunTroubles
from omi_physics_joint.solver import IslandReport

Captured = pytest.CaptureFixture[str]


def reported(**islands: tuple[IslandReport, ...]) -> Any:
    """Return a report of a step in which these islands were in trouble."""
    none = {"not_met": (), "first_order": (), "not_followed": ()}
    return SimpleNamespace(left_out=0, **{**none, **islands})


def written(folder: Path, gltf: dict[str, Any]) -> Path:
    """Return the path of a file with this document."""
    path = folder / "mechanism.glb"
    path.write_bytes(glb(gltf))
    return path


def test_joints_that_cannot_all_hold_are_named(tmp_path: Path, capsys: Captured) -> None:
    """A second hinge that wants another place is named with the first, how far, and what to do."""
    gltf = door()
    nodes = gltf["nodes"]
    joint = next(
        i for i, one in enumerate(nodes) if "OMI_physics_joint" in one.get("extensions", {})
    )
    again = json.loads(json.dumps(nodes[joint])) | {"name": "Second"}
    translation = again.get("translation", [0.0, 0.0, 0.0])
    again["translation"] = [translation[0] + 0.2, *translation[1:]]
    parent = next(one for one in nodes if joint in one.get("children", []))
    parent["children"].append(len(nodes))
    nodes.append(again)
    assert main(["simulate", str(written(tmp_path, gltf)), "--seconds", "0.8"]) == 1
    printed = capsys.readouterr()
    name = nodes[joint]["name"]
    assert "not exact in" in printed.out
    (lost,) = [one for one in printed.err.splitlines() if " cannot both hold in " in one]
    assert f"{name} and Second " in lost or f"Second and {name} " in lost
    assert lost.startswith("error: ")
    assert " frames: up to 0.1 m apart" in lost
    assert lost.endswith(". Move their frames together, or free an axis of one.")
    (rough,) = [one for one in printed.err.splitlines() if "Only roughly computed in " in one]
    assert f", as they cannot all hold: {name} and Second." in rough
    assert main(["check", str(written(tmp_path, gltf))]) == 0
    checked = capsys.readouterr().out
    assert " cannot both hold in this pose: up to 0.1 m apart." in checked


def test_a_door_that_cannot_move_is_not_said_to_turn(tmp_path: Path, capsys: Captured) -> None:
    """Its second hinge leans by a degree: it stands, is told why, and nobody says that it turns."""
    gltf = door()
    nodes = gltf["nodes"]
    ends = [i for i, one in enumerate(nodes) if "OMI_physics_joint" in one.get("extensions", {})]
    ends.append(nodes[ends[0]]["extensions"]["OMI_physics_joint"]["connectedNode"])
    for end in ends:
        again = json.loads(json.dumps(nodes[end])) | {"name": f"Second {end}"}
        x, y, z = again.get("translation", [0.0, 0.0, 0.0])
        again |= {"translation": [x, y, z + 0.5], "rotation": [sin(0.0087), 0.0, 0.0, cos(0.0087)]}
        parent = next(one for one in nodes if end in one.get("children", []))
        parent["children"].append(len(nodes))
        nodes.append(again)
    joint = nodes[-2]["extensions"]["OMI_physics_joint"]
    joint["connectedNode"] = len(nodes) - 1
    main(["simulate", str(written(tmp_path, gltf)), "--seconds", "0.5"])
    printed = capsys.readouterr()
    assert "hinge the same two bodies" in printed.err
    assert "out of line" in printed.err
    assert printed.out.count("did not move") == 2


def test_what_is_too_stiff_for_a_frame_is_said_and_fails_strictly(
    tmp_path: Path, capsys: Captured
) -> None:
    """A door falls onto a stop of 1e9 N m/rad, which is replaced at 24 frames a second."""
    gltf = door()
    settings = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]
    for limit in settings["limits"]:
        if limit.get("angularAxes") and limit.get("min", 0.0) != limit.get("max", 0.0):
            limit["stiffness"] = 1e9
    words = ["simulate", str(written(tmp_path, gltf)), "--fps", "24"]
    assert main([*words, "--soft-locks", "literal"]) == 0
    assert "is too stiff to be followed at 24 frames a second" in capsys.readouterr().err
    assert main([*words, "--soft-locks", "literal", "--strict"]) == 1


@pytest.mark.parametrize(("rough", "severity"), [(40, "warning"), (50, "warning"), (60, "error")])
def test_a_motion_that_is_rough_in_most_frames_has_failed(rough: int, severity: str) -> None:
    """In up to half of a hundred frames it is a warning."""
    island = IslandReport((0,), (1,), 1, 1, True, 0)
    troubles = RunTroubles()
    for _ in range(rough):
        troubles.note(reported(first_order=(island,)))
    (said,) = troubles.issues((), {1: "Hinge"}, 100, 60.0)
    assert (said.code, said.severity.value) == ("motion-rough", severity)


@pytest.mark.parametrize("apart", [(0.1, 0.3, 0.2), (0.3, 0.2, 0.1), (0.1, 0.2, 0.3)])
def test_joints_are_as_far_apart_as_in_their_worst_frame(apart: tuple[float, ...]) -> None:
    """Whichever frame of the motion that is, and in how many they were."""
    troubles = RunTroubles()
    for far in apart:
        island = IslandReport((0,), (1,), 1, 0, False, 0, separation=far)
        troubles.note(reported(not_met=(island,)))
    (said,) = troubles.issues((), {1: "Hinge"}, 100, 60.0)
    assert said.message == "Hinge cannot hold in 3 frames: up to 0.3 m apart."


def test_a_joint_that_begins_apart_is_told_to_jump(tmp_path: Path, capsys: Captured) -> None:
    """What is brought together in the first moments is in no figure of the run."""
    gltf = door()
    gltf["nodes"][1]["translation"][0] += 0.2
    assert main(["simulate", str(written(tmp_path, gltf)), "--seconds", "0.1"]) == 0
    assert "outside its limits by 0.2 m along X, so it jumps" in capsys.readouterr().err
    assert main(["simulate", str(written(tmp_path, door())), "--seconds", "0.1"]) == 0
    assert "jumps" not in capsys.readouterr().err
