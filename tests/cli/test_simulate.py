# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``simulate``: the document it writes, what it says, and how it ends."""

from __future__ import annotations

import base64
import json
import os
import struct
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from omi_documents import body, door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import WRONG_USE
from omi_physics_joint.library.motion.recorded_motion import RecordedMotion, unique_names

Folder = Path
Captured = pytest.CaptureFixture[str]


def written(folder: Folder, gltf: dict[str, Any]) -> Path:
    """Return the path of a file with this document."""
    path = folder / "mechanism.glb"
    path.write_bytes(glb(gltf))
    return path


def simulated(folder: Folder, gltf: dict[str, Any], *words: object) -> dict[str, Any]:
    """Return what ``--json`` writes for a document that has no errors."""
    out = folder / "out.json"
    path = written(folder, gltf)
    assert main(["simulate", str(path), "--json", str(out), *map(str, words)]) == 0
    document: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return document


def soft_door(stiffness: float) -> dict[str, Any]:
    """Return the door with all its locks this soft."""
    gltf = door()
    for limit in gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"][:2]:
        limit |= {"stiffness": stiffness, "damping": 1.0}
    return gltf


def with_gravity(**members: Any) -> dict[str, Any]:
    """Return the door in a document that says something of gravity."""
    gltf = door()
    gltf["extensions"]["OMI_physics_gravity"] = members
    gltf["extensionsUsed"].append("OMI_physics_gravity")
    return gltf


def test_the_document_has_exactly_the_promised_members(tmp_path: Folder) -> None:
    """Frames, bodies, joints and energy are named as described, with one pose a frame."""
    run = simulated(tmp_path, door(), "--seconds", 0.5, "--fps", 24)
    assert set(run) == {"fps", "steps", "gravity", "bodies", "joints", "energy"}
    assert (run["fps"], run["gravity"]) == (24, [0.0, -9.81, 0.0])
    assert set(run["bodies"]) == {"Frame", "Door"}
    for motion in run["bodies"].values():
        assert set(motion) == {"translation", "rotation"}
        assert [len(pose) for pose in motion["translation"]] == [3] * 13
        assert [len(pose) for pose in motion["rotation"]] == [4] * 13
    joint = run["joints"]["Door Hinge"]
    assert set(joint) == {
        *("type", "separation", "misalignment", "overshoot"),
        *("force", "torque"),
    }
    assert joint["type"] == "Hinge"
    assert set(run["energy"]) == {"kinetic", "potential"}
    assert all(len(values) == 13 for values in run["energy"].values())


def test_frame_0_is_the_rest_pose_and_the_static_body_stays(tmp_path: Folder) -> None:
    """The first pose is the file's own, and what is static never moves."""
    run = simulated(tmp_path, door(), "--seconds", 0.5)
    assert run["bodies"]["Door"]["translation"][0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)
    assert run["bodies"]["Door"]["rotation"][0] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-12)
    assert run["energy"]["kinetic"][0] == 0.0
    frame = run["bodies"]["Frame"]
    assert frame["translation"] == [[0.0, 0.0, 0.0]] * 31
    assert frame["rotation"] == [[0.0, 0.0, 0.0, 1.0]] * 31


def test_the_door_falls_and_rests_on_its_bound(tmp_path: Folder) -> None:
    """The frame seen from the door turns by +1.5 rad, so the door itself by -1.5 rad about Z."""
    run = simulated(tmp_path, door(), "--seconds", 2)
    x, y, z, w = run["bodies"]["Door"]["rotation"][-1]
    assert (abs(x), abs(y)) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert z / w == pytest.approx(-0.9315964599, abs=1e-5)  # tan(-0.75)
    joint = run["joints"]["Door Hinge"]
    assert joint["separation"] <= 1e-6
    assert joint["overshoot"] <= 1e-6
    assert joint["force"] > 9.0


@pytest.mark.long
def test_equal_files_give_equal_documents(tmp_path: Folder) -> None:
    """Two runs write the same text, bit for bit."""
    texts = set()
    for _ in range(2):
        simulated(tmp_path, soft_door(200.0), "--seconds", 0.5)
        texts.add((tmp_path / "out.json").read_text("utf-8"))
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("members", "words", "expected"),
    [
        ({"gravity": 1.62}, [], [0.0, -1.62, 0.0]),
        ({"gravity": 2.0, "direction": [0.0, 0.0, 3.0]}, [], [0.0, 0.0, 2.0]),
        ({}, [], [0.0, -9.81, 0.0]),
        ({"gravity": 1.62}, ["--gravity", "1", "-2", "0"], [1.0, -2.0, 0.0]),
        ({}, ["--gravity", "-1e1", "-2.5E-1", "-.5e+0"], [-10.0, -0.25, -0.5]),
    ],
)
def test_gravity_is_the_words_else_the_files(
    members: dict[str, Any], words: list[str], expected: list[float], tmp_path: Folder
) -> None:
    """The command line wins over the file, the file over 9.81 downwards."""
    run = simulated(tmp_path, with_gravity(**members), "--seconds", 0.1, *words)
    assert run["gravity"] == pytest.approx(expected)


def test_without_gravity_nothing_moves(tmp_path: Folder) -> None:
    """A mechanism at rest that nothing pulls stays where it is."""
    run = simulated(tmp_path, door(), "--seconds", 0.5, "--gravity", 0, 0, 0)
    door_path = run["bodies"]["Door"]["translation"]
    assert door_path[-1] == pytest.approx(door_path[0], abs=1e-12)


def test_wrong_gravity_is_named_and_left_out(tmp_path: Folder, capsys: Captured) -> None:
    """A direction of no length is an error of the file: exit code 1, down is taken."""
    path = written(tmp_path, with_gravity(direction=[0, 0, 0]))
    assert main(["simulate", str(path), "--seconds", "0.1"]) == 1
    out, err = capsys.readouterr()
    assert "gravity 0 -9.81 0" in out
    assert "OMI_physics_gravity: The direction of gravity is zero." in err


def test_the_summary_is_for_people(tmp_path: Folder, capsys: Captured) -> None:
    """It names joint types, separation, overshoot and energy, and says that nothing collides."""
    assert main(["simulate", str(written(tmp_path, door())), "--seconds", "0.2"]) == 0
    out, err = capsys.readouterr()
    assert "2 bodies, 1 joint; 0.2 s at 60 frames a second" in out
    assert "joint Door Hinge: Hinge; separation" in out
    assert "largest separation: " in out
    assert "largest overshoot: " in out
    assert "energy: " in out
    assert out.splitlines()[-1] == "Contacts are not simulated: bodies pass through each other."
    assert err == ""


@pytest.mark.long
def test_soft_locks_that_fall_apart_are_a_hint(tmp_path: Folder, capsys: Captured) -> None:
    """Literal softness that lets the door fall off says which switch would hold it."""
    run = simulated(tmp_path, soft_door(0.3), "--seconds", 1, "--soft-locks", "literal")
    assert run["bodies"]["Door"]["translation"][-1][1] < -1.0
    assert "use --soft-locks rigid" in capsys.readouterr().err
    run = simulated(tmp_path, soft_door(0.3), "--seconds", 1, "--soft-locks", "rigid")
    assert run["joints"]["Door Hinge"]["separation"] <= 1e-6
    assert capsys.readouterr().err == ""


def test_steps_are_as_many_as_are_asked_for(tmp_path: Folder, capsys: Captured) -> None:
    """More steps and more accuracy cost steps, which are said, and come to nearly the same."""
    path, words = written(tmp_path, door()), ("--seconds", 1, "--gravity", 3, -9.81, 2)
    ends = []
    for more, least in (((), 1), (("--substeps", 4), 4), (("--accuracy", 1e-12), 2)):
        run = simulated(tmp_path, door(), *words, *more)
        (line,) = (one for one in capsys.readouterr().out.splitlines() if "computed with" in one)
        steps = [int(word) for word in line.split() if word.isdigit()]
        assert steps[-1] >= least
        ends.append(run["bodies"]["Door"]["rotation"][-1])
    assert ends[0] != [0.0, 0.0, 0.0, 1.0]
    assert ends[1] == pytest.approx(ends[0], abs=1e-5)
    assert ends[2] == pytest.approx(ends[0], abs=1e-5)
    for wrong in (("--substeps", "0"), ("--substeps", "2.5"), ("--accuracy", "0")):
        assert main(["simulate", str(path), *wrong]) == WRONG_USE
        assert wrong[1] in capsys.readouterr().err


@pytest.mark.long
def test_soft_limits_that_cannot_hold_are_rigid_by_default(
    tmp_path: Folder, capsys: Captured
) -> None:
    """The door hangs together as with rigid locks, and a hint says why and how to change it."""
    run = simulated(tmp_path, soft_door(0.3), "--seconds", 1)
    err = capsys.readouterr().err
    assert "cannot hold the weight" in err
    assert "--soft-locks literal" in err
    assert run == simulated(tmp_path, soft_door(0.3), "--seconds", 1, "--soft-locks", "rigid")
    assert simulated(tmp_path, soft_door(500.0), "--seconds", 1) == simulated(
        tmp_path, soft_door(500.0), "--seconds", 1, "--soft-locks", "literal"
    )


def test_soft_locks_that_hold_are_no_hint(tmp_path: Folder, capsys: Captured) -> None:
    """A lock of 1e6 N/m is soft by its number and looks rigid: nothing is said."""
    simulated(tmp_path, soft_door(1e6), "--seconds", 0.5)
    assert capsys.readouterr().err == ""


def test_names_that_occur_twice_are_numbered_in_node_order(tmp_path: Folder) -> None:
    """Every body has a place of its own in the document."""
    gltf = door()
    for _ in range(2):
        gltf["nodes"].append({"name": "Door", "extensions": body({"motion": {"type": "dynamic"}})})
    gltf["nodes"].append({"extensions": body({"motion": {"type": "static"}})})
    run = simulated(tmp_path, gltf, "--seconds", 0.1)
    assert list(run["bodies"]) == ["Frame", "Door", "Door.001", "Door.002", "node 6"]


def test_a_name_that_a_node_really_has_is_not_given_away() -> None:
    """Numbering steps over names that exist."""
    assert unique_names(["a", "a", "a.001", "a", "a.001"]) == [
        *("a", "a.002", "a.001", "a.003"),
        "a.001.001",
    ]


def test_a_file_without_joints_is_simulated(tmp_path: Folder, capsys: Captured) -> None:
    """Bodies without joints fall; a file without bodies has nothing to say but is no mistake."""
    gltf = door()
    del gltf["nodes"][3]["extensions"]
    run = simulated(tmp_path, gltf, "--seconds", 1)
    assert run["bodies"]["Door"]["translation"][-1][1] == pytest.approx(-4.905, rel=1e-3)
    assert run["joints"] == {}
    empty = simulated(tmp_path, {"asset": {"version": "2.0"}}, "--seconds", 0.1)
    assert empty["bodies"] == {}
    assert "0 bodies, 0 joints" in capsys.readouterr().out


def test_a_file_with_errors_is_simulated_as_far_as_it_is_sound(
    tmp_path: Folder, capsys: Captured
) -> None:
    """Its issues go to standard error and the exit code is 1."""
    gltf = door()
    gltf["nodes"][3]["extensions"]["OMI_physics_joint"]["joint"] = 5
    assert main(["simulate", str(written(tmp_path, gltf)), "--seconds", "0.1"]) == 1
    out, err = capsys.readouterr()
    assert "2 bodies, 0 joints" in out
    assert err.startswith("error: /nodes/3")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["simulate"], "required"),
        (["simulate", "nowhere.glb"], "no such file"),
        (["simulate", "scene.blend"], "written by export"),
        (["simulate", "a.glb", "--fps", "0"], "invalid positive number"),
        (["simulate", "a.glb", "--seconds", "-1"], "invalid positive number"),
        (["simulate", "a.glb", "--seconds", "nan"], "invalid positive number"),
        (["simulate", "a.glb", "--gravity", "0", "0"], "expected 3 arguments"),
        (["simulate", "a.glb", "--gravity", "0", "inf", "0"], "invalid number"),
        (["simulate", "a.glb", "--seconds", "-1e-3"], "invalid positive number"),
        (["simulate", "a.glb", "--gravity", "0", "-1e999", "0"], "expected 3 arguments"),
        (["simulate", "a.glb", "--soft-locks", "hard"], "invalid choice"),
        (["simulate", "a.glb", "--seconds", "1e9"], "no 1 to 1000000 frames"),
        (["simulate", "a.glb", "--seconds", "0.005"], "no 1 to 1000000 frames"),
        (["simulate", "examples/glb/door.glb", "--json", "/"], "Cannot write"),
    ],
)
def test_wrong_use_ends_with_2_and_one_line(
    words: list[str], reason: str, capsys: Captured
) -> None:
    """Wrong words end with 2, a file that cannot be used with 3; both say so in one line."""
    assert main(words) == (3 if any(one in reason for one in ("writ", "such")) else 2)
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("error: ")
    assert reason in line


def test_a_pipe_is_no_place_for_the_motion(tmp_path: Folder, capsys: Captured) -> None:
    """As /dev/stdout, a link to what is nowhere: the file is put in place whole, or not at all."""
    for end in os.pipe():
        out = f"/dev/fd/{end}"
        assert main(["simulate", str(written(tmp_path, door())), "--json", out]) == 3
        os.close(end)
        assert f"Cannot write {out}: it is no regular file." in capsys.readouterr().err


def test_an_interrupted_run_writes_nothing(
    tmp_path: Folder, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+C ends with 130 and one line, and leaves no half of a document behind."""

    def interrupted(_: RecordedMotion) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(RecordedMotion, "advance", interrupted)
    out = tmp_path / "out.json"
    assert main(["simulate", str(written(tmp_path, door())), "--json", str(out)]) == 130
    assert not out.exists()
    assert capsys.readouterr() == ("", "interrupted; nothing is written\n")


def test_a_long_run_says_how_far_it_is_on_standard_error(
    tmp_path: Folder, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its progress never stands among what the run has to say."""
    monkeypatch.setattr("omi_physics_joint.cli.simulate.IN_A_LOG", 0.0)
    assert main(["simulate", str(written(tmp_path, door())), "--seconds", "0.1"]) == 0
    out, err = capsys.readouterr()
    assert err.splitlines()[-1] == "simulated 0.10 of 0.1 s"
    assert "simulated 0." not in out


def animated(times: list[float], places: list[list[float]]) -> dict[str, Any]:
    """Return the door with a kinematic frame that an animation moves."""
    gltf = door()
    gltf["nodes"][0]["extensions"]["OMI_physics_body"]["motion"]["type"] = "kinematic"
    flat = [*times, *(x for place in places for x in place)]
    data = struct.pack(f"<{len(flat)}f", *flat)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    first = 4 * len(times)
    gltf |= {
        "buffers": [{"byteLength": len(data), "uri": uri}],
        "bufferViews": [
            {"buffer": 0, "byteLength": first},
            {"buffer": 0, "byteOffset": first, "byteLength": len(data) - first},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(times), "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": len(places), "type": "VEC3"},
        ],
        "animations": [
            {
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 0, "output": 1}],
            }
        ],
    }
    return gltf


def test_a_kinematic_body_follows_its_animation(tmp_path: Folder) -> None:
    """It is where the file says in every frame, rests after the last key, and takes the door."""
    gltf = animated([0.0, 0.5], [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    run = simulated(tmp_path, gltf, "--seconds", 1, "--fps", 20)
    heights = [place[1] for place in run["bodies"]["Frame"]["translation"]]
    assert heights == pytest.approx([min(frame / 10.0, 1.0) for frame in range(21)], abs=1e-7)
    assert run["joints"]["Door Hinge"]["separation"] <= 1e-6


def test_an_animation_that_cannot_be_read_is_a_warning(tmp_path: Folder, capsys: Captured) -> None:
    """What it moves stands still, and the file is simulated all the same."""
    gltf = animated([0.0, 0.5], [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    gltf["accessors"][1]["count"] = 99
    run = simulated(tmp_path, gltf, "--seconds", 0.2)
    assert run["bodies"]["Frame"]["translation"][-1] == [0.0, 0.0, 0.0]
    assert "Accessor 1 reaches beyond its buffer." in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("locks", ["automatic", "rigid"])
def test_examples_stay_together_unless_they_are_read_literally(
    example_files: Path, tmp_path: Folder, locks: str
) -> None:
    """All seven hang together for two seconds, and every number in the document is finite."""
    paths = sorted((example_files / "examples").glob("*.gltf"))
    assert len(paths) == 7
    for path in paths:
        out = tmp_path / f"{path.stem}.json"
        words = ["--seconds", "2", "--soft-locks", locks, "--json", str(out)]
        assert main(["simulate", str(path), *words]) == 0
        run = json.loads(out.read_text("utf-8"))
        assert run["joints"]
        assert all(joint["separation"] <= 1e-6 for joint in run["joints"].values())
        numbers = [x for m in run["bodies"].values() for pose in m["translation"] for x in pose]
        assert all(map(isfinite, numbers))


def test_the_summary_names_the_most_energy_on_the_way(tmp_path: Folder, capsys: Captured) -> None:
    """A motor throws the door up against its stop, where what it was moved with is lost."""
    gltf = door()
    motor = {"type": "angular", "mode": "force", "axis": 2, "velocityTarget": 3.0, "damping": 50.0}
    gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["drives"] = [motor]
    energy = simulated(tmp_path, gltf, "--seconds", 2)["energy"]
    totals = [sum(two) for two in zip(energy["kinetic"], energy["potential"], strict=True)]
    assert max(totals) > max(totals[0], totals[-1]) + 0.1
    assert f"at most {max(totals) - totals[0]:.2g} J above the first" in capsys.readouterr().out
