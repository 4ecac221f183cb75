# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint settings behave as materials do: shared, counted, copied, appended, linked, undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import pytest
from scenes import box, door, issues, joined, select

from omi_physics_joint.blender import migration
from omi_physics_joint.blender.bridge.read_settings import settings_from_block
from omi_physics_joint.blender.bridge.write import _new_keyed, new_settings
from omi_physics_joint.blender.data.joint import SCHEMA_VERSION
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.keys import Keys

RELEASES = sorted((Path(__file__).parents[1] / "data").glob("release_*.blend"))


def rope() -> list[bpy.types.Object]:
    """Return three pins that share one settings block."""
    links = [box(f"Link {index}", (0.0, 0.0, -3.0 * index)) for index in range(4)]
    select(*links)
    bpy.ops.omi_joint.create(kind="PIN", chain=True, place="MIDDLE", other_motion="dynamic")
    return [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]


def test_one_edit_changes_the_whole_rope() -> None:
    """All joints of a rope see an edit of the block that they share."""
    pins = rope()
    block = pins[0].omi_physics_joint.settings
    assert block.users == 3
    block.limits[0].use_stiffness = True
    block.limits[0].stiffness = 250.0
    for pin in pins:
        assert settings_from_block(pin.omi_physics_joint.settings).limits[0].stiffness == 250.0


def test_new_copies_the_current_block() -> None:
    """New gives the joint a copy of its block, as the selector's icon promises."""
    pins = rope()
    block = pins[0].omi_physics_joint.settings
    block.limits[0].linear_max = 0.125
    select(pins[0])
    bpy.ops.omi_joint.settings_new()
    copy = pins[0].omi_physics_joint.settings
    assert copy != block
    assert copy.limits[0].linear_max == 0.125
    assert (block.users, copy.users) == (2, 1)


def test_a_bound_that_is_off_is_zero() -> None:
    """A limit that is open to one side keeps zero there, for when the bound is switched on."""
    limits = (Limit(angular_axes=(0,), max=1.5), Limit(linear_axes=(1,), min=-0.5))
    above, below = new_settings(JointSettings("Half", limits)).limits
    assert (above.use_min, above.use_max, below.use_min, below.use_max) == (
        False,
        True,
        True,
        False,
    )
    assert (above.angular_min, above.angular_max) == (0.0, 1.5)
    assert (below.linear_min, below.linear_max) == (-0.5, 0.0)


def test_new_without_a_block_is_a_weld() -> None:
    """New on a joint without settings makes a weld, so that nothing falls apart."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings = None
    select(hinge)
    assert issues()["joint-without-settings"] == "error"
    bpy.ops.omi_joint.settings_new()
    assert hinge.omi_physics_joint.settings.name == "Weld"


def test_single_user_rename_unlink_and_fake_user() -> None:
    """A block can be made single-user, renamed, unlinked and kept without users."""
    pins = rope()
    data = pins[0].omi_physics_joint
    block = data.settings
    data.settings = block.copy()
    data.settings.name = "Stiff Rope"
    assert bpy.data.node_groups["Stiff Rope"].users == 1
    data.settings.use_fake_user = True
    data.settings = None
    assert bpy.data.node_groups["Stiff Rope"].users == 1
    assert block.users == 2


def test_duplicates_share_settings() -> None:
    """A duplicated joint uses the same block."""
    _, _, hinge = door()
    select(hinge)
    bpy.ops.object.duplicate()
    assert bpy.context.object.omi_physics_joint.settings == hinge.omi_physics_joint.settings
    assert hinge.omi_physics_joint.settings.users == 2


def test_undo_of_an_edit() -> None:
    """An edit of a block is undone and redone like any other."""
    _, _, hinge = door()
    name = hinge.omi_physics_joint.settings.name
    bpy.ops.ed.undo_push(message="before")
    bpy.data.node_groups[name].limits[2].angular_max = 1.0
    bpy.ops.ed.undo_push(message="edit")
    bpy.ops.ed.undo()
    assert bpy.data.node_groups[name].limits[2].angular_max == pytest.approx(1.5708, abs=1e-4)
    bpy.ops.ed.redo()
    assert bpy.data.node_groups[name].limits[2].angular_max == pytest.approx(1.0)


def test_keys_are_evaluated_and_named(tmp_path: Path) -> None:
    """A keyed bound changes with the frame; Check says where a file cannot hold what is keyed."""
    _, _, hinge = door()
    block = hinge.omi_physics_joint.settings
    item = block.limits[2]
    item.angular_max = 0.5
    item.keyframe_insert("angular_max", frame=1)
    item.angular_max = 1.5
    item.keyframe_insert("angular_max", frame=11)
    bpy.context.scene.frame_set(11)
    assert block.limits[2].angular_max == pytest.approx(1.5)
    bpy.context.scene.frame_set(1)
    assert block.limits[2].angular_max == pytest.approx(0.5)
    assert "keyed-physics" not in issues()
    item.keyframe_insert("use_max", frame=1)
    assert issues()["keyed-physics"] == "error"


def saved_rope(folder: Path) -> Path:
    """Save a rope and return the file."""
    rope()
    path = folder / "rope.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    return path


def test_append_brings_blocks_along(tmp_path: Path) -> None:
    """Appending a collection brings objects, partners and one editable settings block."""
    path = saved_rope(tmp_path)
    with bpy.data.libraries.load(str(path), link=False) as (there, here):
        here.objects = there.objects
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert len(joints) == 3
    assert joints[0].omi_physics_joint.settings.users == 3
    assert joints[0].omi_physics_joint.settings.is_editable
    assert "error" not in issues().values()


def test_what_is_appended_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Data that an older release has saved is migrated when it comes into a file of this one."""
    path = saved_rope(tmp_path)
    told: list[str] = []

    def next_step(owners: Sequence[migration.Owner]) -> None:
        told.extend(type(owner).__name__ for owner in owners)

    monkeypatch.setattr(migration, "MIGRATIONS", (*migration.MIGRATIONS, next_step))
    monkeypatch.setattr(migration, "SCHEMA_VERSION", SCHEMA_VERSION + 1)
    with bpy.data.libraries.load(str(path), link=False) as (there, here):
        here.objects = there.objects
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    owners = [joint.omi_physics_joint for joint in joints]
    owners.append(joints[0].omi_physics_joint.settings)
    assert {owner.schema_version for owner in owners} == {SCHEMA_VERSION + 1}
    assert set(told) == {"OMI_JOINT_PG_joint", "OmiJointSettings", "OMI_JOINT_PG_body"}


def test_linked_blocks_cannot_be_changed(tmp_path: Path) -> None:
    """Linked joints are complete but not editable, and our operators refuse to change them."""
    path = saved_rope(tmp_path)
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.objects = there.objects
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    pin = next(obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint)
    assert pin.omi_physics_joint.settings.library is not None
    select(pin)
    assert not bpy.ops.omi_joint.settings_new.poll()
    assert not bpy.ops.omi_joint.list_edit.poll()
    assert "error" not in issues().values()


def test_linked_block_on_a_local_joint(tmp_path: Path) -> None:
    """A local joint may use a linked block; editing it for some joints makes a local copy."""
    path = saved_rope(tmp_path)
    with bpy.data.libraries.load(str(path), link=True) as (there, here):
        here.node_groups = there.node_groups
    _, _, hinge = door()
    hinge.omi_physics_joint.settings = here.node_groups[0]
    select(hinge)
    bpy.ops.omi_joint.set_limit(freedom="angular", axis="0", own_copy=False)
    assert hinge.omi_physics_joint.settings.is_editable
    assert not here.node_groups[0].is_editable


def overridden(path: Path, name: str) -> Any:
    """Return an object of another file, linked into the scene and overridden."""
    with bpy.data.libraries.load(str(path), link=True) as (_, here):
        here.objects = [name]
    override = here.objects[0].override_create()
    bpy.context.scene.collection.objects.link(override)
    return override


def test_library_override_of_a_body(tmp_path: Path) -> None:
    """Our properties can be overridden on linked objects, and survive saving and loading."""
    path = saved_rope(tmp_path)
    override = overridden(path, "Link 1")
    override.omi_physics_body.mass = 7.0
    override.omi_physics_body.collider.shape.type = "sphere"
    work = tmp_path / "work.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(work))
    bpy.ops.wm.open_mainfile(filepath=str(work))
    body = next(obj for obj in bpy.data.objects if obj.override_library).omi_physics_body
    assert body.mass == 7.0
    assert body.collider.shape.type == "sphere"


def test_library_override_of_an_object_that_was_no_body(tmp_path: Path) -> None:
    """A room of somebody else's file, without physics, keeps all that is made of it here."""
    box("Room", (0.0, 0.0, 0.0))
    path, work = tmp_path / "room.blend", tmp_path / "work.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    room = overridden(path, "Room")
    select(room)
    bpy.ops.omi_joint.body_add(type="static")
    collider, trigger = room.omi_physics_body.collider, room.omi_physics_body.trigger
    collider.physics_material.static_friction = 0.1
    collider.collision_filter.others = "walls"
    room.omi_physics_body.use_trigger, trigger.shape.type = True, "sphere"
    for _ in range(2):  # and of a file that was opened again
        bpy.ops.wm.save_as_mainfile(filepath=str(work))
        bpy.ops.wm.open_mainfile(filepath=str(work))
        body = next(obj for obj in bpy.data.objects if obj.override_library).omi_physics_body
        assert (body.type, body.collider.shape.type) == ("static", "trimesh")
        assert body.collider.physics_material.static_friction == pytest.approx(0.1)
        assert body.collider.collision_filter.others == "walls"
        assert (body.use_trigger, body.trigger.shape.type) == (True, "sphere")


def test_library_override_of_how_a_joint_stands_and_breaks(tmp_path: Path) -> None:
    """What is said of a linked joint here is kept, though its own file never said it."""
    door()
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    override = overridden(path, "Door Hinge")
    override.omi_physics_breaking.use_breaking = True
    override.omi_physics_pose.has_rest = True
    override.omi_physics_pose.rest = (0.5,) * 6
    work = tmp_path / "work.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(work))
    bpy.ops.wm.open_mainfile(filepath=str(work))
    joint = next(obj for obj in bpy.data.objects if obj.override_library)
    assert joint.omi_physics_breaking.use_breaking
    assert joint.omi_physics_pose.has_rest
    assert tuple(joint.omi_physics_pose.rest) == (0.5,) * 6


MEASURED = {"OMI_JOINT_PG_pose"}
"""Groups of which most values hold nothing: an override would write what was measured."""
CACHE = {"OmiMotionCache", "OMI_JOINT_PG_cached_body", "OMI_JOINT_PG_cached_joint"}
OWN_DATA = {"OMI_JOINT_PG_timeline.cache", "OMI_JOINT_PG_timeline.changes"}
"""A cache, and how often it was made, belongs to the scene of its own file."""


def test_every_property_is_overridable() -> None:
    """No property of ours forgets that it may be overridden."""
    from omi_physics_joint.blender import CLASSES, FEATURES
    from omi_physics_joint.blender.data.scene import OMI_JOINT_PG_issue
    from omi_physics_joint.blender.registration import parts_of

    pointers = [pointer for part in parts_of(FEATURES) for pointer in getattr(part, "POINTERS", ())]
    session = {group for _, _, group, override in pointers if not override} | {OMI_JOINT_PG_issue}
    shared = {group for _, _, group, override in pointers if override}
    groups = [
        one
        for one in CLASSES
        if issubclass(one, bpy.types.PropertyGroup | bpy.types.NodeTree)
        and one not in session - shared
        and one.__name__ not in CACHE
    ]
    assert len(groups) > 10
    for cls in groups:
        for prop in cls.bl_rna.properties:
            name = f"{cls.__name__}.{prop.identifier}"
            ours = prop.identifier in cls.__annotations__
            if not ours or prop.is_readonly or name in OWN_DATA:
                continue
            holds = cls.__name__ not in MEASURED or prop.identifier in {"has_rest", "rest"}
            assert prop.is_overridable == holds, name


def test_saving_stamps_the_schema_version(tmp_path: Path) -> None:
    """Data in a saved file says which version of the schema it has."""
    _, leaf, hinge = door()
    assert leaf.omi_physics_body.schema_version == 0
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "door.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "door.blend"))
    hinge = bpy.data.objects["Door Hinge"].omi_physics_joint
    assert hinge.schema_version == SCHEMA_VERSION
    assert hinge.settings.schema_version == SCHEMA_VERSION
    assert bpy.data.objects["Door"].omi_physics_body.schema_version == SCHEMA_VERSION


def test_data_of_a_newer_release_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of a newer release is named on standard error and keeps its version."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings.schema_version = SCHEMA_VERSION + 1
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "newer.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "newer.blend"))
    assert "saved by a newer version" in capsys.readouterr().err
    assert bpy.data.node_groups["Hinge"].schema_version == SCHEMA_VERSION + 1
    assert issues()["newer-data"] == "warning"
    bpy.data.node_groups["Hinge"].schema_version = SCHEMA_VERSION
    assert "newer-data" not in issues()


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_files_of_all_releases_open(release: Path) -> None:
    """A file that each release has saved opens, is brought up to date, and checks clean."""
    bpy.ops.wm.open_mainfile(filepath=str(release))
    joints = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    assert joints
    for joint in joints:
        assert joint.omi_physics_joint.settings.schema_version == SCHEMA_VERSION
        assert joint.omi_physics_joint.connected_body is not None
        assert joint.omi_physics_joint.connected_node is None
    assert "error" not in issues().values()


def test_there_is_a_file_of_a_release() -> None:
    """The migration test has something to open."""
    assert RELEASES


def test_list_edit_keeps_the_active_item() -> None:
    """Adding, moving and removing limits keeps the active item where the user expects it."""
    still, moving = box("Still"), box("Moving", (3.0, 0.0, 0.0))
    block = joined("WELD", still, moving).omi_physics_joint.settings
    block.active_limit = 0
    bpy.ops.omi_joint.list_edit(target="limits", action="ADD", freedom="angular")
    assert block.active_limit == 1
    assert block.limits[1].freedom == "angular"
    bpy.ops.omi_joint.list_edit(target="limits", action="UP")
    assert block.active_limit == 0
    assert tuple(block.limits[1].axes) == (True, True, True)
    bpy.ops.omi_joint.list_edit(target="limits", action="REMOVE")
    assert len(block.limits) == 2
    bpy.ops.omi_joint.list_edit(target="drives", action="ADD", freedom="linear")
    assert block.drives[0].freedom == "linear"


def test_a_new_drive_is_on_an_axis_that_moves() -> None:
    """A drive begins on the first axis of its kind that limits leave free, else on X."""
    _, _, hinge = door()
    select(hinge)
    block = hinge.omi_physics_joint.settings
    for freedom in ("angular", "linear"):
        bpy.ops.omi_joint.list_edit(target="drives", action="ADD", freedom=freedom)
    assert [(drive.freedom, drive.axis) for drive in block.drives] == [
        ("angular", "1"),
        ("linear", "0"),
    ]


SOFT = Limit(angular_axes=(2,), min=-1.0, max=1.0, stiffness=9.0)
MOTOR = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, velocity_target=1.0)


@pytest.mark.parametrize(
    ("part", "name", "begins"),
    [(SOFT, "damping", 0.0), (SOFT, "max", 0.0), (SOFT, "stiffness", 3.0)]
    + [(MOTOR, name, 0.0) for name in ("position_target", "velocity_target", "max_force")],
)
def test_a_number_with_keys_is_switched_on_wherever_it_begins(
    part: Limit | Drive, name: str, begins: float
) -> None:
    """Also at what a member says that is not there; without keys that is off."""
    keyed = replace(part, **{name: begins}, keys=(Keys(name, (0.0, 1.0), (begins, 0.75)),))
    is_limit = isinstance(keyed, Limit)
    for one, is_on in ((keyed, True), (replace(keyed, keys=()), begins or name != "damping")):
        parts: Any = ((one,),) if is_limit else ((), (one,))
        block = _new_keyed(JointSettings("Kept", *parts), 24.0)
        (item,) = block.limits if is_limit else block.drives
        assert getattr(item, f"use_{name}") is bool(is_on)
