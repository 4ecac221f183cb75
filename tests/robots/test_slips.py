# SPDX-License-Identifier: GPL-3.0-or-later
"""Slips that people make in robots' files are said, each by its kind; sound files say none."""

from __future__ import annotations

from pathlib import Path

import pytest
from robot_models import read

MODEL = (
    '<mujoco><worldbody><body name="base"><geom type="box" size=".1 .1 .1"/>'
    '<body name="arm"><joint name="j" type="hinge" axis="0 1 0" range="-90 90"/>'
    '<geom name="g" type="sphere" size=".1"/></body></body></worldbody></mujoco>'
)
LINK = '<link name="%s"><inertial><mass value="1"/></inertial></link>'
JOINT = (
    '<joint name="j" type="revolute"><parent link="base"/><child link="arm"/>'
    '<origin xyz="0 0 1" rpy="0 0 6.2832"/><axis xyz="0 1 0"/>'
    '<limit lower="-1" upper="6.98" effort="1" velocity="1"/></joint>'
)
ROBOT = f'<robot name="r">{LINK % "base"}{LINK % "arm"}{JOINT}</robot>'
SLIPS = {
    "slip", "twice", "axis", "boundless", "joint", "misplaced", "geom", "degrees",
    "follows-nothing", "left-out",
}  # fmt: skip


def slips(text: str, folder: Path, name: str) -> set[str]:
    """Return the kinds of slips that are said of a file."""
    _, issues = read(text, folder, name)
    return {issue.code.partition("-")[2] for issue in issues} & SLIPS


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("<joint", "<joint", ""),
        ("<joint", "<Joint", "slip"),
        ("<joint", "<jonit", "slip"),
        ("axis=", "axes=", "slip"),
        ("<worldbody", "<compilr/><worldbody", "slip"),
        ('"hinge"', '"hinj"', "joint"),
        ('"-90 90"', '"90 -90"', "boundless"),
        ('range="-90 90"', 'limited="true"', "boundless"),
        ('"-90 90"', '"90 -90" limited="false"', ""),
        ('"0 1 0"', '"0 0 0"', "axis"),
        ('type="hinge" axis="0 1 0" range="-90 90"', 'type="free"', "misplaced"),
        ("<worldbody>", '<worldbody><joint name="w"/>', "misplaced"),
        ('"arm"', '"base"', "twice"),
        ("<joint", '<joint name="j" axis="1 0 0"/><joint', "twice"),
        (".1 .1 .1", ".1", "geom"),
    ],
)
def test_a_slip_in_a_model_of_mujoco_is_said(old: str, new: str, code: str, tmp_path: Path) -> None:
    """What MuJoCo refuses is named by its kind, and nothing else is."""
    assert slips(MODEL.replace(old, new, 1), tmp_path, "m.xml") == ({code} - {""})


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("<joint", "<joint", ""),
        ('<parent link="base"/>', '<parent link="base"><origin xyz="0 0 1"/></parent>', "slip"),
        ("<axis", "<Dynamics/><axis", "slip"),
        ("<joint", "<Joint/><joint", "slip"),
        ("<joint", "<gazebo><origin of='it'/></gazebo><joint", "left-out"),
        ("<robot", '<robot xmlns:xacro="http://x"', ""),
        ('"-1"', '"-90"', "degrees"),
        ('"6.98"', '"12.566"', ""),
        ('"6.98"', '"10000"', ""),
        ("6.2832", "90", "degrees"),
        ('"0 1 0"', '"0 0 0"', "axis"),
        ('"-1"', '"8"', "boundless"),
        ("<axis", '<mimic joint="nobody"/><axis', "follows-nothing"),
        ("<axis", '<mimic joint="j"/><axis', ""),
        ("<joint", LINK % "arm" + "<joint", "twice"),
        ("</robot>", LINK % "tip" + JOINT.replace('"arm"', '"tip"') + "</robot>", "twice"),
    ],
)
def test_a_slip_in_a_robot_of_ros_is_said(old: str, new: str, code: str, tmp_path: Path) -> None:
    """What people get wrong in URDF is named by its kind, and what they add to it is no slip."""
    assert slips(ROBOT.replace(old, new, 1), tmp_path, "r.urdf") == ({code} - {""})
