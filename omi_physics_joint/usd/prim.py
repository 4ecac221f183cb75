# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage as plain records: what is written into one, and what is read from one, without ``pxr``.

Numbers are those of the stage, in its units, in degrees and in its axes: see ``units``. Matrices
are those of ``model.geometry.transform``, quaternions are (x, y, z, w).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from ..model.geometry.transform import IDENTITY, Matrix, multiply
from ..model.issue import Issue
from .units import Units

Value = Any
"""bool, int, float, str, or a tuple of them, also of tuples."""
Samples = tuple[tuple[float, Value], ...]
"""Pairs of time code and value, times rising."""

DEF, OVER = "def", "over"
LEAST, MOST = 1e-30, 1e30
"""Units and rates outside of these are none: their powers would leave all numbers."""


@dataclass(frozen=True, slots=True)
class Prim:
    """One prim: as it is composed where it was read, or the opinions that a layer has on it."""

    path: str
    """Absolute: "/World/Door"."""
    type: str = ""
    """Name of its type, such as "Xform"; empty where it has none."""
    schemas: tuple[str, ...] = ()
    """Applied schemas in their order, those that are applied several times as "Name:instance"."""
    attributes: Mapping[str, Value] = field(default_factory=dict)
    """Values that somebody has authored, without primvars; tokens are strings.

    Written, None takes away the value that weaker layers have."""
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Absolute paths by relationship."""
    samples: Mapping[str, Samples] = field(default_factory=dict)
    """Values over time by attribute; ``attributes`` has the first of them."""
    local: Matrix | None = None
    """Pose below the prim above. Written, None leaves it alone; read, None has no pose of its own,
    as joints, materials and scopes have none."""
    world: Matrix = IDENTITY
    """Pose in the stage, at the earliest moment; read only. That of the prim above where it has
    none of its own."""
    resets: bool = False
    """Whether its pose is one in the stage, whatever is above it (``resetXformStack``)."""
    is_animated: bool = False
    """Whether its own pose changes with time; read only."""
    poses: Samples = ()
    """Its pose below the prim above over time, often enough to go straight in between."""
    physics_material: str = ""
    """Path of the material that is bound to it for physics, also from above; read only."""
    members: tuple[str, ...] = ()
    """Paths that its collection of colliders includes, where it is a collision group; read only."""
    is_shared: bool = False
    """Whether it stands in an instance, so that layers cannot have opinions on it; read only."""
    kinds: tuple[str, ...] = ()
    """Types that its type is one of, such as "PhysicsJoint" of a type that is derived from it;
    read only."""
    label: str = ""
    """What users see in place of its name (``displayName``); empty where nobody has said it."""
    specifier: str = DEF
    """Whether a layer makes it (``DEF``) or has opinions on one that is there (``OVER``)."""
    removed_schemas: tuple[str, ...] = ()
    """Schemas that weaker layers apply and this one takes away; written only."""
    is_active: bool = True
    """Written only: False takes it and what is below it out of the stage."""

    @property
    def name(self) -> str:
        """Its name, unique below the prim above."""
        return self.path.rpartition("/")[2]

    @property
    def title(self) -> str:
        """What users call it."""
        return self.label or self.name

    @property
    def parent(self) -> str:
        """Path of the prim above; "/" above those at the top."""
        return self.path.rpartition("/")[0] or "/"

    def instances(self, schema: str) -> tuple[str, ...]:
        """Return for which instances a schema is applied that can be applied several times."""
        first = f"{schema}:"
        return tuple(one.removeprefix(first) for one in self.schemas if one.startswith(first))

    def first(self, relationship: str) -> str:
        """Return the first path that a relationship names; empty where it names none."""
        return next(iter(self.targets.get(relationship, ())), "")


@dataclass(frozen=True, slots=True)
class Stage:
    """Prims in their order, each after the one above it, and what the stage says of its numbers."""

    prims: tuple[Prim, ...] = ()
    meters_per_unit: float = 1.0
    kilograms_per_unit: float = 1.0
    up_axis: str = "Y"
    time_codes_per_second: float = 24.0
    times: tuple[float, float] | None = None
    """First and last time code, where anybody has said them."""
    default_prim: str = ""
    """Name of a prim at the top."""
    origin: Matrix = IDENTITY
    """Pose of the stage itself, where whoever reads it has put it somewhere else."""
    troubles: tuple[Issue, ...] = ()
    """What of it is not there although it is named, and what could not be read; read only."""

    @property
    def units(self) -> Units:
        """What its lengths and masses are counted in; a unit that makes no sense counts as one."""
        return Units(_sensible(self.meters_per_unit, 1.0), _sensible(self.kilograms_per_unit, 1.0))

    @property
    def rate(self) -> float:
        """Time codes per second; 24 where what is said makes no sense."""
        return _sensible(self.time_codes_per_second, 24.0)

    @property
    def start(self) -> float:
        """Time code of what is zero elsewhere: films begin at 1001, Blender's glTF before 1."""
        first = self.times[0] if self.times else 0.0
        return first if isfinite(first) and first != 1.0 else 0.0

    def seconds(self, code: float) -> float:
        """Return when a time code is, in s."""
        return (code - self.start) / self.rate

    def code(self, seconds: float) -> float:
        """Return the time code of a time in s."""
        return self.start + seconds * self.rate

    def __iter__(self) -> Iterator[Prim]:
        """Yield the prims."""
        return iter(self.prims)


def is_sensible(unit: float) -> bool:
    """Return whether something can be counted in a unit."""
    return LEAST < unit < MOST


def _sensible(value: float, otherwise: float) -> float:
    return value if is_sensible(value) else otherwise


def turned_stage(stage: Stage, turn: Matrix, up_axis: str) -> Stage:
    """Return a stage as it is when it is turned as a whole."""
    prims = (replace(prim, world=multiply(turn, prim.world)) for prim in stage)
    return replace(stage, prims=tuple(prims), origin=multiply(turn, stage.origin), up_axis=up_axis)


def above(path: str) -> Iterator[str]:
    """Yield a path and those of all prims above it, without the root of the stage."""
    while path and path != "/":
        yield path
        path = path.rpartition("/")[0]


def identifier(name: str, otherwise: str) -> str:
    """Return a name as one of a prim: letters of any script, digits and underscores."""
    kept = "".join(c if f"a{c}".isidentifier() else "_" for c in name)
    if not kept.strip("_"):
        return otherwise
    return kept if kept.isidentifier() else f"_{kept}"
