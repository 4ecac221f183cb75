# SPDX-License-Identifier: GPL-3.0-or-later
"""``diff``: what is another in a file than in another, in words."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..files.own_folder import OwnFolder
from ..gltf.parts.read_meshes import MeshReader
from ..gltf.read import read_document
from ..model.changes.changes import changes
from ..model.changes.fact import Change
from ..model.changes.meshes import MeshNames
from ..model.contents import Contents, ContentsError
from ..model.issue import Issue
from ..model.mechanism import Mechanism
from ..model.target import Target
from .formats import BLEND, read_document_of, why_unreadable
from .outcome import FINE, WRONG_USE, exported

DIFFERENT = 1
FOLDER = "omi_diff_"
"""How the names of our folders in the system's temporary folder begin."""
SAME = "no changes"


@dataclass(frozen=True, slots=True)
class _ComparedFile:
    """One of the two files."""

    path: Path
    contents: Contents = field(default_factory=lambda: Contents(Mechanism()))
    issues: tuple[Issue, ...] = ()
    error: str = ""


def add_diff(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its class
    """Add the command to a parser."""
    diff = commands.add_parser(
        "diff",
        help="say what has changed between two files",
        description="Say in words what is another in the second file: exit code 0 where nothing "
        "is, 1 where something is, 2 where a file cannot be read.",
    )
    diff.add_argument("before", type=Path, metavar="A")
    diff.add_argument("after", type=Path, metavar="B")
    diff.add_argument("--json", action="store_true", help="print one JSON document")


def diff(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    sides = [_read(path) for path in (arguments.before, arguments.after)]
    unread = any(side.error for side in sides)
    names = MeshNames()
    found = () if unread else changes(*(names.given_to(side.contents) for side in sides))
    code = WRONG_USE if unread else DIFFERENT if found else FINE
    if arguments.json:
        print(json.dumps(_report(sides, found, code), indent=2), flush=True)
    elif not unread:
        print("\n".join(map(str, found)) or SAME, flush=True)
    for side in sides:
        for issue in () if arguments.json else side.issues:
            print(f"{side.path}: {issue}", file=sys.stderr)
        if side.error:
            print(f"error: {side.path}: {side.error}", file=sys.stderr)
    return code


def _report(sides: Sequence[_ComparedFile], found: Sequence[Change], code: int) -> dict[str, Any]:
    return {
        "command": "diff",
        "code": code,
        "files": [
            {
                "path": str(side.path),
                "error": side.error,
                "issues": [issue.as_json() for issue in side.issues],
            }
            for side in sides
        ],
        "changes": [
            {
                "subject": change.subject,
                "part": change.fact.part,
                "what": change.fact.what,
                "before": change.fact.before,
                "after": change.fact.after,
                "nodes": list(change.nodes),
                "text": str(change),
            }
            for change in found
        ],
    }


def _read(path: Path) -> _ComparedFile:
    """Read one file; a .blend is exported for that, by Blender."""
    if path.suffix.lower() == BLEND:
        return _from_blender(path)
    why = why_unreadable(path)
    return _ComparedFile(path, error=why) if why else _loaded(path, path)


def _loaded(path: Path, source: Path) -> _ComparedFile:
    try:
        document, unread = read_document_of(source)
    except ContentsError as error:
        return _ComparedFile(path, error=str(error))
    reading = read_document(document)
    solid = {
        mesh
        for index, _ in enumerate(reading.mechanism.nodes)
        for mesh in reading.mechanism.meshes_of(index)
    }
    reader = MeshReader(document)
    count = len(reading.mechanism.meshes)
    meshes = tuple(reader.read(index) if index in solid else None for index in range(count))
    contents = Contents(reading.mechanism, meshes)
    return _ComparedFile(path, contents, (*unread, *reading.issues))


def _from_blender(path: Path) -> _ComparedFile:
    choices: dict[str, str | bool | None] = {
        "strict": False,
        "target": Target.SPECIFIED.value,
        "dialect": "both",
        "current_frame": None,
    }
    with OwnFolder(FOLDER) as folder:
        output = folder.path / f"{path.stem}.glb"
        outcome = exported(path, output, "glb", choices)
        if outcome.error or not output.is_file():
            return _ComparedFile(path, error=outcome.error or "Blender wrote nothing of it.")
        side = _loaded(path, output)
    return _ComparedFile(path, side.contents, outcome.issues, side.error)
