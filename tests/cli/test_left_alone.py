# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run keeps for the next one, and what is said of a run that leaves files alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from omi_physics_joint.cli.batch.known import NAME, KnownOutputs, Seen
from omi_physics_joint.cli.batch.run import _key, _Supervised
from omi_physics_joint.cli.batch.tasks import Task
from omi_physics_joint.cli.outcome import FailOn

COMMAND = ["python"]


def exported(folder: Path, name: str) -> tuple[Task, dict[str, Any]]:
    """Return a task that was done, and what was reported of it."""
    source, output = folder / f"{name}.blend", folder / f"{name}.glb"
    source.write_bytes(b"one")
    output.write_bytes(b"two")
    report = {"path": str(source), "target": str(output), "state": "ok", "code": 0, "error": ""}
    report |= {"issues": [], "inputs": [asdict(Seen.now(str(source)))]}
    written = {"path": str(output), "sha256": Seen.now(str(output)).sha256}
    return Task(source, output), {**report, "outputs": [written]}


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_file_that_is_made_small_has_a_line_an_output(
    count: int, times: int, tmp_path: Path
) -> None:
    """Its last one. Where nothing was ever written there is no file either."""
    place = tmp_path / NAME
    known = KnownOutputs.read(place, "key")
    for number in range(times):
        for name in "ab"[:count]:
            known.add(exported(tmp_path, name)[1], {"blender": str(number)})
    known.compact()
    assert place.exists() is (count > 0)
    assert len(place.read_text("utf-8").splitlines() if count else ()) == count
    versions = {"blender": str(times - 1)} if count else {}
    assert KnownOutputs.read(place, "key").versions == versions


@pytest.mark.parametrize("changed", [(), ("a",), ("a", "b")])
def test_a_run_says_which_blender_wrote_what_is_there(
    changed: tuple[str, ...], tmp_path: Path
) -> None:
    """That of the run before where all was left alone; else that of the workers."""
    words = {"changed_only": True, "hash": False, "output_dir": tmp_path, "fail_on": FailOn.ERROR}
    words |= {"ignore": [], "quiet": True, "json": True, "report": None, "resume": False}
    arguments: Any = SimpleNamespace(command="export", **words)
    known = KnownOutputs.read(tmp_path / NAME, _key(arguments, COMMAND))
    arguments.tasks = []
    for name in "ab":
        task, report = exported(tmp_path, name)
        known.add(report, {"blender": "5.1"})
        arguments.tasks.append(task)
        if name in changed:
            task.path.write_bytes(b"changed")
    run = _Supervised(arguments, COMMAND)
    asked: list[Any] = []

    def endings(tasks: list[Any]) -> Iterator[Any]:
        asked.extend(tasks)
        return iter(())

    crew: Any = SimpleNamespace(versions={"blender": "5.2"} if changed else {}, endings=endings)
    states = [entry["state"] for entry in run.entries(crew)]
    assert (len(asked), states) == (len(changed), ["unchanged"] * (2 - len(changed)))
    assert run.versions["blender"] == ("5.2" if changed else "5.1")
