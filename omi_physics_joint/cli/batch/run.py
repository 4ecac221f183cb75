# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of a command over many files, as its supervisor goes through it."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from types import FrameType
from typing import Any

from ...files.outputs import OwnFolder, why_not_made
from ...library.formats import BLEND
from ..blender_door import (
    BLENDER_COMMAND,
    become_python,
    is_blender_started,
    is_in_blender,
    python_command,
)
from ..outcome import CRASHED, FINE, INTERRUPTED, UNREADABLE, Judge, Outcome, outcome_of
from ..reports.github import tell_files
from ..reports.versions import versions
from ..streams import say_amid
from ..words import WORDS, WORKER, is_said
from .crew import TAIL, Crew, Ending, Limits, NoWorkerError, TaskEnd
from .journal import SCHEMA, Entry, Journal, RunProgress, done_before, write_junit
from .known import NAME, KnownOutputs, Seen, changed_since, inputs_of, still_holds
from .tasks import Task, TasksError
from .worker import packed

CREW = "omi_workers_"
"""How the names of our folders for logs and sockets begin."""
NO_BLENDER = (
    "There is no Blender for .blend files: give --blender PATH, or install the package bpy."
)
CLOCK = 20_000_000
"""ns by which the clock of a disk may be behind."""
KEPT = ("ok", "lost")
"""States of files of which all is written."""
DEAF = suppress(OSError)
"""Around what people are told: who does not listen any more, or has a full disk, ends no run."""
INERT = frozenset(("files", "tasks", "words", "json", "quiet", *(word.key for word in WORDS)))
"""Words that change nothing of what is written."""


def run(arguments: argparse.Namespace) -> int:
    """Do a command for each of many files, with workers, and return the exit code.

    Blender takes Ctrl-C for itself, so where it runs this it becomes a Python that does.
    """
    try:
        if is_in_blender():
            return become_python(arguments.words)
        return _run(arguments)
    except NoWorkerError as error:
        raise TasksError(str(error)) from None


def _run(arguments: argparse.Namespace) -> int:
    began = time.monotonic()
    _make_folders(arguments)
    blend = any(one.path.suffix.lower() == BLEND for one in arguments.tasks)
    command = worker_command(arguments.blender, needs_blender=blend)
    run = _Supervised(arguments, command)
    with (
        Journal(arguments.report, goes_on=arguments.resume) as journal,
        OwnFolder(CREW) as folder,
    ):
        # A script that was let run may have changed the Blender that would do the next file.
        recycle = arguments.recycle or (int(_runs_scripts(arguments, command)), 0.0)
        limits = Limits(arguments.timeout or 0.0, arguments.memory or 0.0, *recycle)
        crew = Crew(command, arguments.jobs or 1, limits, folder.path)
        with _stoppable(crew):
            for entry in run.entries(crew):
                if len(run.done) == 1:  # now versions are known
                    journal.line(
                        "run",
                        schema=SCHEMA,
                        command=arguments.command,
                        versions=run.versions,
                        options=_options(arguments),
                    )
                journal.line("file", **entry)
        left = len(run.waiting) - len(run.done)
        states = Counter(str(entry["state"]) for entry in run.all)
        code = max((int(entry["code"]) for entry in run.all), default=FINE)
        code = INTERRUPTED if crew.is_stopping else code
        seconds = round(time.monotonic() - began, 3)
        journal.line("summary", states=states, code=code, seconds=seconds, not_reached=left)
        trouble = journal.trouble
    code = max(code, CRASHED) if trouble else code
    with DEAF:
        run.progress.end(states, left)
        if trouble:
            print(f"error: {trouble}", file=sys.stderr, flush=True)
    run.tell_at_end(code)
    return code


class _Supervised:
    """The state of a run: what is to be done, and what came of it so far."""

    def __init__(self, arguments: argparse.Namespace, command: Sequence[str]) -> None:
        self._arguments = arguments
        self._judge = Judge.of(arguments)
        self.versions = versions(solver=False)
        self.done: list[Entry] = []
        report, now = arguments.report if arguments.resume else None, cache(Seen.now)
        asked = _asked({"command": arguments.command, "options": _options(arguments)})
        before = done_before(report, lambda run: _asked(run) == asked)
        before = {name: told for name, told in before.items() if still_holds(told, now)}
        self.waiting = [one for one in arguments.tasks if one.name not in before]
        self._before = [before[one.name] for one in arguments.tasks if one.name in before]
        self.progress = RunProgress(len(self.waiting), arguments)
        self._look = cache(Seen.now)  # a library that all files read is read once for it
        self._known: KnownOutputs | None = None
        if getattr(arguments, "changed_only", False):
            folder = arguments.output_dir or Path()
            self._known = KnownOutputs.read(folder / NAME, _key(arguments, command), self._look)

    @property
    def all(self) -> list[Entry]:
        """What came of all files, in the run that this one goes on with too."""
        return [*self._before, *self.done]

    def entries(self, crew: Crew) -> Iterator[Entry]:
        """Do it all, and yield what came of each file as soon as that is known."""
        entries = [(task, self._without_work(task)) for task in self.waiting]
        undone = [task for task, entry in entries if entry is None]
        endings = crew.endings([packed(self._arguments, task) for task in undone])
        first = [*islice(endings, 1)]  # until then nobody knows which Blender it is
        self.versions |= crew.versions
        for task, entry in entries:
            if entry is not None:
                yield self._told(task, entry)
        for ending in chain(first, endings):
            if ending.end is not TaskEnd.STOPPED:
                task = undone[ending.number]
                yield self._told(task, self._entry(task, ending))
        if self._known is not None:
            self._known.compact()

    def _without_work(self, task: Task) -> Entry | None:
        """Return what is to be said of a file that nobody needs to open; None of others."""
        if task.trouble:
            return self._report(task, task.trouble)
        if self._known is None:
            return None
        report = self._known.unchanged(task, by_content=self._arguments.hash)
        if report is None:
            return None
        self.versions |= self._known.versions
        code = self._outcome(task, report).code
        return {**report, "state": "unchanged", "seconds": 0.0, "code": code}

    def _entry(self, task: Task, ending: Ending) -> Entry:
        """Return what is reported of a file that a worker had in hand."""
        if ending.end is not TaskEnd.REPLIED:
            entry = self._report(task, ending.why)
            entry |= {"code": CRASHED, "state": str(ending.end)}
            entry["log_tail"] = ending.log[-TAIL:]
        else:
            entry = ending.reply
            entry.setdefault("output", "")
        entry["seconds"] = round(ending.seconds, 3)
        entry["log"] = self._logged(task, ending.log)
        self._add_files(task, entry, time.time_ns() - int(ending.seconds * 1e9) - CLOCK)
        entry["target"] = task.target
        is_sure = all(one["sha256"] or one["size"] < 0 for one in entry["inputs"])
        if self._known is not None and entry.get("outputs") and entry["state"] in KEPT and is_sure:
            self._known.add(entry, self.versions)
        return entry

    def _report(self, task: Task, error: str) -> Entry:
        outcome = Outcome(task.path, error=error)
        return {**outcome.as_json(), "output": "", "target": task.target, "seconds": 0.0}

    def _add_files(self, task: Task, entry: Entry, began: int) -> None:
        """Say of what was read and written how it was found.

        Of what has changed since work began, in ns, nobody knows what was read.
        """
        paths = inputs_of((str(task.path), *entry.get("inputs", ())))
        entry["inputs"] = [asdict(self._look(path, True)) for path in paths]
        for read in entry["inputs"]:
            if changed_since(read["path"], began):
                read["sha256"] = ""
        for written in entry.get("outputs", ()):
            written["sha256"] = Seen.now(written["path"]).sha256
            entry.setdefault("sha256", written["sha256"])  # as output, of the first
            if not written["sha256"] and entry["state"] in KEPT:
                gone = f"{written['path']} was written and is not there any more."
                entry |= {"state": "unreadable", "code": UNREADABLE, "error": gone}

    def _logged(self, task: Task, log: str) -> str:
        """Write what Blender has printed to a file of its own, and return where."""
        folder: Path | None = self._arguments.log_dir
        if folder is None:
            return ""
        mark = hashlib.sha256(os.fsencode(os.path.abspath(task.path))).hexdigest()[:8]
        place = folder / f"{task.path.stem[:100]}_{mark}.log"
        try:
            place.write_text(log, encoding="utf-8")
        except OSError:
            return ""
        return str(place)

    def _outcome(self, task: Task, entry: Mapping[str, Any]) -> Outcome:
        outputs = [one["path"] for one in entry.get("outputs", ())]
        is_refused = entry["state"] == "refused"
        said = {**entry, "outputs": outputs, "refused": is_refused, "ok": True}
        return outcome_of(task.path, said).judged(self._judge)

    def _told(self, task: Task, entry: Entry) -> Entry:
        """Tell people of a file, and keep it."""
        self.done.append(entry)
        with DEAF:
            self.progress.file(entry, self._outcome(task, entry))
        return entry

    def tell_at_end(self, code: int) -> None:
        """Write what can only be written when all is known.

        Raises:
            OSError: the document that was asked for cannot be printed.
            TasksError: the other one cannot be written.
        """
        arguments = self._arguments
        if arguments.junit is not None:
            write_junit(arguments.junit, arguments.command, self.all)
        if arguments.annotations:
            with DEAF:
                tell_files(arguments.command, self.done)
        if arguments.json:
            report = {"command": arguments.command, "code": code, "versions": self.versions}
            order = {task.name: at for at, task in enumerate(arguments.tasks)}
            files = sorted(self.all, key=lambda entry: order[entry["path"], entry["target"]])
            print(json.dumps({**report, "files": files}, indent=2), flush=True)


def _make_folders(arguments: argparse.Namespace) -> None:
    """Make the folders of what is written at the end, before a night's work.

    Raises:
        TasksError: one cannot be made.
    """
    junit: Path | None = arguments.junit
    for folder in (arguments.log_dir, junit and junit.parent):
        trouble = folder and why_not_made(folder)
        if trouble:
            raise TasksError(trouble)


def _runs_scripts(arguments: argparse.Namespace, command: Sequence[str]) -> bool:
    """Return whether Python in .blend files runs because somebody has asked for it."""
    asked = getattr(arguments, "scripts", None)
    return asked == "allow" or (
        asked is None and not {"-y", "--enable-autoexec"}.isdisjoint(command)
    )


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what a user asked for, as JSON can say it."""
    return {
        name: value if isinstance(value, str | int | float | bool) else str(value)
        for name, value in vars(arguments).items()
        if is_said(value) and name not in ("files", "tasks", "command", "words")
    }


def _asked(run: Entry) -> tuple[Any, dict[str, Any]]:
    """Return what the line that begins a run says was asked, but for what changes nothing."""
    options = dict(run["options"]) if isinstance(run.get("options"), dict) else {}
    return run.get("command"), {name: options[name] for name in options if name not in INERT}


def _key(arguments: argparse.Namespace, command: Sequence[str]) -> str:
    """Return what stands for all that an output hangs on beside the files that are read."""
    words = {name: str(value) for name, value in vars(arguments).items() if name not in INERT}
    asked = [sorted(words.items()), versions(solver=False), list(command), _stamp(command[0])]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _stamp(program: str) -> list[int]:
    """Return what changes with the version of a program, and with that of Blender as a package."""
    module = find_spec("bpy")
    places = (shutil.which(program) or program, (module and module.origin) or "")
    seen = [Seen.now(place, hashed=False) for place in places]
    return [number for one in seen for number in (one.size, one.time)]


def worker_command(blender: str | None, *, needs_blender: bool) -> list[str]:
    """Return what starts a worker: a Blender that was named, this one's like, or Python.

    Raises:
        TasksError: Blender is needed, and there is none.
    """
    if not needs_blender:
        return python_command(WORKER)
    inside = ["--command", "omi_physics_joint", WORKER]
    if blender is None and (alike := os.environ.get(BLENDER_COMMAND)):
        return [*json.loads(alike), *inside]
    if blender is None and (is_blender_started() or find_spec("bpy") is not None):
        return python_command(WORKER, BLEND)
    found = shutil.which(blender or "blender")
    if found is None:
        raise TasksError(f"There is no program {blender}." if blender else NO_BLENDER)
    return [found, "-b", *inside]


@contextmanager
def _stoppable(crew: Crew) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM stop a crew until the end."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        if not crew.is_stopping:
            say_amid("Stops after the files in hand; once more stops at once.")
        crew.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
