# SPDX-License-Identifier: GPL-3.0-or-later
"""A suspension bears what is on it where that was drawn, and says what it makes of a wheel."""

from __future__ import annotations

from math import cos, pi, sin

import bpy
import pytest
from mathutils import Euler, Matrix, Vector
from scenes import box, joined, select, slab

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.placed import bodies_of
from omi_physics_joint.blender.joints.editing import reaim
from omi_physics_joint.blender.play.session import STEP
from omi_physics_joint.blender.presets.files import SUBDIR
from omi_physics_joint.blender.registration import ROOT

CORNERS = ((-3.0, -3.0), (-3.0, 3.0), (3.0, -3.0), (3.0, 3.0))
SUSPENSION = str(ROOT / "presets" / SUBDIR / "Suspension.json")


def suspended() -> None:
    """Press the preset with joints selected."""
    assert bpy.ops.omi_joint.preset_apply(filepath=SUSPENSION) == {"FINISHED"}
    bpy.context.view_layer.update()


def settled(body: bpy.types.Object) -> Vector:
    """Return by how much a body has moved after three seconds of play."""
    before = body.matrix_world.translation.copy()
    session = play.start(bpy.context.scene)
    session.clock = lambda: 0.0
    for _ in range(round(3.0 / STEP)):
        assert session.tick(STEP), session.reason
    after = body.matrix_world.translation - before
    play.stop()
    return after


@pytest.mark.parametrize("mass", [40.0, 1200.0])
@pytest.mark.parametrize("held_by", ["hub", "chassis"])
@pytest.mark.parametrize("hubs_are", ["static", "dynamic"])
def test_a_car_stands_as_high_as_it_was_drawn(mass: float, held_by: str, hubs_are: str) -> None:
    """Its springs are pressed in by its weight, whichever body holds the joints, on a floor too."""
    away = Matrix.LocRotScale((20.0, -3.0, 0.5), Euler((0.0, 0.0, 2.0)), None)
    chassis = slab("Chassis", (0.0, 0.0, 1.0), (5.0, 5.0, 0.5))
    hubs = [slab(f"Hub {n}", (x, y, 0.0), (0.5, 0.5, 1.0)) for n, (x, y) in enumerate(CORNERS)]
    for obj in (chassis, *hubs):
        obj.matrix_world = away @ obj.matrix_world
    bpy.context.view_layer.update()
    joints = [
        joined("SLIDER", *((hub, chassis) if held_by == "hub" else (chassis, hub))) for hub in hubs
    ]
    chassis.omi_physics_body.type, chassis.omi_physics_body.mass = "dynamic", mass
    for hub in hubs:
        hub.omi_physics_body.type, hub.omi_physics_body.mass = hubs_are, 1.0
    select(*joints)
    suspended()
    assert [*settled(chassis)] == pytest.approx([0.0, 0.0, 0.0], abs=2e-3)


@pytest.mark.parametrize("up", [1.0, -1.0])
def test_what_slopes_is_lifted_by_it_whichever_way_it_pointed(up: float) -> None:
    """A fork that was aimed down gives way by as little: it carries a little less than upright."""
    hub, frame = box("Hub"), box("Frame", (2.0, 0.0, 4.0))
    fork = joined("SLIDER", hub, frame)
    along = Vector((0.5, 0.0, 0.75**0.5))
    reaim(fork, up * along)
    bpy.context.view_layer.update()
    suspended()
    assert abs(fork.matrix_world.col[0].to_3d().dot(along)) == pytest.approx(1.0)
    assert [*settled(frame)] == pytest.approx([*along * 0.1106 * (1.0 - along.z)], abs=1e-3)


@pytest.mark.parametrize("holds", ["dynamic", "static"])
@pytest.mark.parametrize("borne", ["Hub", "Frame"])
@pytest.mark.parametrize("tilt", [0.0, 0.9, 1.2, 1.5, 1.6, 2.0, 2.3, pi])
def test_springs_lift_what_they_bear_up_or_along_a_slope(
    tilt: float, borne: str, holds: str
) -> None:
    """Wherever they pointed: those that lie stand across that, and others keep their line."""
    hub, frame = box("Hub"), box("Frame", (2.0, 0.0, 4.0))
    fork = joined("SLIDER", hub, frame)
    for body in (hub, frame):
        is_borne = body.name == borne
        body.omi_physics_body.type = "dynamic" if is_borne else holds
        body.omi_physics_body.mass = 9.0 if is_borne else 1.0
    before = Vector((sin(tilt), 0.0, cos(tilt)))
    reaim(fork, before)
    select(fork)
    suspended()
    way = fork.matrix_world.col[0].to_3d()
    line = before if abs(before.z) > 0.5 else Vector((-before.z, 0.0, before.x))
    assert abs(way.dot(line)) == pytest.approx(1.0, abs=1e-5)
    first, _ = bodies_of(fork)
    assert (way.z > 0.0) is (first.name != borne)


def test_a_hinge_that_becomes_a_suspension_is_said_to_be_none(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A wheel on a hinge does not turn any more, which both operators say, and once."""
    for press in (bpy.ops.omi_joint.preset_apply, bpy.ops.omi_joint.preset_overwrite):
        wheel = joined("HINGE", box("Chassis"), box("Wheel", (0.0, 3.0, 0.0)))
        select(wheel)
        for lost in (", no Hinge any more", ""):
            capfd.readouterr()
            press(filepath=SUSPENSION)
            (told,) = capfd.readouterr().out.splitlines()
            assert told.startswith("Info: ")
            assert (", no Hinge any more" in told) == bool(lost)
