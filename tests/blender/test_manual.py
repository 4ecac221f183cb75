# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual: every topic is in the page, and Blender finds the right one for what is ours."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import bpy
import pytest
from bl_operators.wm import WM_OT_doc_view_manual, _wm_doc_get_id

from omi_physics_joint import blender
from omi_physics_joint.blender import CLASSES, FEATURES
from omi_physics_joint.blender.bridge.read_nodes import UNREAD
from omi_physics_joint.blender.check.fixes import FIXES
from omi_physics_joint.blender.data.scene import BITS
from omi_physics_joint.blender.interface import manual
from omi_physics_joint.blender.interface.words import issue_title
from omi_physics_joint.blender.presets.files import SUBDIR
from omi_physics_joint.blender.registration import ROOT, parts_of
from omi_physics_joint.model.readers import DIFFERENCES, PROFILES
from omi_physics_joint.model.validate.codes import VERDICTS
from tests.model.test_losses import CODE

PAGES = Path(__file__).resolve().parents[2] / "docs" / "manual"
SOURCES = Path(blender.__file__).parent
BLENDERS_OWN = {"Adjust Last Operation", "Use Current Frame"}
"""What the page names of Blender's own interface."""
COMPOSED = {"Max Torque": "drives about an axis have Max Force under this name"}
PANELS = [kind for kind in CLASSES if issubclass(kind, bpy.types.Panel)]
OPERATORS = [kind.bl_idname for kind in CLASSES if issubclass(kind, bpy.types.Operator)]


class Page(HTMLParser):
    """Collects the anchors of a page, the links to them, and all that is loaded from elsewhere."""

    def __init__(self) -> None:
        """Read the page."""
        super().__init__()
        self.anchors: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(manual.PAGE.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag has."""
        for name, value in attrs:
            if name == "id":
                self.anchors.append(value or "")
            elif name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in {"src", "href"}:
                self.loaded.append(value or "")


def found(identifier: str) -> str:
    """Return the address that right click > Online Manual opens."""
    name = _wm_doc_get_id(identifier, do_url=False)
    address = WM_OT_doc_view_manual._lookup_rna_url(name, verbose=False)
    assert address is not None, identifier
    return str(address)


def own_properties() -> Iterator[str]:
    """Yield "Class.property" for every property of ours that has a name in the interface."""
    pointers = [pointer for part in parts_of(FEATURES) for pointer in getattr(part, "POINTERS", ())]
    for _, _, group, _ in pointers:
        for prop in group.bl_rna.properties:
            if prop.identifier not in {"rna_type", "name"}:
                yield f"{group.__name__}.{prop.identifier}"


def fields_shown() -> Iterator[tuple[str, str]]:
    """Yield "Class.property" and label of every field of ours that a panel can show.

    Poses are sliders that the page describes together; what a report holds, no panel draws by name.
    """
    groups = [kind for kind in CLASSES if issubclass(kind, bpy.types.PropertyGroup)]
    told = [one for one in groups if not one.__name__.endswith(("_pose", "_report", "_issue"))]
    for group in told:
        for field in group.bl_rna.properties:
            inner = getattr(getattr(field, "fixed_type", None), "identifier", "")
            is_group = inner.startswith("OMI_JOINT_PG_") and field.type == "POINTER"
            if field.identifier not in {"rna_type", "name"} and not (field.is_hidden or is_group):
                yield f"{group.__name__}.{field.identifier}", field.name.removeprefix("Use ")


def test_the_page_names_every_field() -> None:
    """It is called "Every panel and field": a new field, or another label, is told there."""
    told = " ".join(re.sub(r"<[^>]+>", "", manual.PAGE.read_text("utf-8")).split()).casefold()
    shown = dict(fields_shown())
    assert len(shown) > 60
    assert {field: name for field, name in shown.items() if name.casefold() not in told} == {}


def test_what_the_page_sets_bold_is_in_the_interface() -> None:
    """Names of buttons, fields and choices are those that stand in the sources of the add-on."""
    said = {
        one.value.casefold()
        for path in SOURCES.parent.rglob("*.py")
        for one in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }
    bold = re.findall(r"<(?:b|i)>(.*?)</(?:b|i)>", manual.PAGE.read_text("utf-8"), re.DOTALL)
    names = {" ".join(part.split()).strip(" .:,") for one in bold for part in one.split("&gt;")}
    named = {one for one in names if one[:1].isupper()} - BLENDERS_OWN - set(COMPOSED)
    assert len(named) > 60
    whole = "\n".join(said)
    lost = {one for one in named if not re.search(rf"\b{re.escape(one.casefold())}\b", whole)}
    assert lost == set()


def test_every_topic_is_in_the_page() -> None:
    """All mapped anchors and all links of the page lead to a place in it, each there once."""
    page = Page()
    assert set(manual.TOPICS) - set(page.anchors) == set()
    assert {link.removeprefix("#") for link in page.links} - set(page.anchors) == set()
    assert len(page.anchors) == len(set(page.anchors))


def test_the_page_needs_nothing_else() -> None:
    """It loads nothing, has no scripts, and names no address of the network."""
    text = manual.PAGE.read_text("utf-8")
    assert Page().loaded == []
    assert re.findall(r"<script|https?:|@import|url\(", text) == []


@pytest.mark.parametrize("identifier", OPERATORS)
def test_operators_lead_to_the_page(identifier: str) -> None:
    """Each operator of ours has a topic."""
    address = urlsplit(found(identifier))
    assert unquote(address.path) == manual.PAGE.as_posix()
    assert address.fragment in manual.TOPICS


def test_properties_lead_to_the_page() -> None:
    """Each property of ours has a topic, also those of limits and shapes."""
    others = (
        "OMI_JOINT_PG_limit.angular_max",
        "OMI_JOINT_PG_drive.stiffness",
        "OMI_JOINT_PG_shape.size",
        "OMI_JOINT_PG_collider.shape",
    )
    for identifier in (*own_properties(), *others):
        address = urlsplit(found(identifier))
        assert unquote(address.path) == manual.PAGE.as_posix(), identifier
        assert address.fragment in manual.TOPICS, identifier


@pytest.mark.parametrize(
    ("identifier", "topic"),
    [
        ("omi_joint.create", "add"),
        ("omi_joint.play", "play"),
        ("OMI_JOINT_OT_bake.step", "timeline"),
        ("OMI_JOINT_PG_limit.angular_max", "limits"),
        ("OMI_JOINT_PG_scene.target", "export"),
        ("OMI_JOINT_PG_scene.place", "axis"),
        ("OMI_JOINT_PG_scene.direction", "axis"),
        ("OMI_JOINT_PG_scene.first_body", "frames"),
        ("OMI_JOINT_PG_trigger.nodes", "bodies"),
        ("OMI_JOINT_PG_physics_material.restitution", "bodies"),
        ("OMI_JOINT_PG_collision_filter.others", "bodies"),
        ("OMI_JOINT_PG_breaking.force", "play"),
        ("OMI_JOINT_PG_joint.connected_body", "frames"),
        ("OMI_JOINT_PG_body.mass", "bodies"),
    ],
)
def test_the_topic_is_the_right_one(identifier: str, topic: str) -> None:
    """Operators, their options and properties lead to what is said about them."""
    assert urlsplit(found(identifier)).fragment == topic


def test_panels_name_topics_of_the_page() -> None:
    """Each Help button leads somewhere, and each panel that stands in a column has one."""
    anchors = set(Page().anchors)
    topics = {kind.__name__: getattr(kind, "topic", "") for kind in PANELS}
    assert {topic for topic in topics.values() if topic} - anchors == set()
    alone = {kind.__name__ for kind in PANELS if not getattr(kind, "bl_parent_id", "")}
    popped_up = {"OMI_JOINT_PT_readers"}
    assert {name for name in alone if not topics[name]} == popped_up


def test_help_opens_the_page_at_its_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The button hands the address of the installed page to the browser."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert bpy.ops.omi_joint.help(topic="limits") == {"FINISHED"}
    assert opened == [f"{manual.PAGE.as_uri()}#limits"]


def test_the_map_goes_with_the_add_on() -> None:
    """Unregistered, Blender asks us no more; registered again, once."""
    blender.unregister()
    try:
        assert [one for one, _ in bpy.utils.manual_map() if one == manual.PAGE.as_uri()] == []
    finally:
        blender.register()
    assert [one for one, _ in bpy.utils.manual_map()].count(manual.PAGE.as_uri()) == 1


def listed_in(page: str, heading: str) -> list[str]:
    """Return the names in the first column of the table below a heading of the manual."""
    text = (PAGES / page).read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return [name for cell in cells[1:] for name in cell.split(", ")]


def test_the_manual_lists_every_preset() -> None:
    """The shipped ones, by the names that the menu shows."""
    shipped = (ROOT / "presets" / SUBDIR).glob("*.json")
    names = sorted(path.stem.replace("_", " ") for path in shipped)
    assert sorted(listed_in("joint-types.md", "Presets")) == names


def test_the_manual_lists_every_fix_and_every_reader() -> None:
    """By the titles and names that the panel shows."""
    assert sorted(listed_in("check.md", "What Fix does")) == sorted(map(issue_title, FIXES))
    readers = [PROFILES[reader].name for reader in BITS]
    assert sorted(listed_in("check.md", "For whom")) == sorted(readers)


ROOMS = (
    "blender/check",
    "blender/purpose",
    "blender/between_bodies/remembered.py",
    "blender/bodies/mass.py",
    "blender/bridge/read_nodes.py",
)
ROOMS_BELOW = ("blender/bridge/poses/moving.py", "solver/diagnosis.py", "library/motion/trying.py")
"""Where codes are written that are in no table."""


def said_by_check() -> set[str]:
    """Return all codes that Check can say, but for what readers do otherwise."""
    rooms = (SOURCES.parent / room for room in ROOMS + ROOMS_BELOW)
    paths = [path for room in rooms for path in (room.rglob("*.py") if room.is_dir() else [room])]
    words = {
        one.value
        for path in paths
        for one in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }
    return {*filter(CODE.fullmatch, words), *UNREAD, *VERDICTS} - set(DIFFERENCES)


def test_the_manual_has_a_line_for_every_code_of_check() -> None:
    """By its title, in the table of what Fix does or in the one below it, and for no other."""
    listed = listed_in("check.md", "What Fix does") + listed_in("check.md", "What else Check says")
    assert len(listed) == len(set(listed))
    own = {*said_by_check(), *FIXES}
    assert sorted(listed) == sorted({issue_title(code) for code in own})
