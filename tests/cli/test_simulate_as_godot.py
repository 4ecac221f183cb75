# SPDX-License-Identifier: GPL-3.0-or-later
"""``simulate --as godot``: another motion, which says what it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import WRONG_USE


def test_as_godot_says_so_and_moves_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Summary and document name the steps."""
    path, out = tmp_path / "door.glb", tmp_path / "out.json"
    path.write_bytes(glb(door()))
    runs: list[dict[str, Any]] = []
    for more in ((), ("--as", "godot")):
        words = ("--seconds", "1", "--gravity", "3", "-9.81", "2", "--json", str(out))
        assert main(["simulate", str(path), *words, *more]) == 0
        said = "stepped as Godot with Jolt does: 60 steps a second" in capsys.readouterr().out
        assert said == bool(more)
        runs.append(json.loads(out.read_text("utf-8")))
    assert [run["steps"] for run in runs] == ["exact", "godot"]
    ends = [run["bodies"]["Door"]["rotation"][-1] for run in runs]
    assert ends[0] != pytest.approx(ends[1], abs=1e-3)
    assert ends[0] == pytest.approx(ends[1], abs=0.2)


@pytest.mark.parametrize(
    "more", [("--substeps", "4"), ("--accuracy", "1e-3"), ("--soft-locks", "rigid")]
)
def test_what_only_exact_steps_have_is_refused(
    more: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would mean nothing, and the user would not know."""
    path = tmp_path / "door.glb"
    path.write_bytes(glb(door()))
    assert main(["simulate", str(path), "--as", "godot", *more]) == WRONG_USE
    assert f"{more[0]} means nothing with --as godot" in capsys.readouterr().err
