# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation channels that lead into physics (KHR_animation_pointer), after it was spelled anew.

No number is written anew: a channel that leads elsewhere now keeps its sampler.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from ...model.issue import Issue, Severity
from ...model.keys import Keys
from ..document.json_text import Json, JsonObject
from ..document.members import Place
from ..patching import EXTENSIONS
from .keyed import POINTER, Channel


@dataclass(frozen=True, slots=True)
class _Source:
    """A channel of the file that was read."""

    animation: int
    pointer: str
    channel: JsonObject
    keys: Keys


def repoint(
    document: JsonObject, read: Mapping[str, Keys], spelled: Sequence[Channel]
) -> tuple[dict[str, Keys], tuple[Issue, ...]]:
    """Have the channels of a document lead to where its physics is spelled now.

    Args:
        document: as it is written, its channels as they were; they are changed.
        read: what channels did, by pointer.
        spelled: what they have to do.

    Returns:
        What the channels do now, by pointer, and a warning for each number whose keys are lost.
    """
    sources = list(_taken(document, read))
    used: set[str] = set()
    led: dict[str, Keys] = {}
    issues: list[Issue] = []
    for one in spelled:
        alike = [source for source in sources if source.keys == replace(one.keys, field="")]
        alike.sort(key=lambda source: source.pointer != one.pointer)
        if not alike:
            issues.append(_lost(one.pointer, "has keys that no animation of the file holds"))
            continue
        used.add(alike[0].pointer)
        used.update(source.pointer for source in alike)
        _put(document, alike[0], one.pointer)
        led[one.pointer] = alike[0].keys
    issues += [
        _lost(source.pointer, "is animated, and is not said in these extensions")
        for source in sources
        if source.pointer not in used
    ]
    _drop_empty(document)
    return led, tuple(issues)


def strayed_pointers(
    before: Mapping[str, Json], after: Mapping[str, Json], read: Mapping[str, Keys]
) -> Iterator[Issue]:
    """Yield a warning for each channel that no longer leads to what it led to."""
    for number, at, channel in _channels(before):
        pointer = _pointer(channel)
        if pointer in read or not _is_ours(pointer):
            continue
        steps = pointer.split("/")[1:-1]
        if _found(before, steps) != _found(after, steps):
            yield Issue(
                Severity.WARNING,
                "animated-setting-moved",
                str(Place(f"/animations/{number}/channels/{at}")),
                f"It animates {pointer}, which is another thing now, or gone.",
                "Export the file anew, in the dialects that are wanted.",
            )


def _taken(document: JsonObject, read: Mapping[str, Keys]) -> Iterator[_Source]:
    """Take the channels out of a document that lead to what was read."""
    for number, _, channel in list(_channels(document)):
        pointer = _pointer(channel)
        if pointer in read:
            channels = _channels_of(document, number)
            channels.remove(channel)
            yield _Source(number, pointer, channel, replace(read[pointer], field=""))


def _put(document: JsonObject, source: _Source, pointer: str) -> None:
    channel = deepcopy(source.channel)
    extension: Json = channel
    for key in ("target", "extensions", POINTER):
        extension = extension.get(key) if isinstance(extension, dict) else None
    if isinstance(extension, dict):
        extension["pointer"] = pointer
        _channels_of(document, source.animation).append(channel)


def _drop_empty(document: JsonObject) -> None:
    """Drop animations that are left without a channel, which glTF does not allow."""
    animations = document.get("animations")
    if isinstance(animations, list):
        left = [one for one in animations if not isinstance(one, dict) or one.get("channels") != []]
        document["animations"] = left
        if not left:
            del document["animations"]


def _lost(pointer: str, what: str) -> Issue:
    return Issue(
        Severity.WARNING,
        "animated-setting-moved",
        str(Place(pointer)),
        f"The number {what}: it stays as it is.",
        "Export the file anew, in the dialects that are wanted.",
    )


def _channels(document: Mapping[str, Json]) -> Iterator[tuple[int, int, JsonObject]]:
    """Yield animation, position and members of every channel."""
    animations = document.get("animations")
    for number in range(len(animations) if isinstance(animations, list) else 0):
        for at, channel in enumerate(_channels_of(document, number)):
            if isinstance(channel, dict):
                yield number, at, channel


def _channels_of(document: Mapping[str, Json], number: int) -> list[Json]:
    animations = document.get("animations")
    animation = animations[number] if isinstance(animations, list) else None
    channels = animation.get("channels") if isinstance(animation, dict) else None
    return channels if isinstance(channels, list) else []


def _is_ours(pointer: str) -> bool:
    return any(name in pointer.split("/") for name in EXTENSIONS)


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
