# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the extension's zip with Blender's own tool, and has that tool validate it.

    build_extension.py [--source FOLDER] [--output FOLDER] [--tool FILE]    prints the zip's path

The tool is that of the bpy wheel in this Python, if no other is named. Blender is not started.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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


def build(source: Path, output: Path, tool_path: Path) -> Path:
    """Build and validate the zip.

    Args:
        source: Folder that holds blender_manifest.toml.
        output: Folder for the zip, made if need be.
        tool_path: Blender's command-line tool for extensions.

    Returns:
        The path of the zip.

    Raises:
        subprocess.CalledProcessError: If Blender's tool refuses.
    """
    manifest = tomllib.loads((source / "blender_manifest.toml").read_text("utf-8"))
    path = output / f"{manifest['id']}-{manifest['version']}.zip"
    output.mkdir(parents=True, exist_ok=True)
    tool = [sys.executable, str(tool_path)]
    build_command = [*tool, "build", "--source-dir", str(source), "--output-filepath", str(path)]
    for command in (build_command, [*tool, "validate", str(path)]):
        subprocess.run(command, check=True, stdout=sys.stderr)
    return path


def main() -> int:
    """Build from the command line."""
    parser = argparse.ArgumentParser(description="Build the extension's zip.")
    parser.add_argument("--source", type=Path, default=ROOT)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--tool", type=Path)
    options = parser.parse_args()
    try:
        tool = options.tool or extension_tool()
        print(build(options.source.resolve(), options.output.resolve(), tool))
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
