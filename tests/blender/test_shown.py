# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user sees in each situation, as approved texts: panels, menus, dialogs, redo boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from types import SimpleNamespace

import bpy
import pytest

from omi_physics_joint.blender import CLASSES, FEATURES, menus, play
from omi_physics_joint.blender.gltf_hooks import panels as gltf_panels
from omi_physics_joint.blender.handles import operators as drag
from omi_physics_joint.blender.interface.text import show_keys
from omi_physics_joint.blender.play.viewport import screen
from omi_physics_joint.blender.posing import operators as pose
from omi_physics_joint.blender.posing.panels import OMI_JOINT_TOOL_pose
from omi_physics_joint.blender.registration import parts_of
from omi_physics_joint.blender.usd_hooks import panels as usd_panels
from tests.approved import FOLDER, approved
from tests.blender import situations as are
from tests.blender.situations import Situation
from tests.blender.test_redo import CASES
from tests.layouts import Context, Drawing, Layout, said
from tests.redo import press

OF_JOINTS = (
    are.one_object,
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
    are.second_frame,
)
OF_BODIES = (
    are.one_object,
    are.one_joint,
    are.plain_body,
    are.led_trigger,
    are.part_of_body,
    are.compound_trigger,
    are.gravity_volume,
    are.linkage,
)
IN_SIDEBAR = (
    are.nothing,
    are.one_object,
    are.pair,
    are.lamp_beside,
    are.several,
    are.edited_mesh,
    are.one_joint,
    are.soft_slider,
    are.motored,
    are.closing,
    are.two_joints,
    are.no_settings,
    are.second_frame,
    are.linkage,
    are.ajar,
    are.simulated,
    are.played,
)
OF_SCENES = (
    are.nothing,
    are.one_joint,
    are.no_settings,
    are.no_partner,
    are.apart,
    are.ajar,
    are.checked,
    are.checked_before_an_edit,
    are.under_static,
    are.simulated,
    are.outdated,
    are.played,
    are.lying,
)
AT_ENDS_OF_MENUS = (
    are.one_joint,
    are.plain_body,
    are.edited_mesh,
    are.rigid_bodies,
    are.nothing,
)
FEW = 3
"""Situations that are named above what a panel shows in most of them."""
METHODS = ("draw_header", "draw_header_preset", "draw")


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    """Leave nothing playing behind."""
    yield
    play.stop()


def built(situation: Situation) -> None:
    """Build a situation anew."""
    play.stop()
    bpy.ops.wm.read_homefile(use_empty=True)
    situation()
    bpy.context.view_layer.update()


def drawn(kind: type, context: Context) -> list[str]:
    """Return what a panel or menu shows, header first; nothing where it does not show itself."""
    if "poll" in dir(kind) and not kind.poll(context):
        return []
    panel = Drawing(kind)
    panel.layout.context = context
    found = []
    for method in METHODS:
        if method in dir(kind):
            panel.layout = type(panel.layout)()
            panel.layout.context = context
            getattr(panel, method)(context)
            lines = panel.layout.lines()
            found += lines if method == "draw" else [f"header: {line}" for line in lines]
    return found


def shown(kinds: list[type], chosen: tuple[Situation, ...]) -> dict[str, list[str]]:
    """Return what panels show, each text once, with the sentences of its situations above it.

    What a panel shows most of the time comes first; then only what is otherwise is said.
    """
    found: dict[type, dict[tuple[str, ...], list[str]]] = {kind: {} for kind in kinds}
    for situation in chosen:
        built(situation)
        context = seen_from()
        for kind in kinds:
            lines = drawn(kind, context)
            if lines:
                found[kind].setdefault(tuple(lines), []).append(str(situation.__doc__))
    by_sentence = {}
    for kind, texts in found.items():
        name = f"{kind.bl_label} ({kind.__name__})"
        usual, elsewhere = max(texts.items(), key=lambda one: len(one[1]))
        most = " ".join(elsewhere) if len(elsewhere) <= FEW else "Most of the time."
        by_sentence[f"{name}: {most}"] = list(usual)
        for text, sentences in texts.items():
            if text != usual:
                by_sentence[f"{name}: {' '.join(sentences)}"] = otherwise(usual, text)
    return by_sentence


def seen_from() -> Context:
    """Return the context of the active object, of a 3D view or of the dialog of a file."""
    window = bpy.context.window_manager.windows[0]
    [view] = [one for one in window.screen.areas if one.type == "VIEW_3D"][:1]
    return Context(object=bpy.context.view_layer.objects.active, space_data=view.spaces.active)


def otherwise(first: tuple[str, ...], text: tuple[str, ...]) -> list[str]:
    """Return a text, where it is as the first one only how many lines are, however far right."""
    found = []
    plain = [[line.strip() for line in lines] for lines in (first, text)]
    for tag, low, high, start, end in SequenceMatcher(None, *plain, False).get_opcodes():
        if tag == "equal":
            found.append(f".. {high - low} as at first")
        else:
            found += [f"not: {line.strip()}" for line in first[low:high] if end == start]
            found += text[start:end]
    return found


def panels(space: str, *words: str) -> list[type]:
    """Return our panels in an editor, those with one of some words in their names."""
    return [
        kind
        for kind in CLASSES
        if issubclass(kind, bpy.types.Panel)
        and kind.bl_space_type == space
        and any(word in kind.__name__ for word in words)
    ]


def test_panels_of_joints_in_properties() -> None:
    """Properties > Physics shows what somebody has read, for joints of all sorts."""
    approved("shown_of_joints.txt", shown(panels("PROPERTIES", "PT_joint"), OF_JOINTS))


def test_panels_of_bodies_in_properties() -> None:
    """Properties > Physics shows what somebody has read, for bodies of all sorts."""
    chosen = panels("PROPERTIES", "_body", "_collider", "_trigger", "_gravity")
    approved("shown_of_bodies.txt", shown(chosen, OF_BODIES))


def test_panels_of_joints_in_the_sidebar() -> None:
    """The tab Joints shows of joints what somebody has read, whatever is selected or plays."""
    chosen = panels("VIEW_3D", "_add", "_list", "sidebar_joint", "_pose", "_articulation")
    approved("shown_in_sidebar.txt", shown(chosen, IN_SIDEBAR))


@pytest.mark.usefixtures("contacts")
def test_panels_of_the_scene_in_the_sidebar() -> None:
    """The tab Joints shows of plays, simulations, checks and exports what somebody has read."""
    chosen = panels("VIEW_3D", "_play", "_timeline", "_check", "_export", "_readers", "_overlay")
    approved("shown_of_scenes.txt", shown(chosen, OF_SCENES))


def entries(draw: Callable[..., None], context: Context) -> list[str]:
    """Return what one of our functions draws in a menu or panel of Blender's."""
    layout = Layout()
    layout.context = context
    draw(SimpleNamespace(layout=layout), context)
    return layout.lines()


def in_dialogs() -> dict[str, list[str]]:
    """Return our sections of dialogs and our entries of Blender's menus by sentence."""
    found = {}
    for situation, readers in (
        (are.nothing, {"GODOT"}),
        (are.one_joint, {"GODOT_OMI"}),
        (are.lamp_beside, {"UNITY", "VIEWERS"}),
        (are.no_partner, set()),
    ):
        built(situation)
        if situation == are.lamp_beside:
            bpy.ops.omi_joint.body_add(type="dynamic")
        options, layout = bpy.context.scene.omi_physics_joint, Layout()
        options.readers, options.use_export = readers, situation != are.no_partner
        gltf_panels.draw_export(seen_from(), layout)
        found[f"The dialog of the glTF exporter for {said(readers)}. {situation.__doc__}"] = (
            layout.lines()
        )
    built(are.nothing)
    for kind in (usd_panels.OMI_JOINT_PT_usd_export, usd_panels.OMI_JOINT_PT_usd_import):
        asked = SimpleNamespace(active_operator=SimpleNamespace(bl_idname=kind.operator))
        found[f"{kind.__name__} in the dialog of Blender. {kind.__doc__}"] = drawn(
            kind, Context(space_data=asked)
        )
    return found


def in_menus() -> dict[str, list[str]]:
    """Return our menus, and our entries of Blender's own, by sentence."""
    found = {}
    built(are.one_joint)
    for kind in (one for one in CLASSES if issubclass(one, bpy.types.Menu)):
        found[f"The menu {kind.bl_label} ({kind.__name__})."] = drawn(kind, seen_from())
    ends: dict[tuple[str, ...], list[str]] = {}
    for situation in AT_ENDS_OF_MENUS:
        built(situation)
        for part in parts_of(FEATURES):
            for menu, draw in getattr(part, "ENTRIES", ()):
                lines = (menu, *entries(draw, seen_from()))
                ends.setdefault(lines, []).append(str(situation.__doc__))
    for (menu, *lines), sentences in ends.items():
        when = "" if len(sentences) == len(AT_ENDS_OF_MENUS) else f" {' '.join(sentences)}"
        if lines:
            found[f"At the end of {menu}.{when}"] = lines
    built(are.soft_slider)
    block = bpy.context.object.omi_physics_joint.settings
    for item in (block.limits[0], block.drives[0]):
        lines = entries(menus.draw_field, Context(button_pointer=item))
        found[f"Right click on a field of {type(item).__name__}."] = lines
    return found


def test_dialogs_and_menus() -> None:
    """Our sections in dialogs of Blender, and our entries in its menus, are what was read."""
    keys = {
        "Keys while a handle is dragged.": drag.KEY_HINTS,
        **{f"More of them for {part}.": hints for part, hints in drag.MORE_HINTS.items()},
        "Keys while joints play.": screen.KEYS,
        "Keys while a body is posed.": pose.KEYS,
    }
    hints = {}
    for sentence, those in keys.items():
        taken: list[Callable[..., None]] = []
        show_keys(SimpleNamespace(status_text_set=taken.append), those)
        lines = entries(taken[0], seen_from())
        hints[sentence] = [line for line in lines if "separator" not in line]
    tool = OMI_JOINT_TOOL_pose
    hints["The tool in the toolbar."] = [
        f'{tool.bl_label} ({tool.bl_idname}) [{tool.bl_icon}] "{tool.bl_description}"',
        *(f"{name}: {event} {more or ''}".strip() for name, event, more in tool.bl_keymap),
    ]
    approved("shown_in_dialogs.txt", {**in_dialogs(), **in_menus(), **hints})


def test_redo_boxes() -> None:
    """What the box of the last operator shows, where the operator draws it itself."""
    found: dict[str, list[str]] = {}
    for case in CASES:
        kind = next(one for one in CLASSES if getattr(one, "bl_idname", "") == case.identifier)
        if "draw" not in vars(kind):
            continue
        built(case.scene)
        press(case.identifier, **case.options)
        drawing = Drawing(kind, bpy.context.active_operator.properties)
        drawing.draw(seen_from())
        options = " ".join(f"{name}={said(one)}" for name, one in case.options.items())
        lines = drawing.layout.lines()
        if lines not in found.values():
            found[f"{case.identifier} {options}. {case.scene.__doc__}"] = lines
    approved("shown_in_redo_boxes.txt", found)


def test_every_panel_and_menu_is_shown_in_some_situation() -> None:
    """A new panel or menu is read by somebody before it is released."""
    read = "".join(path.read_text("utf-8") for path in FOLDER.glob("shown_*.txt"))
    kinds = (bpy.types.Panel, bpy.types.Menu)
    unread = [kind for kind in CLASSES if issubclass(kind, kinds) and kind.__name__ not in read]
    assert unread == []


@pytest.mark.parametrize("is_on", [True, False])
@pytest.mark.parametrize("dialog", ["glTF", "USD"])
def test_what_a_switch_turns_off_is_grey(dialog: str, *, is_on: bool) -> None:
    """In both dialogs nothing that has no effect looks as if it had one."""
    built(are.one_joint)
    bpy.context.scene.omi_physics_joint.use_export = is_on
    kind = usd_panels.OMI_JOINT_PT_usd_export
    asked = SimpleNamespace(active_operator=SimpleNamespace(bl_idname=kind.operator))
    if dialog == "glTF":
        layout = Layout()
        gltf_panels.draw_export(seen_from(), layout)
    else:
        drawing = Drawing(kind)
        layout = drawing.layout
        kind.draw(drawing, Context(space_data=asked))
    fields = {name: one for name, one in layout.fields.items() if name != "use_export"}
    assert {"strict", "use_belonging"} <= set(fields)
    assert {one.active for one in fields.values()} == {is_on}
