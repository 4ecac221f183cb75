# SPDX-License-Identifier: GPL-3.0-or-later
"""``simulate --as godot``: another motion, which says what it is."""

from __future__ import annotations

import json
from math import acos
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door, glb

from benchmarks.godot.cases import chosen
from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.outcome import WRONG_USE
from omi_physics_joint.library.motion.noted import Beside
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.settings.keyed import settings_at
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.solver import Options, Simulation


@pytest.mark.long
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


@pytest.mark.long
def test_beside_says_how_far_joints_go_from_the_exact_motion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the largest difference over all frames between two runs that anybody can make."""
    path, out = tmp_path / "door.glb", tmp_path / "out.json"
    path.write_bytes(glb(door()))
    words = ["simulate", str(path), "--seconds", "1", "--gravity", "3", "-9.81", "2"]
    words += ["--json", str(out)]
    turned: list[Any] = []
    for more in ([], ["--as", "godot", "--beside"]):
        assert main(words + more) == 0
        document = json.loads(out.read_text("utf-8"))
        turned.append(document["bodies"]["Door"]["rotation"])
    quaternions = zip(*turned, strict=True)
    reals = [abs(sum(a * b for a, b in zip(*pair, strict=True))) for pair in quaternions]
    (apart,) = document["beside"].values()
    assert apart["angle"] == pytest.approx(max(2.0 * acos(min(r, 1.0)) for r in reals), abs=1e-6)
    said = f"up to {metric(apart['angle'], Freedom.ANGULAR)} from the exact motion"
    assert said in capsys.readouterr().out


def test_settings_of_a_frame_are_those_of_the_exact_motion_too() -> None:
    """Beside an exact motion whose drive is changed on the way, no joint is elsewhere."""
    base = chosen(["keyed servo, Z"])["keyed servo, Z"].mechanism
    options = Options()
    shown = Simulation(base, options)
    beside = Beside(shown, base, options, None)
    for frame in range(30):
        told = tuple(settings_at(one, frame / 60.0) for one in base.settings)
        shown.retune(told)
        shown.step(1.0 / 60.0)
        beside.advance(1.0 / 60.0, told)
    (apart,) = beside.document(dict(enumerate(node.name for node in base.nodes))).values()
    assert apart == {"angle": 0.0, "distance": 0.0}
    assert shown.joint_report().force.any()


def test_beside_is_refused_where_there_is_nothing_to_compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exact motion is no other than itself."""
    path = tmp_path / "door.glb"
    path.write_bytes(glb(door()))
    assert main(["simulate", str(path), "--beside"]) == WRONG_USE
    assert "--beside is for --as godot" in capsys.readouterr().err
