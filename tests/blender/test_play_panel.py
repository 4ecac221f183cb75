# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Play says of several: the last, the largest and the nearest, by its own name."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from omi_physics_joint.blender import play
from omi_physics_joint.blender.play import panels
from omi_physics_joint.blender.play.session import STEP, PlaySession
from omi_physics_joint.blender.play.viewport.picking import Aim, _by_empty
from omi_physics_joint.blender.simulated.properties import STEPS
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.model.mechanics.sagging import HELD
from omi_physics_joint.solver import FLOOR, WORLD
from tests.blender.test_play_hand import PIXELS, SIDE, from_above
from tests.layouts import Context, Drawing, Layout
from tests.scenes import box, door, joined


def panel() -> Layout:
    """Return where something is drawn."""
    layout = Layout()
    layout.context = Context()
    return layout


TOUCHED = {2: "Lid", 3: "Can", 4: "Jar", FLOOR: "the floor", WORLD: "the scene"}


@pytest.mark.parametrize("first", range(5))
@pytest.mark.parametrize("count", range(6))
def test_what_is_touched_is_listed_by_how_hard(count: int, first: int) -> None:
    """The three hardest, each by its name; what other bodies touch is another matter."""
    others = [*TOUCHED, *TOUCHED][first : first + count]
    forces = {other: 3.0 + (7 * at) % 5 for at, other in enumerate(others)}
    pressed = {(1, other): np.array((0.0, 0.0, force)) for other, force in forces.items()}
    pressed |= {(2, 3): np.array((99.0, 0.0, 0.0))}
    touching = SimpleNamespace(pressed=lambda: pressed)
    session = SimpleNamespace(
        run=SimpleNamespace(touching=lambda: touching),
        simulated=SimpleNamespace(name=lambda node: TOUCHED.get(node, "?")),
    )
    layout = panel()
    panels.draw_touched(layout, session, 1)
    hardest = sorted(forces, key=lambda one: -forces[one])[: panels.MOST]
    assert layout.labels[::2] == [f"On {TOUCHED[one]}" for one in hardest]
    assert layout.labels[1::2] == [f"{forces[one]:g} N" for one in hardest]
    layout = panel()
    panels.draw_touched(layout, session, None)
    assert not layout.labels


@pytest.mark.parametrize("count", range(6))
def test_how_far_joints_are_from_the_exact_motion_is_listed_and_counted(count: int) -> None:
    """Three of them; of how many more there are, one is a joint and two are joints."""
    found = [SimpleNamespace(joint=at, words=lambda _, at=at: f"{at} m") for at in range(count)]
    session = SimpleNamespace(
        ghost=SimpleNamespace(differences=lambda: found, remark=""),
        simulated=SimpleNamespace(name=lambda node: f"Joint {node}"),
    )
    layout = panel()
    panels.draw_differences(layout, SimpleNamespace(scene=bpy.context.scene), session)
    heading, *rows = layout.labels
    assert heading == ("From Exact Motion" if count else "As Exact Motion")
    listed = [one for at in range(min(count, 3)) for one in (f"Joint {at}", f"{at} m")]
    more = {4: ["1 joint more"], 5: ["2 joints more"]}.get(count, [])
    assert rows == [*listed, *more]
    session.ghost = None
    layout = panel()
    panels.draw_differences(layout, SimpleNamespace(scene=bpy.context.scene), session)
    assert not layout.labels


def chain(count: int) -> list[bpy.types.Object]:
    """Return hinges of several bars on one post, 5 cm apart along X."""
    post, hinges = box("Post"), []
    for index in range(count):
        bar = box(f"Bar {index}", (0.05 * index, 3.0 * index + 3.0, 0.0))
        bpy.context.scene.cursor.location = (0.05 * index, 0.0, 0.0)
        hinges.append(joined("HINGE", post, bar, direction="GLOBAL_Y", place="CURSOR"))
        hinges[-1].name = f"Hinge {index}"
    bpy.context.view_layer.update()
    return hinges


@pytest.mark.parametrize("count", range(5))
def test_the_last_joints_that_broke_are_listed(count: int) -> None:
    """With the time of each: what broke long ago is known."""
    hinges = chain(4)
    session = play.start(bpy.context.scene)
    for at in range(count):
        session.run.broke[session.simulated.joint_node(hinges[at])] = 1.0 + at
    layout = panel()
    panels.draw_state(layout, layout.context, session)
    told = [one for one in layout.labels if one.startswith("Broke")]
    expected = [f"Broke: Hinge {at} at {1.0 + at:.1f} s" for at in range(count)]
    assert told == expected[-panels.MOST :]
    play.stop()


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_what_the_options_say_already_is_not_said_again(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of soft limits that are held remarks tell; other issues are listed, three of them."""
    door()
    told = [Issue(Severity.HINT, "body-stays", f"Body {at}", "It stays.") for at in range(count)]
    held = Issue(Severity.HINT, HELD, "Hinge", "It is held.")
    session = play.start(bpy.context.scene)
    monkeypatch.setattr(PlaySession, "issues", property(lambda _: [held, *told]))
    layout = panel()
    panels.draw_state(layout, layout.context, session)
    assert not [one for one in layout.labels if "It is held" in one]
    listed = [one for one in layout.labels if "It stays" in one]
    assert [one[:6] for one in listed] == [f"Body {at}" for at in range(count)][: panels.MOST]
    play.stop()


@pytest.mark.parametrize("active", [(), (0,), (1,), (2,), (1, 2), (0, 1, 2)])
def test_the_shortcut_is_the_first_that_the_user_has_switched_on(active: tuple[int, ...]) -> None:
    """One that is switched off in the preferences starts nothing."""
    items = [
        SimpleNamespace(
            active=at in active,
            idname="omi_joint.play" if at else "omi_joint.check",
            to_string=lambda at=at: f"Key {at}",
        )
        for at in range(3)
    ]
    keymaps = {"3D View": SimpleNamespace(keymap_items=items)}
    keyconfigs = SimpleNamespace(user=SimpleNamespace(keymaps=keymaps))
    context = SimpleNamespace(window_manager=SimpleNamespace(keyconfigs=keyconfigs))
    plays = [at for at in active if at]
    expected = f"Key {plays[0]}" if plays else ""
    assert panels.shortcut_of(context, "3D View", "omi_joint.play") == expected
    assert panels.shortcut_of(context, "Object Mode", "omi_joint.play") == ""


@pytest.mark.parametrize("hidden", [(), (0,), (1,), (2,), (0, 1), (1, 2)])
@pytest.mark.parametrize("meant", range(4))
def test_the_joint_that_is_nearest_to_the_mouse_and_seen_is_meant(
    meant: int, hidden: tuple[int, ...]
) -> None:
    """Of several within reach; the body that it moves is picked, not the one that stands."""
    hinges = chain(4)
    for at in hidden:
        hinges[at].hide_set(True)
    bpy.context.view_layer.update()
    session = play.start(bpy.context.scene)
    session.tick(STEP)
    at_pixel = 0.5 * SIDE + PIXELS * 0.05 * meant
    aim = Aim(from_above().region, (at_pixel + 1.0, 0.5 * SIDE))
    system = SimpleNamespace(ui_scale=1.0)
    context = SimpleNamespace(preferences=SimpleNamespace(system=system))
    picked = _by_empty(session.simulated, context, aim)
    seen = [at for at in range(4) if at not in hidden and abs(5.0 * (at - meant) - 1.0) <= 12.0]
    nearest = min(seen, key=lambda at: abs(5.0 * (at - meant) - 1.0))
    assert picked is not None
    assert session.simulated.name(picked.node) == f"Bar {nearest}"
    away = Aim(from_above().region, (at_pixel, 0.5 * SIDE + 40.0))
    assert _by_empty(session.simulated, context, away) is None
    play.stop()


@pytest.mark.parametrize("library", [None, "the kernel"])
@pytest.mark.parametrize("steps", [one[0] for one in STEPS])
def test_the_solver_that_is_named_is_the_one_that_computes(
    steps: str, library: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options always name it; the panel above them only what is slower than it could be."""
    bpy.context.scene.omi_physics_preview.steps = steps
    monkeypatch.setattr(panels, "kernel", lambda: SimpleNamespace(library=library, name="Mine"))
    named = []
    for kind in (panels.OMI_JOINT_PT_sidebar_play, panels.OMI_JOINT_PT_sidebar_play_options):
        drawing = Drawing(kind)
        drawing.draw(Context())
        named.append([one for one in drawing.layout.labels if one.startswith("Solver")])
    is_exact = steps == "exact"
    assert named[0] == ["Solver: Mine"] * (is_exact and library is None)
    assert named[1] == [f"Solver: {'Mine' if is_exact else panels.GODOT_STEPS}"]
