# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON values, their types, and the one text in which members that nobody knows are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from ...model.unknown import members_in

Json = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""Any JSON value. Infinity and NaN may occur: Python's reader lets them in, to be judged later."""
JsonObject = dict[str, Json]


def object_of(value: Json | Mapping[str, Json], *keys: str) -> JsonObject:
    """Return the object that keys lead to, one below the other; an empty one of all else."""
    found = member_of(value, *keys)
    return found if isinstance(found, dict) else {}


def items_of(value: Json | Mapping[str, Json], *keys: str) -> list[Json]:
    """Return the items of the array that keys lead to; none of all else."""
    found = member_of(value, *keys)
    return found if isinstance(found, list) else []


def member_of(value: Json | Mapping[str, Json], *keys: str) -> Json:
    """Return what keys lead to, one below the other; None where there is nothing."""
    found: Any = value
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    result: Json = found
    return result


def text_of(value: Json) -> str:
    """Return the canonical text of a value: sorted keys, no spaces, ASCII, no -0.0.

    Raises:
        ValueError: the value holds an infinity or NaN, is nested too deeply, or has a number of
            more digits than Python writes.
    """
    try:
        return json.dumps(
            _without_negative_zero(value), sort_keys=True, separators=(",", ":"), allow_nan=False
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def members_of(text: str) -> JsonObject:
    """Return the members that a text of this module keeps; none where it keeps nothing.

    Only ``text_of`` writes such text. One that was damaged since counts as none, and a member
    that holds an infinity or NaN is left out, so that what is kept can always be written.
    """
    return _writable(members_in(text)) if text else {}


def merged(known: JsonObject, unknown: str) -> JsonObject:
    """Return the known members followed by the unknown ones; known members win."""
    return {**known, **members_of(unknown), **known} if unknown else known


def _writable(members: JsonObject) -> JsonObject:
    kept: JsonObject = {}
    for key, value in members.items():
        try:
            text_of(value)
        except ValueError:
            continue
        kept[key] = value
    return kept


def _without_negative_zero(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_negative_zero(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_negative_zero(item) for item in value]
    if isinstance(value, float) and isfinite(value):
        return value + 0.0  # -0.0 + 0.0 is 0.0
    return value
