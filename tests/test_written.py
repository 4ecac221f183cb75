# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written of contents that say as much as agrees, in each format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.library.converted import put
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents, Package
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.urdf.read import read_urdf
from omi_physics_joint.robots.urdf.write import write_urdf
from omi_physics_joint.usd.prim import Stage
from omi_physics_joint.usd.writing.write import written
from tests.approved import approved
from tests.one_of_each import changed, everything
from tests.robots.rich import LOOPS, ROBOT, TREE

NESTED = ("worldbody", "body", "link", "joint", "actuator", "equality", "contact", "keyframe")
"""Elements that have a line of their own."""
LONG = re.compile(r"-?\d+\.\d{7,}(e-?\d+)?")

NOTHING = re.compile(r"-?\b\d(\.\d+)?e-(0[6-9]|1\d)\b")
"""Numbers that are rounding alone, and another on another machine."""


def rounded(text: str) -> str:
    """Return a text whose long numbers have six digits."""
    return LONG.sub(lambda found: f"{round(float(found[0]), 6) + 0.0:.6g}", text)


def documents(contents: Contents) -> Iterator[str]:
    """Yield a line for each part of a document that has something of ours, and for its nodes."""
    both, _ = fresh_document(contents, Path("all.glb"))
    told: set[str] = set()
    for spoken in (tuple(Spoken), *((one,) for one in Spoken)):
        file: Any = respelled(both.json, spoken).json
        for name, value in file["extensions"].items():
            for key, items in value.items():
                told_of = items if isinstance(items, list) else [items]
                yield from fresh(told, (f"{name}/{key}: {json.dumps(one)}" for one in told_of))
        for index, node in enumerate(file["nodes"]):
            yield from fresh(told, [f"nodes/{index}: {json.dumps(node)}"])
        yield f"used in {' and '.join(spoken)}: {', '.join(file['extensionsUsed'])}"
        rest = {
            key: file[key] for key in file if key not in ("nodes", "extensions", "extensionsUsed")
        }
        yield from fresh(told, (f"{key}: {json.dumps(value)}" for key, value in rest.items()))


def fresh(told: set[str], lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that were not told before, their numbers rounded."""
    for line in map(rounded, lines):
        if line not in told:
            told.add(line)
            yield line


def prims(stage: Stage) -> Iterator[str]:
    """Yield a line for what a stage says, and one for each prim."""
    yield (
        f"{stage.meters_per_unit} m, {stage.kilograms_per_unit} kg, {stage.up_axis} up, "
        f"{stage.time_codes_per_second} a second, {stage.times}, {stage.default_prim}"
    )
    for prim in stage:
        what = (prim.specifier, prim.type, prim.label)
        parts = [f"{prim.path}: {' '.join(filter(None, what))}", *prim.schemas]
        parts += [f"{key} = {value}" for key, value in prim.attributes.items()]
        parts += [f"{key} -> {' '.join(value)}" for key, value in prim.targets.items()]
        parts += [f"{key} at {value}" for key, value in prim.samples.items()]
        if prim.local is not None:
            parts.append(f"pose {[[*row] for row in prim.local[:3]]}{' alone' * prim.resets}")
        yield rounded("; ".join(parts))


def xml(package: Package, said: Iterable[Issue]) -> list[str]:
    """Return a line for each part of a robot, of a body for each of its own, and what is said."""
    lines: list[str] = []

    def tell(element: Element, above: str) -> None:
        inner = [one for one in element if one.tag in NESTED]
        for one in inner:
            element.remove(one)
        text = re.sub(r">\s+<", "><", ElementTree.tostring(element, "unicode").strip())
        lines.append(rounded(f"{above}{text}"))
        for one in inner:
            tell(one, f"{above}  ")

    tell(ElementTree.fromstring(package.main), "")
    beside = (f"{name}: {len(bytes(one))} bytes" for name, one in package.sides.items())
    return [*lines, *beside, *map(str, said)]


def test_what_documents_say_is_as_approved() -> None:
    """Both dialects, each alone and both in one file, and keys beside them."""
    keyed = changed("Limit.keys")
    approved(
        "written_gltf.txt",
        {"Of as much as agrees.": documents(everything()), "Of keys.": documents(keyed)},
    )


def test_what_stages_say_is_as_approved() -> None:
    """Bodies in each other and beside each other."""
    nested, flat = (prims(written(everything(), flat=one)[0]) for one in (False, True))
    keyed = prims(written(changed("Limit.keys"))[0])
    approved(
        "written_usd.txt",
        {"Of bodies in each other.": nested, "Of flat ones.": flat, "Of keys.": keyed},
    )


@pytest.fixture
def robots(tmp_path: Path) -> dict[str, Contents]:
    """As much as agrees, and what is read of robots."""
    found = {"as much as agrees": everything()}
    for name, text in (("tree.xml", TREE), ("loops.xml", LOOPS), ("robot.urdf", ROBOT)):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        read = read_urdf if path.suffix == ".urdf" else read_mjcf
        found[f"the {path.stem}"] = read(path)[0]
    return found


def test_what_models_say_is_as_approved(robots: dict[str, Contents]) -> None:
    """MJCF, with what it cannot say."""
    made = {name: write_mjcf(one, Path("made.xml")) for name, one in robots.items()}
    approved("written_mjcf.txt", {f"Of {name}.": xml(*one) for name, one in made.items()})


def test_what_robots_say_is_as_approved(robots: dict[str, Contents]) -> None:
    """URDF, likewise, with meshes in a package."""
    uri = "package://made/meshes"
    made = {name: write_urdf(one, Path("made.urdf"), uri) for name, one in robots.items()}
    approved("written_urdf.txt", {f"Of {name}.": xml(*one) for name, one in made.items()})


def test_what_is_read_again_is_as_approved(robots: dict[str, Contents], tmp_path: Path) -> None:
    """A robot that is written and read says what it said, or is another in what is told here."""
    found: dict[str, list[str]] = {}
    for name, before in robots.items():
        for suffix, write, read in (
            (".xml", write_mjcf, read_mjcf),
            (".urdf", write_urdf, read_urdf),
        ):
            path = tmp_path / f"again{suffix}"
            package, _ = write(before, path)
            put(package, path)
            after, _ = read(path)
            told = map(str, changes(*with_same_names((before, after))))
            # Axes of equal moments are another machine's choice.
            lines = [NOTHING.sub("0", one) for one in told if "axes of inertia" not in one]
            found[f"Of {name} by way of {suffix}."] = lines or ["the same"]
    approved("written_again.txt", found)
