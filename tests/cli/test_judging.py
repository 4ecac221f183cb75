# SPDX-License-Identifier: GPL-3.0-or-later
"""What fails a command, what strict refuses, and what is said of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import FailOn, Judge, Outcome
from omi_physics_joint.model.issue import Issue, Severity

ROOT = Path(__file__).resolve().parents[2]
Captured = pytest.CaptureFixture[str]
MJCF = """<mujoco><worldbody>
<body name="arm"><geom size="0.1" mass="1"/><joint name="turn" type="hinge"/></body></worldbody>
<tendon><fixed name="string"><joint joint="turn" coef="1"/></fixed></tendon></mujoco>"""
STRICTNESS = [(True, "error", "loss"), (True, "warning", "warning"), (False, "error", "error")]
FLAT = {"type": "box", "box": {"size": [1.0, -1.0, 1.0]}}


@pytest.fixture
def tendon(tmp_path: Path) -> Path:
    """A model of MuJoCo without errors, of which a tendon is lost."""
    path = tmp_path / "tendon.xml"
    path.write_text(MJCF)
    return path


@pytest.mark.parametrize("quiet", [False, True])
def test_many_alike_are_one_line_for_people_and_all_of_them_in_json(
    tmp_path: Path, capsys: Captured, *, quiet: bool
) -> None:
    """Seven flat boxes: a line with their number and three names, seven in count and JSON."""
    gltf = door()
    gltf["extensions"]["OMI_physics_shape"]["shapes"] = [FLAT] * 7
    (tmp_path / "flat.glb").write_bytes(glb(gltf))
    words = ["check", str(tmp_path / "flat.glb"), *["--quiet"] * quiet]
    main(words)
    *lines, count = capsys.readouterr().out.splitlines()
    [line] = [one for one in lines if "size" in one]
    assert line.startswith("error: 7 times (shape 0, shape 1, shape 2 and 4 others): "), line
    assert "7 errors" in count
    main([*words, "--json"])
    [report] = json.loads(capsys.readouterr().out)["files"]
    bad = [one["where"] for one in report["issues"] if one["code"] == "shape-size"]
    assert bad == [f"shape {number}" for number in range(7)]


@pytest.mark.parametrize("command", ["check", "info"])
def test_a_slip_in_what_is_ignored_is_told(command: str, flat: Path, capsys: Captured) -> None:
    """A code like one that there is; not a pattern, nor a code that only others know."""
    words = [command, str(flat), "--ignore", "shape-sise,godot-*,mjcf-standing,shape-size"]
    main(words)
    said = [one for one in capsys.readouterr().err.splitlines() if one.startswith("--ignore")]
    assert said == ["--ignore shape-sise: is shape-size meant?"]


@pytest.fixture
def flat(tmp_path: Path) -> Path:
    """A door whose collider has a size below zero: an error that no reader finds."""
    gltf = door()
    gltf["extensions"]["OMI_physics_shape"]["shapes"] = [FLAT]
    path = tmp_path / "flat.glb"
    path.write_bytes(glb(gltf))
    return path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 0),
        (["--fail-on", "error"], 0),
        (["--fail-on", "loss"], 1),
        (["--fail-on", "warning"], 1),
        (["--fail-on", "loss", "--ignore", "mjcf-tendon"], 0),
        (["--fail-on", "loss", "--ignore", "other", "--ignore", "some,mjcf-t*"], 0),
        (["--fail-on", "loss", "--ignore", "'mjcf-t*',\"other\""], 0),
    ],
)
@pytest.mark.parametrize("command", ["check", "convert", "simulate"])
def test_a_loss_fails_where_that_was_asked_for(
    command: str, words: list[str], code: int, tendon: Path, tmp_path: Path
) -> None:
    """Every command with issues ends with 1 on what it is told to, and ignores what it is told."""
    more = [str(tmp_path / "out.glb")] if command == "convert" else []
    more += ["--seconds", "0.1"] if command == "simulate" else []
    assert main([command, str(tendon), *more, *words]) == code
    assert (tmp_path / "out.glb").exists() == (command == "convert")


@pytest.mark.parametrize("words", [["--strict"], ["--strict", "--quiet"]])
def test_strict_writes_nothing_where_something_is_lost(
    words: list[str], tendon: Path, tmp_path: Path, capsys: Captured
) -> None:
    """It ends with 1 and says why, once; what is ignored is in nobody's way."""
    output = tmp_path / "out.glb"
    assert main(["convert", str(tendon), str(output), *words]) == 1
    assert not output.exists()
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(set(lines)) == len(lines)
    assert [line for line in lines if "tendon" in line and "left out" in line]
    assert lines[-1].endswith("Nothing was written: strict refuses errors and losses.")
    assert main(["convert", str(tendon), str(output), *words, "--ignore", "mjcf-tendon"]) == 0
    assert output.exists()


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".xml", ".urdf", ".usda"])
def test_convert_checks_before_it_writes(
    suffix: str, flat: Path, tmp_path: Path, capsys: Captured
) -> None:
    """What check calls an error is said once, fails, and strict writes nothing of it."""
    if suffix == ".usda":
        pytest.importorskip("pxr")
    output = tmp_path / f"out{suffix}"
    assert main(["convert", str(flat), str(output), "--strict"]) == 1
    assert not output.exists()
    capsys.readouterr()
    assert main(["convert", str(flat), str(output)]) == 1
    assert output.exists()
    err = capsys.readouterr().err
    assert err.count("size of this box is -1 m") == 1


def test_what_was_read_with_an_error_is_not_said_again(tmp_path: Path, capsys: Captured) -> None:
    """Reading and checking find some errors both; people hear of them once."""
    gltf = door()
    gltf["nodes"][3]["extensions"]["OMI_physics_body"] = {"collider": {"shape": 0}}
    path = tmp_path / "both.glb"
    path.write_bytes(glb(gltf))
    for words in (["check", str(path)], ["convert", str(path), str(tmp_path / "out.glb")]):
        assert main(words) == 1
        out, err = capsys.readouterr()
        assert (out + err).count("error:") == 1


def test_the_worst_of_several_files_counts(flat: Path, tmp_path: Path) -> None:
    """A file that cannot be read is worse than one with errors, in either order."""
    cut = tmp_path / "cut.glb"
    cut.write_bytes(b"glTF?")
    assert main(["check", str(cut)]) == 3
    assert main(["check", str(flat), str(cut)]) == 3
    assert main(["check", str(cut), str(flat)]) == 3


def test_quiet_says_what_fails_and_nothing_else(flat: Path, tendon: Path, capsys: Captured) -> None:
    """Hints and warnings that fail nothing are not said, and the summary counts them."""
    assert main(["check", "--quiet", str(flat)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == ["error"]
    assert main(["check", "--quiet", str(tendon)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert "warning" in line


def test_what_readers_do_in_every_file_is_said_once_a_run(tmp_path: Path, capsys: Captured) -> None:
    """The hint stands in full in the first file, and then a number; JSON has all of them.

    A file in between that has nothing of it is another matter.
    """
    paths = [tmp_path / name for name in ("a.glb", "b.glb", "c.glb")]
    (tmp_path / "bare.glb").write_bytes(glb({"asset": {"version": "2.0"}}))
    driven = door()
    motor = {"type": "angular", "mode": "force", "axis": 2, "velocityTarget": 1, "damping": 1e6}
    driven["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["drives"] = [motor]
    for path in paths:
        path.write_bytes(glb(driven))
    names = [str(path) for path in paths]
    assert main(["check", names[0], str(tmp_path / "bare.glb"), *names[1:]]) == 0
    out = capsys.readouterr().out
    assert out.count("Godot gives back") == 1
    assert "godot-stops: likewise in 2 other files" in out
    main(["check", "--json", *names])
    files = json.loads(capsys.readouterr().out)["files"]
    assert all("godot-stops" in {one["code"] for one in file["issues"]} for file in files)


@pytest.mark.parametrize(("strict", "said", "meant"), STRICTNESS)
def test_strict_asks_for_no_less_than_was_asked_for(strict: bool, said: str, meant: str) -> None:
    """Alone it fails on losses; a command that fails on warnings goes on to."""
    words = {"strict": strict, "fail_on": said, "ignore": [], "quiet": False}
    assert Judge.of(Namespace(**words)).fail_on == meant


@pytest.mark.long
def test_version_and_usage_have_the_name_that_was_called(capsys: Captured) -> None:
    """The console script is called otherwise than the module and the command of Blender."""
    manifest = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    (version,) = re.findall(r'^version = "([^"]+)"', manifest, re.M)
    assert main(["--version"]) == 0
    assert f"omi_physics_joint {version}" in capsys.readouterr().out
    code = "import sys; from omi_physics_joint.__main__ import main; main()"
    for name, said in (("omi-physics-joint", "omi-physics-joint"), ("__main__.py", "omi_physics")):
        words = ["-c", f"import sys; sys.argv = ['/bin/{name}', '--help']; {code}"]
        done = subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert done.stdout.startswith(f"usage: {said}")


def test_the_manual_has_every_member_of_reports(
    flat: Path, tmp_path: Path, capsys: Captured
) -> None:
    """What stands in a report stands in the manual, and the other way."""
    text = (ROOT / "docs/manual/command-line.md").read_text(encoding="utf-8")
    section = text.split("### The report")[1].split("\nSimulate and render")[0]
    tables = section.split("| of a file |")[1].split("| of an issue |")
    told = [set(re.findall(r"`(\w+)`", re.sub(r"\|[^|]*\|\n", "|\n", one))) for one in tables]
    main(["convert", str(flat), str(tmp_path / "out.glb"), "--json"])
    converted: dict[str, Any] = json.loads(capsys.readouterr().out)
    converted["inputs"] = []  # of .blend files alone
    main(["info", "--json", str(flat)])
    informed: dict[str, Any] = json.loads(capsys.readouterr().out)
    (file,) = informed["files"]
    assert {"command", "code", "versions", "files"} == set(informed)
    assert told[0] == (set(file) | set(converted)) - {"command", "versions"}
    assert told[1] == set(converted["issues"][0])
    assert all(f"`{name}`" in section for name in informed)
    assert (converted["bodies"], converted["joints"], converted["colliders"]) == (2, 1, 1)
    assert converted["bytes"] == (tmp_path / "out.glb").stat().st_size


def test_an_inertia_that_mujoco_refuses_is_not_changed_in_silence(tmp_path: Path) -> None:
    """What is written instead is a loss: strict refuses it, in MJCF; URDF has it as it was."""
    path = tmp_path / "spindle.urdf"
    for largest, code in ((1.0, 1), (0.15, 0)):
        path.write_text(
            '<robot name="spindle"><link name="world"/><link name="arm"><inertial><mass value="1"/>'
            f'<inertia ixx="{largest}" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
            '</link><joint name="turn" type="continuous"><parent link="world"/>'
            '<child link="arm"/><axis xyz="0 0 1"/></joint></robot>'
        )
        assert main(["convert", str(path), str(tmp_path / "out.xml"), "--strict"]) == code
        assert (tmp_path / "out.xml").exists() is not bool(code)
        assert main(["convert", str(path), str(tmp_path / "out.urdf"), "--strict"]) == 0


@pytest.mark.parametrize("suffix", [".xml", ".urdf", ".usda"])
@pytest.mark.parametrize("place", ["node", "settings", "document"])
def test_members_that_only_gltf_keeps_are_losses_elsewhere(
    suffix: str, place: str, tmp_path: Path, capsys: Captured
) -> None:
    """What other extensions say of a body, a joint or the whole is named, and strict refuses."""
    if suffix == ".usda":
        pytest.importorskip("pxr")
    gltf = door()
    places = {
        "node": gltf["nodes"][2]["extensions"]["OMI_physics_body"],
        "settings": gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0],
        "document": gltf["extensions"]["OMI_physics_joint"],
    }
    path, output = tmp_path / "more.glb", tmp_path / f"out{suffix}"
    for is_there, code in ((False, 0), (True, 1)):
        if is_there:
            places[place]["vendorWord"] = 7
        path.write_bytes(glb(gltf))
        assert main(["convert", str(path), str(output), "--strict"]) == code
        assert ("other extensions" in capsys.readouterr().err) is is_there
        assert output.exists() is not is_there
        output.unlink(missing_ok=True)


@pytest.mark.parametrize("fail_on", FailOn)
@pytest.mark.parametrize("severity", [None, *Severity])
def test_what_was_not_done_never_ends_well(fail_on: FailOn, severity: Severity | None) -> None:
    """Refused for its issues it is a fault, whatever those are; else the code tells the state."""
    issues = () if severity is None else (Issue(severity, "code", "file", "It is so."),)
    plain = Outcome(Path("a.blend"), issues, judge=Judge(fail_on))
    refused = replace(plain, error="Nothing was written.", is_refused=True)
    assert (refused.code, refused.state) == (1, "refused")
    unreadable = replace(plain, error="It is no file.")
    assert (unreadable.code, unreadable.state) in {(1, "lost"), (3, "unreadable")}
    assert (plain.code, plain.state) in {(0, "ok"), (1, "lost")}


def test_words_may_stand_between_files(tmp_path: Path, capsys: Captured) -> None:
    """As in any shell: the files after an option count as well as those before it."""
    first, second = tmp_path / "first.glb", tmp_path / "second.glb"
    first.write_bytes(glb(door()))
    assert main(["convert", str(first), "--overwrite", str(second)]) == 0
    capsys.readouterr()
    assert main(["check", str(first), "--fail-on", "error", str(second), "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [one["path"] for one in files] == [str(first), str(second)]
    for words in (["check", str(first), "--frob", str(second)], ["diff", *[str(first)] * 3]):
        assert main(words) == 2
        assert "unrecognized" in capsys.readouterr().err
