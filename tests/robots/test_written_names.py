# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written of several links and joints is of the right ones, however these are called."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import pytest
from robot_models import read

from benchmarks.newton.scenes import joint_that
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import (
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.shape import Box
from omi_physics_joint.robots.element import parsed
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.urdf.write import write_urdf
from tests.robots.test_write import door

SPRING = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, position_target=0.0, stiffness=3.0)
BODY = Motion(MotionType.DYNAMIC, mass=2.0, inertia_diagonal=(1.0, 2.0, 1.5))


@pytest.mark.parametrize("name", ["lamp", "door", "world", "door (hinge)", "door (hinge) 2"])
@pytest.mark.parametrize("is_first", [False, True])
def test_no_two_links_of_a_urdf_have_one_name(name: str, is_first: bool) -> None:
    """Nor joints, where a body is called as one that stands between two axes would be."""
    base = door(joint_that("", (0,), (0,))).mechanism
    nodes = [*base.nodes, Node(name, None, compose((4.0, 0.0, 0.0)), BODY)]
    if is_first:  # the door takes the name, and its place in the file
        nodes[1], nodes[-1] = replace(nodes[1], name=name), replace(nodes[-1], name="door (hinge)")
    package, _ = write_urdf(Contents(replace(base, nodes=tuple(nodes))), Path("x.urdf"))
    root = parsed(package.main, "x")
    links = [link.text("name") for link in root.all("link")]
    joints = [joint.text("name") for joint in root.all("joint")]
    children = [child.text("link") for joint in root.all("joint") for child in joint.all("child")]
    assert len(set(links)) == len(links) == 5
    assert len(set(joints)) == len(joints) == 4
    assert sorted(children) == sorted(set(links) - {"world"})


@pytest.mark.parametrize(
    "names", [("a", "a"), ("a\x01", "a\x02"), ("a\x01", "a_"), ("", "link"), ("a\ud800", "a\uffff")]
)
def test_no_two_parts_of_a_kind_have_one_name(names: tuple[str, str]) -> None:
    """Bodies, shapes and joints, also where what XML cannot say is all that tells names apart."""
    nodes = [Node("frame", motion=Motion(MotionType.STATIC))]
    for number, name in enumerate(names):
        own, place = len(nodes), compose((1.0 + number, 0.0, 0.0))
        joint = JointNode(number, own + 3)
        nodes += [
            Node(name, None, place, BODY),
            *(Node(name, own, place, collider=Collider(0)) for _ in range(2)),
            *(Node(name, 0, place), Node(name, own, place, joint=joint)),
        ]
    settings = tuple(replace(hinge(2), name=name, drives=(SPRING,)) for name in names)
    contents = Contents(Mechanism(tuple(nodes), settings, (Box((1.0, 1.0, 1.0)),)))
    for write, tags in (
        (write_urdf, ("link", "joint")),
        (write_mjcf, ("body", "geom", "joint", "position")),
    ):
        root = parsed(write(contents, Path("x.xml"))[0].main, "x")
        waiting, found = [root], {tag: list[str]() for tag in tags}
        for one in waiting:
            waiting += one.children
            found.setdefault(one.tag, []).append(one.text("name"))
        for tag in tags:
            said = [name for name in found[tag] if name]
            assert len(set(said)) == len(said), tag
        assert len(found["joint"]) >= 2


def triangle(
    settings: tuple[JointSettings, ...], meets: tuple[bool, ...] = (False,) * 3
) -> Contents:
    """Return a frame and two bodies with a joint between any two; the last settings are theirs."""
    nodes = (
        Node("frame", motion=Motion(MotionType.STATIC)),
        Node("one", motion=BODY),
        Node("two", None, compose((1.0, 0.0, 0.0)), BODY),
        Node("a", 0),
        Node("b", 0, compose((1.0, 0.0, 0.0))),
        Node("c", 1, compose((0.0, 1.0, 0.0))),
        Node("to one", 1, joint=JointNode(0, 3, enable_collision=meets[0])),
        Node(
            "to two", 2, compose((1.0, 0.0, 0.0)), joint=JointNode(0, 4, enable_collision=meets[1])
        ),
        Node(
            "between",
            2,
            compose((0.0, 1.0, 0.0)),
            joint=JointNode(len(settings) - 1, 5, enable_collision=meets[2]),
        ),
    )
    return Contents(Mechanism(nodes, settings))


@pytest.mark.parametrize("meets", [*product([False, True], repeat=3)])
def test_bodies_of_a_loop_meet_where_their_joint_lets_them(
    meets: tuple[bool, bool, bool], tmp_path: Path
) -> None:
    """Whichever joint closes the loop; MuJoCo keeps parent and child apart by itself."""
    package, _ = write_mjcf(triangle((hinge(2), pin()), meets), tmp_path / "x.xml")
    root = parsed(package.main, "x")
    assert list(root.inside("equality", "connect"))
    apart = {
        frozenset((one.text("body1"), one.text("body2")))
        for one in root.inside("contact", "exclude")
    }
    pairs = [("frame", "one"), ("frame", "two"), ("one", "two")]
    wanted = {frozenset(pair) for pair, meet in zip(pairs, meets, strict=True) if not meet}
    assert apart == wanted


@pytest.mark.parametrize(
    ("settings", "tags"),
    [
        (weld(), ["weld"]),
        (pin(), ["connect"]),
        (hinge(2), ["connect", "connect"]),
        (hinge(2, -1.0, 1.0), []),
        (replace(hinge(2), drives=(SPRING,)), []),
        (
            replace(
                pin(), limits=(*pin().limits, Limit(angular_axes=(0, 2), max=0.5, together=True))
            ),
            [],
        ),
        (slider(0), []),
        (joint_that("", (0,), (0,)), []),
    ],
)
def test_a_loop_is_written_where_all_of_it_can_be(
    settings: JointSettings, tags: list[str], tmp_path: Path
) -> None:
    """What has bounds, drives or slides besides is left out and said, not written without them."""
    package, issues = write_mjcf(triangle((settings,)), tmp_path / "x.xml")
    equality = parsed(package.main, "x").one("equality")
    assert [one.tag for one in (equality.children if equality else ())] == tags
    assert ("mjcf-loop" in {issue.code for issue in issues}) is not bool(tags)


@pytest.mark.parametrize("order", [*permutations("abc")])
def test_a_key_frame_says_of_each_actuator_what_its_controller_does(
    order: tuple[str, ...], tmp_path: Path
) -> None:
    """In whichever order actuators stand beside their joints."""
    controls = {"a": 0.25, "b": -0.5, "c": 0.75}
    bodies = "".join(
        f'<body name="{name}"><geom size="0.1" mass="1"/><joint name="{name}"/></body>'
        for name in controls
    )
    motors = "".join(f'<position name="{name}" joint="{name}" kp="3"/>' for name in order)
    said = " ".join(str(controls[name]) for name in order)
    text = f"""<mujoco><worldbody>{bodies}</worldbody><actuator>{motors}</actuator>
      <keyframe><key ctrl="{said}"/></keyframe></mujoco>"""
    package, _ = write_mjcf(read(text, tmp_path)[0], tmp_path / "again.xml")
    root = parsed(package.main, "x")
    names = [one.text("name") for one in root.inner("actuator").children]
    (key,) = root.inside("keyframe", "key")
    assert names == [*order]
    assert dict(zip(names, key.floats("ctrl"), strict=True)) == pytest.approx(controls)
