# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing and reading random mechanisms are each other's inverse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import copysign

import pytest
from hypothesis import given
from omi_mechanisms import Sample, over, resolved, samples
from omi_schema import schema_errors

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell

MANY = over(30)


@pytest.mark.long
@MANY
@given(samples())
def test_reading_what_was_written_gives_the_same_mechanism(sample: Sample) -> None:
    """Model to JSON text to model is the identity, shared things and spelling apart."""
    spelling = spell(sample.mechanism, sample.same_numbers())
    text = json.dumps(patched(sample.gltf, spelling), allow_nan=False)
    reading = read(json.loads(text))
    assert {issue.code for issue in reading.issues} <= {
        "angle-in-degrees",
        "foreign-drive",
        "gravity-of-nodes",
    }
    assert resolved(reading.mechanism) == resolved(sample.mechanism)
    assert reading.mechanism.unknown == sample.mechanism.unknown
    assert reading.mechanism.meshes == sample.mechanism.meshes


@pytest.mark.long
@MANY
@given(samples())
def test_writing_what_was_read_gives_the_same_file(sample: Sample) -> None:
    """A file that this project wrote is a fixed point: names and order of shared things too."""
    first = patched(sample.gltf, spell(sample.mechanism, sample.same_numbers()))
    again = patched(first, spell(read(first).mechanism, sample.same_numbers()))
    assert json.dumps(again) == json.dumps(first)


@pytest.mark.long
@MANY
@given(samples())
def test_everything_written_keeps_to_the_conventions(sample: Sample) -> None:
    """The own schemas hold, and so do the rules that make a file understood everywhere."""
    spelling = spell(sample.mechanism, sample.same_numbers(), spoken=tuple(Spoken))
    gltf = patched(sample.gltf, spelling)
    assert schema_errors(gltf) == []
    joints = gltf.get("extensions", {}).get("OMI_physics_joint", {}).get("physicsJoints", [])
    for joint in joints:
        for limit in joint.get("limits", []):
            axes = limit.get("linearAxes") or limit.get("angularAxes")
            assert ("linearAxes" in limit) != ("angularAxes" in limit)
            assert len(axes) == 1 or limit["min"] == limit["max"] == 0.0
            assert axes == sorted(axes)
            assert limit.get("damping", 1.0) > 0.0 <= limit.get("stiffness", 1.0)
        for drive in joint.get("drives", []):
            assert ("positionTarget" not in drive) or ("stiffness" in drive)
            assert ("velocityTarget" not in drive) or ("damping" in drive)
    own = [gltf.get("extensions"), [node.get("extensions") for node in gltf["nodes"]]]
    assert all(copysign(1.0, value) == 1.0 for value in floats_in(own) if value == 0.0)


def floats_in(value: object) -> Iterator[float]:
    """Yield every float of a JSON value."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from floats_in(item)
