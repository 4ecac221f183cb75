# SPDX-License-Identifier: GPL-3.0-or-later
"""Says in README and manual where to get what is installed: today, and once there is a release.

    python -m scripts.first_step released   once a draft of a release is public

Without that word it writes what holds before.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ZIP = """\
There is no release yet, but that zip is the add-on too. Only its
   solver is not compiled, so that large mechanisms play up to five times slower: `make build` in a
   clone makes a zip with it, in `dist/`."""
NEWEST = "[newest release](WEBSITE/releases/latest)"
STEPS = {
    "README.md": (
        f"1. On the page of this repository press *Code > Download ZIP*. {ZIP}",
        f"1. Download `omi_physics_joint-VERSION.zip` from the {NEWEST}.",
    ),
    "docs/manual/install.md": (
        f"1. On the page of the repository press *Code > Download ZIP*. {ZIP}",
        f"1. Download `omi_physics_joint-VERSION.zip` from the {NEWEST}.",
    ),
    "docs/manual/godot.md": (
        "1. `make godot` in a clone of the repository makes a zip in `dist/`.",
        f"1. Download `omi_physics_joint-godot-VERSION.zip` from the {NEWEST}.",
    ),
}
"""Page -> its first step before there is a release, and afterwards."""


def steps(root: Path) -> dict[str, tuple[str, str]]:
    """Return these steps with the address that the manifest of a project says."""
    website = tomllib.loads((root / "blender_manifest.toml").read_text("utf-8"))["website"]
    return {page: (now, then.replace("WEBSITE", website)) for page, (now, then) in STEPS.items()}


def write(root: Path, *, released: bool) -> None:
    """Put them into the pages of a project.

    Raises:
        ValueError: It cannot have been released, since its address is not known.
    """
    for name, texts in steps(root).items():
        if released and "OWNER" in texts[True]:
            raise ValueError("blender_manifest.toml does not know the address of a release.")
        page = root / name
        text = page.read_text("utf-8")
        page.write_text(text.replace(texts[not released], texts[released]), "utf-8")


if __name__ == "__main__":
    write(ROOT, released=sys.argv[1:] == ["released"])
