# SPDX-License-Identifier: GPL-3.0-or-later
"""Two dialects of one file: what is looked at to see whether they agree."""

from __future__ import annotations

from copy import deepcopy
from typing import NoReturn

from omi_documents import door

from omi_physics_joint.gltf.agreement import Account, agreed
from omi_physics_joint.gltf.document.json_text import members_of
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Sphere


def never(*_arguments: object) -> NoReturn:
    """Stand for a dialect that must not be asked how it spells."""
    raise AssertionError("spelled")


def test_what_is_told_alike_is_not_spelled() -> None:
    """Neither where only one dialect tells of a node, nor where shapes stand in another order."""
    still, moving = Motion(MotionType.STATIC), Motion(MotionType.DYNAMIC, mass=2.0)
    first = Mechanism(
        (
            Node("Still", motion=still, collider=Collider(0)),
            Node("Moving", motion=moving, collider=Collider(1)),
        ),
        shapes=(Box(), Sphere()),
    )
    second = Mechanism(
        (Node("Still", collider=Collider(1)), Node("Moving", motion=moving, collider=Collider(0))),
        shapes=(Sphere(), Box()),
    )
    issues: list[Issue] = []
    both = agreed(Account("First", first, never), Account("Second", second, never), issues)
    assert (both, issues) == (first, [])


def test_extras_of_the_first_win() -> None:
    """What both dialects have in their extras is that of OMI, which is asked first."""
    gltf = door()
    body = gltf["nodes"][2]["extensions"]["OMI_physics_body"]
    gltf["nodes"][2]["extensions"]["KHR_physics_rigid_bodies"] = other = {
        "motion": deepcopy(body["motion"])
    }
    gltf["extensionsUsed"].append("KHR_physics_rigid_bodies")
    body["motion"]["extras"], other["motion"]["extras"] = {"paint": "red"}, {"paint": "blue"}
    motion = read(gltf).mechanism.nodes[2].motion
    assert motion is not None
    assert members_of(motion.unknown)["extras"] == {"paint": "red"}


def test_a_centre_that_one_leaves_open_is_known_from_the_other() -> None:
    """It stays open, and what somebody has computed is the number there."""
    said = Motion(MotionType.DYNAMIC, center_of_mass=(0.5, 0.0, -0.25))
    left = Motion(MotionType.DYNAMIC, center_of_mass=None)
    accounts = (
        Account(name, Mechanism((Node("Body", motion=motion),)), never)
        for name, motion in (("First", said), ("Second", left))
    )
    motion = agreed(*accounts, []).nodes[0].motion
    assert motion is not None
    assert (motion.center_of_mass, motion.found_center) == (None, (0.5, 0.0, -0.25))
