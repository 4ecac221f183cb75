# SPDX-License-Identifier: GPL-3.0-or-later
"""What readers make of materials, filters and ``enableCollision`` of our files, a line a lane.

    python -m benchmarks.contacts.readers ours
    python -m benchmarks.contacts.readers godot --godot /path/to/godot [--khr] [--rate 60]
    python -m benchmarks.contacts.readers mujoco        (in a Python with mujoco)
    PYTHONPATH=.:build/bench-physx python -m benchmarks.contacts.readers physx

Beside each number stands what the specifications say, ``OFF`` where it is another, and above them
what is said of the file. It ends with 1 where a file is off and nothing is said of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.godot.building import Case
from benchmarks.godot.documents import write
from benchmarks.godot.engine import STEPS_A_SECOND, prepared
from benchmarks.stages.judging import put_stage
from omi_physics_joint.gltf.dialects import spoken_by
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check
from omi_physics_joint.solver import Options, Simulation

from ..solver.scene import Point
from .in_files import Row, rows
from .scene import FPS

RATES = {"godot": STEPS_A_SECOND, "physx": 240}
"""Steps a second. In many more PhysX lets go of what sticks, as it begins to lie."""
NAMING = ("combine", "filter")
"""What codes end with that say that surfaces differ."""
Ways = Mapping[str, Point]
"""How far bodies have come, m in glTF's axes, by name."""


def ours(row: Row, _: Path, __: argparse.Namespace) -> tuple[Ways, list[str]]:
    """Move a row by our own solver."""
    simulation = Simulation(row.mechanism, Options(contacts=True))
    start = simulation.positions.copy()
    whole = round(row.seconds * FPS)
    for _step in range(whole):
        simulation.step(row.seconds / whole)
    names = [row.mechanism.nodes[node].name for node in simulation.body_nodes]
    ways = (simulation.positions - start).tolist()
    return dict(zip(names, map(tuple, ways), strict=True)), []


def godot(row: Row, folder: Path, words: argparse.Namespace) -> tuple[Ways, list[str]]:
    """Move a row by Godot with our add-on."""
    program = prepared(words.godot, None, folder, damped=words.rate != STEPS_A_SECOND)
    path = folder / "row.gltf"
    write(Case(row.mechanism), path, Target.SPECIFIED, spoken_by("khr" if words.khr else "omi"))
    found = program.measure((path,), row.seconds, words.rate)[path.name]
    ways = {name: _way(found.start[name], end) for name, end in found.end.items()}
    return ways, said_to(Reader.GODOT, row)


def mujoco(row: Row, folder: Path, _: argparse.Namespace) -> tuple[Ways, list[str]]:
    """Move a row by MuJoCo, as the file says."""
    import mujoco as engine

    from benchmarks.robots.moving import put
    from omi_physics_joint.robots.mjcf.writing.write import write_mjcf

    path = folder / "row.xml"
    package, issues = write_mjcf(Contents(row.mechanism), path)
    put(package, path)
    model = engine.MjModel.from_xml_path(str(path))
    data = engine.MjData(model)
    if model.nkey:
        engine.mj_resetDataKeyframe(model, data, 0)
    engine.mj_forward(model, data)
    start = data.xpos.copy()
    for _step in range(round(row.seconds / model.opt.timestep)):
        engine.mj_step(model, data)
    engine.mj_kinematics(model, data)
    ways = {
        model.body(i).name: (float(x), float(z), float(-y))
        for i, (x, y, z) in enumerate(data.xpos - start)
    }
    return ways, sorted({one.code for one in issues})


def physx(row: Row, folder: Path, words: argparse.Namespace) -> tuple[Ways, list[str]]:
    """Move a row by PhysX."""
    from benchmarks.physx.run import PhysX

    path = folder / f"{words.row}.usda"  # it keeps what it has read under a name
    issues = put_stage(Contents(row.mechanism), path)
    words.engine = words.engine or PhysX(words.rate)  # there can be one
    found = words.engine.moved(path, row.seconds)
    ways = {name: _way(found.start[name], end) for name, end in found.end.items()}
    return ways, [*said_to(Reader.PHYSX, row), *{one.code for one in issues}]


def said_to(reader: Reader, row: Row) -> list[str]:
    """Return the codes of what Check says of a row to a reader."""
    return sorted({one.code for one in check(row.mechanism, readers=frozenset((reader,)))})


READERS: dict[str, Callable[[Row, Path, argparse.Namespace], tuple[Ways, list[str]]]] = {
    "ours": ours,
    "godot": godot,
    "mujoco": mujoco,
    "physx": physx,
}


def _way(start: tuple[float, ...], end: tuple[float, ...]) -> Point:
    x, y, z = (b - a for a, b in zip(start[:3], end[:3], strict=True))
    return x, y, z


def main() -> int:
    """Run with the words of the command line and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reader", choices=READERS)
    parser.add_argument("--godot", type=Path, help="the program")
    parser.add_argument("--rate", type=int, help="steps a second")
    parser.add_argument("--khr", action="store_true", help="in Khronos' extensions")
    parser.add_argument("--only", nargs="+", default=[], help="rows")
    parser.set_defaults(engine=None)
    words = parser.parse_args()
    words.rate = words.rate or RATES.get(words.reader, 0)
    unsaid = False
    with TemporaryDirectory() as folder:
        for name, row in rows().items():
            if words.only and name not in words.only:
                continue
            words.row = name
            ways, said = READERS[words.reader](row, Path(folder), words)
            print(f"{name}: {', '.join(said)}")
            is_said = any(code.endswith(NAMING) for code in said)
            for number, lane in enumerate(row.lanes):
                way = ways.get(f"Lane{number}")
                value = float("nan") if way is None else row.shown(way)
                off = "" if abs(value - lane.expected) <= lane.within else " OFF"
                unsaid |= bool(off) and not is_said
                print(f"  {lane.name}: {row.word} {value:.4g}, expected {lane.expected:.4g}{off}")
    return int(unsaid)


if __name__ == "__main__":
    sys.exit(main())
