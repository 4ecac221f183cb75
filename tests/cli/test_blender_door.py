# SPDX-License-Identifier: GPL-3.0-or-later
"""The door to Blender: what it says where Blender is missing, and that only JSON goes through.

The operator behind the door is replaced by one of the test's own here; the real one is tested
where Blender's tests are.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from omi_physics_joint.cli import examine
from omi_physics_joint.cli.outcome import outcome_of

ROOT = Path(__file__).resolve().parents[2]
needs_blender = pytest.mark.skipif(
    importlib.util.find_spec("bpy") is None, reason="Blender is not installed in this Python"
)
STAND_IN = """
import ctypes, json, os, sys
sys.path.insert(0, sys.argv[1])
from omi_physics_joint.cli.streams import stdout_to_stderr
with stdout_to_stderr():  # as the door starts it: what it then says depends on the machine
    import bpy

class OMI_JOINT_OT_run(bpy.types.Operator):
    bl_idname, bl_label = "omi_joint.run", "Run"
    request: bpy.props.StringProperty()
    reply: bpy.props.StringProperty()

    def execute(self, context):
        request = json.loads(self.request)
        print("python noise")
        ctypes.CDLL(None).printf(b"C noise\\n")
        os.write(1, b"raw noise\\n")
        name = os.path.basename(request["path"])
        if name == "refused.blend":
            self.report({"ERROR"}, "Refused.")
            return {"CANCELLED"}
        if name == "crash.blend":
            raise ValueError("crashed inside")
        if name != "mute.blend":
            issue = dict.fromkeys(("code", "where", "message", "fix"), "x") | {"severity": "hint"}
            answer = {"ok": True, "issues": [issue], "info": None, "error": ""}
            answer["outputs"] = [json.dumps(request)]
            with open(self.reply, "w") as file:
                json.dump(answer, file)
        return {"FINISHED"}

bpy.utils.register_class(OMI_JOINT_OT_run)
from omi_physics_joint.cli.blender_door import leave
from omi_physics_joint.cli.command import main
leave(main(sys.argv[2:]))
"""


def stand_in(*words: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process where the operator of the test is behind the door."""
    return subprocess.run(
        [sys.executable, "-c", STAND_IN, str(ROOT), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.long
def test_a_missing_blender_is_one_line_that_names_the_wheel(tmp_path: Path) -> None:
    """Without the bpy wheel, .blend files end with exit code 2 and how to get it."""
    path = tmp_path / "a.blend"
    path.write_bytes(b"BLENDER")
    done = subprocess.run(
        [sys.executable, "-S", "-m", "omi_physics_joint", "check", str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {path}: ")
    assert "pip install bpy==" in line


def test_a_request_leaves_open_what_nobody_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it goes, as what, and how strictly, is for the .blend file to say."""
    heard: list[object] = []
    monkeypatch.setattr(examine, "ask_blender", lambda asked: heard.append(asked) or {"ok": True})
    path = tmp_path / "a.blend"
    path.write_bytes(b"")
    assert not examine.asked({"command": "check", "path": str(path)}).error
    said = {"command": "check", "path": str(path), "output": "", "format": "", "strict": None}
    assert heard == [said]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux alone")
def test_a_name_that_blender_cannot_open_is_said(tmp_path: Path) -> None:
    """Its Python takes no bytes that are no UTF-8; what is to be done is said instead."""
    path = tmp_path / os.fsdecode(b"caf\xe9.blend")
    path.write_bytes(b"")
    assert "is not UTF-8: rename it" in examine.asked({"command": "check", "path": str(path)}).error


@needs_blender
def test_blender_prints_and_standard_output_is_one_document(tmp_path: Path) -> None:
    """Whatever Blender prints, --json gives exactly one document, with the reply in it."""
    (tmp_path / "b.blend").write_bytes(b"")
    words = ("--output-dir", tmp_path / "out", "--format", "gltf", "--strict", "--json")
    done = stand_in("export", tmp_path / "b.blend", *words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert json.loads(report["files"][0]["output"]) == {
        "command": "export",
        "path": str(tmp_path / "b.blend"),
        "output": str(tmp_path / "out" / "b.gltf"),
        "format": "gltf",
        "strict": True,
        "target": None,
        "dialect": None,
        "current_frame": None,
        "scripts": None,
        "split": None,
        "readers": None,
        "ignored": [],
    }
    assert report["files"][0]["issues"][0]["severity"] == "hint"
    for noise in ("python", "C", "raw"):
        assert f"{noise} noise" in done.stderr


@needs_blender
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refused.blend", "Blender failed: Refused."),
        ("crash.blend", "Blender failed: ValueError: crashed inside"),
        ("mute.blend", "Blender gave no answer."),
    ],
)
def test_a_failure_inside_blender_is_one_line(tmp_path: Path, name: str, reason: str) -> None:
    """Refusals, crashes and silence of the operator are one sentence each, and exit code 2."""
    path = tmp_path / name
    path.write_bytes(b"")
    done = stand_in("check", path)
    assert done.returncode == 3
    assert f"error: {path}: {reason}" in done.stderr.splitlines()
    assert done.stdout == ""


def reply(**members: object) -> dict[str, object]:
    """Return a reply of Blender."""
    start = {"ok": True, "issues": [], "info": None, "outputs": [], "error": ""}
    return {**start, **members}


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({}, 0),
        ({"ok": False, "error": "No."}, 3),
        ({"error": "No."}, 3),
        ({"ok": False}, 3),
        ({"ok": False, "error": "Refused.", "issues": ["error"]}, 1),
        ({"ok": True, "issues": ["error"]}, 1),
        ({"ok": True, "issues": ["warning", "hint"]}, 0),
    ],
)
def test_replies_become_exit_codes(members: dict[str, object], code: int) -> None:
    """Errors among the issues are 1, what could not be done at all is 3."""
    texts = dict.fromkeys(("code", "where", "message", "fix"), "x")
    severities = members.get("issues", [])
    assert isinstance(severities, list)
    issues = [{**texts, "severity": severity} for severity in severities]
    assert outcome_of(Path("a.blend"), reply(**{**members, "issues": issues})).code == code


def test_what_issues_say_needs_no_other_reason() -> None:
    """A file that was refused for its errors is not told that there was no reason."""
    error = {"severity": "error", "code": "x", "where": "x", "message": "x", "fix": "x"}
    path = Path("a.blend")
    assert not outcome_of(path, reply(ok=False, issues=[error])).error
    assert "gave no reason" in outcome_of(path, reply(ok=False)).error
