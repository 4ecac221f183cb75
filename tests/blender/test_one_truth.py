# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn, played and exported is the same: one joint at its bound, looked at from everywhere."""

from __future__ import annotations

import json
from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.drawing.joint_table import Poses, joint_table, joint_values
from omi_physics_joint.drawing.marks.pointers import pointers
from omi_physics_joint.drawing.picture import limits_sketch
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.joint import JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.coordinates import coordinates
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.solver import Simulation
from tests.scenes import box, joined

SIZE = 1.0
LOW, HIGH = radians(-20.0), radians(65.0)


def tilted_door() -> bpy.types.Object:
    """Return the hinge of a door that no axis of the world is square to, under uneven scales."""
    frame, leaf = box("Frame"), box("Leaf", (1.2, 1.4, 0.8))
    frame.rotation_euler, frame.scale = (0.3, -0.4, 0.2), (1.5, 1.5, 1.5)
    leaf.rotation_euler, leaf.scale = (1.0, 0.5, -0.3), (0.5, 2.0, 1.0)
    bpy.context.scene.cursor.location = (0.8, 0.9, 0.4)
    return joined("HINGE", frame, leaf, direction="LOCAL_Y", angle_min=LOW, angle_max=HIGH)


def as_it_stands(name: str) -> tuple[Mechanism, int]:
    """Return the mechanism of the scene in its shown pose, and the node of a joint."""
    mechanism = mechanism_from_placed(placed_in_scene(bpy.context.scene)).mechanism
    return mechanism, next(i for i, node, _ in mechanism.joints() if node.name == name)


def frames_of(mechanism: Mechanism, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rigid joint frame and connected frame of a joint."""
    joint = mechanism.nodes[node].joint
    settings = mechanism.settings_of(joint)
    return tuple(
        np.array(rigid_frame(mechanism.nodes[i].world, settings))
        for i in (node, joint.connected_node)
    )


def angles_about(points: np.ndarray, axis: int) -> np.ndarray:
    """Return by how much points of a joint frame are turned about one of its axes."""
    return np.arctan2(points[:, (axis + 2) % 3], points[:, (axis + 1) % 3])


def played_to_a_bound(hinge: bpy.types.Object, *, pull: bool) -> float:
    """Play until the hinge rests on a bound, by gravity or by a pull; return its angle."""
    session = play.start(bpy.context.scene)
    node = session.simulated.joint_node(hinge)
    if pull:
        leaf = bpy.data.objects["Leaf"]
        session.run.grab(session.simulated.node_of(leaf), leaf.matrix_world.translation)
        session.run.drag((0.8, 0.9, 40.0))
    for _ in range(240):
        assert session.tick(STEP), session.reason
    return max(session.run.simulation.coordinates(node)[3:].tolist(), key=abs)


def drawn_bounds(settings: JointSettings, axis: int) -> list[float]:
    """Return the two angles at which the drawn arc of a limit ends."""
    rim = limits_sketch(settings, SIZE).lines.reshape(-1, 3)
    rim = rim[np.abs(np.linalg.norm(rim, axis=1) - SIZE) < 1e-6]
    angles = angles_about(rim, axis)
    return [float(angles.min()), float(angles.max())]


def drawn_values(
    settings: JointSettings, joint: np.ndarray, connected: np.ndarray, axis: int
) -> list[float]:
    """Return the angles of all tips of the drawn mark of the value."""
    table, which = joint_table([settings], [SIZE]), np.array([0])
    frames = joint[None], connected[None]
    poses = Poses(*frames, joint_values(table, *frames, which))
    marks = pointers(table, poses, which, show_drives=False)
    points = np.concatenate([one.lines for one in marks]).reshape(-1, 3)
    inside = (points - joint[:3, 3]) @ joint[:3, :3]
    tips = inside[np.abs(np.linalg.norm(inside, axis=1) - SIZE) < 1e-6]
    return angles_about(tips, axis).tolist()


def in_file(path: Path) -> tuple[Mechanism, int]:
    """Export the scene as it is, and return what the file says, and the node of its joint."""
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    mechanism = read(json.loads(path.read_text("utf-8"))).mechanism
    return mechanism, next(i for i, _, _ in mechanism.joints())


@pytest.mark.parametrize("pull", [False, True])
def test_bound_is_the_same_angle_everywhere(tmp_path: Path, *, pull: bool) -> None:
    """Played to its bound, a hinge stands at one angle in solver, objects, drawing and file.

    Gravity takes it to the one bound, and a pull to the other.
    """
    hinge = tilted_door()
    played = played_to_a_bound(hinge, pull=pull)
    mechanism, node = as_it_stands(hinge.name)
    settings = mechanism.settings_of(mechanism.nodes[node].joint)
    spans = spans_of(settings.limits)
    axis = next(a for a in range(3) if spans[3 + a].low != spans[3 + a].high)
    span = spans[3 + axis]
    # Blender's local Y is glTF's -Z: a bound there has the other sign.
    low, high = (LOW, HIGH) if axis != 2 else (-HIGH, -LOW)
    bound = high if (axis != 2) == pull else low
    assert (span.low, span.high) == pytest.approx((low, high), abs=1e-6)
    assert played == pytest.approx(bound, abs=1e-6)

    joint, connected = frames_of(mechanism, node)
    posed = coordinates(spans, joint.tolist(), connected.tolist())[3 + axis]
    assert posed == pytest.approx(bound, abs=1e-5)

    assert drawn_bounds(settings, axis) == pytest.approx([low, high], abs=1e-6)
    tips = drawn_values(settings, joint, connected, axis)
    assert tips
    assert tips == pytest.approx([bound] * len(tips), abs=1e-5)

    written, there = in_file(tmp_path / "door.gltf")
    kept = spans_of(written.settings_of(written.nodes[there].joint).limits)[3 + axis]
    assert (kept.low, kept.high) == (span.low, span.high)
    frames = frames_of(written, there)
    rest = coordinates(spans, *(frame.tolist() for frame in frames))
    assert rest == pytest.approx([0.0] * 6, abs=1e-5)
    play.stop()


def test_file_plays_to_the_same_angle(tmp_path: Path) -> None:
    """What reads the exported file and simulates it ends where the viewport does."""
    hinge = tilted_door()
    played = played_to_a_bound(hinge, pull=False)
    written, there = in_file(tmp_path / "door.gltf")
    play.stop()
    simulation = Simulation(written)
    for _ in range(240):
        simulation.step(STEP)
    assert max(simulation.coordinates(there)[3:].tolist(), key=abs) == pytest.approx(
        played, abs=1e-6
    )
