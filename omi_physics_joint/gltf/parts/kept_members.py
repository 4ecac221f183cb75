# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that nobody knows, which a file has only in a dialect that is not written again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism, Node
from ...model.wording.words import listed, one_line
from ..agreement import PARTS, SHARED
from ..document.json_text import JsonObject, members_of
from ..document.members import Place
from .kept import UNDER_THEIR_NAME


def members_left_out(before: Mechanism, after: Mechanism) -> Iterator[Issue]:
    """Yield a warning for each node, and for the document, whose unknown members are gone."""
    gone = [
        f"{one} of {name}"
        for name, text in before.unknown.items()
        for one in members_of(text)
        if name not in after.unknown
    ]
    if gone:
        yield _left_out(Place(), gone)
    for index, (one, other) in enumerate(zip(before.nodes, after.nodes, strict=False)):
        ours, theirs = _names(before, one), _names(after, other)
        lost = [name for name in ours if name not in theirs]
        if lost:
            yield _left_out(Place(f"/nodes/{index}", one.name, index), lost)


def _left_out(place: Place, names: Sequence[str]) -> Issue:
    said = listed([one_line(name) for name in dict.fromkeys(names)])
    return Issue(
        Severity.WARNING,
        "members-left-out",
        str(place),
        f"Members that are not understood stand in the other dialect only: {said}.",
        "Write the file in both dialects to keep them.",
        place.node,
    )


def _names(mechanism: Mechanism, node: Node) -> list[str]:
    """Return the unknown members of a node, its parts, and what they share."""
    found = list(_in(node.unknown))
    for part in PARTS:
        value = getattr(node, part)
        found += _unknown(value)
        for name, resources in SHARED.items():
            index = getattr(value, name, None)
            if index is not None:
                found += _unknown(getattr(mechanism, resources)[index])
    return found


def _unknown(value: Any) -> Iterator[str]:  # noqa: ANN401 - any value of the model
    if isinstance(value, tuple):
        for item in value:
            yield from _unknown(item)
    elif is_dataclass(value):
        for field in fields(value):
            its = getattr(value, field.name)
            yield from _in(its) if field.name == "unknown" else _unknown(its)


def _in(text: str) -> Iterator[str]:
    """Yield the names of members that are kept, whichever dialect they are of."""
    members: JsonObject = members_of(text)
    for name, value in members.items():
        if name in UNDER_THEIR_NAME and isinstance(value, dict):
            yield from value
        else:
            yield name
