# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of one file, whether it was read here or in Blender."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from ..files.replacing import real
from ..gltf.document.members import Place
from ..gltf.read import read_document
from ..model.contents import ContentsError
from ..model.issue import Issue, Severity, has_errors, worst_first
from ..model.mechanism import Mechanism
from ..model.readers import USUAL, Reader
from ..model.validate import check
from ..model.wording.words import metric
from .blender_door import DoorError, ask_blender
from .formats import BLEND, Choices, read_document_of
from .reports.report import Info, info_of

FINE, FAULTY, WRONG_USE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command has to say of one file."""

    path: Path
    issues: tuple[Issue, ...] = ()
    info: Info | None = None
    output: str = ""
    """Path of what was written."""
    error: str = ""
    """One sentence, where the command could not be done; no issues alone say that."""

    @property
    def code(self) -> int:
        """The exit code that this file deserves."""
        if has_errors(self.issues):
            return FAULTY
        return WRONG_USE if self.error else FINE

    def as_json(self) -> dict[str, Any]:
        """Return what all commands report of a file."""
        issues = [issue.as_json() for issue in self.issues]
        return {"path": str(self.path), "code": self.code, "error": self.error, "issues": issues}

    def print_troubles(self, *, named: bool, issues: bool = True) -> None:
        """Say on standard error, in one line each, what was found and what could not be done."""
        for issue in self.issues if issues else ():
            print(f"{self.path}: {issue}" if named else issue, file=sys.stderr)
        if self.error:
            print(f"error: {self.path}: {self.error}", file=sys.stderr)


def examined(
    path: Path,
    command: str,
    readers: frozenset[Reader] = USUAL,
    articulations: str | None = None,
    choices: Choices | None = None,
) -> Outcome:
    """Check a file, and say what is in it; only .blend needs Blender.

    Check speaks of these readers; a .blend says its own. Articulations are a pattern of names,
    where info is to say them; None is not.
    """
    if path.suffix.lower() == BLEND:
        return asked({"command": command, "path": str(path), "articulations": articulations})
    try:
        document, unread = read_document_of(path, choices)
    except ContentsError as error:
        return Outcome(path, error=str(error))
    reading = read_document(document)
    mechanism = reading.mechanism
    spoken = frozenset(dialect.spoken for dialect in reading.dialects)
    judged = check(mechanism, target=reading.target, readers=readers, spoken=spoken)
    found = [*judged, *_locks(mechanism)]
    checked = tuple(_pointed(issue, mechanism) for issue in worst_first(found))
    return Outcome(path, (*unread, *reading.issues, *checked), info_of(mechanism, articulations))


def _locks(mechanism: Mechanism) -> list[Issue]:
    """Return what the solver says of a mechanism at rest; nothing where there is no NumPy."""
    try:
        from ..solver import lock_issues
    except ImportError as error:
        if error.name != "numpy":
            raise
        return []
    return lock_issues(mechanism, metric)


def _pointed(issue: Issue, mechanism: Mechanism) -> Issue:
    """Return an issue with a node as one with its place in the file: names may repeat there."""
    name = "" if issue.node is None else mechanism.nodes[issue.node].name
    if issue.node is None or issue.where not in (name, f"node {issue.node}"):
        return issue
    return replace(issue, where=str(Place(f"/nodes/{issue.node}", name)))


def exported(
    path: Path, output: Path, form: str, choices: Mapping[str, str | bool | None]
) -> Outcome:
    """Export a .blend file through Blender, as glb or gltf.

    The choices are ``strict``, ``target``, ``dialect`` and ``current_frame``; None is as the .blend
    file says.
    """
    if path.suffix.lower() != BLEND:
        return Outcome(path, error="Only .blend files can be exported.")
    own = {"command": "export", "path": str(path), "output": str(output.absolute()), "format": form}
    return asked({**own, **choices})


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, also by links and where case does not count."""
    if real(one) == real(other):
        return True
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return False


def asked(request: Mapping[str, str | bool | None]) -> Outcome:
    """Let Blender do a request on a .blend file."""
    path = Path(str(request["path"]))
    if not path.is_file():
        return Outcome(path, error="There is no such file.")
    full = {"output": "", "format": "", "strict": None, **request, "path": str(path.resolve())}
    try:
        reply = ask_blender(full)
    except DoorError as error:
        return Outcome(path, error=str(error))
    return outcome_of(path, reply)


def outcome_of(path: Path, reply: Mapping[str, Any]) -> Outcome:
    """Return the outcome that a reply of Blender tells."""
    issues = tuple(map(_issue_of, reply.get("issues") or ()))
    error = str(reply.get("error") or "")
    if not reply.get("ok") and not error and not has_errors(issues):
        error = "Blender could not do it and gave no reason."
    info = cast("Info | None", reply.get("info") or None)
    return Outcome(path, issues, info, str(reply.get("output") or ""), error)


def _issue_of(said: Mapping[str, Any]) -> Issue:
    code, where, message, fix = (said[name] for name in ("code", "where", "message", "fix"))
    loss = bool(said.get("loss"))
    return Issue(Severity(said["severity"]), code, where, message, fix, loss=loss)
