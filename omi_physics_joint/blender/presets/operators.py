# SPDX-License-Identifier: GPL-3.0-or-later
"""Apply, overwrite with, and save presets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path

from bpy.types import Context, Event, Object, Operator, OperatorProperties

from ...model.joint import JointSettings
from ...model.wording.words import counted, some
from ..bridge.poses.frame_users import joint_of, joints_from
from ..bridge.read_settings import settings_from_block
from ..data.fields import choice, flag, string
from ..data.joint import OmiJointSettings
from ..interface.mixins import BaseOperator
from ..joints.authoring import AuthoringError
from ..joints.operators import chosen_joints
from ..joints.settings_editing import block_of, by_settings, driven_axis, lost_kinds, users_of
from .applying import apply_to, change_drive, overwrite, scaled, stand_up
from .files import PresetError, preset_name, read_preset, remove_preset, said_by, save_preset

DRIVES = (
    ("NONE", "No Drive", "Nothing drives this joint"),
    ("SPRING", "Spring", "Pulls to a place and swings about it, the harder the further"),
    ("MOTOR", "Motor", "Keeps a speed, with so much force or torque"),
    ("SERVO", "Servo", "Goes to a place and stays, with so much force or torque"),
)


def selected_joints(context: Context) -> list[Object]:
    """Return the selected joints that can be changed, the active one first.

    A partner stands for its joints. Where no joint is selected, the active one is meant.
    """
    active = context.object
    chosen = sorted(context.selected_objects, key=lambda obj: obj != active)
    joints = joints_from(chosen) or (joints_from([active]) if active else [])
    return [joint for joint in joints if joint.is_editable]


def active_settings(context: Context) -> OmiJointSettings | None:
    """Return the settings of the active joint, or of the joint whose partner is active."""
    joint = joint_of(context.object)
    return None if joint is None else joint.omi_physics_joint.settings


def told_upright(names: Sequence[str]) -> str:
    """Say which joints were aimed upright; nothing of none."""
    if not names:
        return ""
    slide = "slides" if len(names) == 1 else "slide"
    return f". To bear what is above, {some(names)} {slide} up and down now"


def told_misaimed(names: Sequence[str]) -> str:
    """Say whose axis is another one than before, and what to do."""
    axes, turn = ("axis", "is another one now: use Change Axis to turn it back")
    if len(names) > 1:
        axes, turn = ("axes", "are others now: use Change Axis to turn them back")
    return f"The {axes} of {some(names)} {turn}"


class OMI_JOINT_OT_change_drive(BaseOperator, Operator):
    """Make, change or remove the drive of the one axis that the selected joints move on"""

    bl_label = "Drive"

    kind = choice("Drive", "What drives the joint", items=DRIVES)

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for a joint with one axis."""
        joint = joint_of(context.object)
        if joint is None:
            return "Select a joint"
        try:
            driven_axis(joint.omi_physics_joint.settings)
        except AuthoringError as error:
            return str(error)
        return ""

    def execute(self, context: Context) -> set[str]:
        """Change it."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        chosen, freed = chosen_joints(context), list[Object]()
        several = by_settings(joint for joint in chosen if joint.omi_physics_joint.settings)
        for alike in several.values():
            try:
                freed += change_drive(alike[0], "" if self.kind == "NONE" else self.kind.lower())
            except AuthoringError as error:
                self.report({"WARNING"}, f"{alike[0].name} stays as it is. {error}")
        told = ""
        if freed:
            run = "runs" if len(freed) == 1 else "run"
            names = some([joint.name for joint in freed])
            told = f"{names} {run} free now: the motor would have stopped at its usual range. "
        users = {one for alike in several.values() for one in users_of(block_of(alike[0]))}
        if others := len(users - {*chosen}):
            told += f"Settings are shared: {counted(others, 'other joint')} changed too"
        return self.finished(told.removesuffix(". ")) if told else {"FINISHED"}


class PresetOperator(BaseOperator):
    """Reads a preset file first, so that a broken one changes nothing."""

    filepath = string(
        "Preset", "The preset file", subtype="FILE_PATH", options={"HIDDEN", "SKIP_SAVE"}
    )

    def execute(self, context: Context) -> set[str]:
        """Read the preset and do with it what this operator is for."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        try:
            settings = read_preset(Path(self.filepath))
        except PresetError as error:
            return self.refused(error, "ERROR")
        said, misaimed = self.use(context, settings)
        if misaimed:
            self.report({"WARNING"}, told_misaimed([joint.name for joint in misaimed]))
        return self.finished(said)

    def fitted(self, settings: JointSettings, joints: list[Object]) -> JointSettings:
        """Return settings for what some joints carry, where the preset says for what it is made."""
        made_for = said_by(Path(self.filepath)).made_for
        return settings if made_for is None else scaled(settings, made_for, joints)

    def borne(self, context: Context, joints: list[Object], misaimed: list[Object]) -> str:
        """Aim joints upright if the preset is for what they bear, and say so of those that turn."""
        made_for = said_by(Path(self.filepath)).made_for
        if made_for is None or made_for.kind != "mass":
            return ""
        context.view_layer.update()
        turned = stand_up([joint for joint in joints if joint not in misaimed])
        return told_upright([joint.name for joint in turned])

    @abstractmethod
    def use(self, context: Context, settings: JointSettings) -> tuple[str, list[Object]]:
        """Say what was done, and which joints now move along or about another line than before."""


class OMI_JOINT_OT_preset_apply(PresetOperator, Operator):
    """Give the selected joints new settings made from this preset"""

    bl_label = "Apply Joint Preset"

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """Say what this preset is."""
        said = said_by(Path(properties.filepath)).about.removesuffix(".")
        return f"{cls.__doc__}:\n{said}" if said else cls.__doc__ or ""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for joints that can be changed."""
        found = selected_joints(context)
        return "" if found else "Select joints that are not linked from another file"

    def use(self, context: Context, settings: JointSettings) -> tuple[str, list[Object]]:
        """Apply it to the selected joints and no others."""
        joints = selected_joints(context)
        settings, lost = self.fitted(settings, joints), lost_kinds(joints, settings)
        block, misaimed = apply_to(joints, settings)
        upright = self.borne(context, joints, misaimed)
        count = f"{len(joints)} joints share" if len(joints) > 1 else f"{joints[0].name} has"
        return f"{count} the new settings {block.name}{lost}{upright}", misaimed


class OMI_JOINT_OT_preset_overwrite(PresetOperator, Operator):
    """Copy this preset into the settings of the active joint: all joints that share them change, selected or not"""  # noqa: E501

    bl_label = "Overwrite Shared Settings"

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for settings that can be changed."""
        block = active_settings(context)
        if block is None or not block.is_editable:
            return "The active joint has no settings that can be changed here"
        return ""

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Say how many joints will change, and ask."""
        block = active_settings(context)
        assert block is not None
        count = len(users_of(block))
        message = (
            f"{count} joints share {block.name}. All of them will change."
            if count > 1
            else f"Only this joint uses {block.name}."
        )
        return context.window_manager.invoke_confirm(
            self,
            event,
            title=f"Overwrite {block.name} with {preset_name(Path(self.filepath))}?",
            message=message,
            confirm_text="Overwrite",
            icon="WARNING" if count > 1 else "QUESTION",
        )

    def use(self, context: Context, settings: JointSettings) -> tuple[str, list[Object]]:
        """Overwrite the block in place."""
        block = active_settings(context)
        assert block is not None
        lost = lost_kinds(users_of(block), settings)
        users, misaimed = overwrite(block, self.fitted(settings, users_of(block)))
        upright = self.borne(context, users, misaimed)
        count = counted(len(users), "joint")
        return f"{block.name} of {count} is overwritten{lost}{upright}", misaimed


class OMI_JOINT_OT_preset_save(BaseOperator, Operator):
    """Save the settings of the active joint as a preset, or remove a preset"""

    bl_label = "Save Joint Preset"
    bl_options = {"REGISTER", "INTERNAL"}

    name = string("Name", maxlen=64, options={"SKIP_SAVE"})
    remove_name = flag(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """Say what the button does."""
        if properties.remove_name:
            return "Remove this preset"
        return "Save the settings of the active joint as a preset"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the name."""
        return context.window_manager.invoke_props_dialog(self, confirm_text="Save")

    def execute(self, context: Context) -> set[str]:
        """Save or remove."""
        settings = active_settings(context)
        has_any = settings and (settings.limits or settings.drives or settings.foreign_drives)
        if not (self.remove_name or has_any):
            return self.refused("The active joint has no limits and no drives to save", "ERROR")
        try:
            if settings is None or self.remove_name:
                remove_preset(self.name)
            else:
                save_preset(self.name, settings_from_block(settings))
        except PresetError as error:
            return self.refused(error)
        except OSError as error:
            return self.refused(f"The presets stay as they were: {error.strerror}", "ERROR")
        return {"FINISHED"}
