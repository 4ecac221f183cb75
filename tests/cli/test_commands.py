# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line on glTF files: what it prints where, and with which exit code it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygltflib
import pytest
from omi_documents import door, glb, keyed_door

from omi_physics_joint.cli.command import main
from omi_physics_joint.library.formats import BLEND, READABLE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A file without errors."""
    path = tmp_path / "good.glb"
    path.write_bytes(glb(door()))
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A file with one error, in its joint."""
    gltf = door()
    gltf["nodes"][3]["extensions"]["OMI_physics_joint"]["joint"] = 5
    path = tmp_path / "bad.gltf"
    path.write_text(json.dumps(gltf))
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file that is no glTF."""
    path = tmp_path / "broken.glb"
    path.write_bytes(b"glTF?")
    return path


def run(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m omi_physics_joint`` in a process of its own, away from the checkout."""
    return subprocess.run(
        [sys.executable, "-m", "omi_physics_joint", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        timeout=120,
    )


def test_check_of_a_good_file_ends_with_0(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No errors: a summary as the last line, and nothing on standard error."""
    assert main(["check", str(good)]) == 0
    out, err = capsys.readouterr()
    assert "error" not in out.splitlines()[-1]
    assert err == ""


def test_check_of_a_bad_file_ends_with_1(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error: one line with its severity, place, sentence and cure, and exit code 1."""
    assert main(["check", str(bad)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        'error: /nodes/3/extensions/OMI_physics_joint/joint "Door Hinge": joint is 5, '
        "but the file has only 1 joint settings. Point it at one of them."
    )
    assert lines[-1].startswith("1 error")


def test_several_files_are_all_processed_and_the_worst_counts(
    good: Path, bad: Path, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines begin with the name of the file; unreadable ones hide no errors, nor errors them."""
    assert main(["check", str(good), str(bad)]) == 1
    capsys.readouterr()
    assert main(["check", str(bad), str(broken), str(good)]) == 3
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert all(line.startswith((f"{bad}: ", f"{good}: ")) for line in lines[:-1])
    assert any(line.startswith(f"{bad}: error: /nodes/3") for line in lines)
    assert lines[-1].startswith("3 files, 1 unreadable: 1 error")
    (line,) = err.splitlines()
    assert line.startswith(f"error: {broken}: The file is cut off")


def test_info_names_bodies_joints_and_users(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """People read what there is: both bodies of each joint, its name and its freedom."""
    assert main(["info", str(good)]) == 0
    out = capsys.readouterr().out
    assert "4 nodes, 2 bodies, 1 joint, 1 collider, 0 triggers" in out
    assert "body Door: dynamic, 1 kg" in out
    assert (
        "joint Door Hinge: Hinge (turns from 0\u00b0 to 85.94\u00b0); joins Door and Frame" in out
    )
    assert "Axes are glTF's, Y up" in out
    assert 'settings "Hinge": Hinge; 1 user: Door Hinge' in out


def test_info_of_a_bad_file_says_its_errors_on_standard_error(
    bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What could be read is printed, what is wrong goes beside it, and the exit code is 1."""
    assert main(["info", str(bad)]) == 1
    out, err = capsys.readouterr()
    assert "0 joints" in out
    assert err.startswith("error: /nodes/3")


def test_json_is_exactly_one_document(
    good: Path, bad: Path, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --json, standard output holds one JSON document about all files, errors included."""
    assert main(["check", "--json", str(good), str(bad), str(broken)]) == 3
    report = json.loads(capsys.readouterr().out)
    assert (report["command"], report["code"]) == ("check", 3)
    assert [file["code"] for file in report["files"]] == [0, 1, 3]
    assert report["files"][1]["issues"][0]["code"] == "index-out-of-range"
    (issue, *_) = report["files"][1]["issues"]
    assert set(issue) == {"severity", "code", "where", "message", "fix", "loss"}
    assert "cut off" in report["files"][2]["error"]


def test_json_info_has_the_numbers(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Machines read the same as people, by name."""
    assert main(["info", "--json", str(good)]) == 0
    info: dict[str, Any] = json.loads(capsys.readouterr().out)["files"][0]["info"]
    assert info["nodes"] == 4
    assert info["bodies"] == [
        {"name": "Frame", "motion": "static", "mass": 1.0},
        {"name": "Door", "motion": "dynamic", "mass": 1.0},
    ]
    (joint,) = info["joints"]
    assert (joint["name"], joint["body"], joint["connected_body"]) == (
        "Door Hinge",
        "Door",
        "Frame",
    )
    assert info["settings"][joint["settings"]]["users"] == ["Door Hinge"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "required"),
        (["frobnicate"], "invalid choice"),
        (["check"], "required"),
        (["check", "--frob", "a.glb"], "unrecognized"),
        (["export"], "required"),
        (["export", "--format", "obj", "a.blend"], "invalid choice"),
        (["check", "nowhere.glb"], "no such file"),
        (["check", "nowhere.blend"], "no such file"),
        (["check", "picture.png"], "'.png'"),
        (["check", "noextension"], "''"),
        (["check", "."], "There is no .gltf"),
        (["export", "nowhere.blend"], "no such file"),
        (["export", "a.glb"], "Only .blend"),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong words end with 2, a file that cannot be read with 3; both say so in one line."""
    assert main(words) == (3 if reason in ("no such file", "'.png'", "''", "Only .blend") else 2)
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("error: ")
    assert reason in line


def test_help_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    """--help is no mistake."""
    assert main(["--help"]) == 0
    assert "export" in capsys.readouterr().out


@pytest.mark.long
def test_python_m_works_from_any_folder(good: Path, bad: Path) -> None:
    """The same words in a process of its own give the same codes, and never a traceback."""
    done = run("check", "--json", good)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["code"] == 0
    assert run("check", bad).returncode == 1
    wrong = run("check", good.with_name("none.gltf"))
    assert wrong.returncode == 3
    assert "Traceback" not in wrong.stderr


@pytest.mark.parametrize("command", ["check", "info", "simulate"])
def test_names_do_nothing_to_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """Codes that colour it and ends of lines are shown as they are spelled."""
    gltf = door()
    gltf["nodes"][2]["name"] = gltf["nodes"][3]["name"] = "a\x1b[31m\nerror: b"
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["motion"]["mass"] = -1.0
    (tmp_path / "a.gltf").write_text(json.dumps(gltf))
    main([command, str(tmp_path / "a.gltf")])
    printed = "".join(capsys.readouterr())
    assert r"a\x1b[31m\nerror: b" in printed
    assert "\x1b" not in printed


@pytest.mark.parametrize("word", ["--json", "--report", "--junit"])
def test_a_report_is_a_file(word: str, good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is to go to standard output is refused before anything is done, and makes no file."""
    assert main(["simulate", str(good), word, "-"]) == 2
    assert f"{word} writes a file" in capsys.readouterr().err
    assert not Path("-").exists()


@pytest.mark.parametrize("command", ["check", "info", "simulate", "export"])
def test_a_run_of_no_file_says_so(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where the list of a night is empty; that is no failure."""
    (tmp_path / "empty.txt").write_text("\n")
    assert main([command, f"@{tmp_path / 'empty.txt'}"]) == 0
    assert capsys.readouterr().err.startswith("Nothing is done")


@pytest.mark.long
def test_names_that_the_terminal_lacks_are_escaped(tmp_path: Path) -> None:
    """A door named in Japanese is no crash on a terminal that knows only ASCII."""
    gltf = door()
    gltf["nodes"][2]["name"] = "\u6249"
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(gltf))
    done = run("info", path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "body \\u6249: dynamic" in done.stdout


@pytest.mark.long
def test_a_closed_pipe_is_no_traceback(good: Path) -> None:
    """Whoever reads only the first line of many, as head does, gets no traceback after it."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "omi_physics_joint", "info", str(good)],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    os.close(writing)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_files_of_pygltflib_are_checked(tmp_path: Path) -> None:
    """A .glb by another writer, our extensions in it, is read like our own."""
    gltf = door()
    other = pygltflib.GLTF2().from_dict(
        {key: gltf[key] for key in ("asset", "extensionsUsed", "extensions", "scenes", "scene")}
    )
    other.nodes = [pygltflib.Node(**node) for node in gltf["nodes"]]
    path = tmp_path / "other.glb"
    other.save_binary(str(path))
    assert main(["check", str(path)]) == 0


def test_no_example_has_an_error(example_files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The seven files of joints are read, checked and described, all in one go."""
    paths = [str(path) for path in sorted((example_files / "examples").glob("*.gltf"))]
    assert len(paths) == 7
    assert main(["info", "--json", *paths]) == main(["check", *paths])
    report = json.JSONDecoder().raw_decode(capsys.readouterr().out)[0]
    assert sum(len(file["info"]["joints"]) for file in report["files"]) == 16


def test_check_speaks_of_the_readers_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Godot unless others are named; ``--reader`` twice is for both."""
    gltf = door()
    motor = {"type": "angular", "mode": "force", "axis": 2, "velocityTarget": 1, "damping": 5}
    gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["drives"] = [motor]
    path = tmp_path / "motor.glb"
    path.write_bytes(glb(gltf))

    def spoken_of(*words: str) -> set[str]:
        main(["check", str(path), *words])
        said = capsys.readouterr().out
        return {name for name in ("Godot", "Babylon") if name in said}

    assert spoken_of() == {"Godot"}
    assert spoken_of("--reader", "babylon") == {"Babylon"}
    assert spoken_of("--reader", "babylon", "--reader", "godot") == {"Godot", "Babylon"}


def test_keys_are_checked_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader that ignores animated settings is named, and keys that cannot be read are."""
    path = tmp_path / "keyed.gltf"
    gltf = keyed_door()
    path.write_text(json.dumps(gltf))
    main(["check", str(path), "--reader", "godot-omi"])
    assert "are animated" in capsys.readouterr().out
    gltf["buffers"][0]["uri"] = "gone.bin"
    path.write_text(json.dumps(gltf))
    main(["check", str(path)])
    assert "What it changes stays as it is." in capsys.readouterr().out


def test_articulations_of_a_file_are_said_in_either_order_of_words(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file after the option is a file, and a pattern before it a pattern."""
    said = []
    for words in (["--articulations", str(good)], [str(good), "--articulations", "*"]):
        assert main(["info", *words]) == 0
        said.append(capsys.readouterr().out.splitlines())
    assert said[0] == said[1]
    assert said[0][0] == "1 articulation; joint_q has 1 number, joint_qd 1"
    assert main(["info", "--articulations", "nobody", str(good)]) == 0
    assert capsys.readouterr().out.startswith("0 articulations with a body or joint named nobody;")
    assert main(["info", "--json", "--articulations", str(good)]) == 0
    info = json.loads(capsys.readouterr().out)["files"][0]["info"]
    assert info["articulations"]["articulations"][0]["joints"][0]["type"] == "REVOLUTE"
    assert main(["info", "--articulations"]) == 2


@pytest.mark.parametrize("ending", [BLEND, *READABLE])
@pytest.mark.parametrize("spelled", [str.lower, str.upper, str.title])
def test_after_articulations_each_file_is_a_file(
    ending: str, spelled: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever it is and in whatever letters: it is missed, not taken for a name."""
    assert main(["info", "--articulations", spelled(f"missing{ending}")]) == 3
    assert spelled(f"missing{ending}") in capsys.readouterr().err


def test_physics_that_was_dropped_is_missed(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file without a fault and without physics has an error for all that is required."""
    bare = tmp_path / "bare.glb"
    gltf = door()
    for owner in (gltf, *gltf["nodes"]):
        owner.pop("extensions", None)
    gltf["extensionsUsed"] = []
    bare.write_bytes(glb(gltf))
    assert main(["check", str(bare)]) == 0
    capsys.readouterr()
    words = ["--require", "joints", "--require", "bodies"]
    assert main(["check", *words, str(good), str(bare)]) == 1
    said = capsys.readouterr().out
    assert f"{bare}: error: file: It holds no joints." in said
    assert f"{bare}: error: file: It holds no bodies." in said
    assert f"{good}: error" not in said
    assert main(["check", "--require", "wheels", str(good)]) == 2
