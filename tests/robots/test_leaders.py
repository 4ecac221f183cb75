# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that follow others keep to those of their own robot, however often it is there."""

from __future__ import annotations

import pytest

from omi_physics_joint.model.wording.findings import Findings
from omi_physics_joint.robots.exporting.leaders import with_leaders
from omi_physics_joint.robots.findings import WRITTEN
from omi_physics_joint.robots.remarks import Remarks
from omi_physics_joint.robots.robot import WORLD, Axis, Link, Way


def gripper(above: int, first: int, suffix: str = "") -> list[Link]:
    """Return a palm below a link, and two fingers of it: the right one follows the left one."""
    left = Axis("left" + suffix, Way.SLIDE, remarks=Remarks(number=0, name="left", node="left"))
    follows = {"joint": "left", "multiplier": 2.0}
    right = Axis("right" + suffix, Way.SLIDE, remarks=Remarks(number=1, mimic=follows))
    palm = Link("palm" + suffix, above)
    fingers = [Link("a" + suffix, first, axes=(left,)), Link("b" + suffix, first, axes=(right,))]
    return [palm, *fingers]


def followed(links: list[Link]) -> tuple[dict[str, str], int]:
    """Return who follows whom, and how many follow nobody."""
    findings = Findings(WRITTEN, "r", "")
    named = with_leaders(links, findings)
    axes = [axis for link in named for axis in link.axes]
    assert len({axis.name for axis in axes}) == len(axes)
    pairs = {axis.name: axis.remarks.mimic["joint"] for axis in axes if axis.remarks.mimic}
    return pairs, len(findings.issues())


@pytest.mark.parametrize("suffix", [".001", ""], ids=["copied", "placed"])
@pytest.mark.parametrize("above", [WORLD, 0], ids=["apart", "on one arm"])
def test_each_robot_follows_itself(suffix: str, above: int) -> None:
    """A copy, or an instance of the same name, follows what was copied along."""
    links = [Link("arm"), *gripper(above, 1), *gripper(above, 4, suffix)]
    second = suffix or " 2"
    wanted = {"right": "left", f"right{second}": f"left{second}"}
    assert followed(links) == (wanted, 0)


def test_a_renamed_joint_is_followed() -> None:
    """What a user calls otherwise is sought by the name in its file."""
    palm, left, right = gripper(WORLD, 0)
    axis = left.axes[0]
    renamed = Link("a", 0, axes=(Axis("grip", Way.SLIDE, remarks=axis.remarks),))
    assert followed([palm, renamed, right]) == ({"right": "grip"}, 0)


def test_nobody_follows_another_robot() -> None:
    """A copy whose leader was removed follows nobody, which is said."""
    links = [*gripper(WORLD, 0), *gripper(WORLD, 3, ".001")]
    del links[4]
    assert followed(links) == ({"right": "left", "right.001": ""}, 1)


def test_a_joint_follows_one_in_another_tree() -> None:
    """Where nothing else is meant, in any number of copies."""
    links = []
    for suffix in ("", ".001"):
        _, left, right = gripper(WORLD, WORLD, suffix)
        links += [left, right]
    assert followed(links) == ({"right": "left", "right.001": "left.001"}, 0)


def test_two_grippers_on_one_hand() -> None:
    """Of what is as near the second takes the second, and a single leader leads all."""
    palm, left, right = gripper(WORLD, 0)
    _, left_too, right_too = gripper(WORLD, 0, ".001")
    both = {"right": "left", "right.001": "left.001"}
    assert followed([palm, left, right, left_too, right_too]) == (both, 0)
    assert followed([palm, left, right, right_too]) == (dict.fromkeys(both, "left"), 0)


def test_who_is_nearer_is_followed() -> None:
    """In whatever order a file has them."""
    palm, left, right = gripper(0, 1)
    palm_too, left_too, right_too = gripper(0, 2, ".001")
    links = [Link("arm"), palm, palm_too, left_too, left, right, right_too]
    assert followed(links) == ({"right": "left", "right.001": "left.001"}, 0)
