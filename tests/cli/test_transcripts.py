# SPDX-License-Identifier: GPL-3.0-or-later
"""What each command prints where and how it ends, word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.fresh import fresh_document
from tests.approved import approved
from tests.omi_documents import door, glb, keyed_door
from tests.one_of_each import everything
from tests.robots.rich import LOOPS, ROBOT

READERS = ("spec", "godot", "godot-omi", "godot-plain", "babylon", "unity", "viewers")
NOTHING = re.compile(r"-?\b\d(\.\d+)?e-(0[6-9]|1\d)\b")
"""Numbers that are rounding alone, and another on another machine."""
Run = Callable[..., list[str]]


def bad() -> dict[str, object]:
    """Return the door with a joint that there is not."""
    document = door()
    document["nodes"][3]["extensions"]["OMI_physics_joint"]["joint"] = 5
    return document


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs a command beside some files; lines of what it prints, then its code."""
    monkeypatch.chdir(tmp_path)
    Path("door.gltf").write_text(json.dumps(door()))
    Path("bad.gltf").write_text(json.dumps(bad()))
    Path("cut.glb").write_bytes(b"glTF?")
    Path("keyed.glb").write_bytes(glb(keyed_door()))
    Path("bare.gltf").write_text('{"asset": {"version": "2.0"}}')
    Path("loops.xml").write_text(LOOPS)
    Path("robot.urdf").write_text(ROBOT)
    document, _ = fresh_document(everything(), Path("all.glb"))
    Path("all.glb").write_bytes(glb(dict(document.json), document.binary or b""))

    def lines(words: str) -> list[str]:
        code = main(words.split())
        out, err = capsys.readouterr()
        out = re.sub(r'"versions": \{[^}]*\}', '"versions": {}', out)
        out = NOTHING.sub("0", out)
        err = re.sub(r"choose from [^)]*", "choose from ...", err)  # Pythons spell it otherwise
        if out.startswith("{"):
            out = json.dumps(json.loads(out))
        told = [line.rstrip() for line in out.splitlines()]
        told += [f"! {line.rstrip()}" for line in err.splitlines()]
        return [*told, f"-> {code}"]

    return lines


def commands(run: Run, *words: str) -> dict[str, list[str]]:
    """Return what several commands print."""
    return {f"{one}.": run(one) for one in words}


@pytest.mark.long
def test_check_prints_what_is_approved(run: Run) -> None:
    """For people, for machines, for whoever fails on what; files that are none among others."""
    approved(
        "cli_check.txt",
        commands(
            run,
            "check door.gltf",
            "check --reader spec all.glb",
            *(f"check --reader {reader} --quiet --fail-on warning all.glb" for reader in READERS),
            "check --reader godot --reader unity --ignore godot-*,unity-filter all.glb",
            "check door.gltf bad.gltf cut.glb none.gltf door.gltf",
            "check --json bad.gltf cut.glb",
            "check --annotations github bad.gltf cut.glb",
            "check --require joints --require colliders bare.gltf",
            "check --require bodies door.gltf",
            "check loops.xml robot.urdf",
            "check --base floating --fail-on loss robot.urdf",
            "check --package arm=none robot.urdf",
            "check --reader spec --try door.gltf",
        ),
    )


def test_info_prints_what_is_approved(run: Run) -> None:
    """Bodies, joints, settings and trees; the same for machines."""
    approved(
        "cli_info.txt",
        commands(
            run,
            "info door.gltf",
            "info all.glb",
            "info keyed.glb",
            "info bare.gltf",
            "info bad.gltf cut.glb",
            "info --quiet robot.urdf",
            "info --quiet --articulations robot.urdf",
            "info --quiet --articulations *a* loops.xml",
            "info --json door.gltf",
            "info --json --articulations door.gltf",
        ),
    )


@pytest.mark.long
def test_convert_prints_what_is_approved(run: Run) -> None:
    """What is lost on the way to each format, and what is not done at all."""
    approved(
        "cli_convert.txt",
        commands(
            run,
            "convert all.glb all.gltf",
            "convert all.glb all.gltf",
            "convert --dialect omi all.glb omi.glb",
            "convert --dialect khr all.glb khr.glb",
            "convert all.glb all.xml",
            "convert all.glb all.urdf",
            "convert keyed.glb keyed.xml",
            "convert robot.urdf robot.glb",
            "convert loops.xml loops.urdf",
            "convert --strict loops.xml strict.urdf",
            "convert --json --ignore mjcf-* loops.xml json.glb",
            "convert door.gltf door.gltf",
            "convert --overwrite door.gltf door.gltf",
            "convert door.gltf door.obj",
            "convert door.obj door.gltf",
            "convert robot.xacro door.gltf",
            "convert door.blend door.gltf",
            "convert none.gltf door.glb",
            "convert bare.gltf empty.glb",
            "convert bad.gltf mended.glb",
            "diff all.glb all.gltf",
            "diff all.glb omi.glb",
            "diff all.glb khr.glb",
            "diff robot.urdf robot.glb",
            "diff loops.xml loops.urdf",
            "diff door.gltf cut.glb",
            "diff --json door.gltf keyed.glb",
        ),
    )


@pytest.mark.long
def test_simulate_prints_what_is_approved(run: Run) -> None:
    """Where bodies end, what joints do on the way, and what cannot be simulated."""
    approved(
        "cli_simulate.txt",
        commands(
            run,
            "simulate --seconds 0.5 door.gltf",
            "simulate --seconds 0.5 --gravity 9.81 0 0 door.gltf",
            "simulate --seconds 0.25 --fps 30 --gravity -5 0 0 keyed.glb",
            "simulate --seconds 0.25 --as godot --beside --gravity -5 0 0 door.gltf",
            "simulate --seconds 0.25 all.glb",
            "simulate --seconds 0.25 --soft-locks literal robot.urdf",
            "simulate --seconds 0.1 bad.gltf",
            "simulate --seconds 0.1 bare.gltf",
            "simulate --seconds 0.1 cut.glb",
            "simulate --seconds 1e9 door.gltf",
            "simulate --seconds 0.1 --beside door.gltf",
        ),
    )


def test_wrong_calls_end_as_approved(run: Run) -> None:
    """One line says what is wrong; nothing is done."""
    approved(
        "cli_wrong_calls.txt",
        commands(
            run,
            "",
            "mend door.gltf",
            "check",
            "check --reader nobody door.gltf",
            "check --fail-on hint door.gltf",
            "check none/*.gltf",
            "check @none.txt",
            "check --jobs 0 door.gltf",
            "check --shard 3/2 door.gltf",
            "check --recycle x door.gltf",
            "check --timeout -1 door.gltf",
            "check --resume door.gltf",
            "check --inside none door.gltf",
            "info",
            "convert door.gltf",
            "convert --tree door.gltf out.glb",
            "convert --output-dir out door.gltf",
            "convert --format glb door.gltf",
            "simulate --seconds 0 door.gltf",
            "simulate --fps nan door.gltf",
            "simulate --substeps 1.5 door.gltf",
            "simulate --gravity 0 x 0 door.gltf",
            "diff door.gltf",
        ),
    )
