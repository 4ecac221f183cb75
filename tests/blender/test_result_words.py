# SPDX-License-Identifier: GPL-3.0-or-later
"""What rows and heads of results say, in plain words."""

from __future__ import annotations

import bpy
import pytest
from scenes import door

from omi_physics_joint.blender.check.fixes import FIXES
from omi_physics_joint.blender.check.panels import DONE
from omi_physics_joint.blender.check.report import REFUSED
from omi_physics_joint.blender.interface.words import TITLES, issue_title, outcome
from omi_physics_joint.model.readers import DIFFERENCES
from omi_physics_joint.model.validate.codes import SEVERITIES
from tests.approved import approved


@pytest.mark.parametrize("code", ["godot-angular-sign", "godot-hard-limits", "soft-limits-held"])
def test_titles_are_plain_words(code: str) -> None:
    """What no user can know from its code has a title of its own."""
    assert issue_title(code).lower() != code.replace("-", " ")


def test_every_issue_about_a_reader_has_a_title_of_its_own() -> None:
    """Not "Godot tiny", which is a code, but "Too small for Godot"; no two in the same words."""
    plain = {
        code for code in DIFFERENCES if issue_title(code) == code.replace("-", " ").capitalize()
    }
    assert plain <= {"frames-apart"}
    about_godot = [code for code in SEVERITIES if code.startswith("godot-")]
    titles = [issue_title(code) for code in about_godot]
    assert len(set(titles)) == len(titles)
    for code, title in zip(about_godot, titles, strict=True):
        assert title.endswith(("in Godot", "for Godot")), code
    others = {"soft-limits-held", "partner-of-no-joint", "lost-to-gpu-instances"}
    others |= {
        "joints-contradict",
        "joints-lock",
        "limits-lock",
        "joints-barely-fit",
        "joints-out-of-line",
    }
    others |= {"not-converged", "tried-in-godot"}  # what the solver finds
    others |= {
        "dynamic-baked",
        "moved-since-joined",
        "partner-left-out",
        "turned-round",
        "turned-since-joined",
    }  # have no Fix
    assert set(TITLES) <= set(SEVERITIES) | set(FIXES) | others


def test_other_titles_are_their_codes() -> None:
    """A code that is English is its own title."""
    assert issue_title("frames-apart") == "Frames apart"
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


def test_titles_are_as_approved() -> None:
    """What the list of results calls an issue, where that is not its code in plain words."""
    codes = sorted({*SEVERITIES, *DIFFERENCES, *TITLES})
    named = {code: issue_title(code) for code in codes}
    lines = [f"{code}: {one}" for code, one in named.items() if one.lower() != plain_words(code)]
    approved("titles_of_codes.txt", {"Titles of issues by their codes.": lines})


def plain_words(code: str) -> str:
    """Return a code as words."""
    return code.replace("-", " ")
