# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation channels that lead into physics (KHR_animation_pointer), after it was spelled anew.

No number is written anew: a channel that leads elsewhere now keeps its sampler.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from ...model.issue import Issue
from ...model.keys import Keys
from ...model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS
from ...model.wording.words import counted, one_line, some
from ..document.json_text import Json, JsonObject, items_of, member_of, object_of
from ..document.members import Place
from ..write import EXTENSIONS
from .keyed import JOINT_FIELDS, POINTER, Channel, pointer_of


@dataclass(frozen=True, slots=True)
class _Source:
    """A channel of the file that was read."""

    pointer: str
    channel: JsonObject
    siblings: list[Json]
    """All channels of its animation."""
    keys: Keys


NUMBERED = {"limits": LIMIT_FIELDS, "drives": DRIVE_FIELDS, "nodes": JOINT_FIELDS}
"""What of limits, drives and joint nodes can be animated, by the last array on the way to it."""


def leading_nowhere(gltf: Mapping[str, Json]) -> Iterator[Issue]:
    """Yield a warning that names the channels that lead into physics, and to nothing that moves."""
    pointers = dict.fromkeys(pointer_of(channel) for _, channel, _ in _channels(gltf))
    ours = (one for one in pointers if not {*one.split("/")}.isdisjoint(EXTENSIONS))
    lost = [one_line(one) for one in ours if not _leads(gltf, one.split("/")[1:])]
    if lost:
        things = counted(len(lost), "place")
        message = f"Animations lead to {things} where no number of a joint is: {some(lost)}."
        fix = "Lead them to numbers of limits and drives, or to enableCollision."
        yield Place("/animations").warning("animated-nowhere", message, fix)


def _leads(gltf: Mapping[str, Json], steps: list[str]) -> bool:
    """Return whether a pointer leads to a number or a switch of a joint."""
    arrays = [step for step in steps if step in NUMBERED]
    keys = [field.key for field in NUMBERED[arrays[-1]]] if arrays else []
    return steps[-1] in keys and isinstance(_found(gltf, steps[:-1]), dict)


def repoint(
    document: JsonObject, read: Mapping[str, Keys], spelled: Sequence[Channel]
) -> tuple[dict[str, Keys], tuple[Issue, ...]]:
    """Have the channels of a document lead to where its physics is spelled now.

    By pointer, channels did what was read, and are to do what is spelled. Returned is what they do
    now, and a warning for each number whose keys are lost.
    """
    sources = list(_taken(document, read))
    used: set[str] = set()
    taken: Counter[str] = Counter()
    led: dict[str, Keys] = {}
    issues: list[Issue] = []
    for one in spelled:
        alike = [source for source in sources if source.keys == replace(one.keys, field="")]
        if not alike:
            issues.append(_lost(one.pointer, "has keys that no animation of the file holds"))
            continue
        used.update(source.pointer for source in alike)
        best = min(  # of keys that are equal each goes on in its own animation
            alike,
            key=lambda source: (
                source.pointer != one.pointer,
                source.pointer.rpartition("/")[2] != one.pointer.rpartition("/")[2],
                taken[source.pointer],
            ),
        )
        taken[best.pointer] += best.pointer != one.pointer
        channel = deepcopy(best.channel)
        object_of(channel, "target", "extensions", POINTER)["pointer"] = one.pointer
        best.siblings.append(channel)
        led[one.pointer] = best.keys
    issues += [
        _lost(source.pointer, "is animated, and is not said in these extensions")
        for source in sources
        if source.pointer not in used
    ]
    animations = document.get("animations")
    if isinstance(animations, list):  # glTF allows none without a channel, and no empty array
        document["animations"] = [one for one in animations if member_of(one, "channels") != []]
        if not document["animations"]:
            del document["animations"]
    return led, tuple(issues)


def strayed_pointers(
    before: Mapping[str, Json], after: Mapping[str, Json], read: Mapping[str, Keys]
) -> Iterator[Issue]:
    """Yield a warning for each channel that no longer leads to what it led to."""
    for place, channel, _ in _channels(before):
        pointer = pointer_of(channel)
        steps = pointer.split("/")
        if pointer in read or not any(name in steps for name in EXTENSIONS):
            continue
        if _found(before, steps[1:-1]) != _found(after, steps[1:-1]):
            message = f"It animates {pointer}, which is another thing now, or gone."
            yield _moved(Place(place), message)


def _taken(document: JsonObject, read: Mapping[str, Keys]) -> Iterator[_Source]:
    """Take the channels out of a document that lead to what was read."""
    for _, channel, siblings in list(_channels(document)):
        pointer = pointer_of(channel)
        if pointer in read:
            siblings.remove(channel)
            yield _Source(pointer, channel, siblings, replace(read[pointer], field=""))


def _lost(pointer: str, what: str) -> Issue:
    return _moved(Place(pointer), f"The number {what}: it stays as it is.")


def _moved(place: Place, message: str) -> Issue:
    fix = "Export the file anew, in the dialects that are wanted."
    return place.warning("animated-setting-moved", message, fix)


def _channels(document: Mapping[str, Json]) -> Iterator[tuple[str, JsonObject, list[Json]]]:
    """Yield the place of every channel, its members, and all channels of its animation."""
    for number, animation in enumerate(items_of(document, "animations")):
        siblings = items_of(animation, "channels")
        for at, channel in enumerate(siblings):
            if isinstance(channel, dict):
                yield f"/animations/{number}/channels/{at}", channel, siblings


def _found(value: Json | Mapping[str, Json], steps: list[str]) -> Json | Mapping[str, Json]:
    """Return what a JSON pointer leads to; None where that is nothing."""
    for step in steps:
        if isinstance(value, list):
            value = value[int(step)] if step.isdecimal() and int(step) < len(value) else None
        else:
            value = member_of(value, step.replace("~1", "/").replace("~0", "~"))
    return value
