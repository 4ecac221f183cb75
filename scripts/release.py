# SPDX-License-Identifier: GPL-3.0-or-later
"""Says what is missing before this version can be published; ends with 1 where anything is.

release.py [TAG]
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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


def main() -> int:
    """Say it on the command line."""
    found = list(missing(ROOT, sys.argv[1] if len(sys.argv) > 1 else ""))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
