# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever stands in place of a member of a document, it is understood or named."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import Document
from omi_physics_joint.gltf.fresh import contents_of, fresh_document
from omi_physics_joint.gltf.respelling import respelled
from tests.approved import approved
from tests.one_of_each import everything
from tests.perturbed import Found, Perturbed, others

Place = tuple[str | int, ...]


@cache
def document(spoken: Spoken) -> Document:
    """Return a document in one dialect that says as much as agrees."""
    both, _ = fresh_document(everything(), Path("everything.glb"))
    return Document(respelled(both.json, (spoken,)).json, both.path, both.binary)


def members(value: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield where all members of a JSON value are and what they are, without numbers of lists."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key), inner
        if isinstance(inner, dict) or (
            isinstance(inner, list) and isinstance((inner or [0])[0], dict)
        ):
            yield from members(inner, (*path, key))


def with_other(json: Any, path: Place, change: Any) -> Any:
    """Return a document with another value at a place; none takes the member away."""
    copy = deepcopy(json)
    holder = copy
    for key in path[:-1]:
        holder = holder[key]
    if change is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = change
    return copy


def older() -> Document:
    """Return a document of the form before August 2023, with each of its members once."""
    body, shape, joint = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"
    moving = {
        "type": "rigid",
        "mass": 3.0,
        "linearVelocity": [1.0, 2.0, 3.0],
        "angularVelocity": [0.5, 0.25, 0.125],
        "centerOfMass": [0.0, 1.0, 0.0],
        "inertiaTensor": [3.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 5.0],
    }
    shapes = [
        {"type": "sphere", "radius": 0.25},
        {"type": "box", "size": [1.0, 2.0, 3.0]},
        {"type": "capsule", "height": 1.5, "radius": 0.5},
        {"type": "cylinder", "height": 0.75, "radius": 0.375},
    ]
    bounds = {"lowerLimit": -0.5, "upperLimit": 1.0, "stiffness": 5.0, "damping": 2.0}
    constraints = [{"linearAxes": [0, 1, 2]}, {"angularAxes": [2], **bounds}]
    of_joint = {"constraints": [0, 1], "nodeA": 0, "nodeB": 2, "enableCollision": True}
    nodes = [
        {"name": "Door", "children": [1], "extensions": {body: moving}},
        {"name": "Leaf", "extensions": {shape: {"shape": 1}}},
        {"name": "Frame", "children": [3], "extensions": {body: {"type": "static"}}},
        {"name": "Post", "extensions": {shape: {"shape": 2}}},
        {"name": "Zone", "children": [5, 6], "extensions": {body: {"type": "trigger"}}},
        {"name": "Ball", "extensions": {shape: {"shape": 0}}},
        {"name": "Pipe", "extensions": {shape: {"shape": 3}}},
        {"name": "Hinge", "extensions": {joint: of_joint}},
    ]
    said = {shape: {"shapes": shapes}, joint: {"constraints": constraints}}
    json = {"asset": {"version": "2.0"}, "extensionsUsed": [body, shape, joint]}
    return Document({**json, "extensions": said, "nodes": nodes}, Path("older.glb"), b"")


def told(file: Document) -> dict[str, list[str]]:
    """Return what comes of all values that may stand in place of each member."""

    def read(json: Any) -> Found:
        return contents_of(Document(json, file.path, file.binary))

    perturbed = Perturbed(read, file.json)
    lines = []
    for path, value in members(file.json):
        if "extensions" in path[:-1]:
            variants: dict[str, object] = {"absent": None, **dict(others(value))}
            name = "/".join(str(key) for key in path if key != "extensions")
            files = {word: with_other(file.json, path, one) for word, one in variants.items()}
            lines.append(perturbed.line(name, files))
    return {
        "What comes of a document where something else stands in place of a member.": lines,
        "What is said of such a document, by code.": perturbed.said(),
    }


@pytest.mark.long
def test_what_is_read_of_omi_is_as_approved() -> None:
    """OMI's extensions: each member counts, and no value that is none passes unsaid."""
    approved("read_omi.txt", told(document(Spoken.OMI)))


@pytest.mark.long
def test_what_is_read_of_khronos_is_as_approved() -> None:
    """Khronos' extensions, likewise."""
    approved("read_khr.txt", told(document(Spoken.KHR)))


def test_what_is_read_of_the_older_form_is_as_approved() -> None:
    """Bodies, shapes and joints as they were before August 2023, likewise."""
    approved("read_older.txt", told(older()))
