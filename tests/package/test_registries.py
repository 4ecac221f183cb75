# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension leaves nothing behind when it is disabled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

Snapshot = dict[str, list[str]]


def difference(old: Snapshot, new: Snapshot) -> dict[str, list[str]]:
    """Return the entries that came (+) and went (-), of those registries where any did."""
    found = {}
    for registry in old.keys() | new.keys():
        before, after = Counter(old[registry]), Counter(new[registry])
        came = [f"+ {entry}" for entry in (after - before).elements()]
        went = [f"- {entry}" for entry in (before - after).elements()]
        if came or went:
            found[registry] = came + went
    return found


def test_registries_are_equal_before_and_after(
    built_zip: Path, run_inside: Callable[..., Any]
) -> None:
    """Enabled and disabled twice, it adds the same both times and takes everything out again."""
    taken = run_inside("enable_and_disable.py", zip=built_zip)
    assert difference(taken["before"], taken["first disabled"]) == {}
    assert difference(taken["before"], taken["second disabled"]) == {}
    assert difference(taken["first enabled"], taken["second enabled"]) == {}
    added = difference(taken["before"], taken["first enabled"])
    assert {"classes", "types", "properties", "exporter panels"} <= added.keys()
