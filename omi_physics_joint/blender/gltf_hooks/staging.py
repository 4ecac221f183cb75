# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder that stands in for the target of an export until it is known that all is well.

The exporter writes the .bin and the pictures of a .gltf before it asks us for the last time; what
goes wrong then would leave half of a new file over half of an old one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from .scope import ExportSettings

PATHS = ("gltf_filepath", "gltf_filedirectory", "gltf_texturedirectory")
"""Settings of the exporter that say where it writes."""


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

    def publish(self, export_settings: ExportSettings) -> None:
        """Move what was written to where it belongs, and turn the paths back.

        Raises:
            OSError: something cannot be written there.
        """
        home = Path(self._folder, *self._home_parts)
        target = Path(self._paths["gltf_filedirectory"])
        for path in sorted(self._folder.rglob("*")):
            if path.is_file():
                inside = path.is_relative_to(home)
                place = (
                    target / path.relative_to(home)
                    if inside
                    else self._target / path.relative_to(self._folder)
                )
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
        target.mkdir(parents=True, exist_ok=True)
        export_settings.update(self._paths)

    def discard(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)
