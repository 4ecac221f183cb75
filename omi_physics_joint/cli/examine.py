# SPDX-License-Identifier: GPL-3.0-or-later
"""``check``, ``info``, ``convert``, ``export``, ``diff``: what is in files, and files as others."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..files.inputs import bounded
from ..files.outputs import OwnFolder
from ..gltf.source import MeshReader
from ..library.formats import BLEND, GLTF
from ..library.guarded import guarded
from ..library.offered import check, convert, read
from ..model.changes.changes import changes
from ..model.changes.fact import Change
from ..model.changes.pairing import with_same_names
from ..model.contents import Contents, ContentsError
from ..model.issue import Issue, Severity, against_strict
from ..model.mechanism import Mechanism
from .batch.tasks import Task
from .blender_door import Asked, DoorError, ask_blender
from .outcome import FINE, REFUSED, UNREADABLE, Judge, Outcome, outcome_of
from .reports.github import tell_changes
from .reports.report import info_of
from .words import choices_of


def does(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Do one of the commands with a file."""
    if arguments.command == "export":
        return _exported(task, arguments)
    if arguments.command == "convert":
        return _converted(task, arguments)
    wanted = arguments.require if arguments.command == "check" else None
    return _examined(task.path, arguments).requiring(wanted or ())


def _examined(path: Path, arguments: argparse.Namespace) -> Outcome:
    """Check a file, and say what is in it; only .blend needs Blender."""
    if path.suffix.lower() == BLEND:
        words = {name: getattr(arguments, name) for name in ("command", "articulations", "tries")}
        return asked({**words, "path": str(path), "readers": arguments.reader})
    try:
        with guarded():
            reading = read(path, choices_of(arguments))
            issues = check(reading, arguments.reader or (), tries=arguments.tries)
            return Outcome(path, issues, info_of(reading.mechanism, arguments.articulations))
    except ContentsError as error:
        return Outcome(path, error=str(error))


def _converted(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Write a file in another format, its physics in other dialects."""
    outcome = Outcome(task.path)
    try:
        result = convert(task.path, task.target, arguments.dialect, choices_of(arguments))
        outcome = replace(outcome, issues=Judge.of(arguments).heard(result.issues))
        if arguments.strict and against_strict(outcome.issues):
            return replace(outcome, error=REFUSED, is_refused=True)
        result.write(overwrite=arguments.overwrite)
        return replace(outcome, outputs=(task.target,))
    except ContentsError as trouble:
        return replace(outcome, error=str(trouble))


def _exported(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Export a file whose output is its own."""
    if task.trouble or task.output is None:
        return Outcome(task.path, error=task.trouble)
    names = ("strict", "target", "dialect", "current_frame", "scripts", "split")
    choices = {name: getattr(arguments, name) for name in names}
    choices |= {"readers": arguments.reader, "ignored": Judge.of(arguments).ignored}
    return exported(task.path, task.output, arguments.format, choices)


def exported(path: Path, output: Path, form: str, choices: Mapping[str, Asked]) -> Outcome:
    """Export a .blend file through Blender, in one of ``formats.READABLE``.

    The choices are ``strict``, ``target``, ``dialect``, ``current_frame`` and ``readers``; None is
    as the .blend file says. ``ignored`` are codes that strict does not look at.
    """
    if path.suffix.lower() != BLEND:
        return Outcome(path, error="Only .blend files can be exported.")
    own = {"command": "export", "path": str(path), "output": str(output.absolute()), "format": form}
    return asked({**own, **choices})


def asked(request: Mapping[str, Asked]) -> Outcome:
    """Let Blender do a request on a .blend file."""
    path = Path(str(request["path"]))
    if not path.is_file():
        return Outcome(path, error="There is no such file.")
    if str(path).encode(errors="ignore").decode() != str(path):
        return Outcome(path, error="Blender opens no file whose name is not UTF-8: rename it.")
    full = {"output": "", "format": "", "strict": None, **request, "path": str(path.resolve())}
    try:
        reply = ask_blender(full)
    except DoorError as error:
        return Outcome(path, error=str(error))
    return outcome_of(path, reply)


DIFFERENT = 1
FOLDER = "omi_diff_"
"""How the names of our folders in the system's temporary folder begin."""
SAME = "no changes"
NOTHING = Contents(Mechanism())
Loaded = tuple[Outcome, Contents, tuple[str, ...]]
"""How it went with a file, what it holds, and the extensions with physics that say so."""


def diff(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    paths = (arguments.before, arguments.after)
    # Both files share what reading may cost; Blender's export of a .blend is no reading.
    with nullcontext() if any(path.suffix.lower() == BLEND for path in paths) else bounded():
        sides, found = _compared(paths)
    unread = any(side.error for side in sides)
    code = UNREADABLE if unread else DIFFERENT if found else FINE
    if arguments.json:
        print(json.dumps(_report(sides, found, code), indent=2), flush=True)
    elif not unread:
        print("\n".join(map(str, found)) or SAME, flush=True)
    if arguments.annotations and found:
        tell_changes(str(arguments.after), [str(change) for change in found])
    for side in sides:
        side.print_troubles(named=True, issues=not arguments.json)
    return code


def _report(sides: Sequence[Outcome], found: Sequence[Change], code: int) -> dict[str, Any]:
    files = [side.as_json() for side in sides]
    for file in files:
        del file["code"]  # what check would end with; here one code is said of both
    return {
        "command": "diff",
        "code": code,
        "files": files,
        "changes": [
            {"subject": change.subject, **asdict(change.fact), "nodes": list(change.nodes)}
            | {"text": str(change)}
            for change in found
        ],
    }


def _compared(paths: Sequence[Path]) -> tuple[list[Outcome], tuple[Change, ...]]:
    """Return how it went with the files, and what is another in the second."""
    read = [
        _from_blender(path) if path.suffix.lower() == BLEND else _loaded(path, path)
        for path in paths
    ]
    sides = [side for side, _, _ in read]
    if any(side.error for side in sides):
        return sides, ()
    before, after = (spoken for _, _, spoken in read)
    if gone := {*before}.difference(after or before):
        what = f"It has no {', '.join(sorted(gone))}, as the first file has: who reads "
        what += "that alone finds no physics here."
        found = Issue(Severity.HINT, "extensions-differ", "file", what)
        sides[1] = replace(sides[1], issues=(*sides[1].issues, found))
    try:
        with guarded():
            return sides, changes(*with_same_names(contents for _, contents, _ in read))
    except ContentsError as error:
        return [replace(side, error=str(error)) for side in sides], ()


def _loaded(path: Path, source: Path) -> Loaded:
    """Return what a file holds, read of itself or of what Blender has made of it."""
    try:
        with guarded():
            reading = read(source)
            reader, mechanism = MeshReader(reading.document), reading.mechanism
            nodes, meshes = range(len(mechanism.nodes)), range(len(mechanism.meshes))
            solid = {mesh for node in nodes for mesh in mechanism.meshes_of(node)}
            triangles = tuple(reader.read(i) if i in solid else None for i in meshes)
            spoken = tuple(one.extensions[0] for one in reading.dialects if path.suffix in GLTF)
            return Outcome(path, reading.issues), Contents(mechanism, triangles), spoken
    except ContentsError as error:
        return Outcome(path, error=str(error)), NOTHING, ()


def _from_blender(path: Path) -> Loaded:
    with OwnFolder(FOLDER) as folder:
        output = folder.path / f"{path.stem}.glb"
        outcome = exported(
            path, output, "glb", {"strict": False, "target": "specified", "dialect": "both"}
        )
        if outcome.error or not output.is_file():
            error = outcome.error or "Blender wrote nothing of it."
            return Outcome(path, error=error), NOTHING, ()
        side, contents, spoken = _loaded(path, output)
    return replace(side, issues=outcome.issues), contents, spoken
