# SPDX-License-Identifier: GPL-3.0-or-later
"""A second copy of the add-on, under another name."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy
import pytest
from scenes import door

import omi_physics_joint


def test_second_copy_says_a_sentence_and_the_first_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Blender does not switch it on; nothing of the first is taken away."""
    import addon_utils

    (tmp_path / "omi_twin").symlink_to(Path(omi_physics_joint.__file__).parent)
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        assert addon_utils.enable("omi_twin") is None
    finally:
        for name in [one for one in sys.modules if one.partition(".")[0] == "omi_twin"]:
            del sys.modules[name]
    said = capfd.readouterr()
    assert "another copy of it is switched on, omi_physics_joint" in said.out + said.err
    assert "Traceback" not in said.out + said.err
    _, _, hinge = door()
    assert hinge.omi_physics_joint.settings is not None
    assert "FINISHED" in bpy.ops.omi_joint.check()
