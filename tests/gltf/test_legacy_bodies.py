# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of the older form: one flat object with a type, and shapes on nodes of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from omi_documents import codes

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.model.body import Collider, Motion, MotionType, Trigger
from omi_physics_joint.model.geometry.transform import rotation_from_quaternion
from omi_physics_joint.model.shape import Box, Sphere

BODY, SHAPE, JOINT = "OMI_physics_body", "OMI_physics_shape", "OMI_physics_joint"


def scene(body: dict[str, Any], **others: Any) -> dict[str, Any]:
    """Return a body with a ball below it, and a box that belongs to none."""
    return {
        "extensionsUsed": [BODY, SHAPE],
        "extensions": {
            SHAPE: {
                "shapes": [
                    {"type": "sphere", "radius": 0.25},
                    {"type": "box", "box": {"size": [1, 2, 3]}},
                ]
            }
        },
        "nodes": [
            {"name": "Body", "children": [1], "extensions": {BODY: body}},
            {"name": "Ball", "extensions": {SHAPE: {"shape": 0}}},
            {"name": "Floor", "extensions": {SHAPE: {"shape": 1}}},
        ],
        **others,
    }


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("static", MotionType.STATIC),
        ("kinematic", MotionType.KINEMATIC),
        ("character", MotionType.KINEMATIC),
        ("rigid", MotionType.DYNAMIC),
        ("vehicle", MotionType.DYNAMIC),
    ],
)
def test_a_flat_body_is_one_of_today(kind: str, meant: MotionType) -> None:
    """With its mass and its velocities, the shapes below it, and one warning for the file."""
    velocities = {"linearVelocity": [1, 2, 3], "angularVelocity": [4, 5, 6]}
    reading = read(scene({"type": kind, "mass": 3, "centerOfMass": [0, 1, 0], **velocities}))
    assert codes(reading) == ["legacy-body"]
    body, ball, floor = reading.mechanism.nodes
    assert body.motion == Motion(
        meant,
        3.0,
        (0.0, 1.0, 0.0),
        linear_velocity=(1.0, 2.0, 3.0),
        angular_velocity=(4.0, 5.0, 6.0),
    )
    assert (ball.collider, floor.collider) == (Collider(0), Collider(1))
    assert reading.mechanism.shapes == (Sphere(0.25), Box((1.0, 2.0, 3.0)))


def test_what_is_below_a_trigger_makes_it_up() -> None:
    """As does a shape on the node of the trigger itself; neither is solid."""
    gltf = scene({"type": "trigger"})
    body, ball, _ = read(gltf).mechanism.nodes
    assert (body.motion, body.trigger) == (None, Trigger(nodes=(1,)))
    assert (ball.collider, ball.trigger) == (None, Trigger(0))
    gltf["nodes"][0]["extensions"][SHAPE] = {"shape": 1}
    body = read(gltf).mechanism.nodes[0]
    assert (body.collider, body.trigger) == (None, Trigger(1))
    several = scene({"type": "trigger"})
    several["nodes"][0]["children"] = [1, 2]
    body, *parts = read(several).mechanism.nodes
    assert body.trigger == Trigger(nodes=(1, 2))
    assert [part.trigger for part in parts] == [Trigger(0), Trigger(1)]


def test_an_inertia_tensor_becomes_principal_moments() -> None:
    """Nine numbers, turned anyhow, in single precision; a diagonal one to the letter."""
    read_straight = read(scene({"type": "rigid", "inertiaTensor": [1, 0, 0, 0, 2, 0, 0, 0, 3]}))
    motion = read_straight.mechanism.nodes[0].motion
    assert motion is not None
    assert motion.inertia_diagonal == (1.0, 2.0, 3.0)
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
    tensor = np.float32(turn @ np.diag([1.0, 2.0, 2.5]) @ turn.T).astype(float)
    motion = (
        read(scene({"type": "rigid", "inertiaTensor": tensor.ravel().tolist()}))
        .mechanism.nodes[0]
        .motion
    )
    assert motion is not None
    axes = np.array(rotation_from_quaternion(motion.inertia_orientation))
    assert axes @ np.diag(motion.inertia_diagonal) @ axes.T == pytest.approx(tensor, abs=1e-6)


@pytest.mark.parametrize("products", [[(0, 1)], [(0, 2)], [(1, 2)], [(0, 1), (1, 2)]])
def test_no_product_of_inertia_is_overlooked(products: list[tuple[int, int]]) -> None:
    """One product alone turns the axes already, whichever it is."""
    tensor = np.diag([1.0, 2.0, 2.5])
    for r, s in products:
        tensor[r, s] = tensor[s, r] = 0.25
    body = read(scene({"type": "rigid", "inertiaTensor": tensor.ravel().tolist()}))
    motion = body.mechanism.nodes[0].motion
    assert motion is not None
    axes = np.array(rotation_from_quaternion(motion.inertia_orientation))
    assert axes @ np.diag(motion.inertia_diagonal) @ axes.T == pytest.approx(tensor, abs=1e-6)


def test_a_type_that_is_none_is_an_error() -> None:
    """A dynamic body of a name that nobody knows is not made a static one."""
    reading = read(scene({"type": "jelly"}))
    assert set(codes(reading)) == {"wrong-type", "legacy-body"}
    assert reading.mechanism.nodes[0].motion is None


def test_joints_of_such_files_find_their_bodies() -> None:
    """They need no body to be parented to, and what is written is a file of today."""
    gltf = scene({"type": "rigid", "mass": 2})
    gltf["extensionsUsed"].append(JOINT)
    gltf["nodes"].append({"name": "Wall", "extensions": {BODY: {"type": "static"}}})
    gltf["extensions"][JOINT] = {"constraints": [{"linearAxes": [0, 1, 2]}]}
    joint = {"constraints": [0], "nodeA": 0, "nodeB": 3}
    gltf["nodes"].append({"name": "Pin", "extensions": {JOINT: joint}})
    written: Any = respelled(gltf, frozenset(Spoken))
    assert {issue.code for issue in written.issues} == {"legacy-body", "legacy-joint"}
    assert BODY in written.json["nodes"][0]["extensions"]
    assert SHAPE not in written.json["nodes"][1]["extensions"]
    again = read(written.json)
    assert again.issues == ()
    assert again.mechanism.is_dynamic(0)
    assert sum(1 for _ in again.mechanism.joints()) == 1
