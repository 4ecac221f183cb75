# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the extension's zip with Blender's own tool, and has that tool validate it.

    build_extension.py [--source FOLDER] [--output FOLDER] [--tool FILE] [--wheels FOLDER]

Prints the zip's path. The tool is that of the bpy wheel in this Python, if no other is named.
Blender is not started. The wheels, of the compiled kernel, are put into the zip and its manifest;
the manifest of the sources lists none, so that a checkout is an extension too.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def extension_tool() -> Path:
    """Return the path of Blender's command-line tool for extensions.

    Raises:
        FileNotFoundError: If this Python has no Blender, or one without the tool.
    """
    spec = importlib.util.find_spec("bpy")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for tool in Path(folder).glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"):
            return tool
    raise FileNotFoundError(f"{sys.executable} has no Blender with an extension tool")


def with_wheels(source: Path, target: Path, wheels: Sequence[Path]) -> Path:
    """Copy what the zip may hold, and let the manifest of the copy list the wheels.

    Args:
        source: Folder that holds blender_manifest.toml.
        target: Folder for the copy, not there yet.
        wheels: Their paths.

    Returns:
        The target.
    """
    text = (source / "blender_manifest.toml").read_text("utf-8")
    for pattern in tomllib.loads(text)["build"]["paths_exclude_pattern"]:
        name = pattern.removeprefix("!/")
        if name != pattern and (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        elif name != pattern:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name)
    (target / "wheels").mkdir()
    for wheel in wheels:
        shutil.copyfile(wheel, target / "wheels" / wheel.name)
    lines = [f"  {json.dumps(f'./wheels/{wheel.name}')},\n" for wheel in wheels]
    listed = f"wheels = [\n{''.join(lines)}]\n\n"
    # Before the first table: whatever follows one belongs to it.
    text = re.sub(r"^\[", lambda bracket: listed + bracket[0], text, count=1, flags=re.MULTILINE)
    (target / "blender_manifest.toml").write_text(text, "utf-8")
    return target


def build(source: Path, output: Path, tool_path: Path, wheels: Sequence[Path] = ()) -> Path:
    """Build and validate the zip.

    Args:
        source: Folder that holds blender_manifest.toml.
        output: Folder for the zip, made if need be.
        tool_path: Blender's command-line tool for extensions.
        wheels: That the zip carries.

    Returns:
        The path of the zip.

    Raises:
        subprocess.CalledProcessError: If Blender's tool refuses.
    """
    manifest = tomllib.loads((source / "blender_manifest.toml").read_text("utf-8"))
    path = output / f"{manifest['id']}-{manifest['version']}.zip"
    output.mkdir(parents=True, exist_ok=True)
    tool = [sys.executable, str(tool_path)]
    with tempfile.TemporaryDirectory() as folder:
        packed = with_wheels(source, Path(folder) / "extension", wheels) if wheels else source
        make = [*tool, "build", "--source-dir", str(packed), "--output-filepath", str(path)]
        subprocess.run(make, check=True, stdout=sys.stderr)
    pack_alike(path)
    subprocess.run([*tool, "validate", str(path)], check=True, stdout=sys.stderr)
    return path


def pack_alike(path: Path) -> None:
    """Pack a zip anew without what a checkout adds: times, permissions and the order of files.

    The same sources then give the same zip, to the last byte.
    """
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in sorted(archive.namelist())}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.create_system = 3  # permissions are read as those of Unix, wherever it is made
            entry.external_attr = (0o40755 if entry.is_dir() else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, compresslevel=9)


def main() -> int:
    """Build from the command line."""
    from kernel_wheels import PROJECT

    parser = argparse.ArgumentParser(description="Build the extension's zip.")
    parser.add_argument("--source", type=Path, default=ROOT)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--tool", type=Path)
    parser.add_argument("--wheels", type=Path)
    options = parser.parse_args()
    kernels = f"{PROJECT}-*.whl"  # others may lie beside them
    wheels = sorted(options.wheels.resolve().glob(kernels)) if options.wheels else []
    try:
        tool = options.tool or extension_tool()
        print(build(options.source.resolve(), options.output.resolve(), tool, wheels))
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
