# SPDX-License-Identifier: GPL-3.0-or-later
"""``diff``: what is another in a file than in another, in words."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..files.inputs import bounded
from ..files.own_folder import OwnFolder
from ..gltf.shared.read_meshes import MeshReader
from ..library.formats import BLEND, GLTF
from ..library.guarded import guarded
from ..library.offered import read
from ..model.changes.changes import changes
from ..model.changes.fact import Change
from ..model.changes.pairing import with_same_names
from ..model.contents import Contents, ContentsError
from ..model.issue import Issue, Severity
from ..model.mechanism import Mechanism
from .examine import exported
from .outcome import FINE, UNREADABLE, Outcome
from .reports.github import tell_changes

DIFFERENT = 1
FOLDER = "omi_diff_"
"""How the names of our folders in the system's temporary folder begin."""
SAME = "no changes"
NOTHING = Contents(Mechanism())
Loaded = tuple[Outcome, Contents, tuple[str, ...]]
"""How it went with a file, what it holds, and the extensions with physics that say so."""


def run(arguments: argparse.Namespace) -> int:
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
