# SPDX-License-Identifier: GPL-3.0-or-later
"""Play names the meshes that what falls goes through, as nobody has made bodies of them."""

from __future__ import annotations

import bpy
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play.session import STEP
from tests.blender.test_play_contacts import pair, started
from tests.scenes import box, joined

pytestmark = pytest.mark.usefixtures("contacts")


def test_a_mesh_that_is_no_body_is_named_once_something_goes_through_it() -> None:
    """Stairs that were modelled and not made a body hold nobody up, nor does a plane."""
    pair()
    box("Stairs", (20.0, -20.0, -2.0))
    bpy.ops.mesh.primitive_plane_add(size=4.0, location=(20.0, -20.0, -0.5))
    box("Tree", (26.0, -20.0, 1.0))
    session = started(0.05, use_floor=False)
    assert not any("go through" in remark for remark in session.remarks)
    for _ in range(80):
        session.tick(STEP)
    said = [remark for remark in session.remarks if "go through" in remark]
    assert said == [
        "Stairs and Plane are no bodies, so others go through them. Stop, select them, and choose "
        "Object > Physics Joint > Make Static Body"
    ]
    session.reset()
    assert not any("go through" in remark for remark in session.remarks)
    play.stop()


def test_what_is_held_may_swing_through_what_is_no_body() -> None:
    """A curtain beside a door is meant so; and what stands in a room is in that from the start."""
    frame, flap = box("Frame"), box("Flap", (2.0, 0.0, 0.0))
    bpy.context.scene.cursor.location = (1.0, 0.0, 0.0)
    joined("HINGE", frame, flap, direction="GLOBAL_Y", use_range=False)
    box("Curtain", (1.0, 0.0, -1.5))
    room = box("Room", (20.0, -20.0, 0.0))
    room.scale = (9.0, 9.0, 9.0)
    pair()
    session = started(0.05)
    for _ in range(80):
        session.tick(STEP)
        assert not any("go through" in remark for remark in session.remarks)
    play.stop()
