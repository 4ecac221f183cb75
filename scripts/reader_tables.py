# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what the table of readers says into docs/manual/engines.md, between its two marks.

python -m scripts.reader_tables
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from omi_physics_joint.model.readers import PROFILES, Difference, Profile, Reader  # noqa: E402
from omi_physics_joint.model.target import Target  # noqa: E402

PAGE = ROOT / "docs" / "manual" / "engines.md"
BEGIN, END = "<!-- readers: python -m scripts.reader_tables -->", "<!-- /readers -->"
FAMILIES = {"omi": "OMI", "khr": "Khronos"}
STAGES = "USD"
ONLY = {Target.SPECIFIED: ", in files as specified", Target.GODOT: ", in files for omi-godot"}


def page(text: str) -> str:
    """Return the page with the tables of now."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{tables()}\n{END}{rest.split(END)[1]}"


def tables() -> str:
    """Return who the readers are, and what they do otherwise, as Markdown."""
    lines = ["| reader | `--reader` | reads | known from |", "|-|-|-|-|"]
    lines += [_row(reader, PROFILES[reader]) for reader in PROFILES]
    lines += ["", "| code | what becomes of it | where | what to do |", "|-|-|-|-|"]
    codes = dict.fromkeys(one.code for row in PROFILES.values() for one in row.differences)
    return "\n".join([*lines, *map(_line, codes)])


def _row(reader: Reader, profile: Profile) -> str:
    families = " and ".join(FAMILIES[one] for one in FAMILIES if one in profile.dialects) or STAGES
    return f"| {profile.name} | `{reader}` | {families} | {profile.known} |"


def _line(code: str) -> str:
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
    return f"| `{code}` | {last.does}{_only(last)} | {where} | {last.mend} |"


def _only(one: Difference) -> str:
    return "" if one.file is None else ONLY[one.file]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
