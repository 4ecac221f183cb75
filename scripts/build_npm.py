# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the extensions for glTF Transform as npm does, so that npm installs and publishes them.

    build_npm.py [--output FOLDER]

Prints the path of the tarball. The version is that of blender_manifest.toml. The same sources give
the same tarball, to the last byte.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from build_godot import version

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "clients" / "gltf-transform"
DESCRIPTION = "package.json"
LONG_AGO = 499162500
"""The time of every file, as npm has it: 26 October 1985."""


def build(output: Path) -> Path:
    """Write the tarball into a folder and return its path."""
    description = json.loads((SOURCES / DESCRIPTION).read_text("utf-8")) | {"version": version()}
    files = {name: (SOURCES / name).read_bytes() for name in sorted(description["files"])}
    files[DESCRIPTION] = f"{json.dumps(description, indent=2)}\n".encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mtime, entry.mode = len(content), LONG_AGO, 0o644
            archive.addfile(entry, io.BytesIO(content))
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"{description['name']}-{version()}.tgz"
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return path


def main(words: Sequence[str]) -> int:
    """Build with the words of the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="build_npm.py", description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    print(build(parser.parse_args(words).output))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
