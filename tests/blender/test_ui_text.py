# SPDX-License-Identifier: GPL-3.0-or-later
"""What rows and lines of panels say, and that they fit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import inf, radians
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from scenes import box, joined

from omi_physics_joint.blender.interface import text, words
from omi_physics_joint.blender.joints import lists
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.settings import recipes
from omi_physics_joint.model.wording.describe import rows, summary


def driven(settings: JointSettings, **drive: float) -> JointSettings:
    """Return settings with a drive about Y."""
    return replace(settings, drives=(Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, **drive),))


@pytest.mark.parametrize(
    ("limit", "row"),
    [
        (Limit(linear_axes=(0, 1, 2), min=0.0, max=0.0), "Along X Y Z: fixed"),
        (Limit(linear_axes=(0,), min=-0.25, max=1.75), "Along X: -0.25 m to 1.75 m"),
        (Limit(linear_axes=(1,), min=0.5, max=0.5), "Along Y: held at 0.5 m"),
        (Limit(angular_axes=(1,), min=0.0, max=radians(90)), "About Y: 0° to 90°"),
        (Limit(angular_axes=(2,), max=radians(30)), "About Z: up to 30°"),
        (Limit(angular_axes=(2,), min=-inf, max=inf), "About Z: unlimited"),
        (Limit(angular_axes=(0,), min=radians(-30)), "About X: from -30°"),
        (Limit(angular_axes=(0,), min=0.0, max=0.0, stiffness=5.0), "About X: fixed, soft"),
        (Limit(min=0.0, max=0.0), "No axis is chosen"),
        (Limit((0, 1, 2), (), -1.0, 2.0, together=True), "Distance: up to 2 m"),
        (Limit((0, 1, 2), (), 1.0, 1.0, together=True), "Distance: held at 1 m"),
        (Limit((), (0, 2), max=radians(45), together=True), "Lean X Z: up to 45°"),
        (Limit((), (0, 1, 2), max=1.0, together=True), "Turn in all: up to 57.3°"),
        (Limit((), (0, 2), 0.0, 0.0, together=True), "About X Z: fixed"),
    ],
)
def test_rows_of_limits_can_be_read(limit: Limit, row: str) -> None:
    """A limit is one short line in its list."""
    assert words.limit_row(limit) == row


def test_rows_of_drives_can_be_read() -> None:
    """A drive is one short line in its list, with what it aims at."""
    spring = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, position_target=0.1)
    motor = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, velocity_target=radians(180))
    idle = Drive(Freedom.ANGULAR, DriveMode.FORCE, 1)
    rows = [words.drive_row(drive) for drive in (spring, motor, idle)]
    assert rows == ["Along X: spring to 0.1 m", "About Z: motor 180°/s", "About Y: no target"]


TEXT = "The hard limits of Door Hinge explode in the older engine, and this says what to do then."


@pytest.mark.parametrize("width", [140, 184, 260, 600])
@pytest.mark.parametrize("said", [TEXT, "WWWWWWWW " * 9, "iiiiiiii " * 9, "x" * 90])
def test_text_is_put_into_lines_that_fit(said: str, width: int) -> None:
    """Measured in the user's font no line is wider than there is room, and no word is lost."""
    measured = text.measure(bpy.context)
    found = text.lines(said, width, measured)
    assert max(map(measured, found)) <= width
    assert "".join(found).replace(" ", "") == said.replace(" ", "")
    for line, following in pairwise(found):
        longer = f"{line} {following.split()[0]}" if " " in said else line + following[0]
        assert measured(longer) > width, "no room is wasted"


def test_text_of_fixed_height_ends_in_an_ellipsis() -> None:
    """Where only so many lines are free, the last one says that there is more."""
    measured = text.measure(bpy.context)
    found = text.lines(TEXT, 184, measured, most=2)
    assert len(found) == 2
    assert found[1].endswith(text.ELLIPSIS)
    assert max(map(measured, found)) <= 184
    assert text.lines("Short", 184, measured, most=2) == ["Short"]


@pytest.mark.parametrize("said", [TEXT, "Short", "a b  c d e f g h i j k l m"])
def test_shortened_text_is_as_long_as_fits(said: str) -> None:
    """At any width: whole words or not, no space before the ellipsis, and no room is wasted."""
    measured = text.measure(bpy.context)
    for width in range(20, 700, 7):
        found = text.shortened(said, width, measured)
        if measured(said) <= width:
            assert found == said
            continue
        kept = found.removesuffix(text.ELLIPSIS)
        assert said.startswith(kept)
        assert found != kept == kept.rstrip()
        assert measured(found) <= width or not kept
        more = said[: len(kept) + 1].rstrip()
        assert more == kept or measured(more + text.ELLIPSIS) > width


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (recipes.weld(), "Weld"),
        (recipes.pin(), "Pin"),
        (recipes.hinge(1), "Hinge, free"),
        (recipes.hinge(2, 0.0, radians(90)), "Hinge, 0° to 90°"),
        (recipes.hinge(2, high=radians(90)), "Hinge, up to 90°"),
        (recipes.slider(0, low=0.5), "Slider, from 0.5 m on"),
        (
            JointSettings("", (*recipes.pin().limits, Limit(angular_axes=(0,), max=1.0))),
            "Pin, limited",
        ),
        (JointSettings(), "3 slides, 3 turns"),
        (driven(recipes.hinge(1), velocity_target=radians(90)), "Hinge, motor 90°/s"),
        (
            driven(recipes.hinge(1, 0.0, 1.0), position_target=0.0),
            "Hinge, 0° to 57.3°, spring to 0°",
        ),
        (
            driven(recipes.hinge(1), position_target=0.0, max_force=9.0),
            "Hinge, servo to 0°",
        ),
        (driven(recipes.pin(), position_target=0.0), "Pin, spring to 0°"),
    ],
)
def test_a_joint_has_a_short_name_of_its_own(settings: JointSettings, expected: str) -> None:
    """In the list a joint is called by what moves, with or without limits."""
    assert summary(settings) == expected


def test_rows_of_the_list_say_less_where_there_is_less_room() -> None:
    """They say kind, range and drive; then the range goes, then the drive, never the kind."""
    closer = driven(recipes.hinge(1, 0.0, radians(90)), position_target=0.0)
    assert rows(closer) == ["Hinge, 0° to 90°, spring", "Hinge, spring", "Hinge"]
    assert rows(driven(recipes.hinge(1), velocity_target=1.0))[0] == "Hinge, motor"
    assert rows(recipes.hinge(1))[0] == "Hinge, free"


def test_names_in_the_list_stand_at_the_left() -> None:
    """Spaces fill the buttons of a row, so that texts in their middle begin at one edge."""
    region = SimpleNamespace(width=300, type="UI")
    context = SimpleNamespace(region=region, preferences=bpy.context.preferences)
    width = text.measure(context)
    names = ("Lid", "Door Hinge", "A drawer that slides")
    shown = [text.filled(context, name, 0.8, icon=True) for name in names]
    assert [one.rstrip() for one in shown] == list(names)
    assert max(map(width, shown)) - min(map(width, shown)) < width("  ")
    assert text.filled(context, "W" * 90, 0.5) == "W" * 90, "what is too long is not made longer"


def test_rows_beside_a_scroll_bar_have_less_room() -> None:
    """Where a list is longer than it is high, nothing is laid out below its scroll bar."""
    region = SimpleNamespace(width=300, type="UI")
    context = SimpleNamespace(region=region, preferences=bpy.context.preferences)
    width = text.measure(context)
    wide, less = (width(text.filled(context, "Lid", 0.5, bar=bar)) for bar in (False, True))
    assert wide - less == pytest.approx(0.5 * text.BAR, abs=width(" "))
    share, _ = text.parted(context, "A drawer that slides", ["Slider"], 0.5)
    beside, _ = text.parted(context, "A drawer that slides", ["Slider"], 0.5, bar=True)
    assert beside > share
    assert text.fits(context, "A drawer that slides", share + 1e-6, icon=True)
    assert not text.fits(context, "A drawer that slides", share + 1e-6, icon=True, bar=True)


@pytest.mark.parametrize(
    ("beside", "taken"),
    [({"icon": True}, text.ICON), ({"boxes": 2}, 2.0 * text.BOX), ({"bar": True}, text.BAR)],
)
def test_what_stands_beside_text_takes_its_room(beside: dict[str, Any], taken: float) -> None:
    """An icon, the borders of boxes and a scroll bar leave as many pixels less."""
    region = SimpleNamespace(width=500, type="UI")
    context = SimpleNamespace(region=region, preferences=bpy.context.preferences)
    assert text.room(context) - text.room(context, **beside) == pytest.approx(taken)


@pytest.mark.parametrize("kind", ["UI", "WINDOW"])
@pytest.mark.parametrize("width", [30, 150, 210, 400])
@pytest.mark.parametrize("beside", [{}, {"icon": True}, {"boxes": 2}, {"bar": True}])
def test_a_finer_screen_has_as_much_room(beside: dict[str, Any], width: int, kind: str) -> None:
    """Where all is drawn twice as large, in twice as many pixels, as much fits."""
    styles = bpy.context.preferences.ui_styles
    plain, fine = (
        SimpleNamespace(
            region=SimpleNamespace(width=scale * width, type=kind),
            preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=scale), ui_styles=styles),
        )
        for scale in (1.0, 2.0)
    )
    assert text.room(fine, **beside) == pytest.approx(2.0 * text.room(plain, **beside))
    assert text.is_narrow(fine) is text.is_narrow(plain)


@pytest.mark.parametrize("usual", [0.2, 0.5, 0.95])
@pytest.mark.parametrize("width", [200, 292, 500])
@pytest.mark.parametrize("name", ["Lid", "Door Hinge", "Front Left Suspension Hinge", "M" * 40])
def test_what_stands_beside_a_name_in_a_list_shortens_before_it(
    width: int, name: str, usual: float
) -> None:
    """A name is whole as long as the shortest text fits beside it, and has half a row at least."""
    region = SimpleNamespace(width=width, type="UI")
    context = SimpleNamespace(region=region, preferences=bpy.context.preferences)
    choices = ["Hinge, 0° to 90°, motor", "Hinge, motor", "Hinge"]
    share, what = text.parted(context, name, choices, usual)
    is_whole = text.fits(context, name, share, icon=True)
    assert share >= usual or is_whole
    if not is_whole:
        assert what == "Hinge"
    assert text.fits(context, what, 1.0 - share) or (share, what) == (usual, "Hinge")
    for longer in choices[: choices.index(what)]:
        free = 1.0 - text._needed(context, longer, icon=False) / text.room(context)
        assert not text.fits(context, name, free, icon=True)


def test_the_list_of_joints_knows_of_its_scroll_bar() -> None:
    """Five joints fit in, a sixth does not; what is no joint does not count."""
    frame = box("Frame")
    for number in range(lists.ROWS + 1):
        joined("WELD", frame, box(f"Door {number}", (3.0 * number, 0.0, 0.0)))
        view = SimpleNamespace(filter_name="", bitflag_filter_item=1)
        lists.OMI_JOINT_UL_joints.filter_items(view, bpy.context, bpy.context.scene, "objects")
        assert lists.OMI_JOINT_UL_joints.has_bar == (number >= lists.ROWS)
