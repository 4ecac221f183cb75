# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated numbers of joints, as channels of KHR_animation_pointer.

Each dialect names a number by where it stands in its own extension. So keys are read and spelled
beside the number: whoever writes a limit writes its keys into it, and when the document is whole
they are taken out again, with the JSON pointers of where they were.
Source: KHR_animation_pointer; the object models of OMI_physics_joint and KHR_physics_rigid_bodies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from ...model.issue import Issue
from ...model.keys import Keys, Track
from ...model.mechanism import Mechanism
from ...model.settings.fields import Field, Quantity
from ...model.settings.keyed import is_keyed
from ..document.files import Document
from ..document.json_text import Json, JsonObject, member_of
from ..document.members import Members
from ..khr.names import BODY as KHR_BODY
from ..omi.names import JOINT
from .animation import Track as Moving
from .animation import sampled

POINTER = "KHR_animation_pointer"
KEPT_AS = "omi_physics_joint keys"
"""Member under which keys stand while a document is spelled."""
JOINT_FIELDS = (Field("enable_collision", "enableCollision", "collision", Quantity.POSITION, 0.0),)
FINE = 8
"""Straight pieces that a curved stretch between two keys becomes."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One number of a file that an animation changes."""

    pointer: str
    """JSON pointer (RFC 6901)."""
    keys: Keys

    @property
    def is_flag(self) -> bool:
        """Whether the number stands for true and false."""
        return self.keys.field == JOINT_FIELDS[0].name


def spell_keys(track: Track, fields: Sequence[Field]) -> JsonObject:
    """Return the member that holds the keys of a limit, a drive or a joint, if it has any."""
    if not track:
        return {}
    key_of = {field.name: field.key for field in fields}
    said: JsonObject = {
        key_of[keys.field]: [keys.field, list(keys.times), list(keys.values), keys.is_stepped]
        for keys in track
    }
    return {KEPT_AS: said}


def taken_channels(
    document: dict[str, JsonObject], nodes: dict[int, dict[str, JsonObject]]
) -> list[Channel]:
    """Take the keys out of the extension objects of a document and of its nodes."""
    channels = list(_taken(document, "/extensions"))
    for index, extensions in nodes.items():
        channels += _taken(extensions, f"/nodes/{index}/extensions")
    return channels


def has_keys(mechanism: Mechanism) -> bool:
    """Return whether anything of a mechanism's joints changes with time."""
    return any(map(is_keyed, mechanism.settings)) or any(
        joint.keys for _, _, joint in mechanism.joints()
    )


def read_channels(document: Document) -> tuple[dict[str, Keys], list[Issue]]:
    """Return the keys of numbers of our extensions by JSON pointer, and what cannot be read."""
    found, issues = sampled(document, _pointer, "What it changes stays as it is.")
    return {pointer: _keys(moving) for pointer, moving in found.items()}, issues


def read_keys(members: Members, fields: Sequence[Field]) -> Track:
    """Return what animations do with the numbers of a limit, a drive or a joint."""
    channels, place = members.channels, members.place
    if not channels:
        return ()
    return tuple(
        replace(keys, field=field.name)
        for field in fields
        if (keys := channels.get(place.at(field.key).pointer)) is not None
    )


def firsts(numbers: Mapping[str, float | None], track: Track) -> dict[str, Any]:
    """Return the first values of keys of numbers that are else absent."""
    return {
        keys.field: keys.values[0] for keys in track if numbers[keys.field] in (None, inf, -inf)
    }


def _taken(value: Json | Mapping[str, Json], pointer: str) -> Iterator[Channel]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _taken(item, f"{pointer}/{index}")
    if not isinstance(value, dict):
        return
    said = value.pop(KEPT_AS, None)
    if isinstance(said, dict):
        yield from (Channel(f"{pointer}/{key}", _kept(parts)) for key, parts in said.items())
    for key, item in value.items():
        yield from _taken(item, f"{pointer}/{key}")


def _kept(parts: Any) -> Keys:  # noqa: ANN401 - the list that ``spell_keys`` makes
    field, times, values, is_stepped = parts
    return Keys(field, tuple(times), tuple(values), is_stepped)


def _pointer(channel: Members) -> tuple[str, int] | None:
    """Return the pointer of a channel where it leads to one number of a joint."""
    pointer = pointer_of(channel.json)
    known = any(f"/{name}/" in pointer for name in (JOINT, KHR_BODY))
    leads = known and member_of(channel.json, "target", "path") == "pointer"
    return (pointer, 1) if leads else None


def pointer_of(channel: Mapping[str, Json]) -> str:
    """Return the pointer of a channel as the file is laid out; "" where it has none.

    The object model of OMI_physics_joint has a member ``joint`` around those of a joint node, which
    is the index of its settings in the file.
    """
    pointer = member_of(channel, "target", "extensions", POINTER, "pointer")
    return pointer.replace(f"/{JOINT}/joint/", f"/{JOINT}/") if isinstance(pointer, str) else ""


def _keys(moving: Moving) -> Keys:
    """Return the keys of a track of one number; curves become straight pieces."""
    times: list[float] = []
    if moving.interpolation == "CUBICSPLINE":
        for start, end in zip(moving.times, moving.times[1:], strict=False):
            times += [start + (end - start) * part / FINE for part in range(FINE)]
        times.append(moving.times[-1])
    else:
        times += moving.times
    values = tuple(moving.at(time)[0] for time in times)
    return Keys("", tuple(times), values, moving.interpolation == "STEP")
