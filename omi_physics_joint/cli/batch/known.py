# SPDX-License-Identifier: GPL-3.0-or-later
"""What earlier runs wrote and from what, in a small file beside the outputs: for --changed-only.

A line a file, added as soon as it is done, so that a killed run loses one line at most. Files are
the same where size and time are; where only the time differs, their content decides.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from ...files.outputs import put_all
from .journal import lines_of
from .tasks import Task

NAME = ".omi_export.jsonl"
"""Of the file, in the folder of a run's outputs."""
BLOCK = 2**20
UDIM = "<UDIM>"
"""In the name of an image: a number of four digits, for each tile."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it once was; one that is not there has a size of -1.

    Attributes:
        path: As it was named, or absolute.
        size: In bytes.
        time: Of its last change, in ns.
        sha256: Of its content; "" where nobody looked.
    """

    path: str
    size: int
    time: int
    sha256: str = ""

    @classmethod
    def now(cls, path: str, hashed: bool = True) -> Self:
        """Look at a file."""
        try:
            found = Path(path).stat()
            hashed = hashed and stat.S_ISREG(found.st_mode)  # a pipe never ends
            return cls(path, found.st_size, found.st_mtime_ns, _sha256(path) if hashed else "")
        except (OSError, ValueError):
            return cls(path, -1, 0)

    def is_same(self, look: Look, *, by_content: bool) -> bool:
        """Return whether the file is as it was."""
        now = look(self.path, by_content)
        if now.size != self.size or by_content or now.time == self.time:
            return now.size == self.size and now.sha256 in ("", self.sha256)
        return look(self.path, True).sha256 == self.sha256


Look = Callable[[str, bool], Seen]
"""Looks at a file, and at its content if that is asked for."""


def changed_since(path: str, moment: int) -> bool:
    """Return whether a file was written, or put where it is, after a moment in ns."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return False
    return max(found.st_mtime_ns, found.st_ctime_ns) > moment


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    try:
        with Path(path).open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except OSError:
        return ""
    return digest.hexdigest()


def inputs_of(paths: Iterable[str]) -> list[str]:
    """Return the files of which a .blend file has named these, each once, tiles one by one."""
    found: dict[str, None] = {}
    for path in paths:
        if UDIM in path:
            place = Path(path)
            with suppress(OSError, ValueError):
                tiles = sorted(place.parent.glob(place.name.replace(UDIM, "[0-9]" * 4)))
                found.update(dict.fromkeys(map(str, tiles)))
        else:
            found[os.path.normpath(path)] = None
    return list(found)


def still_holds(report: Mapping[str, Any], look: Look) -> bool:
    """Return whether what was reported of a file is so: nobody has changed or removed any file."""
    with suppress(KeyError, TypeError):  # it is somebody else's
        read = [Seen(**one) for one in report["inputs"]]
        written = [one["path"] for one in report.get("outputs", ())]
        if not written and report["state"] != "refused":
            written = [report["target"] or report["path"]]
        return all(
            (one.sha256 or one.size < 0) and one.is_same(look, by_content=False) for one in read
        ) and all(os.path.exists(one) for one in written)
    return False


@dataclass(slots=True)
class KnownOutputs:
    """What earlier runs with the same words, and the same versions of all, have done.

    Attributes:
        path: Of the file that keeps it.
        key: Stands for the words and versions.
        look: Looks at a file: at a library that all others read once a run.
        versions: By name, of who did it; empty where nobody did.
    """

    path: Path
    key: str
    look: Look = Seen.now
    versions: dict[str, str] = field(default_factory=dict)
    _entries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, key: str, look: Look = Seen.now) -> Self:
        """Read it; what another run with other words has done counts for nothing."""
        known = cls(path, key, look)
        for entry in lines_of(path):
            with suppress(KeyError, TypeError):  # it is somebody else's
                if entry["key"] == key:
                    known._entries[entry["report"]["target"]] = entry
                    known.versions = entry["versions"]
        return known

    def unchanged(self, task: Task, *, by_content: bool) -> dict[str, Any] | None:
        """Return what was reported of a file where all is as it was then; else None."""
        entry = self._entries.get(task.target)
        if entry is None or entry["report"]["path"] != str(task.path):
            return None
        report: dict[str, Any] = entry["report"]
        files = [Seen(**one) for one in (*report["inputs"], *entry["outputs"])]
        same = all(one.is_same(self.look, by_content=by_content) for one in files)
        return report if same else None

    def add(self, report: dict[str, Any], versions: dict[str, str]) -> None:
        """Keep what was reported of a file that was written, with all that it came from."""
        entry = {
            "key": self.key,
            "versions": versions,
            "outputs": [
                asdict(Seen.now(one["path"], hashed=False)) | {"sha256": one["sha256"]}
                for one in report["outputs"]
            ],
            "report": report,
        }
        self._entries[report["target"]] = entry
        with suppress(OSError), self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def compact(self) -> None:
        """Write each file's last line alone, where there is anything to be kept."""
        with suppress(OSError):
            if self._entries:
                lines = (json.dumps(one) + "\n" for one in self._entries.values())
                put_all({self.path: "".join(lines).encode()})
