# SPDX-License-Identifier: GPL-3.0-or-later
"""What came of one file, whether it was read here or in Blender."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from ..library.formats import BLEND, Choices
from ..library.guarded import guarded
from ..library.offered import check, read
from ..model.contents import ContentsError
from ..model.issue import Issue, Severity, has_errors
from ..model.readers import Reader
from .blender_door import Asked, DoorError, ask_blender
from .judging import USUAL_JUDGE, Judge
from .reports.report import Info, info_lines, info_of

FINE, FAULTY, WRONG_USE, UNREADABLE = 0, 1, 2, 3
"""Exit codes; of several files the largest counts."""
REFUSED = "Nothing was written: strict refuses errors and losses."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command has to say of one file."""

    path: Path
    issues: tuple[Issue, ...] = ()
    info: Info | None = None
    outputs: tuple[str, ...] = ()
    """Paths of what was written: one, or one for each part of a file."""
    error: str = ""
    """One sentence, where the command could not be done; no issues alone say that."""
    inputs: tuple[str, ...] = ()
    """Paths of the files that a .blend file names: libraries, images."""
    is_refused: bool = False
    """Whether it was not done because of its issues."""
    judge: Judge = USUAL_JUDGE

    def requiring(self, wanted: Sequence[str]) -> Outcome:
        """Return this with an error for each kind of things that the file should hold and has not.

        They are called as in ``Info``: an optimiser that knows no physics leaves a file without a
        fault, and without all of it.
        """
        fix = "Export it anew, and leave physics alone on the way: diff compares two files."
        lost = tuple(
            Issue(Severity.ERROR, "required-missing", "file", f"It holds no {kind}.", fix)
            for kind in wanted
            if self.info is not None and not cast("dict[str, object]", self.info)[kind]
        )
        return replace(self, issues=(*lost, *self.issues)) if lost else self

    @property
    def code(self) -> int:
        """The exit code that this file deserves."""
        if self.is_refused or self.judge.fails(self.issues):
            return FAULTY
        return UNREADABLE if self.error else FINE

    @property
    def state(self) -> str:
        """What came of the file, in one word of the report."""
        if self.is_refused:
            return "refused"
        return {FINE: "ok", FAULTY: "lost"}.get(self.code, "unreadable")

    def judged(self, judge: Judge) -> Outcome:
        """Return the outcome as a user wants to hear of it."""
        return replace(self, judge=judge, issues=judge.heard(self.issues))

    def without(self, codes: Collection[str]) -> Outcome:
        """Return the outcome without issues of some codes."""
        kept = tuple(issue for issue in self.issues if issue.code not in codes)
        return replace(self, issues=kept)

    def as_json(self) -> dict[str, Any]:
        """Return what all commands report of a file."""
        issues = [issue.as_json() for issue in self.issues]
        return {
            "path": str(self.path),
            "code": self.code,
            "state": self.state,
            "error": self.error,
            "issues": issues,
            **({"inputs": list(self.inputs)} if self.inputs else {}),
            **_all_written(self.outputs),
        }

    def print_results(self, command: str, *, named: bool) -> None:
        """Print what a command is asked for; what went wrong is said on standard error."""
        prefix = f"{self.path}: " if named else ""
        lines: Iterable[str] = ()
        if command == "check" and (self.issues or not self.error):
            lines = map(str, self.judge.told(self.issues))
        elif command == "info" and self.info is not None:
            lines = info_lines(self.info)
        elif command in ("convert", "export"):
            lines, prefix = self.outputs, ""
        for line in lines:
            print(prefix + line)

    def print_troubles(self, *, named: bool, issues: bool = True) -> None:
        """Say on standard error, in one line each, what was found and what could not be done."""
        for issue in self.judge.told(self.issues) if issues else ():
            print(f"{self.path}: {issue}" if named else issue, file=sys.stderr)
        if self.error:
            print(f"error: {self.path}: {self.error}", file=sys.stderr)


def examined(
    path: Path,
    command: str,
    readers: Sequence[Reader] = (),
    articulations: str | None = None,
    choices: Choices | None = None,
    *,
    tries: bool = False,
) -> Outcome:
    """Check a file, and say what is in it; only .blend needs Blender.

    Check speaks of these readers; without any of those that a .blend names, else the usual ones.
    Articulations are a pattern of names, where info is to say them; None is not. With ``tries`` it
    is moved as Godot moves it.
    """
    if path.suffix.lower() == BLEND:
        asks = {"command": command, "path": str(path), "articulations": articulations}
        return asked({**asks, "readers": readers, "tries": tries})
    try:
        with guarded():
            reading = read(path, choices)
            issues = check(reading, readers, tries=tries)
            return Outcome(path, issues, info_of(reading.mechanism, articulations))
    except ContentsError as error:
        return Outcome(path, error=str(error))


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
    outputs, is_refused = tuple(map(str, reply.get("outputs") or ())), bool(reply.get("refused"))
    inputs = tuple(map(str, reply.get("inputs") or ()))
    return Outcome(path, issues, info, outputs, error, inputs, is_refused)


def _issue_of(said: Mapping[str, Any]) -> Issue:
    code, where, message, fix = (said[name] for name in ("code", "where", "message", "fix"))
    loss = bool(said.get("loss"))
    return Issue(Severity(said["severity"]), code, where, message, fix, loss=loss)


def _all_written(outputs: Sequence[str]) -> dict[str, Any]:
    """Return what is reported of all that was written: of each, and the first with all sums."""
    written = [_written(Path(output)) for output in outputs]
    if not written:
        return {}
    sums = [name for name in written[0] if name != "path"]
    counts = {name: sum(one.get(name, 0) for one in written) for name in sums}
    return {"output": outputs[0], **counts, "outputs": written}


def _written(output: Path) -> dict[str, Any]:
    """Return how large a file is that was written, and what is in it when it is read again."""
    report: dict[str, Any] = {"path": str(output)}
    with suppress(ContentsError, OSError):  # somebody may have taken it away
        report["bytes"] = output.stat().st_size
        nodes = read(output).mechanism.nodes
        report["bodies"] = sum(node.motion is not None for node in nodes)
        report["joints"] = sum(node.joint is not None for node in nodes)
        report["colliders"] = sum(node.collider is not None for node in nodes)
    return report
