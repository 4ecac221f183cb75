# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests can notice a fault: those that reach its lines, the fastest first."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection
from dataclasses import asdict, dataclass, field

from .faults import Fault

PACKAGE = "omi_physics_joint/"
IN_BLENDER = ("tests/blender/", "tests/package/")
ON_THE_KERNEL = ("tests/solver/", "tests/kernel/", "tests/posing/")
HOLDING_IT = (
    "tests/solver/test_textbook.py",
    "tests/kernel/test_constants.py",
    "tests/kernel/test_elementary.py",
)
"""They hold the kernel to the textbook, whatever time that takes."""


@dataclass(frozen=True)
class Reach:
    """Which test functions reach which lines, and how long each takes.

    Attributes:
        seconds: By test function, all its parameters together.
        tests: By "file:line", the file from the package's folder.
        files: Hashes of the test files that were run.
        unseen: Files with tests that start other processes or read the package as text.
    """

    seconds: dict[str, float]
    tests: dict[str, list[str]]
    files: dict[str, str]
    unseen: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: str) -> Reach:
        """Return what the tracer or ``write`` has written."""
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        unseen = data.get("unseen", [])
        return cls(data["seconds"], data["tests"], data.get("files", {}), unseen)

    def write(self, path: str) -> None:
        """Keep it for the next run."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(asdict(self), file)

    def without(self, files: Collection[str]) -> Reach:
        """Return the same without the tests of some files."""

        def stays(name: str) -> bool:
            return name.partition("::")[0] not in files

        return Reach(
            {name: taken for name, taken in self.seconds.items() if stays(name)},
            {place: list(filter(stays, names)) for place, names in self.tests.items()},
            self.files,
            [name for name in self.unseen if name not in files],
        )

    def joined(self, other: Reach, files: dict[str, str]) -> Reach:
        """Return both together, for test files with these hashes."""
        tests = {
            place: self.tests.get(place, []) + other.tests.get(place, [])
            for place in {*self.tests, *other.tests}
        }
        unseen = sorted({*self.unseen, *other.unseen})
        return Reach({**self.seconds, **other.seconds}, tests, files, unseen)

    def first(self, fault: Fault) -> list[str]:
        """Return the tests that are asked first, whatever time they take."""
        if fault.path.startswith(PACKAGE):
            return []
        return [name for name in self.seconds if name.startswith(HOLDING_IT)]

    def beside(self, fault: Fault) -> list[str]:
        """Return the tests of the mirrored folder that may meet a fault unseen."""
        if not fault.path.startswith(PACKAGE):
            return []
        return [name for name in self.unseen if _mirrors(fault.path[len(PACKAGE) :], name)]

    def of(self, fault: Fault) -> list[str]:
        """Return the tests that reach a fault, the mirrored folder's first, then the fastest.

        What is only run when a file is imported is reached by all tests beside those that reach the
        file, or by all of the mirrored folder. What the kernel does is not seen by Python: it is
        reached by all tests of the solver.
        """
        if not fault.path.startswith(PACKAGE):
            asked = [name for name in self.seconds if name.startswith(ON_THE_KERNEL)]
            others = [name for name in asked if not name.startswith(HOLDING_IT)]
            return sorted(others, key=self.seconds.__getitem__)
        file = fault.path[len(PACKAGE) :]
        low, high = fault.lines
        found: set[str] = set()
        for line in range(low, high + 1):
            found.update(self.tests.get(f"{file}:{line}", ()))
        if not found:
            for place, names in self.tests.items():
                if place.rpartition(":")[0] == file:
                    found.update(names)
        if not any(f"{file}:{line}" in self.tests for line in range(low, high + 1)):
            beside = {name.partition("::")[0] for name in found}
            found = {name for name in self.seconds if name.partition("::")[0] in beside}
        found = found or {name for name in self.seconds if _mirrors(file, name)}
        return sorted(found, key=lambda name: (not _mirrors(file, name), self.seconds[name]))


def _mirrors(file: str, test: str) -> bool:
    """Return whether a test lies where the tests of a file's folder are."""
    return test.startswith("tests/" + os.path.dirname(file).partition("/")[0] + "/")


def within(
    names: list[str], seconds: dict[str, float], budget: float
) -> tuple[list[str], list[str]]:
    """Return the first tests that take no longer than a budget together: pure ones, Blender's."""
    taken = 0.0
    chosen: list[str] = []
    for name in sorted(names, key=lambda one: seconds[one]):
        if chosen and taken + seconds[name] > budget:
            break
        taken += seconds[name]
        chosen.append(name)
    order = {name: at for at, name in enumerate(names)}
    chosen.sort(key=lambda one: order[one])
    pure = [name for name in chosen if not name.startswith(IN_BLENDER)]
    return pure, [name for name in chosen if name.startswith(IN_BLENDER)]


def hashes(folder: str, without: Collection[str]) -> dict[str, str]:
    """Return a hash of each test file of a project, apart from those below some paths."""
    found: dict[str, str] = {}
    for below, _, names in os.walk(os.path.join(folder, "tests")):
        for name in names:
            path = os.path.relpath(os.path.join(below, name), folder).replace(os.sep, "/")
            is_test = name.startswith("test_") and name.endswith(".py")
            if is_test and not any(path.startswith(one) for one in without):
                with open(os.path.join(folder, path), "rb") as file:
                    found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def changed_files(old: Reach, now: dict[str, str]) -> list[str]:
    """Return the test files that are not as they were."""
    return sorted(path for path, value in now.items() if old.files.get(path) != value)
