# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever stands in place of an attribute or element of a robot, it is understood or named."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.urdf.read import read_urdf
from tests.approved import approved
from tests.perturbed import Found, Perturbed
from tests.robots.rich import LOOPS, ROBOT, TREE


def others(text: str) -> Iterator[tuple[str, str]]:
    """Yield what else may stand in an attribute, most of it not."""
    numbers = text.split()
    try:
        values = [float(one) for one in numbers]
    except ValueError:
        values = []
    if not values:
        yield "another", "true" if text == "false" else "false" if text == "true" else f"{text}X"
        return
    yield "doubled", " ".join(str(2.0 * one) for one in values)
    yield "below zero", " ".join(str(-one - 1.0) for one in values)
    yield "text", "x"
    if len(values) > 1:
        yield "shorter", " ".join(numbers[:-1])


def elements(root: Element, place: str = "") -> Iterator[tuple[str, Element, Element]]:
    """Yield each element with its place and the one that it is in."""
    for number, child in enumerate(root):
        name = child.get("name") or child.get("class") or f"{number}"
        here = f"{place}{child.tag} {name}"
        yield here, root, child
        yield from elements(child, f"{here}/")


def variants(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield by place what a file may be in place of this one."""
    root = ElementTree.fromstring(text)

    def spelled() -> str:
        return ElementTree.tostring(root, "unicode")

    for place, around, element in list(elements(root)):
        at = list(around).index(element)
        around.remove(element)
        found = {"absent": spelled()}
        around.insert(at, element)
        around.insert(at, deepcopy(element))
        found["twice"] = spelled()
        around.remove(around[at])
        yield place, found
        for name, value in list(element.attrib.items()):
            del element.attrib[name]
            found = {"absent": spelled()}
            for word, other in others(value):
                element.set(name, other)
                found[word] = spelled()
            element.set(name, value)
            yield f"{place} {name}", found


def told(text: str, path: Path) -> dict[str, list[str]]:
    """Return what comes of what may stand in place of each part, and what is said of it."""

    def read(other: str) -> Found:
        path.write_text(other, "utf-8")
        return (read_urdf if path.suffix == ".urdf" else read_mjcf)(path)

    perturbed = Perturbed(read, text)
    lines = [perturbed.line(place, files) for place, files in variants(text)]
    what = "robot" if path.suffix == ".urdf" else "model"
    return {
        f"What comes of a {what} where something else stands in place of an attribute.": lines,
        f"What is said of such a {what}, by code.": perturbed.said(),
    }


@pytest.mark.long
def test_what_is_read_of_a_tree_is_as_approved(tmp_path: Path) -> None:
    """Bodies, joints, geoms and actuators of MJCF: each attribute counts, and no bad one passes."""
    approved("read_mjcf_tree.txt", told(TREE, tmp_path / "tree.xml"))


@pytest.mark.long
def test_what_is_read_of_loops_is_as_approved(tmp_path: Path) -> None:
    """Equalities, contacts, motors and the key frame of MJCF, likewise."""
    approved("read_mjcf_loops.txt", told(LOOPS, tmp_path / "loops.xml"))


@pytest.mark.long
def test_what_is_read_of_a_robot_is_as_approved(tmp_path: Path) -> None:
    """Links and joints of URDF, likewise."""
    approved("read_urdf.txt", told(ROBOT, tmp_path / "robot.urdf"))
