# SPDX-License-Identifier: GPL-3.0-or-later
"""The door for the command line: a request and a reply in JSON, whichever copy is installed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Operator

from .files import run


class OMI_JOINT_OT_run(Operator):
    """Export, check or describe a .blend file for the command line"""

    bl_label = "Run Joint Command"
    bl_options = {"INTERNAL"}

    request = StringProperty(name="Request", description="What to do, as JSON")
    reply = StringProperty(name="Reply", description="File that the answer is written to, as JSON")

    def execute(self, _context: Context) -> set[str]:
        """Do it; the operator's own properties are gone once another file is open."""
        target = Path(self.reply)
        answer = run(json.loads(self.request))
        target.write_text(json.dumps(answer), encoding="utf-8")
        return {"FINISHED"}


def command(arguments: list[str]) -> int:
    """Serve ``blender --command omi_physics_joint ...``."""
    from ...cli.command import main
    from ...cli.streams import stdout_to_stderr

    with stdout_to_stderr():
        pass  # lets out the banner that Blender still holds back, before the answer begins
    return main(arguments)


def while_on() -> Iterator[None]:
    """Register the command."""
    registered = bpy.utils.register_cli_command("omi_physics_joint", command)
    yield
    bpy.utils.unregister_cli_command(registered)
