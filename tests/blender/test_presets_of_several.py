# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets and several joints, several files, several drives: each is told of, and none is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.presets import operators, panels
from omi_physics_joint.blender.presets.applying import SPEEDS, change_drive
from omi_physics_joint.blender.presets.files import SUBDIR, YOURS, grouped, read_preset
from omi_physics_joint.blender.registration import ROOT
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.joint import Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import weld
from tests.scenes import box, joined, select, separated

SHIPPED = ROOT / "presets" / SUBDIR
DOOR, CLOSER = SHIPPED / "Door.json", SHIPPED / "Door_with_Closer.json"


@pytest.fixture
def folder() -> Iterator[Path]:
    """The folder of the user's presets, which is empty again at the end."""
    found = Path(bpy.utils.user_resource("SCRIPTS", path=f"presets/{SUBDIR}", create=True))
    yield found
    for file in found.iterdir():
        file.unlink()


def hinges(count: int) -> list[bpy.types.Object]:
    """Return hinges of several doors that share their settings."""
    made = []
    for index in range(count):
        frame = box(f"Frame {index}", (0.0, 9.0 * index, 0.0))
        made.append(joined("HINGE", frame, box(f"Door {index}", (2.0, 9.0 * index, 0.0))))
        made[-1].name = f"Hinge {index}"
        made[-1].omi_physics_joint.settings = made[0].omi_physics_joint.settings
    return made


@pytest.mark.parametrize("count", [1, 2, 3])
def test_it_is_asked_before_others_are_changed_and_said_how_many(count: int) -> None:
    """One joint that uses its settings alone is said to; the preset and the settings are named."""
    joints = hinges(count)
    joints[0].omi_physics_joint.settings.name = "Shared"
    select(joints[0])
    asked: dict[str, str] = {}

    def ask(*_: object, **said: str) -> set[str]:
        asked.update(said)
        return {"RUNNING_MODAL"}

    manager = SimpleNamespace(invoke_confirm=ask)
    context = SimpleNamespace(object=joints[0], window_manager=manager)
    button, event = SimpleNamespace(filepath=str(CLOSER)), SimpleNamespace(type="LEFTMOUSE")
    operators.OMI_JOINT_OT_preset_overwrite.invoke(button, context, event)
    assert asked["title"] == "Overwrite Shared with Door with Closer?"
    alone = "Only this joint uses Shared."
    several = f"{count} joints share Shared. All of them will change."
    assert asked["message"] == (alone if count == 1 else several)
    assert asked["icon"] == ("QUESTION" if count == 1 else "WARNING")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_all_types_that_joints_are_no_more_are_said(order: tuple[int, ...]) -> None:
    """Whichever joint is first; those that stay what they are, are not said."""
    joints = hinges(3)
    joints[1].omi_physics_joint.settings = new_settings(weld())
    slider = joined("SLIDER", box("Case", (0.0, 50.0, 0.0)), box("Drawer", (3.0, 50.0, 0.0)))
    joints[2].omi_physics_joint.settings = slider.omi_physics_joint.settings
    chosen = [joints[at] for at in order]
    assert operators.lost_kinds(chosen, JointSettings()) == ", no Hinge, Slider and Weld any more"
    assert operators.lost_kinds(chosen, weld()) == ", no Hinge and Slider any more"
    assert operators.lost_kinds([joints[1]], weld()) == ""


@pytest.mark.parametrize("parted", [(), (0,), (1,), (0, 1)])
def test_what_a_rope_lacks_is_said_unless_all_have_it(parted: tuple[int, ...]) -> None:
    """It ends at two frames; one joint of two may have both already."""
    joints = hinges(2)
    for at in parted:
        separated(joints[at])
    rope = JointSettings(limits=(Limit((0, 1, 2), (), 0.0, 1.0, together=True),))
    said = operators.lost_kinds(joints, rope)
    assert ("Separate Frames" in said) is (len(parted) < len(joints))


@pytest.mark.parametrize("count", range(4))
def test_all_joints_whose_axis_is_another_one_are_named(count: int) -> None:
    """And what was done is reported all the same."""
    joints, reports = hinges(3), []
    button = SimpleNamespace(
        filepath=str(DOOR),
        use=lambda *_: ("Done", joints[:count]),
        report=lambda level, text: reports.append((*level, text)),
        finished=lambda text: {text},
    )
    assert operators.PresetOperator.execute(button, bpy.context) == {"Done"}
    assert len(reports) == bool(count)
    for level, text in reports:
        assert level == "WARNING"
        assert [at for at in range(3) if f"Hinge {at}" in text] == list(range(count))


@pytest.mark.parametrize("active", range(3))
def test_the_active_joint_is_first_of_those_selected(active: int) -> None:
    """Whatever order Blender has them in; bodies are none."""
    joints = hinges(3)
    select(*(one for one in joints if one != joints[active]), joints[active])
    bpy.data.objects["Door 0"].select_set(True)
    found = operators.selected_joints(bpy.context)
    assert found[0] == joints[active]
    assert set(found) == set(joints)
    assert len(found) == 3


def test_presets_of_the_user_are_in_the_order_of_a_dictionary(folder: Path) -> None:
    """Capitals among small letters, old files among new ones; what is hidden is not there."""
    names = ["apple.json", "Banana.json", "cherry.py", "Date.json", "elder.JSON"]
    for name in (*reversed(names), ".hidden.json", "notes.txt", ".DS_Store"):
        (folder / name).write_text(DOOR.read_text("utf-8"), "utf-8")
    assert [path.name for path in grouped()[YOURS]] == names
    assert [*grouped()][-1] == YOURS


@pytest.mark.parametrize("name", ["Door", "Door with Closer"])
def test_no_shipped_preset_can_be_removed(name: str) -> None:
    """Its file stays, whoever asks. It is not touched here: tests beside this one read it."""
    file = SHIPPED / f"{name.replace(' ', '_')}.json"
    before = file.read_bytes()
    try:
        assert bpy.ops.omi_joint.preset_save(name=name, remove_name=True) == {"CANCELLED"}
        assert file.read_bytes() == before
    except BaseException:
        file.write_bytes(before)
        raise


def test_the_picture_follows_the_file_there_and_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another preset of the same name is another picture, which is made once."""
    made: list[JointSettings] = []
    thumbnail = panels.thumbnail
    monkeypatch.setattr(panels, "thumbnail", lambda one: made.append(one) or thumbnail(one))
    path, sources = tmp_path / "Mine.json", (DOOR, CLOSER, DOOR)
    for at, source in enumerate(sources):
        path.write_bytes(source.read_bytes())
        os.utime(path, (1e9 + at, 1e9 + at))
        for _ in range(2):
            panels._picture_of(path)
        assert len(made) == at + 1
    expected = [Y_UP_FROM_Z_UP.settings(read_preset(one)) for one in sources]
    assert [one.limits for one in made] == [one.limits for one in expected]
    assert [one.drives for one in made] == [one.drives for one in expected]


@pytest.mark.parametrize("kind", ["HINGE", "SLIDER"])
def test_a_drive_keeps_what_another_kind_has_a_meaning_for(kind: str) -> None:
    """A motor its speed, a spring and a servo their place; what is unknown to us stays too."""
    freedom = "angular" if kind == "HINGE" else "linear"
    joint = joined(kind, box("Frame"), box("Part", (3.0, 0.0, 0.0)), direction="GLOBAL_X")
    drives = joint.omi_physics_joint.settings.drives
    change_drive(joint, "motor")
    assert getattr(drives[0], f"{freedom}_velocity_target") == SPEEDS[Freedom(freedom)]
    for one, other in (("spring", "servo"), ("servo", "spring"), ("spring", "motor")):
        change_drive(joint, "")
        change_drive(joint, one)
        drives[0].unknown = '{"extras": {"mine": 1}}'
        drives[0].use_velocity_target = True
        setattr(drives[0], f"{freedom}_velocity_target", 3.5)
        setattr(drives[0], f"{freedom}_position_target", 0.25)
        change_drive(joint, other)
        assert len(drives) == 1
        assert drives[0].unknown == '{"extras": {"mine": 1}}'
        if other == "motor":
            assert getattr(drives[0], f"{freedom}_velocity_target") == 3.5
        else:
            assert getattr(drives[0], f"{freedom}_position_target") == 0.25
    change_drive(joint, "")
    assert not joint.omi_physics_joint.settings.drives


@pytest.mark.parametrize("own", range(3))
@pytest.mark.parametrize("active", range(3))
def test_the_drive_that_is_active_is_there_after_one_was_removed(own: int, active: int) -> None:
    """Wherever it stood among drives that hold other axes."""
    joint = joined("HINGE", box("Frame"), box("Part", (3.0, 0.0, 0.0)), direction="GLOBAL_X")
    block = joint.omi_physics_joint.settings
    change_drive(joint, "spring")
    axis = block.drives[0].axis
    others = [one for one in "012" if one != axis]
    for at, one in enumerate(others):
        drive = block.drives.add()
        drive.freedom, drive.axis = "linear", one
        if at < own:
            block.drives.move(0, at + 1)
    block.active_drive = active
    change_drive(joint, "")
    assert sorted(one.axis for one in block.drives) == sorted(others)
    assert 0 <= block.active_drive < len(block.drives)
    change_drive(joint, "motor")
    assert block.drives[block.active_drive].axis == axis
    assert block.drives[block.active_drive].freedom == "angular"


def test_one_joint_and_several_are_told_of_as_such() -> None:
    """Which now slide up and down, and whose axis is another one: "these" of one joint is none."""
    up = ". To bear what is above, "
    assert operators.told_upright([]) == ""
    assert operators.told_upright(["A"]) == f"{up}A slides up and down now"
    assert operators.told_upright(["A", "B"]) == f"{up}A and B slide up and down now"
    one, two = operators.told_misaimed(["A"]), operators.told_misaimed(["A", "B"])
    assert one == "The axis of A is another one now: use Change Axis to turn it back"
    assert two == "The axes of A and B are others now: use Change Axis to turn them back"
