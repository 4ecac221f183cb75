# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that ``convert`` has made, and where they may be put."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..files.outputs import obstacle, put_all, real
from ..gltf.document.files import Document, DocumentError, load
from ..gltf.document.packing import named_files
from ..model.contents import ContentsError, Package
from ..model.issue import Issue
from ..model.wording.words import capitalized
from .guarded import guarded


@dataclass(frozen=True, slots=True)
class Converted:
    """A file in another form, before it is on disk."""

    output: Path
    """Where it is to be; what its names of other files are relative to."""
    package: Package
    """``main``, its bytes, and ``sides``, what goes beside it: bytes or files to copy, by name."""
    issues: tuple[Issue, ...]
    """What is wrong in the source, and what it has and this has not."""
    source: Document
    """What it was made of."""

    def write(self, *, overwrite: bool = False) -> None:
        """Put all files in place at once, or none: over the source, or others' files, if told to.

        Raises:
            ContentsError: they cannot be written; older files are as they were.
        """
        with guarded():
            if not overwrite:
                self._check_places()
            put(self.package, self.output)

    def _check_places(self) -> None:
        """Refuse to write over what was read, and over what is another's."""
        sides = self.package.sides.items()
        files = {self.output.parent / name: content for name, content in sides}
        inputs = [*named_files(self.source)]
        for place in (self.output, *files):
            if any(is_same_file(place, one) for one in inputs):
                raise ContentsError(
                    f"{place} is a file that is read: with overwrite it is written over."
                )
        _check_others(files, real(self.output))


def _check_others(files: Mapping[Path, bytes | Path], main: Path) -> None:
    """Refuse to write over files that are another's: not of the older output."""
    own: list[Path] = []
    with suppress(DocumentError):  # what is there may be anything
        own = [*named_files(load(main))]
    for place, content in files.items():
        if not place.exists() or any(is_same_file(place, one) for one in own):
            continue
        with suppress(OSError):
            new = content if isinstance(content, bytes) else content.read_bytes()
            if place.is_file() and place.read_bytes() == new:
                continue
        message = "is there already, and is another: with overwrite it is written over."
        raise ContentsError(f"{place} {message}")


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, also by links and where case does not count."""
    try:
        return real(one) == real(other) or one.samefile(other)
    except (OSError, ValueError):  # one of them is not there, or no file can have its name
        return False


def put(package: Package, output: Path) -> None:
    """Put the files of a package in place at once, the main one last.

    Raises:
        ContentsError: they cannot be written; older files are as they were.
    """
    places = {real(output.parent / name): content for name, content in package.sides.items()}
    places |= {real(output): package.main}
    if trouble := obstacle(places):
        raise ContentsError(f"{capitalized(trouble)}.")
    try:
        put_all(places)
    except OSError as error:
        raise ContentsError(f"{output} cannot be written: {error.strerror}.") from None
