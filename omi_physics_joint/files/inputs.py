# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be read of the files of strangers: which of them, and how much.

A small file can ask for any amount of memory or time: by instances of instances, by one mesh in a
thousand sizes, by classes within classes. So reading has a budget: whoever reads says what it has
come upon. And who begins to read may name a folder that nothing outside of is read for it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

TIMES = "OMI_BUDGET"
"""In the environment: so many times the budget."""
MORE = f"{TIMES}=10 in the environment allows ten times as much."
SECONDS = 10.0
"""s of computing for one file. What comes after reading takes about as long once more."""
PATIENCE = 50
"""The clock is looked at once in so many times: that alone takes 1e-5 s."""
MOST: Mapping[str, int] = {
    "elements": 200_000,  # of XML, with all files that are included
    "prims": 100_000,  # of USD, those in instances among them
    "nodes": 20_000,  # made of robots and stages: bodies, shapes, joints
    "objects": 5_000_000,  # of JSON, each time that they are read
    "triangles": 2_000_000,  # in meshes, each size of a mesh counted by itself
    "numbers": 10_000_000,  # in lists: points, corners, keys
    "bytes": 256 * 2**20,  # of meshes in files of their own
}
"""What is read of one file. The largest robots that we know have a tenth of it."""


POINTER, SHORT = b"version https://git-lfs", 1024
"""How pointers of Git LFS begin, and more bytes than one has."""


class InputError(Exception):
    """Something is not read; its text is one sentence for the user."""


def computed() -> float:
    """Return the s that this process has computed, with those that it has waited for."""
    return sum(os.times()[:4])


def _times() -> float:
    try:
        return max(float(os.environ.get(TIMES, "1")), 0.0)
    except ValueError:
        return 1.0


@dataclass(slots=True)
class Budget:
    """What reading one file costs and may cost."""

    times: float = field(default_factory=_times)
    start: float = field(default_factory=computed)
    spent: dict[str, int] = field(default_factory=dict)
    looks: int = 0

    @property
    def seconds(self) -> float:
        """What is left of the time, in s."""
        return SECONDS * self.times - (computed() - self.start)

    def spend(self, what: str, amount: int) -> None:
        """Take note of what was come upon; see ``spend``."""
        spent = self.spent[what] = self.spent.get(what, 0) + amount
        most = MOST[what] * self.times
        if spent > most:
            message = f"There are more than {most:.0f} {what} in it, which are not read. {MORE}"
            raise InputError(message)
        self.looks += 1
        if self.looks % PATIENCE == 0 and self.seconds < 0.0:
            raise InputError(too_long(self.times))


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)
_fence: ContextVar[Path | None] = ContextVar("fence", default=None)


def too_long(times: float) -> str:
    """Return what is said of a file that takes too much time."""
    return f"It takes more than {SECONDS * times:.0f} s to read, and is not read. {MORE}"


@contextmanager
def bounded() -> Iterator[Budget]:
    """Begin to read a file, with a budget of its own; what is read for it spends the same."""
    token = _budget.set(_budget.get() or Budget())
    try:
        yield _budget.get() or Budget()
    finally:
        _budget.reset(token)


def spend(what: str, amount: int = 1) -> None:
    """Take note of what was come upon; nothing is bounded where nobody has begun to read.

    Raises:
        InputError: it is more than is read of one file, or takes too long.
    """
    budget = _budget.get()
    if budget is not None:
        budget.spend(what, amount)


@contextmanager
def fenced(folder: Path | None) -> Iterator[None]:
    """Have nothing outside of a folder be read for files that are read; None is no fence."""
    token = _fence.set(None if folder is None else Path(os.path.realpath(folder)))
    try:
        yield
    finally:
        _fence.reset(token)


def fence() -> Path | None:
    """Return the folder that nothing outside of is read."""
    return _fence.get()


def why_closed(path: Path, *, named: bool = False) -> str:
    """Return in words why a file is not opened; "" where it may be, or where there is none.

    One that the user has named may lie outside of the fence.
    """
    try:
        mode, size = (about := path.stat()).st_mode, about.st_size
        real = Path(os.path.realpath(path))
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:  # no name that a file can have, links in a circle
        return str(getattr(error, "strerror", None) or "no file can have its name").lower()
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return "it is no regular file"
    inside = _fence.get()
    if not (named or inside is None or real.is_relative_to(inside)):
        return f"it lies outside of {inside}"
    if stat.S_ISREG(mode) and size < SHORT:
        with suppress(OSError), path.open("rb") as file:  # who reads it says what is wrong
            if file.read(len(POINTER)) == POINTER:
                return "it is a pointer of Git LFS, so run git lfs pull"
    return ""
