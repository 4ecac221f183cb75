# SPDX-License-Identifier: GPL-3.0-or-later
"""What each switch in our panels does to the fields of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.approved import approved
from tests.blender import situations as are
from tests.blender.test_shown import METHODS, built, panels, seen_from
from tests.layouts import Drawing, Field

SWITCHED = (are.plain_body, are.led_trigger, are.soft_slider, are.motored, are.closing, are.nothing)
"""Situations in which each switch that panels show is thrown."""


def fields_of(kinds: list[type]) -> dict[str, Field]:
    """Return the fields and texts that panels show now, in their headers too, by what they are."""
    found: dict[str, Field] = {}
    context = seen_from()
    for kind in kinds:
        panel = Drawing(kind)
        panel.layout.context = context
        if "poll" not in dir(kind) or kind.poll(context):
            for method in (one for one in METHODS if one in dir(kind)):
                getattr(panel, method)(context)
        named = panel.layout.fields.items()
        found |= {f"{name} ({kind.__name__[13:]})": one for name, one in named}
        said = dict.fromkeys(panel.layout.labels, Field("", enabled=True, active=True))
        found |= {f'"{text.strip()}" ({kind.__name__[13:]})': one for text, one in said.items()}
    return found


def others_of(owner: Any, name: str) -> list[Any]:
    """Return the other values of a switch or a choice; none of what is neither."""
    prop, now = owner.bl_rna.properties[name], getattr(owner, name)
    if prop.type == "BOOLEAN" and not prop.is_array:
        return [not now]
    if prop.type == "ENUM" and not prop.is_enum_flag:
        return [one.identifier for one in prop.enum_items if one.identifier != now]
    return []


def told_of(before: dict[str, Field], after: dict[str, Field]) -> str:
    """Return which fields came, went, and are grey or locked or are so no longer."""
    changed = {
        "shows": [one for one in after if one not in before],
        "hides": [one for one in before if one not in after],
    }
    for state, ending in product(("active", "enabled"), (True, False)):
        changed[f"{'' if ending else 'not '}{state}"] = [
            one
            for one in after
            if one in before
            and getattr(before[one], state) is not ending is getattr(after[one], state)
        ]
    return "; ".join(f"{word} {', '.join(ones)}" for word, ones in changed.items() if ones)


def thrown(kinds: list[type], seen: set[tuple[str, str, Any, Any]]) -> Iterator[str]:
    """Yield what each switch that panels show makes of the fields of all; each once."""
    before = fields_of(kinds)
    for label, field in before.items():
        name = label.partition(" ")[0]
        if field.owner is None:
            continue
        was = getattr(field.owner, name)
        for value in others_of(field.owner, name):
            case = (type(field.owner).__name__, name, was, value)
            if case in seen:
                continue
            setattr(field.owner, name, value)
            told = told_of(before, fields_of(kinds))
            setattr(field.owner, name, was)
            if told:
                seen.add(case)
                yield f"{label} {was} -> {value}: {told}"


def test_what_each_switch_does_to_other_fields_is_as_approved() -> None:
    """Nothing that has no effect looks as if it had one, and nothing is grey that has."""
    found: dict[str, list[str]] = {}
    seen: set[tuple[str, str, Any, Any]] = set()
    for situation in SWITCHED:
        built(situation)
        lines = [
            *thrown(panels("PROPERTIES", ""), seen),
            *thrown(panels("VIEW_3D", "sidebar"), seen),
        ]
        found[str(situation.__doc__)] = lines
    approved("shown_by_switches.txt", found)
