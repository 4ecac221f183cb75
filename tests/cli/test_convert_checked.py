# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``check`` calls wrong, ``convert`` does not pass on in silence: all errors of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from omi_documents import document_of, door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.model.issue import Severity
from omi_physics_joint.model.validate import SEVERITIES
from tests.model.validate.test_rules import CASES

SUFFIXES = (".glb", ".urdf", ".xml")
FLAT = {"scale": [0, 1, 1]}
SHEARED = {"matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}
POSES = ("pose-number", *(one for one in CASES if one.endswith(("-flat", "-sheared"))))
"""Of nodes that no translation, rotation and scale say."""
CODES = [one for one, bad in SEVERITIES.items() if bad is Severity.ERROR and one not in POSES]

MENDED = """
limit-without-axes limit-reversed limit-number limit-negative limit-impossible drive-number
drive-negative body-number material-negative filter-both-lists trigger-both trigger-filter
"""
"""What the test cannot write into a document: it is left out there, or another."""


def judged(gltf: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """Hold convert to what check says of a document, and return that as an exit code."""
    source = folder / "in.glb"
    source.write_bytes(glb(gltf))
    code = main(["check", str(source), "--reader", "spec"])
    for suffix in SUFFIXES:
        output = folder / f"out{suffix}"
        output.unlink(missing_ok=True)
        words = ["convert", str(source), str(output)]
        strict = main([*words, "--strict"])
        assert not code or (strict, output.exists()) == (1, False)
        output.unlink(missing_ok=True)
        capsys.readouterr()
        lenient = main(words)
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == len(set(lines))
        assert lenient >= code
        if lenient == 0:
            assert main(["check", str(output), "--reader", "spec"]) == 0
    return code


@pytest.mark.parametrize("code", CODES)
def test_errors_of_check_are_errors_of_convert(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Strict writes nothing of them; without it they are said once, and the exit code is 1."""
    assert judged(document_of(CASES[code][0]), tmp_path, capsys) == (code not in MENDED.split())


@pytest.mark.parametrize("node", range(4))
@pytest.mark.parametrize("pose", [FLAT, SHEARED], ids=["flat", "sheared"])
def test_poses_that_nothing_can_have_are_not_passed_on(
    pose: dict[str, Any], node: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Flat and sheared bodies and frames, wherever in the door they are."""
    gltf = door()
    if "matrix" in pose:
        gltf["nodes"][node].pop("translation", None)
    gltf["nodes"][node] |= pose
    assert judged(gltf, tmp_path, capsys) == 1


def test_files_that_are_gone_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A .gltf without its buffer is an error, without an image a loss; no server is asked."""
    elsewhere = {"uri": "https://example.org/wood.png"}
    gltf = door() | {
        "buffers": [{"byteLength": 4, "uri": "gone%20here.bin"}],
        "images": [{"uri": "gone.png"}, {"uri": "data:image/png;base64,"}, elsewhere],
    }
    source, output = tmp_path / "in.gltf", tmp_path / "out.gltf"
    source.write_text(json.dumps(gltf), "utf-8")
    assert main(["check", str(source)]) == 1
    said = capsys.readouterr().out
    assert 'error: /buffers/0: There is no file "gone here.bin" beside the document.' in said
    assert 'warning: /images/0: There is no file "gone.png" beside the document.' in said
    assert "example.org" not in said
    assert main(["convert", str(source), str(output), "--strict"]) == 1
    assert not output.exists()
    (tmp_path / "gone here.bin").write_bytes(bytes(4))
    assert main(["check", str(source)]) == 0
    assert main(["check", str(source), "--fail-on", "loss"]) == 1
