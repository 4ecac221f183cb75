# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, order, signs, bounds and masses of robots' coordinates, there and back through formats.

What a file says is read here by itself: URDF by forty lines, MJCF by MuJoCo. So nothing of the
package judges the package.
"""

from __future__ import annotations

import importlib.util
import math
import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from omi_physics_joint.gltf.dialects import spoken_by
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.document.packing import packed
from omi_physics_joint.gltf.fresh import contents_of, fresh_document
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.library.formats import Choices, format_of
from omi_physics_joint.model.contents import Contents

Pose = NDArray[np.float64]
MOVING = ("revolute", "continuous", "prismatic", "planar", "floating")
ENDLESS = 1e9
"""m or rad: what stands for no bound where a number has to be."""
SAME = 1e-5
"""m or rad of a bound: what single precision on the way leaves."""
PLACE = 1e-4
"""m, and of a matrix: of a whole robot."""
SAME_MASS = 1e-3
"""Part of a mass."""


@dataclass(slots=True)
class Coordinate:
    """One joint of a URDF that is not fixed."""

    name: str
    kind: str
    child: str
    low: float
    high: float


@dataclass(slots=True)
class Tree:
    """A URDF as it is written."""

    joints: dict[str, ET.Element] = field(default_factory=dict)
    """By child, in the order of the file."""
    masses: dict[str, float] = field(default_factory=dict)
    """kg by link, those above zero."""

    def coordinates(self) -> list[Coordinate]:
        """Return what moves, in the order of the file."""
        return [
            Coordinate(one.get("name", ""), kind, child, *bounds_of(one))
            for child, one in self.joints.items()
            if (kind := one.get("type", "")) in MOVING
        ]

    def pose(self, link: str, values: Mapping[str, float]) -> Pose:
        """Return where a link is in the root, joints standing at values by name."""
        found = np.eye(4)
        while link in self.joints:
            joint = self.joints[link]
            found = placed(joint) @ moved(joint, values.get(joint.get("name", ""), 0.0)) @ found
            link = end(joint, "parent")
        return found

    def root(self) -> str:
        """Return the link that is no child."""
        parents = (end(one, "parent") for one in self.joints.values())
        return next((parent for parent in parents if parent not in self.joints), "")

    def limb_by_limb(self) -> list[str]:
        """Return all links that joints move, each followed by what hangs on it.

        What is fixed to a link is a part of it.
        """
        children: dict[str, list[str]] = {}
        for child, joint in self.joints.items():
            if joint.get("type") in MOVING:
                children.setdefault(self._rigid(end(joint, "parent")), []).append(child)
        waiting = [one for one in children if one not in self.joints][::-1]
        found: list[str] = []
        while waiting:
            found.append(waiting.pop())
            waiting += children.get(found[-1], [])[::-1]
        return found

    def _rigid(self, link: str) -> str:
        while link in self.joints and self.joints[link].get("type") not in MOVING:
            link = end(self.joints[link], "parent")
        return link

    def below(self, link: str) -> float:
        """Return what a link weighs with all that hangs on it, kg."""
        return self.masses.get(link, 0.0) + sum(
            self.below(child) for child, one in self.joints.items() if end(one, "parent") == link
        )


def tree_of(text: str) -> Tree:
    """Return a URDF as it is written."""
    root, tree = ET.fromstring(text), Tree()
    for link in root.findall("link"):
        mass = link.find("inertial/mass")
        kilograms = 0.0 if mass is None else float(mass.get("value", "0"))
        if kilograms > 0.0:
            tree.masses[link.get("name", "")] = kilograms
    for joint in root.findall("joint"):
        tree.joints[end(joint, "child")] = joint
    return tree


def end(joint: ET.Element, tag: str) -> str:
    """Return the parent or the child of a joint."""
    found = joint.find(tag)
    return "" if found is None else found.get("link", "")


def bounds_of(joint: ET.Element) -> tuple[float, float]:
    """Return the bounds of a joint, infinite where there are none."""
    limit = joint.find("limit")
    if limit is None or joint.get("type") not in ("revolute", "prismatic"):
        return -math.inf, math.inf
    low, high = (float(limit.get(name, "0")) for name in ("lower", "upper"))
    low, high = (math.copysign(math.inf, x) if abs(x) >= ENDLESS else x for x in (low, high))
    return (low, high) if low <= high else (-math.inf, math.inf)


def numbers(element: ET.Element | None, name: str, default: str) -> list[float]:
    """Return the numbers of an attribute."""
    return [float(x) for x in (default if element is None else element.get(name, default)).split()]


def placed(joint: ET.Element) -> Pose:
    """Return where a joint is in its parent."""
    origin = joint.find("origin")
    roll, pitch, yaw = numbers(origin, "rpy", "0 0 0")
    found = np.eye(4)
    x, y, z = np.eye(3)
    found[:3, :3] = turned(z, yaw) @ turned(y, pitch) @ turned(x, roll)
    found[:3, 3] = numbers(origin, "xyz", "0 0 0")
    return found


def turned(axis: Pose, angle: float) -> Pose:
    """Return a turn about a direction of length one."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)


def moved(joint: ET.Element, value: float) -> Pose:
    """Return what a joint does at a value."""
    axis = np.array(numbers(joint.find("axis"), "xyz", "1 0 0"))
    length = np.linalg.norm(axis)
    axis = axis / length if length > 0.0 else np.array([1.0, 0.0, 0.0])
    found = np.eye(4)
    if joint.get("type") == "prismatic":
        found[:3, 3] = value * axis
    elif joint.get("type") in ("revolute", "continuous"):
        found[:3, :3] = turned(axis, value)
    return found


def routes(path: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield ways there and back, and what comes out of each as text of the same format."""
    form = format_of(path)
    assert form is not None
    contents, _ = form.read(path, Choices())

    def back(found: Contents) -> str:
        package, _ = form.write(found, folder / f"{path.stem}{path.suffix}", Choices())
        return package.main.decode()

    yield "straight", back(contents)
    document, _ = fresh_document(contents, path)
    for dialect in ("both", "omi", "khr"):
        file = folder / f"{dialect}.glb"
        spelled = respelled(document.json, spoken_by(dialect), ()).json
        file.write_bytes(packed(document, spelled, file).main)
        yield dialect, back(contents_of(load(file))[0])
    has_pxr = importlib.util.find_spec("pxr") is not None
    for suffix in (".usda", ".xml", ".urdf") if has_pxr else (".xml", ".urdf"):
        if suffix != path.suffix:
            yield suffix, back(through(contents, folder / f"way{suffix}"))


def through(contents: Contents, file: Path) -> Contents:
    """Return contents after they were a file."""
    form = format_of(file)
    assert form is not None
    package, _ = form.write(contents, file, Choices())
    for name, side in package.sides.items():
        (file.parent / name).parent.mkdir(exist_ok=True)
        (file.parent / name).write_bytes(side)
    file.write_bytes(package.main)
    return form.read(file, Choices())[0]


def joints_of(text: str) -> dict[str, tuple[float, ...]]:
    """Return of every joint of a MJCF, in order, axis, place and range as they stand there."""
    found: dict[str, tuple[float, ...]] = {}
    for body in ET.fromstring(text).iter("body"):
        for joint in (one for one in body if one.tag in ("joint", "freejoint")):
            if joint.tag == "freejoint" or joint.get("type") == "free":
                found[joint.get("name", "")] = ()
                continue
            axis = np.array(numbers(joint, "axis", "0 0 1"))
            low, high = numbers(joint, "range", "-9 9")
            place = numbers(joint, "pos", "0 0 0") if joint.get("type") != "slide" else [0.0] * 3
            way = axis / np.linalg.norm(axis)
            found[joint.get("name", "")] = (*way, *place, max(low, -9.0), min(high, 9.0))
    return found


def remarks_of(text: str) -> dict[str, list[dict[str, str | float]]]:
    """Return of every joint of a URDF that moves what it says beside bounds and ends."""
    found: dict[str, list[dict[str, str | float]]] = {}
    for joint in ET.fromstring(text).findall("joint"):
        if joint.get("type") in ("revolute", "continuous", "prismatic"):
            parts = (joint.find(tag) for tag in ("limit", "dynamics", "mimic", "safety_controller"))
            found[joint.get("name", "")] = [_said(part) for part in parts]
    return found


def _said(part: ET.Element | None) -> dict[str, str | float]:
    said: dict[str, str | float] = {}
    for name, text in () if part is None else part.attrib.items():
        try:
            number = float(text)
        except ValueError:
            said[name] = text
        else:
            if name not in ("lower", "upper") and number:
                said[name] = float(f"{number:.6g}")
    return said


def differences(before: str, after: str, *, nested: bool = False, seed: int = 1) -> list[str]:
    """Return in words what of a URDF is another in a second one.

    Args:
        before: a text.
        after: another.
        nested: whether it was nested on its way, so that limb comes after limb.
        seed: of the values at which both are compared.
    """
    one, other = tree_of(before), tree_of(after)
    have, want = other.coordinates(), one.coordinates()
    if nested:
        limbs = one.limb_by_limb()
        want.sort(key=lambda coordinate: limbs.index(coordinate.child))
    names = [
        coordinate.name for coordinate in want if coordinate.kind not in ("planar", "floating")
    ]
    left = [coordinate.name for coordinate in have if coordinate.name in names]
    found = [f"{name}: is gone" for name in names if name not in left]
    if not found and left != names:
        found.append("order: is another")
    bounds = {coordinate.name: (coordinate.low, coordinate.high) for coordinate in have}
    for coordinate in want:
        low, high = bounds.get(coordinate.name, (coordinate.low, coordinate.high))
        if not (math.isclose(low, coordinate.low, abs_tol=SAME, rel_tol=1e-6)) or not (
            math.isclose(high, coordinate.high, abs_tol=SAME, rel_tol=1e-6)
        ):
            found.append(f"{coordinate.name}: {coordinate.low}..{coordinate.high} is {low}..{high}")
    dice = random.Random(seed)
    values = {name: dice.uniform(-1.0, 1.0) for name in names}
    links = [coordinate.child for coordinate in want]
    apart = [link for link in links if link in other.joints and not _same(one, other, link, values)]
    found += [f"{link}: stands elsewhere" for link in apart]
    for link in links:
        mass, kept = one.below(link), other.below(link)
        if abs(kept - mass) > SAME_MASS * mass and link in other.joints:
            found.append(f"{link}: {mass:.6g} kg is {kept:.6g} kg")
    return found


def _same(one: Tree, other: Tree, link: str, values: Mapping[str, float]) -> bool:
    """Return whether a link stands where it did, as seen from the root of the first."""
    root = one.root()
    base = np.linalg.inv(other.pose(root, values))
    return bool(np.abs(one.pose(link, values) - base @ other.pose(link, values)).max() <= PLACE)
