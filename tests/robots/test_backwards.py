# SPDX-License-Identifier: GPL-3.0-or-later
"""In which order the parts of a robot are listed means nothing, where their format says so."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.urdf.read import read_urdf
from tests.robot_models import ARM, LEG
from tests.robots.rich import LOOPS, ROBOT, TREE

IN_ORDER = {"worldbody", "body", "frame", "robot"}
"""Elements of which those below each other's names may stand anywhere among them."""
KEYS = re.compile(r"<keyframe>.*?</keyframe>", re.DOTALL)
"""They count all joints in the order of the file."""
ANYWHERE = {"body", "link", "joint", "geom", "frame"}


def backwards(text: str) -> str:
    """Return a file with the parts that are beside each other in the opposite order.

    Joints of one link of MJCF follow each other, so these stay as they are.
    """
    root = ElementTree.fromstring(text)
    for element in root.iter():
        if element.tag in IN_ORDER:
            moved = ANYWHERE - ({"joint"} if element.tag != "robot" else set())
            those = [one for one in element if one.tag in moved]
            places = [at for at, one in enumerate(element) if one.tag in moved]
            for at, one in zip(places, reversed(those), strict=True):
                element[at] = one
    return ElementTree.tostring(root, "unicode")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (TREE, "tree.xml"),
        (KEYS.sub("", LOOPS), "loops.xml"),
        (LEG, "leg.xml"),
        (ROBOT, "robot.urdf"),
        (ARM, "arm.urdf"),
    ],
    ids=["tree", "loops", "leg", "robot", "arm"],
)
def test_a_robot_is_the_same_backwards(text: str, name: str, tmp_path: Path) -> None:
    """Its bodies, joints and shapes, and what is said of it."""
    path, read = tmp_path / name, read_urdf if name.endswith("urdf") else read_mjcf
    found: list[tuple[Contents, list[str]]] = []
    for each in (text, backwards(text)):
        path.write_text(each, "utf-8")
        contents, issues = read(path)
        found.append((contents, sorted({f"{one.code} {one.where}" for one in issues})))
    (one, said), (other, said_backwards) = found
    assert [str(change) for change in changes(*with_same_names((one, other)))] == []
    assert said == said_backwards
