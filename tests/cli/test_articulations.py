# SPDX-License-Identifier: GPL-3.0-or-later
"""``info --articulations`` says the trees of joints, to people and to programs."""

from __future__ import annotations

from benchmarks.newton.scenes import SCENES
from omi_physics_joint.cli.reports.lines import articulation_lines, info_lines
from omi_physics_joint.cli.reports.report import articulations_info, info_of
from omi_physics_joint.model.articulation.trees import articulations_of


def said(scene: str, pattern: str = "*") -> list[str]:
    """Return the lines of a scene."""
    return list(articulation_lines(articulations_info(SCENES[scene], pattern)))


def test_a_tree_is_said_limb_by_limb() -> None:
    """Names, types, axes, who holds whom, and which numbers are whose."""
    assert said("arm") == [
        "1 articulation; joint_q has 8 numbers, joint_qd 8",
        "articulation of base: fixed base, 9 moving bodies, 9 joints, 8 degrees of freedom; "
        "q 0 to 7, qd 0 to 7",
        "  Weld 2: FIXED, floor > base (reversed)",
        "    Hinge 5: REVOLUTE about Z, base > link 0; q 0, qd 0",
        "      Hinge 8: REVOLUTE about Y, link 0 > link 1; q 1, qd 1",
        "        Hinge 11: REVOLUTE about Y, link 1 > link 2; q 2, qd 2",
        "          Hinge 14: REVOLUTE about X, link 2 > link 3; q 3, qd 3",
        "            Hinge 17: REVOLUTE about Y, link 3 > link 4; q 4, qd 4",
        "              Hinge 20: REVOLUTE about X, link 4 > link 5; q 5, qd 5",
        "                Slider 23: PRISMATIC along X, link 5 > left finger (reversed); q 6, qd 6",
        "                Slider 26: PRISMATIC along X, link 5 > right finger (reversed); q 7, qd 7",
    ]


def test_loops_and_moved_roots_are_said() -> None:
    """A turntable is kinematic, a cart floats, and the linkage has a joint in a loop."""
    lines = said("several")
    heads = [line for line in lines if line.startswith("articulation of ")]
    assert [head.split(", ")[0] for head in heads] == [
        "articulation of table: kinematic base",
        "articulation of crank: fixed base",
        "articulation of cart: floating base",
    ]
    assert "4 joints, 1 of them in loops" in heads[1]
    (loop,) = [line for line in lines if "closes a loop" in line]
    assert loop.startswith("  closes a loop: Hinge ")
    assert "  FREE, the world > cart; q 14 to 20, qd 13 to 18" in lines


def test_a_pattern_selects_joints_and_bodies_by_name() -> None:
    """Numbers stay those of the whole; what has no such name is not shown."""
    lines = said("several", "*wheel [12]*")
    assert lines[0].startswith(
        "1 articulation with a body or joint named *wheel [12]*; joint_q has "
    )
    assert "5 joints (2 selected)" in lines[1]
    assert [line.strip().split(", ")[1].split(";")[0] for line in lines[2:]] == [
        "cart > wheel 1 (reversed)",
        "cart > wheel 2 (reversed)",
    ]
    assert said("several", "nobody") == [
        "0 articulations with a body or joint named nobody; joint_q has 25 numbers, joint_qd 23"
    ]


def test_info_has_articulations_only_where_they_are_asked_for() -> None:
    """And then says nothing else to people; JSON has all of it."""
    mechanism = SCENES["ragdoll"]
    assert "articulations" not in info_of(mechanism)
    assert info_of(mechanism, "")["articulations"]["articulations"] == []
    info = info_of(mechanism, "*")
    assert list(info_lines(info)) == said("ragdoll")
    assert len(info["joints"]) == 10
    found = info["articulations"]
    (one,) = articulations_of(mechanism)
    assert (len(found["joint_q"]), len(found["joint_qd"])) == (one.q_count, one.qd_count)
    spine = found["articulations"][0]["joints"][1]
    assert (spine["type"], spine["parent"], spine["child"]) == ("D6", "chest", "pelvis")
    assert [axis["axis"] for axis in spine["axes"]] == ["Z", "Y", "X"]
    assert len(spine["parent_frame"]) == len(spine["child_frame"]) == 7
