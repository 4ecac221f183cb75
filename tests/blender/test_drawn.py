# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of joints and handles, as approved texts: how much, where, in which colours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_physics_joint.blender import play
from omi_physics_joint.blender.handles import gizmos
from omi_physics_joint.blender.handles.places import label_with_value, placed_handles, tip_of
from omi_physics_joint.blender.overlay import extras, labels, viewport
from omi_physics_joint.blender.overlay.drawn_joints import LIVE, REST, DrawnJoints
from omi_physics_joint.drawing.mouse.handles import Part
from omi_physics_joint.drawing.picture import Parts, Picture
from omi_physics_joint.drawing.strokes import Role, Theme, palette
from tests.approved import approved
from tests.blender import situations as are
from tests.blender.noted_card import NotedCard, numbers, points_said
from tests.blender.test_overlay import drawn
from tests.layouts import Context
from tests.scenes import select

DRAWN = (
    are.one_joint,
    are.welded,
    are.pinned,
    are.soft_slider,
    are.motored,
    are.closing,
    are.coned,
    are.two_joints,
    are.no_settings,
    are.alone,
    are.apart,
    are.ajar,
    are.linkage,
)
COLOURS = palette(Theme(((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0.8, 0.4, 0), (1, 0.7, 0.3)))


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Leave nothing of play behind."""
    yield
    play.stop()
    extras.show()


def built(situation: are.Situation) -> DrawnJoints:
    """Build a situation anew and return what is drawn of it."""
    bpy.ops.wm.read_homefile(use_empty=True)
    situation()
    return drawn()


def said_of(one: Picture) -> Iterator[str]:
    """Yield each role that is drawn, dimmed or lit, thin or thick: colours are its number."""
    for (emphasis, weight), batch in sorted(one.lines.items()):
        look = f"{('dimmed', 'lit')[emphasis]}, {('thin', 'thick')[weight]}"
        yield from by_role(f"{look}", batch.points, batch.colours)
    yield from by_role("surface", one.fills.points, one.fills.colours)


def by_role(look: str, points: np.ndarray, colours: np.ndarray) -> Iterator[str]:
    """Yield the points of each role."""
    for role in Role:
        own = points[colours[:, 0] == role]
        if len(own):
            yield f"{role.name.lower()}, {look}: {points_said(own)}"


def pictures(seen: DrawnJoints, parts: Parts | None = None) -> list[str]:
    """Return what is drawn of joints at rest and of what moves."""
    colours = np.zeros_like(COLOURS)
    colours[:, :, 0] = np.arange(len(Role))
    made = {
        name: seen.picture(pool, seen.visible, parts or Parts(), colours)
        for name, pool in (("rest", REST), ("live", LIVE))
    }
    return [f"{name} {line}" for name, one in made.items() for line in said_of(one)]


def test_lines_of_joints() -> None:
    """Each kind of joint is drawn with as many points, there, as somebody has read."""
    found = {str(one.__doc__): pictures(built(one)) for one in DRAWN}
    approved("overlay_joints.txt", found)


def test_options_of_the_overlay() -> None:
    """Each option leaves out what somebody has read, and no more."""
    seen = built(are.closing)
    bpy.context.object.omi_physics_joint.mute = False
    seen, found = drawn(), {}
    whole = pictures(seen)
    for option in fields(Parts):
        left = pictures(seen, replace(Parts(), **{option.name: False}))
        found[f"Without {option.name} these are not there."] = [
            line.partition(" (")[0] for line in whole if line not in left
        ]
    approved("overlay_options.txt", found)


def test_handles() -> None:
    """Each handle of a joint is where it was, called so, and is drawn so by the card."""
    found = {}
    for situation in (are.one_joint, are.soft_slider, are.motored, are.coned, are.ajar):
        built(situation)
        obj = bpy.context.object
        joint = obj if obj.omi_physics_joint.is_joint else bpy.data.objects["Door Hinge"]
        found[f"Handles. {situation.__doc__}"] = [
            f"{label_with_value(one.handle, bpy.context.scene)} at {numbers(one.point)},"
            f" inward {numbers(one.inward)}, {len(one.arc)} corners"
            for one in placed_handles(joint)
        ]
    found["Their tips."] = [f"{part}: {tip_of(SimpleNamespace(part=part))}" for part in Part]
    approved("overlay_handles.txt", found)


def test_a_muted_joint_has_no_numbers() -> None:
    """Beside the active joint stand its values, unless it is muted and has none that count."""
    built(are.ajar)
    joint = bpy.data.objects["Door Hinge"]
    select(joint)
    assert [one.text for one in labels._values(bpy.context, drawn())]
    joint.omi_physics_joint.mute = True
    assert not [one.text for one in labels._values(bpy.context, drawn())]


def test_what_the_card_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shapes, labels and lines are given to the card with the colours and widths that were read."""
    card, found = NotedCard(), {}
    for module in (gizmos, viewport, labels):
        card.put_in(monkeypatch, module)
    gizmos._batches.cache_clear()
    viewport.forget()
    region = SimpleNamespace(width=400, height=300)
    built(are.soft_slider)
    for one in placed_handles(bpy.data.objects["Door Slider"]):
        if one.handle.part is Part.TURN:
            continue
        for lit in (False, True):
            given = (region, one.handle, (100.0, 50.0), (0.0, 1.0), (0.2, 0.4, 0.6), 1.0)
            gizmos.draw_shape(*given, lit=lit)
            found[f"{one.handle.part}{', under the mouse' * lit}."] = card.taken()
    gizmos.draw_arc(region, ((1.0, 2.0), (3.0, 4.0), (5.0, 2.0)), (0.2, 0.4, 0.6), 1.0, lit=True)
    found["The arc that turns a frame, under the mouse."] = card.taken()
    for name, right, pixel in (("", 400.0, (10.0, 10.0)), (" at a corner", 300.0, (290.0, 295.0))):
        gizmos.draw_label(region, right, pixel, "Maximum: 90°", 1.0)
        found[f"A label{name}."] = card.taken()
    seen = drawn()
    for in_front in (True, False):
        ready = viewport.drawable(seen.picture(REST, seen.visible, Parts(), COLOURS))
        viewport.draw([ready], viewport.Canvas((400, 300), 2.0, in_front))
        found[f"Lines of joints {'in front' if in_front else 'behind what hides them'}."] = (
            card.taken()
        )
    gizmos._batches.cache_clear()
    viewport.forget()
    monkeypatch.setattr(labels, "location_3d_to_region_2d", lambda *_: Vector((50.0, 50.0)))
    preferences = SimpleNamespace(
        themes=bpy.context.preferences.themes, system=SimpleNamespace(ui_scale=1.0)
    )
    context = Context(preferences=preferences, region_data=None)
    at, nothing = (0.0, 0.0, 0.0), np.zeros((0, 4, 4))
    ghost = extras.Outlined((), nothing, ((at, "0.5°"), (at, "1°")))
    labels.draw_labels(context, drawn(), (ghost,))
    found["Values of the active joint, and a note of two at the same place."] = card.taken()
    trigger = extras.Outlined((), nothing, ((at, "In Gate: Ball"),), Role.CONTACT)
    labels.draw_labels(context, None, (trigger,))
    found["What is said of a trigger has its colour."] = card.taken()
    approved("overlay_on_card.txt", found)


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_all_is_as_large_as_the_interface(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters, where they stand, the boxes behind them and lines grow as the interface does."""
    built(are.soft_slider)
    handle = placed_handles(bpy.data.objects["Door Slider"])[0].handle
    now, lengths, seen = [1.0], list[float](), drawn()
    noted = dict.fromkeys(("color", "draw", "enable", "disable", "shadow"), lambda *_: None)
    blf = SimpleNamespace(
        **noted,
        SHADOW=0,
        size=lambda _, size: lengths.append(size),
        dimensions=lambda _, text: (7.0 * now[0] * len(text), 10.0 * now[0]),
        position=lambda _, *place: lengths.extend(place),
    )
    for module in (gizmos, labels):
        monkeypatch.setattr(module, "blf", blf)
    monkeypatch.setattr(gizmos, "_pixels", lambda _: nullcontext())
    monkeypatch.setattr(gizmos, "_batches", lambda _: (None, None))
    monkeypatch.setattr(gizmos, "_line_batch", lambda _: None)
    monkeypatch.setattr(gizmos, "_area_batch", lambda corners: lengths.extend(sum(corners, ())))
    monkeypatch.setattr(gizmos, "_fill", lambda *_: None)
    monkeypatch.setattr(gizmos, "_line", lambda *given: lengths.append(given[-1]))
    turned = SimpleNamespace(matrix=SimpleNamespace(multiply_matrix=lengths_of(lengths)))
    monkeypatch.setattr(gizmos, "gpu", turned)
    there = lambda *_: Vector((50.0, 50.0)) * now[0]  # noqa: E731
    monkeypatch.setattr(labels, "location_3d_to_region_2d", there)
    found = []
    for now[0] in (1.0, scale):
        lengths.clear()
        region = SimpleNamespace(width=400.0 * now[0], height=300.0 * now[0])
        for x, y in ((10.0, 10.0), (390.0, 295.0)):
            pixel = (x * now[0], y * now[0])
            gizmos.draw_label(region, region.width, pixel, "Maximum: 90°", now[0])
            for lit in (False, True):
                gizmos.draw_shape(
                    region, handle, pixel, (0.6, 0.8), (1.0, 0.0, 0.0), now[0], lit=lit
                )
                gizmos.draw_arc(region, (pixel, (0.0, 0.0)), (1.0, 0.0, 0.0), now[0], lit=lit)
        system = SimpleNamespace(ui_scale=now[0])
        preferences = SimpleNamespace(themes=bpy.context.preferences.themes, system=system)
        notes = (((0.0, 0.0, 0.0), "0.5°"),)
        ghost = extras.Outlined((), np.zeros((0, 4, 4)), notes)
        labels.draw_labels(Context(preferences=preferences, region_data=None), seen, (ghost,))
        found.append(list(lengths))
    assert len(found[0]) > 60
    assert found[1] == pytest.approx([scale * one for one in found[0]])


def lengths_of(lengths: list[float]) -> Any:
    """Return what notes the numbers of a matrix that turns, scales and moves on the screen."""
    return lambda matrix: lengths.extend([*matrix[0], *matrix[1]])
