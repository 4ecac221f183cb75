# SPDX-License-Identifier: GPL-3.0-or-later
"""Without pxr nothing but USD is gone, and what to do is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from omi_physics_joint.cli.command import main
from omi_physics_joint.usd import stage


def test_what_to_install_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading and writing stages ends with one sentence, and leaves no file."""
    monkeypatch.setattr(stage, "is_available", lambda: False)
    source, output = tmp_path / "a.gltf", tmp_path / "a.usda"
    source.write_text('{"asset": {"version": "2.0"}}')
    assert main(["convert", str(source), str(output)]) == 3
    assert not output.exists()
    output.write_text("#usda 1.0\n")
    assert main(["check", str(output)]) == 3
    assert main(["convert", str(output), str(tmp_path / "b.glb")]) == 3
    said = capsys.readouterr()
    assert (said.out + said.err).count("the package usd-core") == 3
