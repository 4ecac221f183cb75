# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run says: the score by folder, and what nothing noticed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .trial import Outcome


def folder_of(outcome: Outcome) -> str:
    """Return the folder of the package that a fault is in, or of the project."""
    first, *parts, _ = outcome.fault.path.split("/")
    return "/".join(parts[:2]) or first


def report(outcomes: Sequence[Outcome], by_hand: Collection[str]) -> str:
    """Return the result as Markdown; faults made by hand count apart from those drawn."""
    drawn = [one for one in outcomes if one.fault.kind not in by_hand]
    made = [one for one in outcomes if one.fault.kind in by_hand]
    lines = ["| where | tried | killed | hung | survived | score |", "|---|---|---|---|---|---|"]
    for folder in sorted({folder_of(one) for one in drawn}):
        lines.append(_row(folder, [one for one in drawn if folder_of(one) == folder]))
    if drawn:
        lines.append(_row("drawn, together", drawn))
    if made:
        lines.append(_row("made by hand", made))
    lines += ["", "Survivors:", ""]
    lines += [
        "- %s (%d of %d tests run%s)" % (one.fault, *one.tests, "; " + one.by if one.by else "")
        for one in outcomes
        if one.verdict == "survived"
    ]
    return "\n".join(lines) + "\n"


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    counts = [sum(o.verdict == v for o in outcomes) for v in ("killed", "hung", "survived")]
    score = 100.0 * (counts[0] + counts[1]) / len(outcomes)
    cells = [name, len(outcomes), *counts, "%.1f %%" % score]
    return "| " + " | ".join(map(str, cells)) + " |"
