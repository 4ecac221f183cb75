# SPDX-License-Identifier: GPL-3.0-or-later
"""Sign, name, order, bounds and place of a robot's coordinates are the same on every way."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from random_robots import mjcf, urdf

from benchmarks.robots.coordinates import differences, joints_of, remarks_of, routes
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.remarks import Remarks, text_of
from omi_physics_joint.robots.urdf.read import read_urdf
from omi_physics_joint.robots.urdf.write import write_urdf
from omi_physics_joint.solver.simulation import Simulation


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_a_robot_of_ros_has_the_same_coordinates_again(seed: int, tmp_path: Path) -> None:
    """The same values by the same names put every link where it was, whichever way it went."""
    path = tmp_path / "robot.urdf"
    path.write_text(urdf(seed, floats=seed % 2 == 0), "utf-8")
    for way, text in routes(path, tmp_path):
        assert differences(path.read_text("utf-8"), text, nested=way == ".xml") == [], way


def test_limbs_follow_each_other_as_their_first_joints_do(tmp_path: Path) -> None:
    """A limb whose tip stands first in its file does not come before one that begins earlier."""
    mass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    ends = (("tip", "arm", "hand"), ("leg", "base", "foot"), ("shoulder", "base", "arm"))
    links = "".join(
        f"<link name='{name}'>{mass}</link>" for name in ("base", "arm", "hand", "foot")
    )
    joints = "".join(
        f"<joint name='{name}' type='continuous'><parent link='{one}'/>"
        f"<child link='{two}'/></joint>"
        for name, one, two in ends
    )
    path = tmp_path / "robot.urdf"
    path.write_text(f"<robot name='r'>{links}{joints}</robot>", "utf-8")
    package, _ = write_mjcf(read_urdf(path)[0], Path("out.xml"))
    order = [one.get("name") for one in ET.fromstring(package.main).iter("joint")]
    assert [name for name in order if name] == ["leg", "shoulder", "tip"]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_efforts_speeds_friction_and_followers_go_along(seed: int, tmp_path: Path) -> None:
    """What nothing here plays is in the file again; MJCF and USD cannot say all of it."""
    path = tmp_path / "robot.urdf"
    path.write_text(urdf(seed, floats=True), "utf-8")
    wanted = remarks_of(path.read_text("utf-8"))
    for way, text in routes(path, tmp_path):
        found = remarks_of(text)
        for name, (limit, dynamics, mimic, safety) in wanted.items():
            has = found[name]
            assert has[0].get("effort", 0) == limit.get("effort", 0), way
            assert has[2] == mimic, way
            if way != ".xml":  # has no largest speed and no safety controllers
                assert (has[0], has[3]) == (limit, safety), way
            if way != ".usda":  # has one drive for each axis
                assert has[1] == dynamics, way


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_transmissions_and_names_of_fixed_joints_go_along(seed: int, tmp_path: Path) -> None:
    """They are in the file again, in their order; MJCF has neither, and says so once."""
    path = tmp_path / "robot.urdf"
    path.write_text(urdf(seed, floats=seed % 2 == 0), "utf-8")
    moving, fixed, wanted = _parts(path.read_text("utf-8"))
    wanted = [one for one in wanted if any(f'<joint name="{name}">' in one for name in moving)]
    for way, text in routes(path, tmp_path):
        found = _parts(text)
        if way != ".xml":
            assert found[1] == fixed, way
            assert found[2] == wanted, way
    _, issues = write_mjcf(read_urdf(path)[0], Path("out.xml"))
    lost = {"mjcf-transmissions": wanted, "mjcf-fixed-joint": fixed}
    codes = [one.code for one in issues]
    assert [code for code in lost if code in codes] == [code for code, had in lost.items() if had]


def test_transmissions_and_speeds_come_back_whatever_the_order_of_joints(tmp_path: Path) -> None:
    """A wheel that says no more than its largest speed keeps it."""
    mass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    names = ("left", "right")
    links = "".join(f"<link name='{name}'>{mass}</link>" for name in ("base", "lw", "rw"))
    joints = "".join(
        f"<joint name='{name}' type='continuous'><parent link='base'/><child link='{name[0]}w'/>"
        f"<limit velocity='{speed}'/></joint>"
        for name, speed in zip(names, (3, 4), strict=True)
    )
    said = "".join(
        f"<transmission name='of {name}'><joint name='{name}'/></transmission>"
        for name in reversed(names)
    )
    path = tmp_path / "robot.urdf"
    path.write_text(f"<robot name='r'>{links}{joints}{said}</robot>", "utf-8")
    root = ET.fromstring(write_urdf(read_urdf(path)[0], Path("out.urdf"))[0].main)
    assert [one.get("name") for one in root.iter("transmission")] == ["of right", "of left"]
    speeds = {one.get("name"): one.find("limit") for one in root.findall("joint")}
    assert {
        name: None if limit is None else limit.get("velocity") for name, limit in speeds.items()
    } == {"left": "3", "right": "4"}


def _parts(text: str) -> tuple[set[str], set[str], list[str]]:
    """Return the names of joints that move, of fixed ones, and all transmissions."""
    root = ET.fromstring(text)
    kinds = {one.get("name", ""): one.get("type") for one in root.findall("joint")}
    fixed = {name for name, kind in kinds.items() if kind == "fixed"}
    said = [ET.canonicalize(ET.tostring(one), strip_text=True) for one in root.iter("transmission")]
    return kinds.keys() - fixed, fixed, said


def test_a_damaged_transmission_is_left_out(tmp_path: Path) -> None:
    """Whatever stands in its place in the extras of a file, a robot is written."""
    path = tmp_path / "robot.urdf"
    path.write_text(urdf(1, floats=True), "utf-8")
    contents, _ = read_urdf(path)
    ((index, node, joint), *_) = contents.mechanism.joints()
    texts = ("<transmission", "<x/>", "<transmission/>", "\ud800", 3, None)
    kept = Remarks(transmissions=[3, *({"xml": text} for text in texts)], fixed={"a": 3})
    nodes = list(contents.mechanism.nodes)
    nodes[index] = replace(node, joint=replace(joint, unknown=text_of([kept])))
    contents = replace(contents, mechanism=replace(contents.mechanism, nodes=tuple(nodes)))
    package, _ = write_urdf(contents, Path("out.urdf"))
    assert b"joint" in package.main


ACTUATED = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="a"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
    <joint name="x" damping="0.5" armature="0.02" frictionloss="0.3" actuatorfrcrange="-7 7"/>
    <body name="b" pos="1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <joint name="y" axis="0 1 0" stiffness="4" springref="0.25" damping="0.1" ref="0.5"/>
      <body name="c" pos="1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <joint name="z" type="slide"/><geom size="0.1"/></body></body></body>
</worldbody><equality><joint joint1="z" joint2="y" polycoef="0.1 2 0 0 0"/></equality>
<actuator>
  <position name="p" joint="y" kp="40" kv="2" ctrlrange="-1 1"/>
  <motor name="m" joint="x" gear="5" ctrlrange="-2 2"/>
  <velocity name="v" joint="z" kv="3" forcerange="-9 9"/>
  <motor name="n" joint="z" gear="-1"/>
  <muscle name="u" joint="x" ctrlrange="0 1"/>
</actuator></mujoco>"""


def test_actuators_of_a_model_are_those_it_had(tmp_path: Path) -> None:
    """Motors and servos stand in their order with their words; joints keep what is their own."""
    path = tmp_path / "model.xml"
    path.write_text(ACTUATED, "utf-8")
    before = ET.fromstring(ACTUATED)
    for way, text in routes(path, tmp_path):
        after = ET.fromstring(text)
        if way == ".urdf":
            continue
        for joint in before.findall("worldbody//joint"):
            (same,) = after.findall(f"worldbody//joint[@name='{joint.get('name')}']")
            words = ("damping", "stiffness", "springref", "armature", "frictionloss")
            # USD has one drive for each axis: that friction is lost beside damping, and named.
            for word in words[: 4 if way == ".usda" else 5]:
                numbers = [float(one.get(word, "0")) for one in (same, joint)]
                assert numbers[0] == pytest.approx(numbers[1], rel=1e-5), (way, word)
            assert same.get("actuatorfrcrange") == joint.get("actuatorfrcrange"), way
        actuators = (
            [_words(one) for one in root.findall("actuator/*")] for root in (after, before)
        )
        assert next(actuators) == next(actuators), way
        (follows,) = after.findall("equality/joint")
        numbers = [float(one) for one in follows.get("polycoef", "").split()]
        assert numbers == pytest.approx([0.1, 2, 0, 0, 0]), way


def _words(element: ET.Element) -> tuple[str, dict[str, str]]:
    return element.tag, dict(element.attrib)


def test_a_drive_that_was_changed_is_another_actuator(tmp_path: Path) -> None:
    """What a user has made of a servo counts, not what its model said."""
    path = tmp_path / "model.xml"
    path.write_text(ACTUATED, "utf-8")
    contents, _ = read_mjcf(path)
    settings = tuple(
        replace(one, drives=tuple(replace(drive, max_force=5.0) for drive in one.drives))
        for one in contents.mechanism.settings
    )
    changed = replace(contents, mechanism=replace(contents.mechanism, settings=settings))
    package, _ = write_mjcf(changed, Path("out.xml"))
    (servo,) = ET.fromstring(package.main).findall("actuator/velocity[@joint='z']")
    assert servo.get("forcerange") == "-5 5"


@pytest.mark.parametrize("held", ["<dynamics friction='2'/>", ""])
def test_dry_friction_holds_what_weighs_less(held: str, tmp_path: Path) -> None:
    """A joint with more friction than load stands still, and one without falls."""
    path = tmp_path / "r.urdf"
    mass = "<inertial><mass value='{}'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    path.write_text(
        f"<robot name='r'><link name='a'/><link name='b'>{mass.format(0.1)}</link>"
        "<joint name='j' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
        f"<limit lower='-9' upper='9' effort='1' velocity='1'/>{held}</joint></robot>",
        "utf-8",
    )
    contents, _ = read_urdf(path)
    simulation = Simulation(contents.mechanism)
    for _ in range(30):
        simulation.step(1.0 / 30.0)
    ((joint, _, _),) = contents.mechanism.joints()
    fallen = -float(simulation.coordinates(joint)[0])
    assert fallen == (pytest.approx(5e-4, abs=2e-4) if held else pytest.approx(4.905, abs=0.01))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_a_model_of_mujoco_has_the_same_joints_again(seed: int, tmp_path: Path) -> None:
    """Joints stand on the same bodies, in the same order, with axis, place and range."""
    path = tmp_path / "model.xml"
    path.write_text(mjcf(seed), "utf-8")
    before = joints_of(path.read_text("utf-8"))
    for way, text in routes(path, tmp_path):
        if way == ".urdf":  # has no balls, and one joint a link
            continue
        after = joints_of(text)
        assert list(after) == list(before), way
        for name, said in before.items():
            assert after[name] == pytest.approx(said, abs=1e-5), (way, name)
