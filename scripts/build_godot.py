# SPDX-License-Identifier: GPL-3.0-or-later
"""Zips the Godot add-on of clients/godot, so that it unpacks into a project.

    build_godot.py [--output FOLDER]

Prints the zip's path. The version is that of blender_manifest.toml. The same sources give the same
zip, to the last byte.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "clients" / "godot"
PACKED = {".gd", ".cfg", ".md", ""}
"""Endings of what is packed; Godot leaves files of its own beside scripts."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def version() -> str:
    """Return the version of the whole."""
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))
    return str(manifest["version"])


def build(output: Path) -> Path:
    """Write the zip into a folder and return its path."""
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"omi_physics_joint-godot-{version()}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((SOURCES / "addons").rglob("*")):
            if not file.is_file() or file.suffix not in PACKED:
                continue
            text = file.read_text("utf-8")
            if file.name == "plugin.cfg":
                text = re.sub(r'(?m)^version=".*"$', f'version="{version()}"', text)
            entry = zipfile.ZipInfo(file.relative_to(SOURCES).as_posix(), LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode(), zipfile.ZIP_DEFLATED)
    return path


def main(words: Sequence[str]) -> int:
    """Build with the words of the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="build_godot.py", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    print(build(parser.parse_args(words).output))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
