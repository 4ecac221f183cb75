# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation channels that lead into physics (KHR_animation_pointer), after it was spelled anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model.issue import Issue, Severity
from .json_text import Json
from .members import Place
from .patching import EXTENSIONS

POINTER = "KHR_animation_pointer"


def strayed_pointers(before: Mapping[str, Json], after: Mapping[str, Json]) -> Iterator[Issue]:
    """Yield a warning for each channel that no longer leads to what it led to."""
    animations = before.get("animations")
    for number, animation in enumerate(animations if isinstance(animations, list) else ()):
        channels = animation.get("channels") if isinstance(animation, dict) else None
        for at, channel in enumerate(channels if isinstance(channels, list) else ()):
            pointer = _pointer(channel)
            steps = pointer.split("/")
            if not any(name in steps for name in EXTENSIONS):
                continue
            if _found(before, steps[1:-1]) != _found(after, steps[1:-1]):
                yield Issue(
                    Severity.WARNING,
                    "animated-setting-moved",
                    str(Place(f"/animations/{number}/channels/{at}")),
                    f"It animates {pointer}, which is another thing now, or gone.",
                    "Export the file anew, in the dialects that are wanted.",
                )


def _pointer(channel: Json) -> str:
    value: Json = channel
    for key in ("target", "extensions", POINTER, "pointer"):
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _found(value: Json | Mapping[str, Json], steps: list[str]) -> Json | Mapping[str, Json]:
    """Return what a JSON pointer leads to; None where that is nothing."""
    for step in steps:
        if isinstance(value, list):
            value = value[int(step)] if step.isdecimal() and int(step) < len(value) else None
        elif isinstance(value, Mapping):
            value = value.get(step.replace("~1", "/").replace("~0", "~"))
        else:
            return None
    return value
