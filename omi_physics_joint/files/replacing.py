# SPDX-License-Identifier: GPL-3.0-or-later
"""Finished files go to their places at once: all of them or, where one cannot, none.

A rename on one disk leaves either the old file or the new one, whatever happens in between. A file
that cannot be renamed to its place is copied beside it first.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from .own_folder import OwnFolder

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
