# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what the table of readers says into docs/manual/engines.md, between its two marks.

What becomes of each thing is said there alone, and stays: it is written into the row by hand.

python -m scripts.reader_tables
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from omi_physics_joint.model.readers import PROFILES, Profile, Reader  # noqa: E402
from omi_physics_joint.model.target import Target  # noqa: E402

PAGE = ROOT / "docs" / "manual" / "engines.md"
BEGIN, END = "<!-- readers: python -m scripts.reader_tables -->", "<!-- /readers -->"
FAMILIES = {"omi": "OMI", "khr": "Khronos"}
STAGES = "USD"
UNSAID = "?"
"""What stands in a row until somebody says what becomes of it."""
ONLY = {Target.SPECIFIED: ", in files as specified", Target.GODOT: ", in files for omi-godot"}


def page(text: str) -> str:
    """Return the page with the tables of now."""
    before, rest = text.split(BEGIN)
    shown, after = rest.split(END)
    rows = [line.split(" | ") for line in shown.splitlines() if line.startswith("| `")]
    becomes = {row[0].strip("|` "): row[1] for row in rows}
    return f"{before}{BEGIN}\n{tables(becomes)}\n{END}{after}"


def tables(becomes: Mapping[str, str]) -> str:
    """Return who the readers are, and what becomes of each code there, as Markdown."""
    lines = ["| reader | `--reader` | reads | known from |", "|-|-|-|-|"]
    lines += [_row(reader, PROFILES[reader]) for reader in PROFILES]
    lines += ["", "| code | what becomes of it | where | what to do |", "|-|-|-|-|"]
    codes = dict.fromkeys(one.code for row in PROFILES.values() for one in row.differences)
    return "\n".join([*lines, *(_line(code, becomes.get(code, UNSAID)) for code in codes)])


def _row(reader: Reader, profile: Profile) -> str:
    families = " and ".join(FAMILIES[one] for one in FAMILIES if one in profile.dialects) or STAGES
    return f"| {profile.name} | `{reader}` | {families} | {profile.known} |"


def _line(code: str, becomes: str) -> str:
    found = {
        reader: one
        for reader, profile in PROFILES.items()
        for one in profile.differences
        if one.code == code
    }
    *_, last = found.values()
    where = "; ".join(
        f"{', '.join(f'`{reader}`' for reader in found if found[reader].known == known)}: {known}"
        for known in dict.fromkeys(one.known for one in found.values())
    )
    only = "" if last.file is None else ONLY[last.file]
    return f"| `{code}` | {becomes.removesuffix(only)}{only} | {where} | {last.mend} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
