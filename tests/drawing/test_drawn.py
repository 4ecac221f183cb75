# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of each kind of joint, and where its handles are: lengths and middles of lines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from omi_physics_joint.drawing.bounds import has_two_sides
from omi_physics_joint.drawing.joint_table import (
    Poses,
    columns_of,
    drawn_frames,
    joint_table,
    joint_values,
)
from omi_physics_joint.drawing.marks.frame_marks import (
    joint_frame_mark,
    partner_frame_mark,
    pin_mark,
    weld_mark,
)
from omi_physics_joint.drawing.mouse.handles import (
    arc_of,
    frame_handles,
    handles_of,
    inward_of,
    mirror_room,
    place_of,
    room_of,
    sense_of,
)
from omi_physics_joint.drawing.picture import (
    Parts,
    drives_sketch,
    limits_sketch,
    picture,
    world_lines,
)
from omi_physics_joint.drawing.strokes import Role, Sketch, Theme, palette
from omi_physics_joint.drawing.value_labels import value_labels
from omi_physics_joint.drawing.world_lines import WorldLines
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.joint import JointSettings
from tests.approved import approved
from tests.kinds_of_joints import KINDS

SIZE = 0.5
FRAME = compose((1.0, 2.0, 3.0), (0.0, 0.6, 0.0, 0.8))
"""Where joints stand, turned about the vertical."""
AWAY = compose((0.125, -0.25, 0.5), (0.1, 0.3, 0.2, 0.9273618495495703))
"""Of the second frame, where a joint is away from zero in all six values."""
THEME = Theme()


def said(numbers: object) -> str:
    """Return numbers with four digits."""
    return " ".join(f"{one + 0.0:.4g}" for one in np.round(np.ravel(numbers), 6).tolist())


def drawn(sketch: Sketch | WorldLines) -> str:
    """Return what is drawn of each role: how many lines, how long, their middle, how far."""
    lengths = np.linalg.norm(sketch.lines[:, 1] - sketch.lines[:, 0], axis=1)
    found: list[str] = []
    for role in Role:
        for thick in (False, True):
            own = (sketch.roles == role) & (sketch.thick == thick)
            if own.any():
                middle = said(sketch.lines[own].mean(axis=(0, 1)))
                far = said(np.abs(sketch.lines[own]).max(axis=(0, 1)))
                kind = f"{role.name}{' thick' if thick else ''} {own.sum()}"
                found.append(f"{kind} ({said(lengths[own].sum())} at {middle}, to {far})")
        own = sketch.fills == role
        if own.any():
            a, b, c = np.moveaxis(sketch.triangles[own], 1, 0)
            area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
            found.append(f"{role.name} filled {own.sum()} ({said(area)})")
    return "; ".join(found) or "nothing"


def posed(settings: JointSettings, parts: Parts, *, from_partner: bool = False) -> Iterator[str]:
    """Yield what is drawn of a joint that stands away from where its frames coincide."""
    table = joint_table([settings], [SIZE], [from_partner])
    joints, partners = np.array([FRAME]), np.array([multiply(FRAME, AWAY)])
    which, whole = np.arange(1), np.zeros(1, bool)
    values = joint_values(table, joints, partners, which)
    yield f"values {said(values)}"
    poses = Poses(joints, partners, values)
    yield f"marks: {drawn(world_lines(table, poses, which, whole, parts))}"
    bases = drawn_frames(table, joints, partners)
    labels = [
        f"{label.freedom.value} {label.axis or 'alone'} {said(label.value)}"
        f"{' beyond' if label.violated else ''} at {said(label.point)}"
        for label in value_labels(table, bases, values, 0)
    ]
    yield f"numbers: {'; '.join(labels) or 'none'}"


def of_kind(settings: JointSettings) -> Iterator[str]:
    """Yield what is drawn of a kind of joints."""
    row = columns_of(settings)
    names = ("low", "high", "rigid low", "rigid high")
    bounds = "; ".join(f"{name} {said(one)}" for name, one in zip(names, row.bounds, strict=True))
    held, rounded = ("".join(".x"[one] for one in flags) for flags in (row.held, row.rounded))
    yield f"held {held}, with others {rounded}, pointing {row.pointing}, targets {row.targets}"
    yield bounds
    yield f"limits: {drawn(limits_sketch(settings, SIZE))}"
    if settings.drives:
        yield f"drives: {drawn(drives_sketch(settings, SIZE))}"
    yield from posed(settings, Parts(frames=False, limits=False, links=False))
    if has_two_sides(settings):
        other = posed(settings, Parts(frames=False, links=False), from_partner=True)
        yield from (f"other side, {one}" for one in other)


def handles(settings: JointSettings) -> Iterator[str]:
    """Yield where the handles of a joint are, and what they mean."""
    for one in handles_of(settings, Z_UP_FROM_Y_UP):
        hue = "no hue" if one.hue is None else f"hue {one.hue}"
        yield (
            f"{one.part} {one.index} {one.freedom.value} {one.listed_axis} ({hue}"
            f"{', alone' if one.is_sole else ''}{', ' * bool(one.measure)}{one.measure}): "
            f"{said(one.value)} is {said(one.coordinate)} on {one.axis}, "
            f"at {said(place_of(one, FRAME, SIZE))}, inward {said(inward_of(one, FRAME))}, "
            f"room {said(room_of(one.part, -1.0, 1.0))}, sense {said(sense_of(one))}, "
            f"mirrored {said(mirror_room(one.part))}"
        )


def test_each_kind_of_joint_is_drawn_as_approved() -> None:
    """Bounds, drives, values and numbers: no line is missing, elsewhere or of another colour."""
    situations = {f"This is drawn of {name}.": of_kind(one) for name, one in KINDS.items()}
    approved("drawn_joints.txt", situations)


def test_frames_links_and_broken_joints_are_drawn_as_approved() -> None:
    """What joints of all kinds have: the marks of both frames, dashes between them, a star."""
    marks = {
        "joint frame": joint_frame_mark,
        "partner frame": partner_frame_mark,
        "weld": weld_mark,
        "pin": pin_mark,
    }
    table = joint_table([KINDS["a hinge with bounds"]] * 2, [SIZE, 2.0 * SIZE])
    joints, partners = np.array([FRAME] * 2), np.array([multiply(FRAME, AWAY)] * 2)
    which, broken = np.arange(2), np.array([False, True])
    poses = Poses(joints, partners, joint_values(table, joints, partners, which))
    lines = world_lines(table, poses, which, broken, Parts())
    emphasis = np.array([2, 0])
    batches = picture(lines, emphasis, palette(THEME)).lines
    filled = world_lines(table, poses, which, np.zeros(2, bool), Parts())
    fills = picture(filled, emphasis, palette(THEME)).fills
    approved(
        "drawn_frames.txt",
        {
            "These are the marks of frames.": [
                f"{name}: {drawn(mark(SIZE))}" for name, mark in marks.items()
            ],
            "One of two joints is broken.": [drawn(lines)],
            "In Blender's axes and colours they are batches by emphasis and weight.": [
                f"{key}: {len(one.points)} points about {said(one.points.mean(axis=0))}, "
                f"colour {said(one.colours.mean(axis=0))}"
                for key, one in sorted(batches.items())
            ],
            "What limits fill is faint.": [
                f"{len(fills.points)} points about {said(fills.points.mean(axis=0))}, "
                f"colours {said(np.unique(fills.colours, axis=0))}"
            ],
            "The palette has a colour for each role and emphasis.": [
                f"{role.name}: {said(palette(THEME)[:, role])}" for role in Role
            ],
            "A frame has handles of its own.": [
                f"{one.part} {one.listed_axis} as {one.axis} {one.sign:+}: at "
                f"{said(place_of(one, FRAME, SIZE))}, "
                f"arc {said(np.mean(arc_of(one, FRAME, SIZE), axis=0))}"
                for one in frame_handles(Z_UP_FROM_Y_UP)
            ],
        },
    )


def test_handles_of_each_kind_are_as_approved() -> None:
    """What can be dragged of each kind of joint, where it is and how far it goes."""
    situations = {f"These are the handles of {name}.": handles(one) for name, one in KINDS.items()}
    approved("drawn_handles.txt", situations)
