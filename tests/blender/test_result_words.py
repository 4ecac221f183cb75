# SPDX-License-Identifier: GPL-3.0-or-later
"""What rows and heads of results say, in plain words."""

from __future__ import annotations

import bpy
import pytest
from scenes import door

from omi_physics_joint.blender.report import REFUSED
from omi_physics_joint.blender.ui.sidebar import DONE
from omi_physics_joint.blender.ui.words import TITLES, issue_title, outcome


@pytest.mark.parametrize("code", ["godot-angular-sign", "godot-hard-limits", "soft-limits-held"])
def test_titles_are_plain_words(code: str) -> None:
    """What no user can know from its code has a title of its own."""
    assert issue_title(code).lower() != code.replace("-", " ")


def test_other_titles_are_their_codes() -> None:
    """A code that is English is its own title; Godot keeps its capital letter."""
    assert issue_title("frames-apart") == "Frames apart"
    assert issue_title("godot-tiny") == "Godot tiny"
    assert all(title[0].isupper() for title in TITLES.values())


def test_outcome_counts_in_words() -> None:
    """An icon and a number are no sentence."""
    assert outcome("Exported", ["hint", "hint"]) == "Exported: 2 hints"
    assert outcome("Exported", ["error", "hint"]) == "Exported: 1 error, 1 hint"


def test_an_export_that_was_refused_is_not_said_to_be_done(tmp_path: object) -> None:
    """Strict refuses a joint without settings, and the list says so."""
    _, _, hinge = door()
    hinge.omi_physics_joint.settings = None
    bpy.context.scene.omi_physics_joint.strict = True
    with pytest.raises(RuntimeError):
        bpy.ops.export_scene.gltf(filepath=f"{tmp_path}/door.glb")
    assert bpy.context.window_manager.omi_physics_joint.title == REFUSED
    assert DONE[REFUSED] == "Not exported"
