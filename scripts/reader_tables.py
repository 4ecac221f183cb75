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
    lines += [
        "",
        "| code | what becomes of it | "
        + " | ".join(f"`{reader}`" for reader in PROFILES if PROFILES[reader].differences)
        + " | what to do |",
        "|-" * (3 + sum(bool(one.differences) for one in PROFILES.values())) + "|",
    ]
    codes = dict.fromkeys(one.code for row in PROFILES.values() for one in row.differences)
    return "\n".join([*lines, *map(_line, codes)])


def _row(reader: Reader, profile: Profile) -> str:
    families = " and ".join(FAMILIES[one] for one in FAMILIES if one in profile.dialects) or STAGES
    return f"| {profile.name} | `{reader}` | {families} | {profile.known} |"


def _line(code: str) -> str:
    cells, last = [], None
    for profile in PROFILES.values():
        if not profile.differences:
            continue
        found = next((one for one in profile.differences if one.code == code), None)
        cells.append("" if found is None else str(found.known))
        last = found or last
    assert last is not None
    return f"| `{code}` | {last.does}{_only(last)} | {' | '.join(cells)} | {last.mend} |"


def _only(one: Difference) -> str:
    return "" if one.file is None else ONLY[one.file]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
