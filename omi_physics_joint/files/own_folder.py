# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder for one run alone, which a later run removes where this one is killed.

Whoever has a folder holds a lock on a file in it, and the lock ends with the process however that
ends. So what is left behind can be told from what is still in use, also on a shared disk.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

IN_USE = ".in_use"
"""The locked file."""
ABANDONED = 24.0 * 3600.0
"""s: a folder without such a file is left over when it is so old."""


class OwnFolder:
    """A new folder with a name of its own; removed at the end of a ``with`` block."""

    def __init__(self, prefix: str, above: Path | None = None) -> None:
        """Make it in a folder; None is the system's temporary one. Its name begins like this.

        Those that killed runs have left in the same place are removed first.

        Raises:
            OSError: it cannot be made there.
        """
        place = Path(tempfile.gettempdir()) if above is None else above
        remove_abandoned(prefix, place)
        self.path = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
        self._lock = _locked(self.path)

    def __enter__(self) -> Self:
        """Begin to use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove it."""
        self.remove()

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        _empty(self.path)
        if self._lock is not None:
            self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def remove_abandoned(prefix: str, place: Path) -> None:
    """Remove the folders in a place, by how their names begin, of runs that ended without that."""
    try:
        found = [Path(entry.path) for entry in os.scandir(place) if entry.name.startswith(prefix)]
    except OSError:
        return
    for folder in found:
        with suppress(OSError):
            if _is_mine(folder) and _is_abandoned(folder):
                _empty(folder)
                shutil.rmtree(folder, ignore_errors=True)


def _empty(folder: Path) -> None:
    """Remove what is in a folder but for its lock: who is killed meanwhile can still be told."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            elif entry.name != IN_USE:
                Path(entry.path).unlink(missing_ok=True)


def _is_mine(folder: Path) -> bool:
    """Return whether this is a folder, no link, and belongs to who runs this."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    return sys.platform == "win32" or folder.stat().st_uid == os.getuid()


def _is_abandoned(folder: Path) -> bool:
    """Return whether nobody holds the lock of a folder.

    Raises:
        OSError: that cannot be told.
    """
    path = folder / IN_USE
    if not path.exists():
        return time.time() - folder.stat().st_mtime > ABANDONED
    if sys.platform == "win32":
        path.unlink()  # a file that is open cannot be removed there
        return True
    with path.open("r+b") as file:
        _lock(file)
    return True


def _locked(folder: Path) -> IO[bytes] | None:
    """Return the locked file of a folder; None where the disk knows no locks.

    It gets its name when it is locked: nobody ever sees it free while it is in use.
    """
    unnamed, path = folder / f"{IN_USE}.new", folder / IN_USE
    if sys.platform == "win32":
        return path.open("wb")
    file = unnamed.open("wb")
    try:
        _lock(file)
        unnamed.rename(path)
    except OSError:
        file.close()
        return None
    return file


def _lock(file: IO[bytes]) -> None:
    """Lock an open file until it is closed.

    Raises:
        OSError: another process has it, or there are no locks.
    """
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
