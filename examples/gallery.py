# SPDX-License-Identifier: GPL-3.0-or-later
"""Six mechanisms side by side, each made with the operators and presets that a user presses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import acos, atan2, cos, dist, pi, radians, sin
from pathlib import Path

import bpy
from mathutils import Matrix, Vector

from examples.parts import (
    AMBER,
    BLUE,
    INK,
    ORANGE,
    PAPER,
    SKIN,
    SLATE,
    STEEL,
    TEAL,
    WOOD,
    bar,
    disc,
    part,
    plinth,
)
from examples.workshop import Triple, join
from omi_physics_joint.blender.data.limits import OMI_JOINT_PG_drive

PRESETS = Path(__file__).resolve().parents[1] / "presets" / "omi_physics_joint"

CELL = (2.9, 6.3)
"""Metres from one mechanism to the next: to the right, and back."""
TURNED = radians(-28.0)
"""How each stands to the camera."""

TURN = 2.0 * pi / 2.5
"""rad/s of the motors: whole turns in the five seconds that the pictures last."""


@dataclass(frozen=True)
class Exhibit:
    """A mechanism and the words below it."""

    title: str
    build: Callable[[], None]


def build_gallery(exhibits: Sequence[Exhibit] | None = None, columns: int = 3) -> None:
    """Build mechanisms in the open, empty scene, each in a collection of its name.

    Args:
        exhibits: which ones; all of them where it is left out.
        columns: how many stand side by side.
    """
    scene = bpy.context.scene
    for number, exhibit in enumerate(EXHIBITS if exhibits is None else exhibits):
        row, column = divmod(number, columns)
        known = set(bpy.data.objects)
        exhibit.build()
        bpy.context.view_layer.update()
        place = Vector(((column - (columns - 1) / 2.0) * CELL[0], -row * CELL[1], 0.0))
        pose = Matrix.Translation(place) @ Matrix.Rotation(TURNED, 4, "Z")
        collection = bpy.data.collections.new(exhibit.title)
        scene.collection.children.link(collection)
        for obj in set(bpy.data.objects) - known:
            scene.collection.objects.unlink(obj)
            collection.objects.link(obj)
            if obj.parent is None:
                obj.matrix_world = pose @ obj.matrix_world
        plinth(exhibit.title, place)
    scene.cursor.location = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()


def build_door() -> None:
    """Build a door that was pushed and is closed by its spring."""
    posts = [((x, 0.0, 1.0), (0.1, 0.16, 2.0)) for x in (-0.55, 0.55)]
    frame = part("Frame", [*posts, ((0.0, 0.0, 2.05), (1.2, 0.16, 0.1))], SLATE, "static")
    leaf = part("Door", [((0.0, 0.0, 1.0), (0.98, 0.05, 1.96))], ORANGE, "dynamic", mass=20.0)
    handle = [((-0.38, y, 0.98), (0.16, 0.03, 0.03)) for y in (-0.075, 0.075)]
    handle += [((-0.44, 0.0, 0.98), (0.03, 0.15, 0.03))]
    grip = part("Handle", handle, PAPER, "dynamic", mass=0.4)
    at(0.49, 0.0, 1.0)
    join("HINGE", frame, leaf, direction="GLOBAL_Z")
    use_preset("Door_with_Closer")
    at(-0.44, 0.0, 0.98)
    join("WELD", leaf, grip)
    leaf.omi_physics_body.angular_velocity = (0.0, 0.0, 16.0)


def build_chain() -> None:
    """Build a chain that is let go while it is level."""
    post = [((-0.75, 0.0, 1.0), (0.1, 0.1, 2.0)), ((-0.36, 0.0, 1.97), (0.88, 0.1, 0.1))]
    gallows = part("Gallows", post, SLATE, "static")
    links = []
    for number in range(7):
        x = 0.03 + 0.16 * number
        ring = bar(f"Link {number + 1}", (x, 0.0, 1.86), (x + 0.16, 0.0, 1.86), 0.05, AMBER, 0.3)
        links.append(ring)
    weight = part("Weight", [((1.24, 0.0, 1.86), (0.24, 0.24, 0.24))], STEEL, "dynamic", mass=1.2)
    links.append(weight)
    for number, (above, below) in enumerate(zip([gallows, *links], links, strict=False)):
        at(0.03 + 0.16 * number, 0.0, 1.86)
        join("HINGE", above, below, direction="GLOBAL_Y", use_range=False)


def build_four_bar() -> None:
    """Build a crank that rocks an arm through a coupler."""
    pivots = ((-0.55, 0.0, 0.75), (0.45, 0.0, 0.75))
    stand = [((x, 0.12, 0.38), (0.14, 0.1, 0.76)) for x in (-0.55, 0.45)]
    base = part("Stand", [*stand, ((-0.05, 0.12, 0.05), (1.3, 0.2, 0.1))], SLATE, "static")
    crank_end = (-0.55, 0.0, 1.15)
    rocker_end = _meeting(crank_end, 1.1, pivots[1], 0.8)
    crank = bar("Crank", pivots[0], crank_end, 0.09, TEAL, 2.0)
    coupler = bar("Coupler", moved(crank_end, -0.1), moved(rocker_end, -0.1), 0.08, AMBER, 2.0)
    rocker = bar("Rocker", pivots[1], rocker_end, 0.09, TEAL, 2.0)
    hinge(base, crank, pivots[0])
    run_motor(TURN, 60.0)
    hinge(crank, coupler, crank_end)
    hinge(coupler, rocker, rocker_end)
    hinge(base, rocker, pivots[1])
    for body, place in ((crank, pivots[0]), (crank, crank_end), (rocker, pivots[1])):
        axle(body, place)
    axle(rocker, rocker_end)


def build_piston() -> None:
    """Build a flywheel that drives a piston through a rod."""
    middle, pin, top = (0.0, 0.0, 0.5), (0.0, 0.0, 0.78), (0.0, 0.0, 1.36)
    walls = [((x, 0.0, 1.33), (0.06, 0.46, 0.68)) for x in (-0.28, 0.28)]
    foot = [((0.0, 0.27, 0.28), (0.2, 0.1, 0.56)), ((0.0, 0.26, 0.9), (0.62, 0.06, 1.54))]
    block = part("Block", [*walls, *foot], SLATE, "static")
    wheel = disc("Flywheel", moved(middle, 0.12), 0.42, 0.1, TEAL, 12.0)
    knob = disc("Crank Pin", pin, 0.06, 0.16, PAPER, 0.5)
    rod = bar("Rod", moved(pin, -0.02), moved(top, -0.02), 0.08, AMBER, 1.5)
    head = part("Piston", [(moved(top, -0.08), (0.48, 0.26, 0.3))], STEEL, "dynamic", mass=3.0)
    hinge(block, wheel, middle)
    run_motor(TURN, 60.0)
    at(*pin)
    join("WELD", wheel, knob)
    hinge(wheel, rod, pin)
    hinge(rod, head, top)
    at(*top)
    join("SLIDER", block, head, direction="GLOBAL_Z", use_range=False)


def build_arm() -> None:
    """Build an arm that is let go while it is raised, and falls into its limits."""
    chest = part(
        "Chest",
        [((-0.45, 0.0, 0.9), (0.42, 0.3, 0.6)), ((-0.45, 0.0, 0.3), (0.1, 0.1, 0.6))],
        SLATE,
        "static",
    )
    shoulder, elbow, wrist = (-0.2, 0.0, 1.1), (0.3, 0.0, 1.1), (0.72, 0.0, 1.1)
    upper = bar("Upper Arm", shoulder, elbow, 0.15, BLUE, 2.2)
    fore = bar("Forearm", elbow, wrist, 0.12, SKIN, 1.4)
    hand = part("Hand", [((0.84, 0.0, 1.1), (0.2, 0.08, 0.15))], SKIN, "dynamic", mass=0.5)
    at(*shoulder)
    join("PIN", chest, upper)
    use_preset("Ball_and_Socket")
    at(*elbow)
    join("HINGE", upper, fore, direction="GLOBAL_Y", angle_min=radians(-120.0), angle_max=0.0)
    soften(0.12)
    at(*wrist)
    join(
        "HINGE",
        fore,
        hand,
        direction="GLOBAL_Y",
        angle_min=radians(-50.0),
        angle_max=radians(50.0),
    )
    soften(0.03)
    for limb, lift in ((upper, -5.5), (fore, -10.0), (hand, -10.0)):
        arm = limb.location - Vector(shoulder)
        limb.omi_physics_body.angular_velocity = (4.0, lift, 5.0)
        limb.omi_physics_body.linear_velocity = Vector((0.0, -5.5, 5.0)).cross(arm)


def build_drawer() -> None:
    """Build a drawer that was pulled and springs back."""
    case = [((x, 0.0, 0.55), (0.06, 0.8, 1.1)) for x in (-0.5, 0.5)]
    case += [((0.0, 0.0, z), (1.06, 0.8, 0.06)) for z in (0.05, 0.62, 1.07)]
    case += [((0.0, 0.38, 0.55), (1.0, 0.05, 1.06))]
    cabinet = part("Cabinet", case, SLATE, "static")
    tray = [((0.0, -0.42, 0.84), (1.0, 0.05, 0.42)), ((0.0, -0.03, 0.7), (0.9, 0.74, 0.03))]
    tray += [((x, -0.03, 0.8), (0.03, 0.74, 0.2)) for x in (-0.44, 0.44)]
    tray += [((0.0, -0.47, 0.84), (0.3, 0.06, 0.05))]
    drawer = part("Drawer", tray, WOOD, "dynamic", mass=4.0)
    at(0.0, -0.4, 0.84)
    join("SLIDER", cabinet, drawer, direction="GLOBAL_Y", distance_min=-0.6, distance_max=0.0)
    drive = add_drive("linear", 0)
    drive.use_position_target = True
    drive.stiffness, drive.damping = 20.0, 14.0
    drawer.omi_physics_body.linear_velocity = (0.0, -3.4, 0.0)


EXHIBITS = (
    Exhibit("Door with closer", build_door),
    Exhibit("Chain", build_chain),
    Exhibit("Four-bar linkage", build_four_bar),
    Exhibit("Piston and motor", build_piston),
    Exhibit("Arm with limits", build_arm),
    Exhibit("Drawer on a spring", build_drawer),
)


def at(x: float, y: float, z: float) -> None:
    """Put the 3D cursor where the next joint goes."""
    bpy.context.scene.cursor.location = (x, y, z)


def hinge(still: bpy.types.Object, moving: bpy.types.Object, place: Triple) -> None:
    """Let one body turn freely on another, about the axis that goes to the back."""
    at(*place)
    join("HINGE", still, moving, direction="GLOBAL_Y", use_range=False)


def axle(body: bpy.types.Object, place: Triple) -> None:
    """Show the pin that a body turns on: a part of it that only looks."""
    pin = disc("Axle", moved(place, -0.03), 0.035, 0.3, INK)
    pin.parent = body
    pin.matrix_parent_inverse = body.matrix_world.inverted()


def use_preset(name: str) -> None:
    """Give the joint that was just made the settings of a preset."""
    bpy.ops.omi_joint.preset_apply(filepath=str(PRESETS / f"{name}.json"))


def add_drive(freedom: str, axis: int) -> OMI_JOINT_PG_drive:
    """Return a new drive of the joint that was just made."""
    joint = bpy.context.object
    settings = None if joint is None else joint.omi_physics_joint.settings
    assert settings is not None, "the joint was just made"
    drive: OMI_JOINT_PG_drive = settings.drives.add()
    drive.freedom, drive.axis = freedom, str(axis)
    return drive


def run_motor(speed: float, damping: float) -> None:
    """Let the hinge that was just made turn at a speed in rad/s, as hard as the damping says."""
    drive = add_drive("angular", 1)
    drive.use_velocity_target = True
    drive.angular_velocity_target = speed
    drive.damping = damping


def soften(damping: float) -> None:
    """Brake the hinge that was just made, as flesh does, in N m s/rad."""
    drive = add_drive("angular", 1)
    drive.use_velocity_target = True
    drive.damping = damping


def moved(point: Triple, back: float) -> Triple:
    """Return a point further back by some metres."""
    return point[0], point[1] + back, point[2]


def _meeting(first: Triple, reach: float, second: Triple, other_reach: float) -> Triple:
    """Return where two bars of known lengths meet, above the line between their ends."""
    span = dist(first, second)
    slope = atan2(second[2] - first[2], second[0] - first[0])
    opening = acos((reach**2 + span**2 - other_reach**2) / (2.0 * reach * span))
    angle = slope + opening
    return first[0] + reach * cos(angle), first[1], first[2] + reach * sin(angle)
