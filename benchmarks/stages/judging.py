# SPDX-License-Identifier: GPL-3.0-or-later
"""A case as a file: how far an engine that loads it is off, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path

from benchmarks.godot.building import Case
from benchmarks.godot.cases import file_name
from benchmarks.godot.engine import Measured
from benchmarks.godot.judging import Off, is_wild, ours, weighed, worst
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.model.validate import check
from omi_physics_joint.usd.stage import encoded
from omi_physics_joint.usd.writing.write import written


def put_stage(contents: Contents, path: Path) -> tuple[Issue, ...]:
    """Write contents as a stage, and return what it cannot say."""
    stage, issues = written(contents)
    path.write_bytes(encoded(stage, path.suffix))
    return issues


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that loads files of one format.

    Attributes:
        reader: what Check calls it.
        moved: where it has the bodies of a file at the start and after some seconds.
        refusals: what it raises where it refuses a file.
        put: writes a file, and returns what is said of it.
        suffix: of the file.
        family: what codes begin with that are said of the format.
    """

    reader: Reader
    moved: Callable[[Path, float], Measured]
    refusals: tuple[type[Exception], ...] = ()
    put: Callable[[Contents, Path], tuple[Issue, ...]] = put_stage
    suffix: str = ".usda"
    family: str = "usd-"


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one case."""

    name: str
    off: Off
    codes: tuple[str, ...]
    wild: bool
    """Whether our own motion is off as far when it is begun elsewhere."""

    @property
    def verdict(self) -> str:
        """One word."""
        if self.off.share <= 1.0:
            return "ok"
        return "named" if self.codes else "wild" if self.wild else "OFF"

    def __str__(self) -> str:
        return (
            f"{self.verdict:5} {self.name:44} {self.off.degrees:7.2f}° "
            f"{self.off.millimetres:8.1f} mm {self.off.body:5} {' '.join(self.codes)}"
        ).rstrip()


def judged(engine: Engine, name: str, case: Case, folder: Path, seconds: float) -> Line:
    """Return what comes of a case."""
    meshes = tuple(Triangles(*mesh) for mesh in case.meshes)
    path = folder / f"{file_name(name)}{engine.suffix}"  # pxr keeps what it has read under a name
    issues = engine.put(Contents(case.mechanism, meshes), path)
    checked = check(weighed(case), readers=frozenset((engine.reader,)))
    said = (engine.family, f"{engine.reader}-", "mass-ratio")
    codes = {one.code for one in (*issues, *checked) if one.code.startswith(said)}
    truth = ours(case, seconds, has_still=False)
    try:
        off = worst(truth, engine.moved(path, seconds))
    except engine.refusals as error:
        off = Off(inf, inf, str(error).partition("\n")[0])
    wild = 1.0 < off.share < inf and is_wild(case, truth, seconds)
    return Line(name, off, tuple(sorted(codes)), wild)
