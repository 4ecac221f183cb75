# SPDX-License-Identifier: GPL-3.0-or-later
"""``diff`` on files: what it prints where, and with which exit code it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door, glb

from omi_physics_joint.cli.command import main


def written(path: Path, mass: float = 1.0) -> Path:
    """Write the door with this mass, and return where it is."""
    gltf = door()
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["motion"]["mass"] = mass
    path.write_bytes(glb(gltf) if path.suffix == ".glb" else json.dumps(gltf).encode())
    return path


def test_the_same_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever container it is in."""
    one, other = written(tmp_path / "a.gltf"), written(tmp_path / "b.glb")
    assert main(["diff", str(one), str(other)]) == 0
    assert capsys.readouterr() == ("no changes\n", "")


def test_changes_end_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line each, on standard output."""
    one, other = written(tmp_path / "a.gltf"), written(tmp_path / "b.gltf", 2.5)
    assert main(["diff", str(one), str(other)]) == 1
    assert capsys.readouterr() == ("Door: mass 1 kg -> 2.5 kg\n", "")


@pytest.mark.parametrize("name", ["none.gltf", "folder.gltf", "text.txt"])
def test_what_cannot_be_read_ends_with_2(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named on standard error, whichever of both it is."""
    (tmp_path / "folder.gltf").mkdir()
    good, bad = written(tmp_path / "a.gltf"), tmp_path / name
    for files in ((good, bad), (bad, good)):
        assert main(["diff", *map(str, files)]) == 3
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"error: {bad}: ")


def test_json_is_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has the list of changes, and what was wrong with each file."""
    one, other = written(tmp_path / "a.gltf"), written(tmp_path / "b.gltf", 2.5)
    assert main(["diff", "--json", str(one), str(other)]) == 1
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (report["command"], report["code"]) == ("diff", 1)
    assert [file["path"] for file in report["files"]] == [str(one), str(other)]
    assert all(file.keys() == {"path", "state", "error", "issues"} for file in report["files"])
    assert report["changes"] == [
        {
            "subject": "Door",
            "part": "motion",
            "what": "mass",
            "before": "1 kg",
            "after": "2.5 kg",
            "nodes": [2, 2],
            "text": "Door: mass 1 kg -> 2.5 kg",
        }
    ]
    assert main(["diff", "--json", str(one), str(tmp_path / "none.glb")]) == 3
    assert "no such file" in json.loads(capsys.readouterr().out)["files"][1]["error"]


def test_github_shows_changes_beside_the_file_and_in_its_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has changed is said of the second file; where nothing has, nothing is said."""
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    one, other = written(tmp_path / "a.gltf"), written(tmp_path / "b.gltf", 2.5)
    assert main(["diff", "--annotations", "github", str(one), str(one)]) == 0
    assert not summary.exists()
    assert main(["diff", "--annotations", "github", str(one), str(other)]) == 1
    said = capsys.readouterr().err
    assert said == f"::notice file={other},title=changed::Door: mass 1 kg -> 2.5 kg\n"
    name = str(other).replace("_", r"\_")
    lines = [f"### {name} has changed", "", r"- Door: mass 1 kg -\> 2.5 kg", ""]
    assert summary.read_text("utf-8").splitlines() == lines


@pytest.mark.parametrize("first", ["omi", "khr", "both"])
@pytest.mark.parametrize("second", ["omi", "khr", "both"])
def test_extensions_that_are_gone_are_said_and_are_no_change(
    tmp_path: Path, first: str, second: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their meaning is the same, and who reads one may not read the other."""
    source = written(tmp_path / "a.gltf")
    files = [tmp_path / f"{at}.glb" for at in (1, 2)]
    for file, dialect in zip(files, (first, second), strict=True):
        assert main(["convert", str(source), str(file), "--dialect", dialect]) == 0
    capsys.readouterr()
    assert main(["diff", *map(str, files)]) == 0
    out, err = capsys.readouterr()
    assert out == "no changes\n"
    assert len(err.splitlines()) == (second not in (first, "both"))
    assert err.startswith(f"{files[1]}: hint: file: It has no ") or not err


def test_another_format_has_no_other_extensions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has none of glTF at all."""
    source, khr, robot = (tmp_path / name for name in ("a.gltf", "b.glb", "c.xml"))
    written(source)
    assert main(["convert", str(source), str(khr), "--dialect", "khr"]) == 0
    assert main(["convert", str(khr), str(robot)]) == 0
    capsys.readouterr()
    main(["diff", str(khr), str(robot)])
    assert "It has no" not in capsys.readouterr().err
