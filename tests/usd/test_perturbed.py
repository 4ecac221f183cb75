# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever stands in place of a value of a stage, it is understood or named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from omi_physics_joint.usd.prim import Prim, Stage
from omi_physics_joint.usd.reading.read import contents_of
from tests.approved import approved
from tests.perturbed import Perturbed, others
from tests.usd.rich import BODIES, JOINTS
from tests.usd_records import placed

STAGE = {"meters_per_unit": 0.5, "kilograms_per_unit": 3.0, "up_axis": "Y"}
"""Other units and axes of a stage."""


def without(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return values but for one."""
    return {key: value for key, value in values.items() if key != name}


def variants(prim: Prim) -> Iterator[tuple[str, dict[str, Prim]]]:
    """Yield by the part of a prim what it may be in place of it."""
    bare = {
        "absent": replace(prim, type="", schemas=()),
        "a mere frame": replace(prim, type="Xform"),
    }
    yield "", bare
    if prim.local is not None:
        yield "pose", {"absent": replace(prim, local=None), "alone": replace(prim, resets=True)}
    for schema in prim.schemas:
        left = tuple(one for one in prim.schemas if one != schema)
        yield schema, {"absent": replace(prim, schemas=left)}
    for name, value in prim.attributes.items():
        found = {"absent": replace(prim, attributes=without(prim.attributes, name))}
        for word, other in others(value):
            found[word] = replace(prim, attributes={**prim.attributes, name: other})
        yield name, found
    for name, paths in prim.targets.items():
        other = {
            "absent": without(prim.targets, name),
            "nowhere": {**prim.targets, name: ("/World/None",)},
            "several": {**prim.targets, name: (*paths, "/World")},
        }
        yield name, {word: replace(prim, targets=targets) for word, targets in other.items()}


def told(stage: Stage) -> dict[str, list[str]]:
    """Return what comes of what may stand in place of each part, and what is said of it."""
    whole = {name: getattr(stage, name) for name in STAGE}

    def with_other(number: int, other: Prim) -> Stage:
        return placed(*stage.prims[:number], other, *stage.prims[number + 1 :], **whole)

    perturbed = Perturbed(contents_of, stage)
    lines = [
        perturbed.line(
            name,
            {
                "absent": replace(stage, **{name: type(value)()}),
                "another": replace(stage, **{name: value}),
            },
        )
        for name, value in STAGE.items()
    ]
    for number, prim in enumerate(stage):
        for part, prims in variants(prim):
            files = {word: with_other(number, other) for word, other in prims.items()}
            lines.append(perturbed.line(f"{prim.path} {part}".strip(), files))
    return {
        "What comes of a stage where something else stands in place of a value.": lines,
        "What is said of such a stage, by code.": perturbed.said(),
    }


@pytest.mark.long
def test_what_is_read_of_bodies_is_as_approved() -> None:
    """Bodies, colliders, masses, materials and groups: each value counts, no bad one passes."""
    approved("read_usd_bodies.txt", told(BODIES))


@pytest.mark.long
def test_what_is_read_of_joints_is_as_approved() -> None:
    """Joints of each kind, likewise."""
    approved("read_usd_joints.txt", told(JOINTS))
