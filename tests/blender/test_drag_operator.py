# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator behind the handles, as far as it goes without a window."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace

import bpy
import pytest
from blender.mouse import handle, maximum, pixel_of, ranged, side_view
from mathutils import Matrix
from scenes import door, select

from omi_physics_joint.blender.handles import operators
from omi_physics_joint.blender.handles.operators import KEY_HINTS, MORE_HINTS, OMI_JOINT_OT_drag
from omi_physics_joint.drawing.mouse.handles import Part


def properties() -> bpy.types.OperatorProperties:
    """Return properties of the operator as a gizmo fills them in."""
    return bpy.context.window_manager.operator_properties_last("omi_joint.drag")


def test_it_asks_for_a_view_and_a_joint() -> None:
    """Without a 3D view nothing can be dragged, and the operator says so instead of failing."""
    door()
    assert not bpy.ops.omi_joint.drag.poll()


def test_every_handle_can_be_named() -> None:
    """What a gizmo says of its handle fits into the properties of the operator."""
    _, _, hinge = door()
    for part in Part:
        if part is not Part.TARGET:
            place = handle(hinge, part, ranged(hinge) if part in (Part.MIN, Part.MAX) else 0)
            chosen = properties()
            chosen.part, chosen.index = place.handle.part, place.handle.index
            chosen.axis = str(place.handle.listed_axis)
            assert chosen.part == part


def test_the_tool_tip_says_which_keys_count() -> None:
    """It belongs to the handle; where there is none any more it is the general one."""
    _, leaf, hinge = door()
    place = handle(hinge, "max", ranged(hinge))
    chosen = properties()
    chosen.part, chosen.index, chosen.axis = "max", place.handle.index, "1"
    tip = OMI_JOINT_OT_drag.description
    assert "Alt moves both limits" in tip(bpy.context, chosen)
    chosen.part = "move"
    chosen.index, chosen.axis = 0, "0"
    assert "snaps to corners" in tip(bpy.context, chosen)
    select(leaf)
    assert tip(bpy.context, chosen).startswith("Drag a limit")


def test_icons_of_the_hints_exist() -> None:
    """Blender has every icon that the status bar shows."""
    parameters = bpy.types.UILayout.bl_rna.functions["label"].parameters
    known = {item.identifier for item in parameters["icon"].enum_items}
    hints = [*KEY_HINTS, *(hint for more in MORE_HINTS.values() for hint in more)]
    assert {icon for _, icons in hints for icon in icons} <= known


def test_handles_can_be_switched_off_where_gizmos_are() -> None:
    """The popover of the gizmos draws our switches, and they are saved with the scene."""
    functions = bpy.types.VIEW3D_PT_gizmo_display.draw._draw_funcs
    assert any("handles.properties" in function.__module__ for function in functions)
    switches = bpy.context.scene.omi_physics_handles
    assert (switches.show_values, switches.show_frame) == (True, True)


Dragging = type(
    "Dragging",
    (),
    {key: one for key, one in vars(OMI_JOINT_OT_drag).items() if isinstance(one, FunctionType)},
)
"""What the operator does; only Blender can make one of itself, and that needs a window."""


SCALE = 2.0
"""Of an interface on a fine screen: Blender's three pixels are six there."""


class Hand:
    """A mouse whose button is pressed on a handle of a door's hinge, and what became of that."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, part: str, *, ctrl: bool = False) -> None:
        self.hinge = door()[2]
        place = handle(self.hinge, part, ranged(self.hinge) if part == "max" else 0)
        view = side_view(self.hinge, 1)
        self.pushed: list[str] = []
        monkeypatch.setattr(operators, "view_of", lambda *_: view)
        ed = SimpleNamespace(undo_push=lambda *, message: self.pushed.append(message))
        monkeypatch.setattr(operators, "bpy", SimpleNamespace(ops=SimpleNamespace(ed=ed)))
        self.context = SimpleNamespace(
            scene=bpy.context.scene,
            preferences=SimpleNamespace(
                inputs=bpy.context.preferences.inputs,
                system=SimpleNamespace(ui_scale=SCALE),  # zero without a window
            ),
            region=None,
            region_data=None,
            area=SimpleNamespace(header_text_set=lambda _: None, tag_redraw=lambda: None),
            workspace=SimpleNamespace(status_text_set=lambda _: None),
            window_manager=SimpleNamespace(modal_handler_add=lambda _: True),
        )
        monkeypatch.setattr(operators, "joint_at_hand", lambda _: self.hinge)
        self.at = pixel_of(view, place.point)
        self._operator = Dragging()
        self._operator.part, self._operator.index = place.handle.part, place.handle.index
        self._operator.axis = str(place.handle.listed_axis)
        self.became = self._operator.invoke(
            self.context, self._event("LEFTMOUSE", "PRESS", ctrl=ctrl)
        )

    def does(self, kind: str, value: str, off: float = 0.0, *, ctrl: bool = False) -> None:
        """Do one thing, some pixels off where the button was pressed."""
        self.became = self._operator.modal(self.context, self._event(kind, value, off, ctrl=ctrl))

    def types(self, text: str) -> None:
        """Type digits."""
        for digit in text:
            self.does(digit, "PRESS")

    def _event(self, kind: str, value: str, off: float = 0.0, *, ctrl: bool) -> SimpleNamespace:
        keys = {"ctrl": ctrl, "shift": False, "alt": False}
        unicode = kind if len(kind) == 1 else ""
        place = {
            "mouse_region_x": self.at[0] + 0.6 * off,
            "mouse_region_y": self.at[1] + 0.8 * off,
        }
        return SimpleNamespace(type=kind, value=value, unicode=unicode, **place, **keys)

    @property
    def state(self) -> tuple[float, Matrix]:
        """What handles change: the maximum of the hinge, and where it is."""
        bpy.context.view_layer.update()
        return maximum(self.hinge), self.hinge.matrix_world.copy()


@pytest.mark.parametrize("part", ["max", "move", "turn"])
@pytest.mark.parametrize("off", [0.0, 1.0, -5.0])
def test_a_click_on_a_handle_changes_nothing(
    part: str, off: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever clicks on what lies below moves the mouse by a pixel or two, and wants no drag."""
    before = (hand := Hand(monkeypatch, part)).state
    hand.does("MOUSEMOVE", "NOTHING", off)
    assert hand.became == {"RUNNING_MODAL"}
    assert hand.state == before
    hand.does("LEFTMOUSE", "RELEASE", off)
    assert (hand.became, hand.state, hand.pushed) == ({"CANCELLED"}, before, [])


@pytest.mark.parametrize("part", ["max", "move", "turn"])
def test_what_is_dragged_follows_the_mouse_from_where_it_was_pressed(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also back to within a pixel; the release is one step to undo."""
    before = (hand := Hand(monkeypatch, part)).state
    hand.does("MOUSEMOVE", "NOTHING", 7.0)
    near = hand.state
    assert near != before
    hand.does("MOUSEMOVE", "NOTHING", 40.0)
    hand.does("MOUSEMOVE", "NOTHING", 1.0)
    assert hand.state not in (before, near)
    hand.does("LEFTMOUSE", "RELEASE", 1.0)
    assert hand.became == {"FINISHED"}
    assert len(hand.pushed) == 1


def test_the_threshold_of_a_drag_is_the_one_of_blender(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has set a larger one in Preferences has a hand that shakes."""
    inputs = bpy.context.preferences.inputs
    monkeypatch.setattr(inputs, "drag_threshold_mouse", 30)
    before = (hand := Hand(monkeypatch, "max")).state
    hand.does("MOUSEMOVE", "NOTHING", 59.0)
    assert hand.state == before
    hand.does("MOUSEMOVE", "NOTHING", 61.0)
    assert hand.state != before


@pytest.mark.parametrize("ctrl", [False, True])
def test_a_number_is_typed_while_the_button_is_held_or_after_a_click_with_ctrl(
    ctrl: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the mouse moves nothing; what is erased again is as it was; Enter confirms."""
    before = (hand := Hand(monkeypatch, "max", ctrl=ctrl)).state
    if ctrl:
        hand.does("LEFTMOUSE", "RELEASE", ctrl=True)
    hand.types("65")
    if not ctrl:
        hand.does("LEFTMOUSE", "RELEASE")
    assert hand.became == {"RUNNING_MODAL"}
    hand.does("MOUSEMOVE", "NOTHING", 50.0)
    assert hand.state[0] == pytest.approx(65.0)
    hand.does("BACK_SPACE", "PRESS")
    hand.does("BACK_SPACE", "PRESS")
    hand.does("MOUSEMOVE", "NOTHING", 90.0)
    assert hand.state == before
    hand.types("7")
    hand.does("RET", "PRESS")
    assert hand.became == {"FINISHED"}
    assert hand.state[0] == pytest.approx(7.0)
    assert len(hand.pushed) == 1


@pytest.mark.parametrize("part", ["max", "move", "turn"])
@pytest.mark.parametrize("typed", ["", "6", "-", "6-"])
@pytest.mark.parametrize("erased", [False, True])
def test_only_what_is_typed_and_no_number_keeps_hold(
    part: str, typed: str, erased: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter ends a drag with what stands there; once all is erased that is nothing."""
    before = (hand := Hand(monkeypatch, part)).state
    hand.types(typed)
    for _ in typed if erased else "":
        hand.does("BACK_SPACE", "PRESS")
    is_number = typed == "6" and not erased
    hand.does("RET", "PRESS")
    if is_number:
        assert (hand.became, len(hand.pushed)) == ({"FINISHED"}, 1)
        assert hand.state != before
    else:
        ends = erased or not typed
        assert (hand.became, hand.pushed) == ({"CANCELLED" if ends else "RUNNING_MODAL"}, [])
        assert hand.state == before or not ends


@pytest.mark.parametrize(
    "does",
    [
        ("RET", "PRESS"),
        ("NUMPAD_ENTER", "PRESS"),
        ("LEFTMOUSE", "PRESS"),
        ("LEFTMOUSE", "DOUBLE_CLICK"),
    ],
    ids=" ".join,
)
def test_a_typed_number_is_confirmed_by_enter_and_by_any_click(
    does: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by the second of two quick ones; not while it is no number."""
    hand = Hand(monkeypatch, "max")
    hand.types("-")
    hand.does("LEFTMOUSE", "RELEASE")
    hand.does(*does)
    assert hand.became == {"RUNNING_MODAL"}
    hand.does("BACK_SPACE", "PRESS")
    hand.types("65")
    hand.does(*does)
    assert hand.became == {"FINISHED"}
    assert hand.state[0] == pytest.approx(65.0)


@pytest.mark.parametrize("mode", ["OBJECT", "EDIT_MESH", "POSE", "SCULPT", "PAINT_WEIGHT"])
@pytest.mark.parametrize("in_view", [True, False])
def test_handles_are_there_in_object_mode_alone(mode: str, in_view: bool) -> None:
    """Also by a shortcut, for which no gizmo is asked; elsewhere Blender says why not."""
    hinge = door()[2]
    space = SimpleNamespace(type="PROPERTIES")
    view = SimpleNamespace() if in_view else None
    context = SimpleNamespace(mode=mode, region_data=view, object=hinge, space_data=space)
    said: list[str] = []
    kind = type("Asked", (), {"poll_message_set": said.append})
    asked = OMI_JOINT_OT_drag.poll.__func__(kind, context)  # type: ignore[attr-defined]
    assert asked is (mode == "OBJECT" and in_view)
    assert said == ([] if asked else ["Handles are dragged in a 3D view in Object Mode"])
