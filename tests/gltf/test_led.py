# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated bodies of a document: none stands still, and how they are led goes into any format."""

from __future__ import annotations

import base64
import struct
from math import inf, pi, sin
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door

from omi_physics_joint.files.inputs import InputError, bounded, spend
from omi_physics_joint.gltf.document.files import Document
from omi_physics_joint.gltf.fresh import contents_of
from omi_physics_joint.gltf.read import read_document
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.geometry.transform import translation_of

FRAME, LEAF = 0, 2
BODY = "OMI_physics_body"


def animated(
    node: int, kind: str | None = None, interpolation: str = "LINEAR", last: float = 2.0
) -> Document:
    """Return a door, one of whose nodes turns by 120 degrees about Z and rises by 3 m."""
    gltf: dict[str, Any] = door()
    if kind is not None:
        gltf["nodes"][node]["extensions"][BODY]["motion"]["type"] = kind
    half = sin(pi / 3.0)
    numbers = (0.0, last, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, 0.5, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0)
    data = base64.b64encode(struct.pack("<16f", *numbers)).decode()
    gltf["buffers"] = [{"byteLength": 64, "uri": f"data:application/octet-stream;base64,{data}"}]
    parts = ((0, 8, "SCALAR"), (8, 32, "VEC4"), (40, 24, "VEC3"))
    gltf["bufferViews"] = [{"buffer": 0, "byteOffset": a, "byteLength": b} for a, b, _ in parts]
    gltf["accessors"] = [
        {"bufferView": at, "componentType": 5126, "count": 2, "type": kind}
        for at, (_, _, kind) in enumerate(parts)
    ]
    samplers = [{"input": 0, "output": 1 + at, "interpolation": interpolation} for at in range(2)]
    channels = [
        {"sampler": at, "target": {"node": node, "path": path}}
        for at, path in enumerate(("rotation", "translation"))
    ]
    gltf["animations"] = [{"samplers": samplers, "channels": channels}]
    return Document(gltf, Path("door.gltf"))


def test_a_static_body_that_is_animated_is_kinematic() -> None:
    """As in Blender, with a word; what stands without an animation stays static."""
    reading = read_document(animated(FRAME))
    assert reading.mechanism.nodes[FRAME].motion.type is MotionType.KINEMATIC
    (issue,) = (one for one in reading.issues if one.code == "static-animated")
    assert (issue.node, issue.loss) == (FRAME, False)
    still = read_document(Document({**animated(FRAME).json, "animations": []}, Path("x.gltf")))
    assert still.mechanism.nodes[FRAME].motion.type is MotionType.STATIC


def test_of_several_animations_the_first_leads_a_number_and_each_leads_others() -> None:
    """Its place as the first says, though the second does too, and its turn as the last."""
    document = animated(FRAME, "kinematic")
    (whole,) = document.json["animations"]
    turns, rises = whole["channels"]
    stepped = [{**one, "interpolation": "STEP"} for one in whole["samplers"]]
    several = [
        {**whole, "channels": [rises]},
        {"samplers": stepped, "channels": [rises]},
        {**whole, "channels": [turns]},
    ]
    found = contents_of(Document({**document.json, "animations": several}, document.path))[0].led
    assert found == contents_of(document)[0].led != {}


def test_forces_win_over_an_animation_and_that_is_said() -> None:
    """A dynamic body that is animated too stays dynamic; what other formats lose is a loss."""
    reading = read_document(animated(LEAF))
    assert reading.mechanism.nodes[LEAF].motion.type is MotionType.DYNAMIC
    (issue,) = (one for one in reading.issues if one.code == "dynamic-animated")
    assert (issue.node, issue.loss) == (LEAF, False)
    contents, issues = contents_of(animated(LEAF))
    assert contents.led == {}
    assert [one.node for one in issues if one.code == "animation-left-out" and one.loss] == [LEAF]


@pytest.mark.parametrize("kind", [None, "kinematic"])
def test_an_animation_above_a_dynamic_body_is_said_but_for_that_of_a_body(kind: str | None) -> None:
    """A plain node above moves a body that forces move as well; a body above is meant to."""
    document = animated(LEAF + 2)
    nodes = document.json["nodes"]
    document.json["scenes"] = [{"nodes": [FRAME, len(nodes)]}]
    extensions = {BODY: {"motion": {"type": kind}}} if kind else {}
    nodes.append({"name": "Ship", "children": [LEAF], "extensions": extensions})
    found = [one.node for one in read_document(document).issues if one.code == "dynamic-animated"]
    assert found == ([] if kind else [LEAF])


def test_what_stands_on_a_body_that_is_led_goes_along() -> None:
    """A static body below an animated kinematic one is kinematic, too."""
    document = animated(LEAF, "kinematic")
    nodes = document.json["nodes"]
    nodes[LEAF].setdefault("children", []).append(FRAME)
    document.json["scenes"] = [{"nodes": [LEAF]}]
    assert read_document(document).mechanism.nodes[FRAME].motion.type is MotionType.KINEMATIC


def test_how_a_body_is_led_is_read_close_enough_for_straight_lines() -> None:
    """A turn by 120 degrees has poses in between, at 24 a second."""
    contents, _ = contents_of(animated(FRAME, "kinematic"))
    keys = contents.led[FRAME]
    assert (keys.times[0], keys.times[-1], len(keys.times)) == (0.0, 2.0, 49)
    middle = keys.poses[24]
    assert translation_of(middle) == pytest.approx((0.0, 1.5, 0.0))
    assert middle[1][0] == pytest.approx(sin(pi / 3.0))


def test_a_step_stays_one() -> None:
    """Until just before the next key it is where it was."""
    contents, _ = contents_of(animated(FRAME, "kinematic", "STEP"))
    keys = contents.led[FRAME]
    heights = [translation_of(pose)[1] for pose in keys.poses]
    assert set(heights[:-1]) == {0.0}
    assert (heights[-1], keys.times[-2]) == (3.0, pytest.approx(2.0, abs=1e-3))


def test_an_animation_without_end_is_bounded() -> None:
    """A key at infinity is none, and one after years is more than is read of one file."""
    contents, issues = contents_of(animated(FRAME, "kinematic", last=inf))
    assert issues == ()
    assert contents.led[FRAME].times == (0.0,)
    with bounded():
        spend("numbers", 9_000_000)
        with pytest.raises(InputError, match="numbers"):
            contents_of(animated(FRAME, "kinematic", last=1e9))


def test_a_body_below_nothing_is_not_led() -> None:
    """Where a node above is scaled to nothing there is no pose, and that is said."""
    document = animated(FRAME, "kinematic")
    nodes = document.json["nodes"]
    document.json["scenes"] = [{"nodes": [len(nodes), 2]}]
    nodes.append({"children": [FRAME], "scale": [0.0, 1.0, 1.0]})
    contents, issues = contents_of(document)
    assert contents.led == {}
    assert "animation-not-read" in {issue.code for issue in issues}
