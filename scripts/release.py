# SPDX-License-Identifier: GPL-3.0-or-later
"""What is published: what is missing before it can be, and checksums of it.

release.py check [--try] [TAG]   say what is missing; ends with 1 where anything is, unless tried
release.py sums FOLDER           write SHA256SUMS beside the files of a release, if all are there
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"


def missing(root: Path, tag: str) -> Iterator[str]:
    """Yield a sentence for each thing that is missing.

    Args:
        root: The folder of the project.
        tag: Of the commit; empty where there is none yet.
    """
    manifest = tomllib.loads((root / "blender_manifest.toml").read_text("utf-8"))
    if "OWNER" in manifest["website"]:
        yield "blender_manifest.toml: say in website who owns the repository, in place of OWNER."
    version = manifest["version"]
    if tag and tag != f"v{version}":
        yield f"The tag is {tag}, and blender_manifest.toml says version {version}."
    titles = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    if titles[0] != version:
        yield f"CHANGELOG.md: its first section is {titles[0]}, and should be {version}."


def published() -> frozenset[str]:
    """Return the names of all files that make a release of this version."""
    from build_godot import version as current
    from build_kernel import KERNEL_TARGETS, kernel_number
    from kernel_wheels import PROJECT

    version = current()
    kernel = f"{PROJECT}-{version}.{kernel_number()}-py3-none"
    return frozenset(
        (
            f"omi_physics_joint-{version}.zip",
            f"omi_physics_joint-{version}.tar.gz",
            f"omi_physics_joint-godot-{version}.zip",
            f"omi-physics-gltf-transform-{version}.tgz",
            *(f"{kernel}-{tag}.whl" for tag in KERNEL_TARGETS),
            *(f"omi_physics_joint-{version}-py3-none-{tag}.whl" for tag in KERNEL_TARGETS),
        )
    )


def write_sums(folder: Path, names: frozenset[str]) -> None:
    """Write checksums of the files in a folder, as `sha256sum --check` reads them.

    Raises:
        ValueError: Other files are there than should be.
    """
    found = frozenset(path.name for path in folder.iterdir()) - {SUMS}
    if found != names:
        raise ValueError(f"{folder}: missing {sorted(names - found)}, odd {sorted(found - names)}")
    hashed = ((hashlib.sha256((folder / name).read_bytes()).hexdigest(), name) for name in names)
    lines = [f"{digest}  {name}\n" for digest, name in sorted(hashed, key=lambda one: one[1])]
    (folder / SUMS).write_text("".join(lines), "utf-8")


def main() -> int:
    """Say it on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="say what is missing, and end with 1 if anything is")
    check.add_argument("--try", dest="tries", action="store_true", help="say it, and end with 0")
    check.add_argument("tag", nargs="?", default="")
    commands.add_parser("sums", help="write SHA256SUMS").add_argument("folder", type=Path)
    words = parser.parse_args()
    if words.command == "check":
        found = list(missing(ROOT, words.tag))
        print("\n".join(found), file=sys.stderr, end="\n" if found else "")
        return 1 if found and not words.tries else 0
    try:
        write_sums(words.folder, published())
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(words.folder / SUMS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
