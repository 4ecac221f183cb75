# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of joint settings: read and spelled by where their numbers stand, in every dialect."""

from __future__ import annotations

import base64
import re
import struct
from copy import deepcopy
from dataclasses import replace
from math import pi, sqrt
from pathlib import Path
from typing import Any

import pytest
from omi_documents import codes, document_of, door

from omi_physics_joint.gltf.animated.animation_pointers import repoint
from omi_physics_joint.gltf.animated.keyed import KEPT_AS, POINTER, read_channels
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import Document
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.read import read, read_document
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.gltf.write import Spelling, spell
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP, Z_UP_FROM_Y_UP
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.settings.keyed import around, mechanism_at, settings_at

UPPER = "/extensions/OMI_physics_joint/physicsJoints/0/limits/2/max"
COLLIDE = "/nodes/3/extensions/OMI_physics_joint/enableCollision"
OPENING = Keys("max", (0.0, 1.0), (0.5, 1.5))


def animated(gltf: dict[str, Any], pointer: str, interpolation: str, *values: float) -> Document:
    """Return a document with one channel whose keys are a second apart."""
    each = 3 if interpolation == "CUBICSPLINE" else 1
    times = [float(second) for second in range(len(values) // each)]
    data = struct.pack(f"<{len(times)}f{len(values)}f", *times, *values)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    split = 4 * len(times)
    gltf["buffers"] = [{"byteLength": len(data), "uri": uri}]
    gltf["bufferViews"] = [
        {"buffer": 0, "byteLength": split},
        {"buffer": 0, "byteOffset": split, "byteLength": len(data) - split},
    ]
    gltf["accessors"] = [
        {"bufferView": view, "componentType": 5126, "count": count, "type": "SCALAR"}
        for view, count in ((0, len(times)), (1, len(values)))
    ]
    target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}
    sampler = {"input": 0, "output": 1, "interpolation": interpolation}
    gltf["animations"] = [{"samplers": [sampler], "channels": [{"sampler": 0, "target": target}]}]
    return Document(gltf, Path("door.gltf"), None)


def read_animated(document: Document) -> Mechanism:
    """Read a document with its channels."""
    channels, issues = read_channels(document)
    assert issues == []
    return read(document.json, channels).mechanism


def spelled(mechanism: Mechanism) -> Spelling:
    """Spell a mechanism in both dialects."""
    everywhere = {index: index for index in range(len(mechanism.nodes))}
    return spell(mechanism, Numbering(everywhere, {}), spoken=frozenset(Spoken))


def test_a_channel_is_read_where_its_number_is_and_goes_back_there() -> None:
    """The keys are on the limit that the pointer leads to, and in both dialects afterwards."""
    mechanism = read_animated(animated(door(), UPPER, "LINEAR", 0.5, 1.5))
    assert mechanism.settings[0].limits[2].keys == (OPENING,)
    assert mechanism_at(mechanism, 0.25).settings[0].limits[2].max == 0.75
    spelling = spelled(mechanism)
    khr = UPPER.replace("OMI_physics_joint", "KHR_physics_rigid_bodies")
    assert {channel.pointer: channel.keys for channel in spelling.channels} == {
        UPPER: OPENING,
        khr: OPENING,
    }
    assert KEPT_AS not in str(spelling.document)


def test_steps_and_curves_are_read() -> None:
    """A step holds its value; a curve is followed closely, and meets its keys exactly."""
    stepped = read_animated(animated(door(), COLLIDE, "STEP", 0.0, 1.0)).nodes[3].joint
    assert stepped is not None
    assert stepped.keys == (Keys("enable_collision", (0.0, 1.0), (0.0, 1.0), True),)
    curve = (0.0, 0.5, 0.0, 0.0, 1.5, 0.0)
    curved = read_animated(animated(door(), UPPER, "CUBICSPLINE", *curve)).settings[0]
    (keys,) = curved.limits[2].keys
    assert (keys.at(0.0), keys.at(1.0)) == (0.5, 1.5)
    for time in (0.1, 0.3, 0.7):
        smooth = 0.5 + 3.0 * time**2 - 2.0 * time**3
        assert keys.at(time) == pytest.approx(smooth, abs=0.02)


@pytest.mark.parametrize("field", ["min", "max", "stiffness"])
@pytest.mark.parametrize("said", [None, 0.75])
def test_a_number_that_only_keys_say_begins_with_the_first_of_them(
    field: str, said: float | None
) -> None:
    """A bound or a stiffness that is not said has no end; one that is said stays what it is."""
    gltf = door()
    limit = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"][2]
    limit.clear()
    limit.update({"angularAxes": [2]} | ({} if said is None else {field: said}))
    pointer = UPPER.replace("/max", f"/{field}")
    read_there = read_animated(animated(gltf, pointer, "LINEAR", 0.5, 1.5)).settings[0].limits[2]
    assert getattr(read_there, field) == (said or 0.5)
    assert [keys.field for keys in read_there.keys] == [field]


def test_a_damaged_channel_is_an_issue_and_costs_only_itself() -> None:
    """The number stays as the file has it."""
    document = animated(door(), UPPER, "LINEAR", 0.5, 1.5)
    accessors: Any = document.json["accessors"]
    accessors[1]["count"] = 9
    channels, issues = read_channels(document)
    assert not channels
    assert [issue.code for issue in issues] == ["animation-not-read"]


def test_keys_are_not_merged_with_equal_numbers() -> None:
    """Limits with other keys are other limits, and settings other settings."""
    still = Limit(angular_axes=(0,), min=0.0, max=0.0)
    moving = replace(still, angular_axes=(1,), keys=(Keys("max", (0.0, 1.0), (0.0, 1.0)),))
    both = canonical(JointSettings(limits=(still, moving)))
    assert both.limits == (still, moving)
    two = canonical(JointSettings(limits=(replace(moving, angular_axes=(0, 1)),)))
    assert [limit.angular_axes for limit in two.limits] == [(0,), (1,)]


def test_keys_go_with_mapped_axes() -> None:
    """There and back is the same; on the way each moment is that of the mapped settings."""
    limit = Limit(
        angular_axes=(0, 1),
        min=-0.25,
        max=1.0,
        keys=(Keys("max", (0.0, 1.0), (0.5, 1.5)), Keys("min", (0.0, 1.0), (-0.5, 0.0))),
    )
    track = (Keys("position_target", (0.0, 2.0), (1.0, -1.0)), Keys("stiffness", (0.0,), (3.0,)))
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, position_target=0.5, keys=track)
    settings = JointSettings("Kept", (limit,), (drive,))
    mapped = Y_UP_FROM_Z_UP.settings(settings)
    for time in (0.0, 0.5, 1.0, 2.0):
        wanted = canonical(Y_UP_FROM_Z_UP.settings(settings_at(settings, time)))
        assert canonical(settings_at(mapped, time)) == wanted
    again = canonical(Z_UP_FROM_Y_UP.settings(mapped))
    assert canonical(settings_at(again, 0.3)) == canonical(settings_at(settings, 0.3))


def test_keyed_bounds_together_are_bounds_of_each_axis_in_omi() -> None:
    """What OMI gets lies inside of what is meant at all times."""
    rope = Limit(linear_axes=(0, 1), max=1.0, together=True, keys=(OPENING,))
    mechanism = read(door()).mechanism
    mechanism = replace(mechanism, settings=(JointSettings("Rope", (rope,)),))
    of_omi = [c for c in spelled(mechanism).channels if "OMI" in c.pointer]
    assert [c.pointer[-12:] for c in of_omi] == [
        "limits/0/max",
        "limits/0/min",
        "limits/1/max",
        "limits/1/min",
    ]
    for channel in of_omi:
        sign = 1.0 if channel.pointer.endswith("max") else -1.0
        assert channel.keys.at(1.0) == pytest.approx(sign * 1.5 / sqrt(2.0))
    cone = Limit(angular_axes=(0, 1), max=1.0, together=True, keys=(Keys("max", (0.0,), (pi,)),))
    mechanism = replace(mechanism, settings=(JointSettings("Cone", (cone,)),))
    assert all(abs(c.keys.at(0.0)) <= pi for c in spelled(mechanism).channels)


def test_two_accounts_of_one_joint_keep_their_keys() -> None:
    """Keys that only one dialect has are those of the joint."""
    mechanism = read_animated(animated(door(), UPPER, "LINEAR", 0.5, 1.5))
    spelling = spelled(mechanism)
    gltf = door()
    gltf["extensions"] |= spelling.document
    gltf["extensionsUsed"] += ["KHR_physics_rigid_bodies", "KHR_implicit_shapes"]
    for index, said in spelling.nodes.items():
        gltf["nodes"][index]["extensions"] = said
    for channel in spelling.channels:
        reading = read(gltf, {channel.pointer: channel.keys})
        assert "dialects-disagree" not in codes(reading)
        assert settings_at(reading.mechanism.settings[0], 0.25).limits[-1].max == 0.75
    assert "animations" not in document_of(mechanism)


@pytest.mark.parametrize("field", ["position_target", "velocity_target", "stiffness", "damping"])
def test_every_number_of_a_drive_keeps_its_keys(field: str) -> None:
    """Also what is keyed alone: a strength without a target, from its default on."""
    keys = Keys(field, (0.0, 1.0), (0.0, 40.0))
    drive = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, max_force=9.0, keys=(keys,))
    drive = replace(drive, **{field: 0.0})  # type: ignore[arg-type]
    mechanism = replace(read(door()).mechanism, settings=(JointSettings("Door", (), (drive,)),))
    spelling = spelled(mechanism)
    (channel,) = (one for one in spelling.channels if "OMI" in one.pointer)
    gltf: Any = {"extensions": spelling.document}
    for step in channel.pointer.strip("/").split("/"):
        gltf = gltf[int(step) if step.isdigit() else step]
    assert (channel.keys, gltf) == (keys, 0.0)


def test_the_object_model_of_the_specification_names_the_switch_otherwise() -> None:
    """Both spellings of the pointer animate it, and it is written as the file is laid out."""
    for inner in ("", "joint/"):
        pointer = f"/nodes/3/extensions/OMI_physics_joint/{inner}enableCollision"
        document = animated(door(), pointer, "STEP", 0.0, 1.0)
        reading = read_document(document)
        assert reading.issues == ()
        joint = reading.mechanism.nodes[3].joint
        assert joint is not None
        assert [(keys.field, keys.values) for keys in joint.keys] == [
            ("enable_collision", (0.0, 1.0))
        ]
        channels, _ = read_channels(document)
        written: Any = respelled(document.json, frozenset(Spoken), channels)
        assert written.issues == ()
        targets = [one["target"]["extensions"] for one in written.json["animations"][0]["channels"]]
        assert {one["KHR_animation_pointer"]["pointer"] for one in targets} == {
            "/nodes/3/extensions/OMI_physics_joint/enableCollision",
            "/nodes/3/extensions/KHR_physics_rigid_bodies/joint/enableCollision",
        }


LIMIT = "/extensions/OMI_physics_joint/physicsJoints/0/limits/2"


@pytest.mark.parametrize(
    ("pointer", "leads"),
    [
        (f"{LIMIT}/max", True),
        (f"{LIMIT}/softness", False),
        (f"{LIMIT}/angularAxes", False),
        (LIMIT.replace("limits/2", "limits/7") + "/max", False),
        (LIMIT.replace("physicsJoints/0", "physicsJoints/9") + "/max", False),
        ("/nodes/3/extensions/OMI_physics_joint/connectedNode", False),
        ("/nodes/2/extensions/OMI_physics_joint/enableCollision", False),
        ("/nodes/2/extensions/OMI_physics_body/motion/mass", False),
        ("/nodes/2/extensions/KHR_physics_rigid_bodies/motion/gravityFactor", False),
        ("/extensions/OMI_physics_shape/shapes/0/box/size", False),
        ("/materials/0/emissiveStrength", True),
        ("/nodes/2/translation", True),
    ],
)
def test_a_pointer_into_physics_that_leads_nowhere_is_named(pointer: str, leads: bool) -> None:
    """What is not there, and what no joint reads; pointers of others are theirs to judge."""
    issues = read_document(animated(door(), pointer, "LINEAR", 0.5, 1.5)).issues
    assert [issue.code for issue in issues] == ([] if leads else ["animated-nowhere"])
    assert leads or pointer in issues[0].message


@pytest.mark.parametrize("values", [(-0.1, -0.9, 0.2), (-0.9, -0.1), (0.3, 0.2)])
def test_settings_around_their_keys_leave_what_any_key_leaves(values: tuple[float, ...]) -> None:
    """The least lower bound and the largest upper one, whichever key has it, and no keys."""
    times = tuple(map(float, range(len(values))))
    keys = (Keys("min", times, values), Keys("max", times, tuple(2.0 + one for one in values)))
    settings = JointSettings("", (Limit((), (1,), min=0.0, max=2.0, keys=keys),))
    (limit,) = around(settings).limits
    assert (limit.min, limit.max) == (min(0.0, *values), max(2.0, *(2.0 + one for one in values)))
    assert not limit.keys


@pytest.mark.parametrize("backwards", [False, True])
def test_animations_of_equal_keys_stay_apart(backwards: bool) -> None:
    """Each leads to its own numbers in each dialect, though others do the same elsewhere."""
    document = animated(door(), UPPER, "LINEAR", 0.5, 1.5)
    gltf: Any = document.json
    (settings,) = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"]
    gltf["extensions"]["OMI_physics_joint"]["physicsJoints"].append(deepcopy(settings))
    settings["limits"][2]["stiffness"] = 7.0
    gltf["nodes"].append(deepcopy(gltf["nodes"][3]))
    gltf["nodes"][2]["children"].append(len(gltf["nodes"]) - 1)
    gltf["nodes"][-1]["extensions"]["OMI_physics_joint"]["joint"] = 1
    ends = [
        UPPER.replace("Joints/0", f"Joints/{joint}").replace("max", end)
        for joint in range(2)
        for end in ("max", "min")
    ]
    (first,) = gltf["animations"]
    gltf["animations"] = [deepcopy(first) for _ in ends]
    ends = ends[:2][::-1] + ends[2:] if backwards else ends
    for each, end in zip(gltf["animations"], ends, strict=True):
        each["channels"][0]["target"]["extensions"][POINTER]["pointer"] = end
    channels, _ = read_channels(document)
    written: Any = respelled(gltf, frozenset(Spoken), channels)
    assert written.issues == ()
    for own, each in zip(ends, written.json["animations"], strict=True):
        found = {one["target"]["extensions"][POINTER]["pointer"] for one in each["channels"]}
        (khr,) = found - {own}
        assert re.findall(r"Joints/(.)/.*/(.*)", khr) == re.findall(r"Joints/(.)/.*/(.*)", own)


@pytest.mark.parametrize("others", [0, 1, 2])
def test_an_animation_without_channels_goes(others: int) -> None:
    """Neither it nor a list of them may be empty in glTF; what moves nodes stays."""
    document = animated(door(), UPPER, "LINEAR", 0.5, 1.5)
    channels, _ = read_channels(document)
    moving = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    first = document.json["animations"][0]  # type: ignore[index]
    first["channels"] += [moving] * (others > 1)  # type: ignore[index, operator, call-overload]
    if others:
        document.json["animations"] += [{"channels": [moving]}]  # type: ignore[operator]
    result: Any = deepcopy(dict(document.json))
    led, issues = repoint(result, channels, ())
    assert (led, [one.code for one in issues]) == ({}, ["animated-setting-moved"])
    assert ("animations" in result) is bool(others)
    assert all(one["channels"] for one in result.get("animations", ()))
    assert len(result.get("animations", ())) == others
