# SPDX-License-Identifier: GPL-3.0-or-later
"""Which faults are tried: a sample of all, or so many of each wing; and the score of the whole."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .faults import Fault
from .reach import PACKAGE
from .trial import Outcome

WINGS = ("robots", "usd", "blender/timeline", "blender/play", "blender/gltf_hooks")
"""Folders that may be drawn from on their own; all others together are the rest."""
REST = "the rest"


def wing_of(fault: Fault) -> str:
    """Return which wing a fault is in."""
    return next((one for one in WINGS if fault.path.startswith(f"{PACKAGE}{one}/")), REST)


def drawn_from(every: Sequence[Fault], sample: int, each: int, seed: int) -> list[Fault]:
    """Return the faults that are drawn, shuffled: a run that ends early has fewer of everything.

    Args:
        every: all that there are.
        sample: how many to draw, of those outside of the wings where these are drawn from.
        each: how many to draw of each wing; 0 draws from all together.
        seed: of the draw.
    """
    chosen = random.Random(seed)
    pools = [(list(every), sample)]
    if each:
        rest = [fault for fault in every if wing_of(fault) == REST]
        pools = [(rest, sample)]
        pools += [([fault for fault in every if wing_of(fault) == one], each) for one in WINGS]
    drawn = [one for pool, count in pools for one in chosen.sample(pool, min(count, len(pool)))]
    chosen.shuffle(drawn)
    return drawn


def weighted(outcomes: Sequence[Outcome], every: Sequence[Fault]) -> float:
    """Return the part of all faults that is noticed, wings counted by how many faults they have."""
    noticed = total = 0.0
    for wing in (*WINGS, REST):
        tried = [one.verdict != "survived" for one in outcomes if wing_of(one.fault) == wing]
        weight = sum(wing_of(fault) == wing for fault in every) if tried else 0
        noticed += weight * sum(tried) / max(len(tried), 1)
        total += weight
    return noticed / total if total else 0.0
