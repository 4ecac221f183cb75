# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder that stands in for the target of an export until it is known that all is well.

The exporter writes the .bin and the pictures of a .gltf before it asks us for the last time; what
goes wrong then would leave half of a new file over half of an old one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from . import leftovers
from .scope import ExportSettings

PATHS = ("gltf_filepath", "gltf_filedirectory", "gltf_texturedirectory")
"""Settings of the exporter that say where it writes."""


def obstacle_to_export(export_settings: ExportSettings) -> str:
    """Return in words why the exporter cannot write where it should; "" where it can."""
    folder = Path(export_settings["gltf_filedirectory"])
    targets = [Path(export_settings["gltf_filepath"])]
    if export_settings["gltf_format"] == "GLTF_SEPARATE":
        targets.append(folder / unquote(export_settings["gltf_binaryfilename"]))
        targets.append(Path(export_settings["gltf_texturedirectory"], "any picture"))
    return _obstacle(targets)


def _obstacle(targets: Iterable[Path]) -> str:
    """Return in words why the first such of some files cannot be written; "" where all can."""
    for target in targets:
        if target.is_dir():
            return f"cannot write {target}: it is a folder"
        if target.exists() and not os.access(target, os.W_OK):
            return f"cannot write {target}: it is write-protected"
        above = target.parent
        while not above.exists() and above != above.parent:
            above = above.parent
        if not above.is_dir():
            return f"cannot write {target}: {above} is no folder"
        if not os.access(above, os.W_OK | os.X_OK):
            return f"cannot write {target}: {above} is write-protected"
    return ""


class Staging:
    """Has the exporter write elsewhere. The way from the file to its pictures stays the same."""

    def __init__(self, export_settings: ExportSettings) -> None:
        """Turn the exporter's paths to a new folder."""
        self._paths = {key: export_settings[key] for key in PATHS}
        target = self._paths["gltf_filedirectory"]
        try:
            to_pictures = os.path.relpath(self._paths["gltf_texturedirectory"], target)
        except ValueError:  # another drive
            to_pictures = os.curdir
        # As deep as the pictures lie above the file, so that they stay inside the folder.
        depth = Path(to_pictures).parts.count(os.pardir)
        self._folder = Path(tempfile.mkdtemp(prefix="omi_physics_joint_"))
        leftovers.note(self.discard)
        self._target = Path(target, *[os.pardir] * depth)
        home = Path(self._folder, *["below"] * depth) if depth else self._folder
        self._home_parts = home.relative_to(self._folder).parts
        pictures = Path(os.path.normpath(home / to_pictures))
        for folder in (home, pictures):
            folder.mkdir(parents=True, exist_ok=True)
        export_settings["gltf_filedirectory"] = f"{home}{os.sep}"
        export_settings["gltf_texturedirectory"] = str(pictures)
        name = Path(self._paths["gltf_filepath"]).name
        export_settings["gltf_filepath"] = str(home / name)

    def obstacle(self) -> str:
        """Return in words why what was written cannot go where it belongs; "" where it can."""
        places = [place for _, place in self._moves()]
        return _obstacle([*places, Path(self._paths["gltf_filepath"])])

    def _moves(self) -> Iterator[tuple[Path, Path]]:
        """Yield each file that was written, and where it belongs."""
        home = Path(self._folder, *self._home_parts)
        target = Path(self._paths["gltf_filedirectory"])
        for path in sorted(self._folder.rglob("*")):
            if path.is_file():
                inside = path.is_relative_to(home)
                start, end = (home, target) if inside else (self._folder, self._target)
                yield path, end / path.relative_to(start)

    def publish(self, export_settings: ExportSettings) -> None:
        """Move what was written to where it belongs, and turn the paths back.

        Raises:
            OSError: something cannot be written there.
        """
        for path, place in self._moves():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)
        Path(self._paths["gltf_filedirectory"]).mkdir(parents=True, exist_ok=True)
        export_settings.update(self._paths)

    def discard(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)
