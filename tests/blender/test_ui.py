# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels, lists and menus, drawn with Blender's own layout for many states of a scene."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_physics_joint import blender
from omi_physics_joint.blender.data.scene import DIRECTIONS, PLACES
from omi_physics_joint.blender.interface import text
from omi_physics_joint.blender.interface.sidebar import FIELD_SHARE
from omi_physics_joint.model.settings.fields import DRIVE_FIELDS, LIMIT_FIELDS, Field
from omi_physics_joint.solver.engines.kernel import kernel

ROOT = Path(__file__).parents[2]
SHOWN = (bpy.types.Panel, bpy.types.Menu, bpy.types.UIList)
CLASSES = [kind for kind in blender.CLASSES if issubclass(kind, SHOWN)]
Drawn = dict[str, dict[str, list[dict[str, str]]]]
"""State -> class -> what it shows."""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    """All panels and menus drawn in other Blenders, which cannot go on after that."""
    script = str(Path(__file__).parent / "inside" / "draw_states.py")
    blender = bpy.app.binary_path
    options = ["-b", "--python-use-system-env", "--python-exit-code", "3", "--python"]
    command = [blender, *options, script] if blender else [sys.executable, script]
    found: Drawn = {}
    for part in ("still", "simulated", "playing"):
        folder = tmp_path_factory.mktemp(part)
        done = subprocess.run(
            [*command, "--", str(ROOT), part, str(folder / "answer.txt")],
            env={**os.environ, "BLENDER_USER_RESOURCES": str(folder)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0, said
        for sign in ("Traceback", "not found", "unknown operator", "rna_ui"):
            assert sign not in said, said
        described = ast.literal_eval((folder / "answer.txt").read_text("utf-8"))
        found |= by_panel(items_of(described))
    return found


def items_of(described: Any) -> Iterator[dict[str, Any]]:
    """Yield the buttons, fields and labels in Blender's description of a layout, in their order."""
    if isinstance(described, dict):
        if "draw_string" in described:
            yield described
        described = list(described.values())
    if isinstance(described, list | tuple):
        for part in described:
            yield from items_of(part)


def by_panel(items: Iterator[dict[str, Any]]) -> Drawn:
    """Sort items by state and panel, from the marks that were drawn before each."""
    drawn: Drawn = {}
    current: list[dict[str, str]] = []
    keys = {"draw_string": "text", "operator": "operator", "rna": "property"}
    for item in items:
        if item["draw_string"].startswith("@"):
            _, state, panel = item["draw_string"].split("@")
            current = drawn.setdefault(state, {})[panel] = []
        else:
            current.append({new: item[old] for old, new in keys.items() if item.get(old)})
    return drawn


def texts(drawn: Drawn, state: str, panel: str) -> list[str]:
    """Return the texts of one panel in one state."""
    return [item["text"] for item in drawn[state][panel] if "text" in item]


@pytest.mark.parametrize(
    ("state", "panel", "expected"),
    [
        (
            "hinge",
            "OMI_JOINT_PT_joint",
            ["Hinge", "Turns from 0° to 90°", "Second Body", "Separate Frames"],
        ),
        ("hinge", "OMI_JOINT_PT_joint_limits", ["Along X Y Z: fixed", "Turn: 0° to 90°"]),
        ("hinge", "OMI_JOINT_PT_sidebar_joint", ["0°", "90°", "No Drive"]),
        ("hinge", "OMI_JOINT_PT_sidebar_list", ["Ball 0 Pin", "Pin", "Blank Weld", "No settings"]),
        ("hinge", "OMI_JOINT_PT_sidebar_check", ["Check at frame 0"]),
        ("hinge", "OMI_JOINT_PT_sidebar_check_results", ["Blank Weld", "Fix: make it a weld"]),
        ("hinge", "OMI_JOINT_PT_sidebar_export", ["Strict", "Export glTF..."]),
        ("partner", "OMI_JOINT_PT_joint", ["Other end of Apart Hinge", "Select Joint"]),
        ("partner", "OMI_JOINT_PT_sidebar_joint", ["Other end of Apart Hinge"]),
        ("shared", "OMI_JOINT_PT_joint", ["Shared by 2 joints: a change here changes all of them"]),
        ("shared", "OMI_JOINT_PT_joint_limits", ["Set Limits of Selected"]),
        ("closer", "OMI_JOINT_PT_joint_drives", ["Turn: spring to 0°", "N·m·s", "12.000"]),
        ("slider", "OMI_JOINT_PT_joint_limits", ["Slide: up to 0.5 m", "Along Y Z: fixed, soft"]),
        ("slider", "OMI_JOINT_PT_joint_drives", ["1/s²", "Drives of other extensions are kept as"]),
        ("slider", "OMI_JOINT_PT_joint_drives", ["extensions are kept as they are"]),
        (
            "without settings",
            "OMI_JOINT_PT_joint",
            ["No settings: this joint holds nothing", "New"],
        ),
        ("separate", "OMI_JOINT_PT_joint", ["Other End", "Apart Hinge Second Frame"]),
        ("without partner", "OMI_JOINT_PT_joint", ["No second body", "Connect to Body"]),
        ("partner elsewhere", "OMI_JOINT_PT_joint", ["Away is in no scene"]),
        ("linked", "OMI_JOINT_PT_joint", ["Linked from another file"]),
        ("plain", "PHYSICS_PT_add", ["Physics Body", "Collider"]),
        ("rigid body", "PHYSICS_PT_add", ["Convert from Rigid Body"]),
        ("child of a body", "PHYSICS_PT_add", ["Part of the body Solid convex"]),
        ("empty", "PHYSICS_PT_add", ["Physics Body"]),
        ("box body", "OMI_JOINT_PT_collider", ["Size X"]),
        ("capsule body", "OMI_JOINT_PT_collider", ["Height", "Radius Bottom", "Radius Top"]),
        ("convex body", "OMI_JOINT_PT_collider", ["Mesh"]),
        ("sphere body", "OMI_JOINT_PT_trigger_filter", ["Collides With", "Only", "Systems"]),
        ("compound trigger", "OMI_JOINT_PT_trigger", ["Parts", "Child"]),
        ("gravity volume", "OMI_JOINT_PT_gravity_volume", ["Exported again, not played", "Mesh"]),
        ("nothing", "OMI_JOINT_PT_sidebar_timeline", ["Start", "1", "End", "24"]),
        ("nothing", "OMI_JOINT_PT_sidebar_check", ["Exported: "]),
        ("nothing", "OMI_JOINT_PT_sidebar_add", ["Weld", "Pin", "Hinge", "Slider"]),
        ("hinge", "OMI_JOINT_PT_sidebar_play", ["Play", "Gravity", "Forces"]),
        ("playing", "OMI_JOINT_PT_sidebar_play", ["Stop", "Playing 1.0 s"]),
        ("playing", "OMI_JOINT_PT_sidebar_play", ["Bodies pass through each other"]),
        ("playing", "OMI_JOINT_PT_sidebar_play_options", ["Steps", "Exact as Ghost"]),
        (
            "playing",
            "OMI_JOINT_PT_sidebar_play",
            ["Door Hinge", "Force", "N·m", "From Exact Motion"],
        ),
        ("playing", "OMI_JOINT_PT_sidebar_play", ["Broke: Weak Weld at 0.0 s"]),
        ("nothing", "OMI_JOINT_PT_sidebar_timeline", ["Simulate", "Starts from the current pose"]),
        (
            "simulated",
            "OMI_JOINT_PT_sidebar_timeline",
            ["Simulate Again", "Frames 1 - 24, 1 body", "In this file:", "Valid"],
        ),
        (
            "simulated",
            "export dialog",
            ["The file will hold 2 bodies, 1 joint and 2 colliders.", "Strict", "Godot", "Unity"],
        ),
    ],
)
def test_panels_say_what_is_there(
    drawn: Drawn, state: str, panel: str, expected: list[str]
) -> None:
    """In each state of a joint or a body the panel shows the words that matter there."""
    shown = texts(drawn, state, panel)
    whole = " ".join(shown)  # long ones go on in the next line
    assert [one for one in expected if one not in shown and one not in whole] == [], shown


def test_what_only_play_has_is_shown_while_it_plays(drawn: Drawn) -> None:
    """A ghost belongs to steps of Godot; nothing runs, has broken or is lacking elsewhere."""
    twice = texts(drawn, "playing", "OMI_JOINT_PT_sidebar_play").count("Door Hinge")
    assert twice == 2  # what it bears, and how far it is off
    shown = " ".join(texts(drawn, "simulated", "OMI_JOINT_PT_sidebar_play"))
    assert not [one for one in ("Stop", "Playing", "Exact as Ghost", "Broke") if one in shown]
    for state in ("simulated", "playing"):
        assert "It will lack" not in " ".join(texts(drawn, state, "export dialog"))
    for panels in drawn.values():
        buttons = {item.get("operator") for item in panels["OMI_JOINT_PT_sidebar_play"]}
        wanted = {"play", "play_pause", "play_reset", 'help(topic="play")'}
        assert {f"bpy.ops.omi_joint.{one}".removesuffix("()") for one in wanted} <= {
            str(one).removesuffix("()") for one in buttons
        }


@pytest.mark.parametrize(
    ("panel", "fields"),
    [("OMI_JOINT_PT_joint_limits", LIMIT_FIELDS), ("OMI_JOINT_PT_joint_drives", DRIVE_FIELDS)],
)
def test_panels_show_every_number(drawn: Drawn, panel: str, fields: tuple[Field, ...]) -> None:
    """Each number of a limit or a drive that there is has its field in the panel."""
    shown = " ".join(item.get("property", "") for item in drawn["closer"][panel])
    assert [one.name for one in fields if one.property_on("angular") not in shown] == []


def test_the_right_click_on_a_field_hands_it_to_other_joints(drawn: Drawn) -> None:
    """Alt+Enter does not reach settings of other joints: the menu of their fields has what does."""
    assert texts(drawn, "closer", "right click: OMI_JOINT_PG_limit") == [
        "Copy Joint Settings to Selected",
        "Set Limits of Selected...",
    ]
    assert texts(drawn, "closer", "right click: OMI_JOINT_PG_drive") == [
        "Copy Joint Settings to Selected"
    ]
    assert texts(drawn, "closer", "right click: body") == []


@pytest.mark.parametrize(
    ("state", "absent"),
    [
        ("nothing", "OMI_JOINT_PT_joint OMI_JOINT_PT_body"),
        (
            "plain",
            "OMI_JOINT_PT_joint OMI_JOINT_PT_body OMI_JOINT_PT_body_inertia"
            " OMI_JOINT_PT_collider_material",
        ),
        ("hinge", "OMI_JOINT_PT_body OMI_JOINT_PT_collider"),
        ("partner", "OMI_JOINT_PT_body OMI_JOINT_PT_joint_limits"),
        ("without settings", "OMI_JOINT_PT_joint_limits OMI_JOINT_PT_joint_drives"),
        ("empty", "OMI_JOINT_PT_joint OMI_JOINT_PT_body"),
    ],
)
def test_panels_stay_away_where_they_mean_nothing(drawn: Drawn, state: str, absent: str) -> None:
    """Panels of joints, bodies and their details do not show where there is no such thing."""
    assert drawn[state].keys() & set(absent.split()) == set()


def test_a_pose_has_a_bar_only_where_a_limit_bounds_it(drawn: Drawn) -> None:
    """A door stands somewhere between its bounds; a free pin has numbers and no share."""
    for state, bars in (("hinge", True), ("shared", False)):
        shown = [item.get("property", "") for item in drawn[state]["OMI_JOINT_PT_sidebar_pose"]]
        assert any("about" in name for name in shown), shown
        assert any("_share" in name for name in shown) is bars, shown


def test_the_sidebar_tells_what_to_select(drawn: Drawn) -> None:
    """The hint of the Add panel shows until two objects are selected; joints are no bodies."""
    hint = "Select what stays, then Shift-click what moves"
    assert hint in " ".join(texts(drawn, "nothing", "OMI_JOINT_PT_sidebar_add"))
    assert hint not in " ".join(texts(drawn, "shared", "OMI_JOINT_PT_sidebar_add"))
    assert "these are joints" in " ".join(texts(drawn, "shared", "OMI_JOINT_PT_sidebar_add"))


def test_play_says_which_solver_runs(drawn: Drawn) -> None:
    """The options of play say whether the compiled kernel runs, and why if it does not."""
    shown = " ".join(texts(drawn, "nothing", "OMI_JOINT_PT_sidebar_play_options"))
    assert f"Solver: {kernel().name}" in shown


def test_a_shape_shows_only_its_own_fields(drawn: Drawn) -> None:
    """A sphere asks for a radius and for nothing that only other shapes have."""
    shown = {
        item.get("property", "").split("[")[0]
        for item in drawn["sphere body"]["OMI_JOINT_PT_collider"]
    }
    assert shown - {""} == {
        "OMI_JOINT_PG_body.use_collider",
        "OMI_JOINT_PG_shape.type",
        "OMI_JOINT_PG_shape.radius",
    }


def test_buttons_and_fields_have_tool_tips(drawn: Drawn) -> None:
    """Every operator and property of ours that is shown anywhere describes itself."""
    items = [item for panels in drawn.values() for shown in panels.values() for item in shown]
    operators = {item["operator"].partition("(")[0] for item in items if "operator" in item}
    ours = {name.rpartition(".")[2] for name in operators if name.startswith("bpy.ops.omi_joint")}
    assert {"create", "list_edit", "preset_apply", "issue_fix", "body_add"} <= ours
    for name in ours:
        assert getattr(bpy.ops.omi_joint, name).get_rna_type().description, name
    groups = (kind for kind in blender.CLASSES if issubclass(kind, bpy.types.PropertyGroup))
    owners = {kind.__name__: kind for kind in groups}
    fields = {
        tuple(item["property"].split("[")[0].split(".")) for item in items if "property" in item
    }
    for owner, name in ((owner, name) for owner, name in fields if owner in owners):
        hidden = name.startswith("active")  # the place of a list's active row, never a field
        assert hidden or owners[owner].bl_rna.properties[name].description, f"{owner}.{name}"


def test_classes_are_described_and_registered() -> None:
    """Every panel and menu has a label and a description, and Blender knows it."""
    for kind in CLASSES:
        assert kind.__doc__, kind
        assert kind.is_registered, kind
        assert issubclass(kind, bpy.types.UIList) or kind.bl_label, kind


def test_operators_named_in_panels_exist() -> None:
    """No panel names an operator that is not there."""
    sources = [path.read_text("utf-8") for path in Path(blender.__file__).parent.rglob("*.py")]
    names = {name for source in sources for name in re.findall(r'"omi_joint\.(\w+)"', source)}
    assert len(names) > 15
    assert [name for name in names if not hasattr(bpy.ops.omi_joint, name)] == []


def test_what_stands_side_by_side_is_not_cut_off(drawn: Drawn) -> None:
    """In the narrowest sidebar that has two things in a row, choices and buttons are whole."""
    measured, icon, arrow = text.measure(bpy.context), 26, 32
    for item in (*DIRECTIONS, *PLACES):
        assert measured(item[1]) <= FIELD_SHARE * text.SIDE_BY_SIDE - arrow, item[1]
    for name in ("Other End", "Connect", "Remove", "Flip"):
        assert measured(name) <= 0.5 * text.SIDE_BY_SIDE - icon, name
    assert "Presets" in texts(drawn, "hinge", "OMI_JOINT_PT_sidebar_joint")
    assert "Written for" in texts(drawn, "hinge", "OMI_JOINT_PT_sidebar_export")


def test_what_is_rare_is_closed() -> None:
    """Pose, options, check and export are folded up at first, as is what else is seldom used."""
    closed = {
        kind.__name__ for kind in CLASSES if "DEFAULT_CLOSED" in getattr(kind, "bl_options", ())
    }
    assert closed >= {
        "OMI_JOINT_PT_sidebar_pose",
        "OMI_JOINT_PT_sidebar_pose_others",
        "OMI_JOINT_PT_sidebar_play_options",
        "OMI_JOINT_PT_sidebar_timeline",
        "OMI_JOINT_PT_sidebar_check",
        "OMI_JOINT_PT_sidebar_export",
    }
    sidebar = [
        kind for kind in CLASSES if "sidebar" in kind.__name__ and not hasattr(kind, "bl_parent_id")
    ]
    order = [
        kind.bl_label for kind in sorted(sidebar, key=lambda kind: getattr(kind, "bl_order", 0))
    ]
    assert order[:4] == ["Add Joint", "Active Joint", "Play", "Joints in Scene"], (
        "the list grows with every joint, and moves what is below it"
    )
    assert not any(hasattr(kind, "poll") for kind in sidebar), (
        "a panel that comes and goes moves others"
    )


def test_what_names_the_button_is_hidden_in_the_redo_box() -> None:
    """Numbers of rows and names of objects are no choices of the user."""
    for operator, names in (
        ("issue_fix", ("index",)),
        ("issue_select", ("index",)),
        ("select_joint", ("object_name", "extend")),
        ("list_edit", ("target", "action")),
    ):
        properties = getattr(bpy.ops.omi_joint, operator).get_rna_type().properties
        assert all(properties[name].is_hidden for name in names), operator
