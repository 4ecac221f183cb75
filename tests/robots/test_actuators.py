# SPDX-License-Identifier: GPL-3.0-or-later
"""Actuators of MuJoCo are kept and played as their numbers say."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from pathlib import Path
from xml.etree import ElementTree

import pytest
from robot_models import body, read

from omi_physics_joint.robots.importing.stacks import spelled
from omi_physics_joint.robots.mjcf.joints import KEPT
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.robot import Axis, Spring, Way


@pytest.mark.parametrize("tag", KEPT)
def test_every_actuator_of_a_joint_comes_back(tag: str, tmp_path: Path) -> None:
    """Whether we play it or not, it is written as it stood, and it is said what is not played."""
    around = f"<actuator><{tag} name='one' joint='j' kp='3' kv='2' ctrlrange='-1 1'/></actuator>"
    text = body("<joint name='j'/><geom size='1'/>", around=around)
    contents, issues = read(text, tmp_path)
    codes = {issue.code for issue in issues}
    is_played = tag in {"general", "motor", "position", "velocity"}
    assert ("mjcf-not-played" in codes) is not is_played
    assert "mjcf-actuator" not in codes
    package, _ = write_mjcf(contents, tmp_path / "again.xml")
    (written,) = ElementTree.fromstring(package.main).findall(f"actuator/{tag}")
    assert (written.get("name"), written.get("ctrlrange")) == ("one", "-1 1")


def test_a_general_actuator_may_say_less_than_three_numbers(tmp_path: Path) -> None:
    """Those of its bias that it leaves out are nothing."""
    law = "gainprm='3' biastype='affine' biasprm='0 -3'"
    around = f"<actuator><general joint='j' {law}/></actuator>"
    contents, _ = read(body("<joint name='j'/>", around=around), tmp_path)
    (settings,) = contents.mechanism.settings
    (drive,) = settings.drives
    assert (drive.stiffness, drive.damping) == (3.0, 0.0)


@pytest.mark.parametrize("bound", ["ctrlrange='0 0'", "forcerange='0 0'"])
def test_a_motor_without_a_force_drives_nothing(bound: str, tmp_path: Path) -> None:
    """One of a force does, up to that."""
    for limit, forces in ((bound, []), ("ctrlrange='-0.5 0.5'", [0.5])):
        around = f"<actuator><motor joint='j' {limit}/></actuator>"
        contents, _ = read(body("<joint name='j'/>", around=around), tmp_path)
        (settings,) = contents.mechanism.settings
        assert [one.max_force for one in settings.drives] == forces


@pytest.mark.parametrize(
    ("tag", "gain", "force"), [("general", "gainprm='3'", 3.0), ("motor", "", 1.0)]
)
def test_a_motor_is_as_strong_as_gain_and_gear_make_it(
    tag: str, gain: str, force: float, tmp_path: Path
) -> None:
    """What a controller may say at most, times its gain, goes through the gear."""
    around = f"<actuator><{tag} joint='j' {gain} ctrlrange='-0.5 0.5' gear='-2'/></actuator>"
    contents, _ = read(body("<joint name='j'/>", around=around), tmp_path)
    (settings,) = contents.mechanism.settings
    assert [one.max_force for one in settings.drives] == [force]


@pytest.mark.parametrize(("stiffness", "damping"), [(40.0, 2.0), (40.0, 0.0), (0.0, 2.0)])
def test_an_actuator_that_was_changed_is_written_no_more(
    stiffness: float, damping: float, tmp_path: Path
) -> None:
    """A servo that lost its spring or its damping is none: what the joint does is its drive."""
    servo = "<actuator><position name='s' joint='j' kp='40' kv='2'/></actuator>"
    contents, _ = read(body("<joint name='j'/><geom size='1'/>", around=servo), tmp_path)
    mechanism = contents.mechanism
    (settings,) = mechanism.settings
    (drive,) = settings.drives
    assert (drive.stiffness, drive.damping) == (40.0, 2.0)
    changed = replace(settings, drives=(replace(drive, stiffness=stiffness, damping=damping),))
    edited = replace(contents, mechanism=replace(mechanism, settings=(changed,)))
    package, _ = write_mjcf(edited, tmp_path / "again.xml")
    found = ElementTree.fromstring(package.main).findall("actuator/position[@name='s']")
    is_same = (stiffness, damping) == (40.0, 2.0)
    assert [(one.get("kp"), one.get("kv")) for one in found] == [("40", "2")] * is_same


@pytest.mark.parametrize("law", ["kp='{0}'", "kp='{0}' kv='{0}'", "kp='2' kv='{0}'"])
def test_several_servos_of_a_joint_leave_no_trace_of_another(law: str, tmp_path: Path) -> None:
    """They are one drive here, and all of it is theirs again, but for rounding."""
    strengths = (0.7, 0.3, 0.2, 0.1)
    servos = (f"<position joint='j' {law.format(one)}/>" for one in strengths)
    around = f"<actuator>{''.join(servos)}</actuator>"
    contents, _ = read(body("<joint name='j'/><geom size='1'/>", around=around), tmp_path)
    root = ElementTree.fromstring(write_mjcf(contents, tmp_path / "again.xml")[0].main)
    assert [one.tag for one in root.iterfind("actuator/")] == ["position"] * len(strengths)
    assert not [one for one in root.iter("joint") if {"stiffness", "damping"} & set(one.keys())]


@pytest.mark.parametrize("said", ["true", "false"])
@pytest.mark.parametrize(
    ("tag", "kind", "forces"), [("position", "force", [inf]), ("motor", "ctrl", [])]
)
def test_a_bound_that_is_off_bounds_nothing(
    tag: str, kind: str, forces: list[float], said: str, tmp_path: Path
) -> None:
    """A servo is as strong as it wants then, and a motor has no force that it is known by."""
    bound = f"{kind}range='-9 9' {kind}limited='{said}'"
    around = f"<actuator><{tag} joint='j' {bound}/></actuator>"
    (settings,) = read(body("<joint name='j'/>", around=around), tmp_path)[0].mechanism.settings
    assert [one.max_force for one in settings.drives] == ([9.0] if said == "true" else forces)


@pytest.mark.parametrize("servo", ["position", "velocity"])
def test_a_motor_beside_a_servo_leaves_nothing_in_whatever_order(
    servo: str, tmp_path: Path
) -> None:
    """A drive that is known by its force alone gives way to one that says what it wants."""
    found = []
    words = ("<motor joint='j' ctrlrange='-9 9'/>", f"<{servo} joint='j'/>")
    for order in (words, words[::-1], words[1:]):
        around = f"<actuator>{''.join(order)}</actuator>"
        (settings,) = read(body("<joint name='j'/>", around=around), tmp_path)[0].mechanism.settings
        found.append(settings.drives)
    assert found[0] == found[1] == found[2] != ()


def test_springs_and_motors_of_one_joint_pull_together() -> None:
    """What has no largest force is one drive, which pulls as all of them at any place and speed."""
    springs = (
        Spring(stiffness=4.0, damping=1.0, target=0.5),
        Spring(damping=2.0, rate=3.0),
        Spring(damping=6.0, rate=-0.5),
        Spring(stiffness=2.0, target=-1.0),
    )
    axis = Axis("turn", Way.HINGE, springs=springs)
    (drive,) = spelled((axis,), backwards=False)[1].drives
    for at, speed in ((0.0, 0.0), (0.75, 0.0), (0.0, 2.0), (-1.5, -0.5)):
        pulls = [
            one.stiffness * ((one.target or 0.0) - at) + one.damping * ((one.rate or 0.0) - speed)
            for one in springs
        ]
        pull = drive.stiffness * ((drive.position_target or 0.0) - at)
        pull += drive.damping * ((drive.velocity_target or 0.0) - speed)
        assert pull == pytest.approx(sum(pulls))
