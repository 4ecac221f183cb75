# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs: made in a folder for one run alone, and put in their places at once.

All go to their places or, where one cannot, none. A rename on one disk leaves either the old file
or the new one, whatever happens in between. What cannot be renamed is copied beside it first.

Whoever has a folder holds a lock on a file in it, and the lock ends with the process however that
ends. So what is left behind can be told from what is still in use, also on a shared disk.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
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


ASIDE = ".omi_physics_joint_"
"""How the names of folders begin that files are written aside in."""


def obstacle(places: Iterable[Path]) -> str:
    """Return in words why the first such of some files cannot be written; "" where all can."""
    for place in places:
        try:
            trouble = _obstacle(place)
        except (OSError, ValueError) as error:  # no name that a file can have
            trouble = str(getattr(error, "strerror", None) or "no file can have its name").lower()
        if trouble:
            return f"cannot write {place}: {trouble}"
    return ""


def _obstacle(place: Path) -> str:
    if place.is_dir():
        return "it is a folder"
    if place.exists() and not stat.S_ISREG(place.stat().st_mode):
        return "it is no regular file"
    if place.exists() and not os.access(place, os.W_OK):
        return "it is write-protected"
    above = standing(place.parent)
    if not above.is_dir():
        return f"{above} is no folder"
    if not os.access(above, os.W_OK | os.X_OK):
        return f"{above} is write-protected"
    return ""


def standing(folder: Path) -> Path:
    """Return a folder, or the nearest above it that is there."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def why_not_made(folder: Path) -> str:
    """Make a folder with all above it; return in a sentence why that cannot be, "" where it is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"The folder {folder} cannot be made: {error.strerror}."
    return ""


def real(path: Path) -> Path:
    """Return where a file really is: links are written through, as other programs do."""
    return Path(os.path.realpath(path))


def replace(moves: Sequence[tuple[Path, Path]]) -> None:
    """Move finished files to their places, in this order; what was there is put back on a failure.

    They come from a folder for nothing else. Who has the same bytes as what is there stays behind,
    so that the old file keeps its time.

    Raises:
        OSError: something cannot be moved; nothing has changed then.
    """
    made: list[Path] = []
    helpers: list[OwnFolder] = []
    done: list[tuple[Path, Path | None]] = []
    try:
        ready = []
        moves = [move for move in moves if not _is_same(*move)]
        several = len(moves) > 1
        for number, (path, place) in enumerate(moves):
            made += _make_folders(place.parent)
            near = path
            if path.stat().st_dev != place.parent.stat().st_dev:
                helpers.append(OwnFolder(ASIDE, place.parent))
                near = helpers[-1].path / path.name
                shutil.copyfile(path, near)
            kept = _kept(place, near.parent / f".old {number}") if several else None
            if place.exists():
                shutil.copymode(place, near)
            if several:  # a rename would wait for the disk to take the file, between the others
                with near.open("rb+") as file:
                    os.fsync(file.fileno())
            ready.append((near, place, kept))
        for near, place, kept in ready:
            os.replace(near, place)
            done.append((place, kept))
    except OSError:
        for place, kept in reversed(done):
            with suppress(OSError):
                place.unlink() if kept is None else os.replace(kept, place)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise
    finally:
        for helper in helpers:
            helper.remove()


def put_all(files: Mapping[Path, bytes | Path]) -> None:
    """Write files at once, by their bytes or as copies, all or none; the last one names the others.

    Raises:
        OSError: one cannot be written; nothing has changed then.
    """
    last = list(files)[-1]
    with OwnFolder(ASIDE, standing(last.parent)) as aside:
        moves: list[tuple[Path, Path]] = []
        for place, content in files.items():
            path = aside.path / f"{len(moves)}"
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                shutil.copyfile(content, path)
            moves.append((path, place))
        replace(moves)


def _is_same(path: Path, place: Path) -> bool:
    """Return whether a file is there already, byte for byte; files of other sizes are not read."""
    filecmp.clear_cache()  # it would keep the names of a hundred exports
    return place.is_file() and filecmp.cmp(path, place, shallow=False)


def _kept(place: Path, keep: Path) -> Path | None:
    """Return a second name of an old file, to put it back; None where there is none."""
    if not place.exists():
        return None
    try:
        os.link(place, keep)
    except OSError:  # not every disk knows second names
        shutil.copy2(place, keep)
    return keep


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder with all above it, and return those that are new, the topmost first."""
    new = [one for one in (*reversed(folder.parents), folder) if not one.exists()]
    for one in new:
        one.mkdir(exist_ok=True)
    return new
