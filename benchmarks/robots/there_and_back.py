# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots of public collections, there and back: what becomes of their coordinates.

URDF without its meshes, which have no coordinates, through glTF in both dialects and in each, USD,
MJCF and straight; MJCF straight, both files read by MuJoCo. Ends with 1 where a coordinate is gone,
renamed, in another place of the order, reversed, bounded otherwise, or where a base is not said.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np

from omi_physics_joint.library.formats import Choices, format_of
from omi_physics_joint.model.contents import Contents, ContentsError
from omi_physics_joint.model.issue import Issue

from .coordinates import SAME, SAME_MASS, differences, routes, tree_of

ROBOTS = ("cmeel.prefix/share/example-robot-data/robots/**/*.urdf", "pybullet_data/*.urdf")
MODELS = (
    "dm_control/suite/*.xml",
    "dm_control/locomotion/walkers/assets/*.xml",
    "dm_control/third_party/kinova/jaco_*.xml",
    "gymnasium/envs/mujoco/assets/*.xml",
    "gymnasium_robotics/envs/assets/**/*.xml",
)
MESHED = re.compile(r"<(visual|collision)\b.*?</\1>", re.DOTALL)
FREE = 9.0
"""m or rad in place of a bound that is none."""


def installed(patterns: tuple[str, ...]) -> list[Path]:
    """Return the files of packages that are installed."""
    return [
        path
        for pattern in patterns
        for folder in dict.fromkeys(sys.path)
        if folder
        for path in sorted(Path(folder).glob(pattern))
    ]


def judged_robot(path: Path, folder: Path) -> tuple[int, dict[str, list[str]]]:
    """Return how many coordinates a URDF has, and what is another on each way."""
    text = MESHED.sub("", path.read_text("utf-8"))
    bare = folder / path.name
    bare.write_text(text, "utf-8")
    coordinates = len(tree_of(text).coordinates())
    found: dict[str, list[str]] = {}
    for way, other in routes(bare, folder):
        wrong = differences(text, other, nested=way == ".xml")
        # MuJoCo wants a mass of all that moves: of links without one a gram stays there.
        found[way] = [one for one in wrong if way != ".xml" or " kg is " not in one]
    if coordinates and not is_base_said(*read(bare)):
        found["base"] = ["it is not said what stands and what floats"]
    return coordinates, {way: wrong for way, wrong in found.items() if wrong}


def read(path: Path) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a robot's file holds, and what is said of it."""
    form = format_of(path)
    assert form is not None
    return form.read(path, Choices())


def is_base_said(contents: Contents, issues: tuple[Issue, ...]) -> bool:
    """Return whether it is said how a robot stands; a joint to the world says it itself."""
    said = any(issue.code.endswith(("-standing", "-floating")) for issue in issues)
    return said or any(node.name == "world" for node in contents.mechanism.nodes)


def judged_model(path: Path, folder: Path) -> tuple[Counter[str], list[str]]:
    """Return what a MJCF has and keeps, and what of its joints is another."""
    before = mujoco.MjModel.from_xml_path(str(path))
    output = folder / "out.xml"
    form = format_of(output)
    assert form is not None
    package, _ = form.write(read(path)[0], output, Choices())
    for name, side in package.sides.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(side)
    output.write_bytes(package.main)
    after = mujoco.MjModel.from_xml_path(str(output))
    names = [name for i in range(before.njnt) if (name := before.joint(i).name)]
    have = [after.joint(i).name for i in range(after.njnt)]
    wrong = [] if [one for one in have if one in names] == names else ["joints or their order"]
    wrong += [name for name in names if name in have and _is_other(before, after, name)]
    counts = Counter(
        joints=len(names), actuators=before.nu, kept=after.nu, heavier=_heavier(before, after)
    )
    return counts, wrong


def _is_other(before: mujoco.MjModel, after: mujoco.MjModel, name: str) -> bool:
    """Return whether a joint has another range, or another axis in its body."""
    found = []
    for model in (before, after):
        joint = model.joint(name).id
        bounds = model.jnt_range[joint] if model.jnt_limited[joint] else (-FREE, FREE)
        has_axis = model.jnt_type[joint] >= int(mujoco.mjtJoint.mjJNT_SLIDE)
        axis = model.jnt_axis[joint] if has_axis else ()
        found.append(np.array([*bounds, *axis]))
    return bool(np.abs(found[0] - found[1]).max() > SAME)


def _heavier(before: mujoco.MjModel, after: mujoco.MjModel) -> int:
    """Return how many bodies that joints move weigh otherwise with all that hangs on them."""
    count = 0
    for body in range(1, before.nbody):
        name = before.body(body).name
        if not name or before.body_weldid[body] != body or before.body_mocapid[body] >= 0:
            continue
        mass = before.body_subtreemass[body]
        count += abs(after.body_subtreemass[after.body(name).id] - mass) > SAME_MASS * mass
    return count


def lines() -> Iterator[str]:
    """Yield a line for each file that is not as it was, and one for each collection."""
    totals: Counter[str] = Counter()
    for path in installed(ROBOTS):
        with tempfile.TemporaryDirectory() as folder:
            try:
                coordinates, wrong = judged_robot(path, Path(folder))
            except (ContentsError, SyntaxError) as error:
                yield f"{path.name}: not read: {error}"
                continue
        totals += Counter(robots=1, coordinates=coordinates, other=bool(wrong))
        yield from (f"WRONG {path.name} {way}: {parts[:3]}" for way, parts in wrong.items())
    yield f"URDF: {dict(totals)}"
    totals.clear()
    for path in installed(MODELS):
        with tempfile.TemporaryDirectory() as folder:
            try:
                counts, other = judged_model(path, Path(folder))
            except (ContentsError, ValueError) as error:  # a part of a model, or none of MuJoCo's
                yield f"{path.name}: not judged: {str(error).splitlines()[0][:90]}"
                continue
        totals += counts + Counter(models=1)
        if other:
            yield f"WRONG {path.name}: {other[:4]}"
    yield f"MJCF: {dict(totals)}"


def main() -> int:
    """Judge all, and return the exit code."""
    wrong = 0
    for line in lines():
        wrong += line.startswith("WRONG")
        print(line, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
