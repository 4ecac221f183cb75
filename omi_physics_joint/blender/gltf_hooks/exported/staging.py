# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder that stands in for the target of an export until all of it is written.

The exporter writes its files one after the other, straight over old ones. A full disk, a kill or
an error on the way would leave half of a new file over half of an old one. So it is sent to a
folder beside the target, and what it wrote there goes to its place at once, the main file last.

Pictures of a .gltf lie beside it under the names of images, and may meet others there. A picture
never goes over one with other content that another file uses, nor over one that the .blend itself
reads; and a name that looks like a path leads nowhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

import bpy

from ....files.outputs import ASIDE, OwnFolder, obstacle, real, replace, standing
from ....gltf.document.files import DocumentError, load
from ....gltf.document.packing import named_files
from ....model.issue import Issue, Severity
from .. import ExportSettings, Untyped, leftovers

PATHS = ("gltf_filepath", "gltf_filedirectory", "gltf_texturedirectory")
"""Settings of the exporter that say where it writes."""
_fences: list[Path] = []


@contextmanager
def confined(folder: Path) -> Iterator[None]:
    """Let nothing be written outside of a folder meanwhile, whatever a file says."""
    _fences.append(real(folder))
    try:
        yield
    finally:
        _fences.pop()


def is_confined() -> bool:
    """Return whether exports must stay inside a folder."""
    return bool(_fences)


def obstacle_to_export(export_settings: ExportSettings) -> str:
    """Return in words why the exporter cannot write where it should; "" where it can."""
    file = Path(export_settings["gltf_filepath"])
    targets = [file]
    if export_settings["gltf_format"] == "GLTF_SEPARATE":
        targets.append(file.parent / unquote(export_settings["gltf_binaryfilename"]))
        targets.append(Path(export_settings["gltf_texturedirectory"], "any picture"))
    return _obstacle(targets)


def _obstacle(targets: list[Path]) -> str:
    """Return in words why one of some files cannot be replaced; "" where all can."""
    places = [real(target) for target in targets]
    for target, place in zip(targets, places, strict=True):
        if not all(place.is_relative_to(fence) for fence in _fences):
            return f"cannot write {target}: it leads out of {_fences[-1]}"
        # The new file comes from beside the old one.
        above = standing(place.parent)
        if above.is_dir() and not os.access(above, os.W_OK | os.X_OK):
            return f"cannot write {target}: {above} is write-protected"
    return obstacle(places)


class Staging:
    """Has the exporter write elsewhere. The way from the file to its pictures stays the same."""

    def __init__(self, export_settings: ExportSettings, *, for_good: bool = False) -> None:
        """Turn the exporter's paths to a new folder; for good if nothing of it is ever wanted.

        Raises:
            OSError: there can be no such folder.
        """
        self._paths = {key: export_settings[key] for key in PATHS}
        file = Path(self._paths["gltf_filepath"])
        start = self._paths["gltf_filedirectory"]
        try:
            to_pictures = os.path.relpath(self._paths["gltf_texturedirectory"], start)
        except ValueError:  # another drive
            to_pictures = os.curdir
        # As deep as the pictures lie above the file, so that they stay inside the folder.
        depth = Path(to_pictures).parts.count(os.pardir)
        self._aside = OwnFolder(ASIDE, None if for_good else standing(real(file).parent))
        leftovers.note(self._aside.remove)
        self._folder = self._aside.path / "written"
        self._beside, self._above = file.parent, Path(file.parent, *[os.pardir] * depth)
        self.home = Path(self._folder, *["below"] * depth)
        pictures = Path(os.path.normpath(self.home / to_pictures))
        for folder in (self.home, pictures):
            folder.mkdir(parents=True, exist_ok=True)
        self._main = self.home / file.name
        export_settings["gltf_filedirectory"] = f"{self.home}{os.sep}"
        export_settings["gltf_texturedirectory"] = str(pictures)
        export_settings["gltf_filepath"] = str(self._main)

    @property
    def target(self) -> Path:
        """The main file that is written in the end."""
        return self._beside / self._main.name

    def place(self, path: Path) -> Path:
        """Return where a file that was written aside belongs."""
        inside = path.is_relative_to(self.home)
        start, end = (self.home, self._beside) if inside else (self._folder, self._above)
        return end / path.relative_to(start)

    def obstacle(self) -> str:
        """Return in words why what was written cannot go where it belongs; "" where it can."""
        return _obstacle([*map(self.place, self._written()), self.target])

    def publish(self, export_settings: ExportSettings) -> None:
        """Put what was written in its place, all of it or nothing, and turn the paths back.

        Raises:
            OSError: something cannot be replaced.
        """
        replace([(path, real(self.place(path))) for path in self._written()])
        export_settings.update(self._paths)

    def _written(self) -> list[Path]:
        """Return what was written aside, the main file last."""
        paths = [path for path in sorted(self._folder.rglob("*")) if path.is_file()]
        return sorted(paths, key=lambda path: path == self._main)


def harmless_names(export_settings: ExportSettings) -> str:
    """Have images that are named like paths go by other names until the export has ended.

    Returned is why that cannot be; "" where all is well.
    """
    if export_settings["gltf_format"] != "GLTF_SEPARATE":
        return ""
    for image in list(bpy.data.images):
        name, harmless = image.name, re.sub(r"[/\\]", "_", image.name)
        if harmless == name:
            continue
        if not image.is_editable:
            return f"the image {name!r} is named like a path; rename it in its library"
        image.name = harmless
        leftovers.note(partial(setattr, image, "name", name))
    return ""


def put_apart(gltf: Untyped, staging: Staging) -> Iterator[Issue]:
    """Give pictures that would go over what others need names of their own; yield which."""
    others: list[Path] | None = None
    renamed: dict[str, str] = {}
    for image in gltf.images or ():
        uri = image.uri
        if not isinstance(uri, str) or uri in renamed:
            image.uri = renamed.get(uri, uri)
            continue
        path = staging.home / unquote(uri)
        if not path.is_file() or not _differs(path, staging.place(path)):
            continue
        if others is None:
            others = [*_inputs(), *_used_by_others(staging.target)]
        new, numbers = path, count(1)
        while (new != path and new.exists()) or (  # else it would go over one of this file
            _is_one_of(others, staging.place(new)) and _differs(path, staging.place(new))
        ):
            new = path.with_name(f"{path.stem}-{next(numbers)}{path.suffix}")
        if new != path:
            path.rename(new)
            folder = PurePosixPath(unquote(uri)).parent
            renamed[uri] = image.uri = quote(str(folder / new.name))
            why = "Another file uses a different picture of this name"
            what = f"{why}, so it is written as {new.name}."
            fix = "Give the images different names to choose them yourself."
            yield Issue(Severity.WARNING, "picture-put-apart", path.name, what, fix)


def _differs(path: Path, place: Path) -> bool:
    """Return whether there is an old picture, and it is another one."""
    if not place.is_file():
        return False
    return path.stat().st_size != place.stat().st_size or path.read_bytes() != place.read_bytes()


def _is_one_of(paths: list[Path], place: Path) -> bool:
    return place.exists() and any(os.path.samefile(path, place) for path in paths)


def _inputs() -> Iterator[Path]:
    """Yield the files that the .blend itself reads its images from."""
    for image in bpy.data.images:
        if image.filepath:
            path = Path(bpy.path.abspath(image.filepath, library=image.library))
            if path.is_file():
                yield path


def _used_by_others(target: Path) -> Iterator[Path]:
    """Yield the files that other documents in the folder of a file name."""
    for path in sorted(target.parent.glob("*.gltf")):
        if target.exists() and path.samefile(target):
            continue
        try:
            document = load(path)
        except DocumentError:
            continue
        yield from (file for file in named_files(document) if file.is_file())
