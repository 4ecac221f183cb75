# SPDX-License-Identifier: GPL-3.0-or-later
"""Preset files: saved, read, listed, damaged, and never run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from scenes import door, numbers, select

from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import fill_settings, new_settings
from omi_physics_joint.blender.data.limits import OMI_JOINT_PG_drive, OMI_JOINT_PG_limit
from omi_physics_joint.blender.presets import panels
from omi_physics_joint.blender.presets.files import (
    GROUPS,
    SUBDIR,
    YOURS,
    grouped,
    read_preset,
    said_by,
)
from omi_physics_joint.blender.presets.operators import OMI_JOINT_OT_preset_apply
from omi_physics_joint.blender.presets.panels import SIDE, thumbnail
from omi_physics_joint.blender.registration import ROOT
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from tests.layouts import Layout

SHIPPED = sorted((ROOT / "presets" / SUBDIR).glob("*.json"))
SHIPPED_DOOR, SHIPPED_CLOSER = (
    next(path for path in SHIPPED if path.stem == stem) for stem in ("Door", "Door_with_Closer")
)
OLD = Path(__file__).parents[1] / "data" / "presets"


def settings_of(joint: bpy.types.Object) -> JointSettings:
    """Return what a joint allows and drives."""
    return settings_from_block(joint.omi_physics_joint.settings)


OLD_DOOR = (OLD / "shipped_with_0.1.0.txt").read_text("utf-8")
DEEP = 100_000
BROKEN = {
    "no JSON": (".json", '{"limits": ['),
    "no object": (".json", "[1, 2]"),
    "wrong value": (".json", '{"limits": [{"linearAxes": [0], "min": "far"}]}'),
    "no number": (".json", '{"limits": [{"linearAxes": [0], "min": NaN}]}'),
    "no axis": (".json", '{"limits": [{"min": 0}]}'),
    "no list": (".json", '{"drives": 3}'),
    "says nothing": (".json", "{}"),
    "no text": (".json", b"\xff\xfe\x00"),
    "too deep": (".json", "[" * DEEP),
    "too long": (".json", " " * (1 << 21)),
    "old, no Python": (".py", "this is (no Python"),
    "old, stops half-way": (".py", OLD_DOOR + "\npreset.limits[9].axes\n"),
    "old, wrong value": (".py", OLD_DOOR + '\nlimit.freedom = "sideways"\n'),
    "old, wrong type": (".py", OLD_DOOR + "\nlimit.angular_min = ()\n"),
    "old, no such value": (".py", OLD_DOOR + "\nlimit.kind = 1\n"),
    "old, too few axes": (".py", OLD_DOOR + "\nlimit.axes = (True,)\n"),
    "old, too large": (".py", f"{OLD_DOOR}\nlimit.angular_min = 1{'0' * 400}\n"),
    "old, leaves": (".py", "raise SystemExit(3)\n"),
    "old, foreign drives are no JSON": (".py", OLD_DOOR + '\npreset.foreign_drives = "["\n'),
    "old, says nothing": (".py", "import bpy\n"),
    "old, no text": (".py", "\0\0"),
    "old, too deep": (".py", f"{OLD_DOOR}\nlimit.angular_min = {'-' * DEEP}1\n"),
    "old, too long": (".py", "#" * (1 << 21)),
}


@pytest.mark.parametrize("ending", [".json", ".py"])
def test_editors_may_mark_a_preset_as_utf_8(ending: str, tmp_path: Path) -> None:
    """Notepad begins a text with a byte order mark: the preset says what it said."""
    text = OLD_DOOR if ending == ".py" else SHIPPED_DOOR.read_text("utf-8")
    found = []
    for encoding in ("utf-8", "utf-8-sig"):
        path = tmp_path / f"Mine{ending}"
        path.write_text(text, encoding)
        found.append((read_preset(path), said_by(path)))
    assert found[0] == found[1]


@pytest.mark.parametrize(("ending", "content"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("operator", ["preset_apply", "preset_overwrite"])
def test_a_broken_preset_changes_nothing(
    tmp_path: Path, operator: str, ending: str, content: str | bytes
) -> None:
    """A preset that cannot be read changes nothing and is refused in one sentence."""
    _, _, hinge = door()
    select(hinge)
    before = settings_of(hinge), numbers(hinge.matrix_world), len(bpy.data.node_groups)
    file = tmp_path / f"My_Preset{ending}"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(RuntimeError, match=r"The preset 'My Preset' .* changed nothing") as refused:
        getattr(bpy.ops.omi_joint, operator)(filepath=str(file))
    assert len(str(refused.value).strip().splitlines()) == 1
    assert "Traceback" not in str(refused.value)
    assert (settings_of(hinge), numbers(hinge.matrix_world), len(bpy.data.node_groups)) == before


TOUCH = "__import__('pathlib').Path({!r}).touch()"


@pytest.mark.parametrize(
    "line",
    [
        TOUCH,
        "limit.angular_min = " + TOUCH,
        "limit.angular_min = radians(" + TOUCH + ")",
        "limit.axes = [" + TOUCH + ", 1, 1]",
        "preset = " + TOUCH,
        "limit = preset.limits.add(" + TOUCH + ")",
        "preset.limits.clear(); " + TOUCH,
        "preset.unknown = f'{{" + TOUCH + "}}'",
        "if 1:\n    " + TOUCH,
        "@" + TOUCH + "\ndef f(): pass",
        "import os; os.mkdir({!r})",
    ],
)
def test_nothing_in_an_old_preset_is_run(tmp_path: Path, line: str) -> None:
    """Whatever an old preset holds, no line of it is run: neither listed, nor applied."""
    select(door()[2])
    touched, file = tmp_path / "touched", tmp_path / "Mine.py"
    file.write_text(f"{OLD_DOOR}\n{line.format(str(touched))}\n", "utf-8")
    assert said_by(file).about == ""
    with suppress(RuntimeError):
        bpy.ops.omi_joint.preset_apply(filepath=str(file))
    assert not touched.exists()


def test_old_presets_are_read(tmp_path: Path) -> None:
    """What 0.1.0 has saved and shipped, as Python, says the same as it did then."""
    file = tmp_path / "Door_with_Closer.py"
    file.write_text(OLD_DOOR, "utf-8")
    assert read_preset(file) == read_preset(SHIPPED_CLOSER)
    file = tmp_path / "Rich.py"
    file.write_bytes((OLD / "saved_by_0.1.0.txt").read_bytes())
    assert read_preset(file) == settings_from_block(new_settings(RICH))


@pytest.mark.parametrize("number", [-1e9, -1.0, 0.0, 0.5, 1e9])
def test_numbers_of_old_presets_are_what_blender_would_store(tmp_path: Path, number: float) -> None:
    """Whatever is typed: a preset that is read says what one says that was once run."""
    block = new_settings(JointSettings())
    lines = ["preset.limits.clear()", "preset.drives.clear()"]
    kinds = {"limits": OMI_JOINT_PG_limit, "drives": OMI_JOINT_PG_drive}
    every = [(name, kind, one) for name, kind in kinds.items() for one in kind.bl_rna.properties]
    fields = [(name, kind, one.identifier) for name, kind, one in every if one.type == "FLOAT"]
    assert len(fields) > 8
    for name, kind, field in fields:
        item = getattr(block, name).add()
        lines.append(f"item = preset.{name}.add()")
        switches = [one for one in kind.bl_rna.properties if one.type == "BOOLEAN"]
        settings = {one.identifier: True for one in switches if not one.is_array}
        settings |= {"together": False} if name == "limits" else {}
        settings |= {"freedom": "angular"} if field.startswith("angular") else {}
        for key, value in {**settings, field: number}.items():
            setattr(item, key, value)
            lines.append(f"item.{key} = {value!r}")
    file = tmp_path / "Mine.py"
    file.write_text("\n".join(lines), "utf-8")
    assert replace(read_preset(file), name="") == replace(settings_from_block(block), name="")


def test_old_presets_are_listed_and_removed() -> None:
    """A preset of the user that is Python stands in the menus, keeps its name, and can go."""
    select(door()[2])
    folder = Path(bpy.utils.user_resource("SCRIPTS", path=f"presets/{SUBDIR}", create=True))
    file = folder / "My_Old_Door.py"
    file.write_text(OLD_DOOR, "utf-8")
    assert grouped()[YOURS] == [file]
    assert bpy.ops.omi_joint.preset_save(name="My Old Door") == {"CANCELLED"}
    assert bpy.ops.omi_joint.preset_save(name="My Old Door", remove_name=True) == {"FINISHED"}
    assert not file.exists()


def test_a_preset_that_is_gone(tmp_path: Path) -> None:
    """A preset file that is no longer there is refused in one sentence."""
    select(door()[2])
    with pytest.raises(RuntimeError, match="No such file or directory"):
        bpy.ops.omi_joint.preset_apply(filepath=str(tmp_path / "Gone.json"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_presets_say_what_they_are(path: Path) -> None:
    """The tool tip of a preset says what is in it, from the file."""
    said = said_by(path).about
    assert said.endswith(".")
    properties = SimpleNamespace(filepath=str(path))
    assert OMI_JOINT_OT_preset_apply.description(bpy.context, properties).endswith(said[:-1])


RICH = JointSettings(
    "Rich",
    (
        Limit(linear_axes=(0, 2), min=0.0, max=0.0, stiffness=125.0, damping=0.75),
        Limit(angular_axes=(1,), max=0.7, unknown='{"extras":{"note":"kept"}}'),
    ),
    (
        Drive(Freedom.LINEAR, DriveMode.ACCELERATION, 1, 12.5, None, -0.3, 0.0, 4.0),
        Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, position_target=0.1, stiffness=3.3),
    ),
    ('{"type":"magnetic"}',),
    '{"extras":{"rope":1}}',
)


def find(name: str) -> str | None:
    """Return the file of a preset by its file name."""
    return bpy.utils.preset_find(name, SUBDIR, ext=".json")


def test_saving_and_applying_gives_the_same_joint() -> None:
    """Settings saved as a preset come back equal in every member, under the preset's name."""
    _, _, hinge = door()
    fill_settings(hinge.omi_physics_joint.settings, RICH)
    saved = settings_of(hinge)
    select(hinge)
    assert bpy.ops.omi_joint.preset_save(name="My Own Joint") == {"FINISHED"}
    path = find("My_Own_Joint")
    try:
        assert bpy.ops.omi_joint.preset_apply(filepath=path) == {"FINISHED"}
        assert settings_of(hinge) == replace(saved, name="My Own Joint")
        assert hinge.omi_physics_joint.settings != bpy.data.node_groups["Hinge"]
    finally:
        assert bpy.ops.omi_joint.preset_save(name="My Own Joint", remove_name=True) == {"FINISHED"}
    assert find("My_Own_Joint") is None


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda path: path.stem)
def test_a_saved_preset_is_the_shipped_one(shipped: Path) -> None:
    """Saving what a shipped preset has made writes the same settings, for the same load."""
    hinge = door()[2]
    select(hinge)
    bpy.ops.omi_joint.preset_apply(filepath=str(shipped))
    assert bpy.ops.omi_joint.preset_save(name="Again") == {"FINISHED"}
    try:
        saved = read_preset(Path(find("Again")))
        assert saved == replace(settings_of(hinge), name="Again")
        if said_by(shipped).made_for is None:
            assert saved == replace(read_preset(shipped), name="Again")
    finally:
        assert bpy.ops.omi_joint.preset_save(name="Again", remove_name=True) == {"FINISHED"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_picture_of_a_preset_is_its_joint_as_it_is_drawn(path: Path) -> None:
    """It shows lines on nothing, fills its room in one way at least, and is made once."""
    settings = Y_UP_FROM_Z_UP.settings(read_preset(path))
    opacity = thumbnail(settings)[:, :, 3]
    assert 0.03 < (opacity > 0.5).mean() < 0.8
    seen = [np.flatnonzero((opacity > 0.5).any(axis=axis)) for axis in (0, 1)]
    assert max(int(np.ptp(one)) for one in seen) >= SIDE - 4
    other = replace(settings, limits=settings.limits[:1], drives=())
    assert (thumbnail(other)[:, :, 3] != opacity).any() or other == settings
    assert panels._picture_of(path).keys() == {"icon_value"}


def test_no_two_presets_look_alike() -> None:
    """Rope, strut and spring, all spheres in the 3D view, differ in a tenth of their pixels too."""
    drawn = {
        path.stem: thumbnail(Y_UP_FROM_Z_UP.settings(read_preset(path)))[:, :, 3] > 0.5
        for path in SHIPPED
    }
    for one, other in combinations(drawn, 2):
        both = (drawn[one] | drawn[other]).sum()
        assert (drawn[one] ^ drawn[other]).sum() > 0.1 * both, (one, other)


def test_a_preset_that_cannot_be_read_has_a_sign_instead_of_a_picture(tmp_path: Path) -> None:
    """The list of presets is drawn whatever is in their files."""
    broken = tmp_path / "Broken.json"
    broken.write_text("{", "utf-8")
    assert panels._picture_of(broken) == {"icon": "ERROR"}


def test_presets_are_in_groups_and_those_of_the_user_in_one_of_their_own() -> None:
    """Each shipped preset is in one of the groups; what is saved or copied is the user's."""
    select(door()[2])
    shipped = grouped()
    assert tuple(shipped) == GROUPS
    assert sorted(path.name for paths in shipped.values() for path in paths) == [
        path.name for path in SHIPPED
    ]
    assert bpy.ops.omi_joint.preset_save(name="Mine") == {"FINISHED"}
    mine = Path(find("Mine"))
    mine.write_text(SHIPPED_DOOR.read_text("utf-8"), "utf-8")  # as one may copy it
    others = [mine.with_name(name) for name in ("._Mine.json", ".Mine.py", "Mine.txt", "Mine~")]
    for other in others:  # what macOS and editors put beside it
        other.write_text("{}", "utf-8")
    try:
        assert [path.name for path in grouped()[YOURS]] == ["Mine.json"]
        for removable in (True, False):  # a button that is pressed to overwrite removes nothing
            layout = Layout()
            panels.draw_groups(layout, "omi_joint.preset_apply", removable=removable)
            removes = [line for line in layout.lines() if "REMOVE" in line]
            assert len(removes) == removable
            assert all("Mine" in line for line in removes)
    finally:
        for other in others:
            other.unlink()
        bpy.ops.omi_joint.preset_save(name="Mine", remove_name=True)


def test_shipped_presets_are_kept() -> None:
    """A shipped preset can neither be removed nor hidden behind one of the same name."""
    select(door()[2])
    for options in ({"name": "Door", "remove_name": True}, {"name": "Door"}):
        assert bpy.ops.omi_joint.preset_save(**options) == {"CANCELLED"}
    assert find("Door") == str(SHIPPED_DOOR)


def test_settings_that_no_preset_can_hold_are_not_saved() -> None:
    """A limit that is wrong is named, and no file is written that would be refused later."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings.limits[0].axes = (False, False, False)
    select(hinge)
    assert bpy.ops.omi_joint.preset_save(name="Wrong") == {"CANCELLED"}
    assert find("Wrong") is None


def test_nothing_to_save() -> None:
    """A joint without limits and drives is no preset."""
    _, _, hinge = door()
    fill_settings(hinge.omi_physics_joint.settings, JointSettings())
    select(hinge)
    with pytest.raises(RuntimeError, match="no limits and no drives to save"):
        bpy.ops.omi_joint.preset_save(name="Nothing")
    assert find("Nothing") is None


@pytest.mark.parametrize("has", ["limits", "drives", "foreign_drives", "nothing"])
def test_whatever_settings_say_can_be_saved(has: str) -> None:
    """Limits, drives, or drives of kinds that we do not know, each alone; but not nothing."""
    _, _, hinge = door()
    block = hinge.omi_physics_joint.settings
    block.limits.clear()
    block.drives.clear()
    if has == "foreign_drives":
        block.foreign_drives = '[{"type":"magnetic"}]'
    elif has != "nothing":
        getattr(block, has).add()
    saved = settings_of(hinge)
    select(hinge)
    if has == "nothing":
        with pytest.raises(RuntimeError, match="no limits and no drives to save"):
            bpy.ops.omi_joint.preset_save(name="Alone")
        assert find("Alone") is None
        return
    assert bpy.ops.omi_joint.preset_save(name="Alone") == {"FINISHED"}
    try:
        assert read_preset(Path(find("Alone"))) == replace(saved, name="Alone")
    finally:
        assert bpy.ops.omi_joint.preset_save(name="Alone", remove_name=True) == {"FINISHED"}
