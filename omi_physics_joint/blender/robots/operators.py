# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import and File > Export of robots: URDF and MJCF."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

import bpy
from bpy.types import Context, Event, Operator

from ...model.contents import ContentsError
from ...model.issue import Issue, summary
from ..data.fields import choice, flag, string
from ..interface.mixins import BaseOperator
from .files import SUFFIXES, export_robot, import_robot

GLOB = ";".join(f"*{suffix}" for suffix in SUFFIXES)


class RobotOperator(BaseOperator):
    """Asks for a file, takes a robot through it and says what came of it."""

    word = ""
    """What is done."""

    filepath = string("File Path", "File of a robot", subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob = string(default=GLOB, options={"HIDDEN"})

    @abstractmethod
    def take(self, path: Path) -> tuple[Issue, ...]:
        """Import or export the file, and return what was lost."""

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the file."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, _context: Context) -> set[str]:
        """Do it, and say what was lost, if anything was."""
        try:
            issues = self.take(Path(self.filepath))
        except ContentsError as error:
            return self.refused(error, "ERROR")
        if issues:
            text = f"{self.word}: {summary(issues)}, listed in the sidebar, Joints > Check"
            self.report({"WARNING"}, text)
        return {"FINISHED"}


class OMI_JOINT_OT_import_robot(RobotOperator, Operator):
    """Import a robot of ROS (URDF) or a model of MuJoCo (MJCF) with its joints"""

    bl_label = "Import Robot"
    bl_options = {"UNDO"}  # nothing of it can be adjusted afterwards
    word = "Import"

    base = choice(
        "Base",
        "What holds the root of the robot",
        items=(
            ("file", "As in the File", "A root of URDF without mass stands, any other floats"),
            ("fixed", "Fixed", "It stands on the world"),
            ("floating", "Floating", "Nothing holds it"),
        ),
        default="file",
    )

    def take(self, path: Path) -> tuple[Issue, ...]:
        """Import it."""
        return import_robot(path, self.base)


class OMI_JOINT_OT_export_robot(RobotOperator, Operator):
    """Export bodies and joints as a robot of ROS (.urdf) or a model of MuJoCo (.xml)"""

    bl_label = "Export Robot"
    bl_options = {"REGISTER"}
    word = "Export"

    check_existing = flag(default=True, options={"HIDDEN"})
    use_selection = flag("Selected Objects", "Export selected objects only")

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask for the file."""
        if not self.filepath:
            blend = bpy.data.filepath
            self.filepath = str(Path(blend).with_suffix(".urdf")) if blend else "untitled.urdf"
        return super().invoke(context, event)

    def check(self, _context: Context) -> bool:
        """Add the ending that a name lacks."""
        if not self.filepath or self.filepath.lower().endswith(SUFFIXES):
            return False
        self.filepath += SUFFIXES[0]
        return True

    def take(self, path: Path) -> tuple[Issue, ...]:
        """Export it."""
        return export_robot(path, only_selected=self.use_selection)
