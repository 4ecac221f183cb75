# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues name what is in the file that the user has, and where it stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from omi_physics_joint.cli.command import main

ROBOT = """<robot name="r">
<link name="base"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="0.1" izz="0.1"/></inertial></link>
<joint name="arm" type="revolute"><parent link="base"/><child link="arm"/>
<limit lower="1" upper="2" effort="1" velocity="1"/></joint>
</robot>"""
MODEL = """<mujoco><worldbody>
<body name="arm"><inertial pos="0 0 0" mass="1" diaginertia="1 0.1 0.1"/>
<joint name="arm" range="60 90"/>
</body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        ("r.urdf", ROBOT, ("joint arm, line 4: At rest", "link arm, line 3: No body")),
        ("m.xml", MODEL, ("joint arm, line 3: At rest", "body arm, line 2: No body")),
    ],
)
def test_issues_of_a_robot_name_its_joints_and_links_with_their_lines(
    name: str,
    text: str,
    places: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Check and convert say the same places; neither has pointers of a glTF that nobody has."""
    path = tmp_path / name
    path.write_text(text, "utf-8")
    outputs = [tmp_path / f"out{suffix}" for suffix in (".glb", ".urdf")]
    for words in (["check", str(path)], *(["convert", str(path), str(one)] for one in outputs)):
        main(words)
        said = "".join(capsys.readouterr())
        assert all(place in said for place in places), words
        assert "/nodes/" not in said


def test_issues_of_what_a_model_includes_name_it_without_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines are those of the file that was given."""
    (tmp_path / "part.xml").write_text(MODEL, "utf-8")
    path = tmp_path / "m.xml"
    path.write_text("<mujoco><include file='part.xml'/></mujoco>", "utf-8")
    main(["check", str(path)])
    assert "warning: arm: At rest" in "".join(capsys.readouterr())
