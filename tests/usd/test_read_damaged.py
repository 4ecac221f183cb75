# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged stages: whatever a value is, nothing is raised, and what is read can be written."""

from __future__ import annotations

import sys
from math import inf, isfinite, nan
from random import Random
from typing import Any

import pytest
from usd_records import COLLISION, GPRIMS, MASS, SHADED, at, issues_of, joint, placed, prim

from omi_physics_joint.usd.prim import Prim
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.table import ATTRIBUTES, JOINTS
from omi_physics_joint.usd.writing.write import written, written_over

BODY = "PhysicsRigidBodyAPI"
GARBAGE: tuple[Any, ...] = (
    nan,
    inf,
    -inf,
    0.0,
    -1.0,
    1e300,
    10**30,
    "",
    "Z",
    True,
    (),
    (nan, nan, nan),
    (inf, 0.0, 1e300),
    (1.0, 2.0),
    (0.0, 0.0, 0.0, 0.0),
    ("a", "b", "c"),
    ((1.0, 2.0, 3.0), (nan, 0.0, 0.0)),
    (3, -1, 7),
)
INSTANCES = ("linear", "angular", "transX", "rotZ", "distance", "nowhere")
APIS = (
    *(f"Physics{kind}API:{one}" for kind in ("Limit", "Drive") for one in INSTANCES),
    "PhysxTriggerAPI",
    "PhysicsMeshCollisionAPI",
    "PhysicsArticulationRootAPI",
    "PhysicsFilteredPairsAPI",
)


def damaged(seed: int) -> tuple[Prim, ...]:
    """Return prims of every type, of whose values half are garbage."""
    random = Random(seed)
    kinds = [*sorted(GPRIMS), "Xform", "PhysicsScene", "PhysicsCollisionGroup", "Material"]
    names = [one.of(random.choice(INSTANCES)) for one in ATTRIBUTES.values()]

    def values() -> dict[str, Any]:
        return {name: random.choice(GARBAGE) for name in names if random.random() < 0.5}

    paths = [f"/P{i}" for i in range(len(kinds))]
    found = []
    for path, kind in zip(paths, kinds, strict=True):
        schemas = (BODY, MASS, COLLISION, SHADED, *random.sample(APIS, 4))
        local = random.choice((at(), at(nan), at(scale=(0.0, 1.0, 1e-200)), at(1e308)))
        targets = {"physics:filteredPairs": (random.choice(paths), "/Gone", path)}
        one = prim(path, kind, schemas, local, attributes=values(), targets=targets)
        found.append(one)
    for number, kind in enumerate(JOINTS):
        ends = [random.choice((*paths, "", "/Gone", "/J0")) for _ in range(2)]
        samples = {name: ((nan, nan), (1.0, "x"), (2.0, 3.0)) for name in names[::3]}
        found.append(
            joint(
                f"/J{number}",
                kind.removeprefix("Physics"),
                *ends,
                schemas=APIS,
                attributes=values(),
                samples=samples,
            )
        )
    return tuple(found)


@pytest.mark.parametrize("seed", range(25))
def test_whatever_the_values_are_nothing_is_raised(seed: int) -> None:
    """And the result is a mechanism that goes on its way."""
    units = {"meters_per_unit": (1.0, 0.0, nan, 0.01)[seed % 4], "up_axis": "YZ"[seed % 2]}
    contents, issues = contents_of(placed(*damaged(seed), **units))
    assert issues
    assert all(isfinite(x) for node in contents.mechanism.nodes for row in node.world for x in row)
    motions = [node.motion for node in contents.mechanism.nodes if node.motion is not None]
    assert all(isfinite(x) for motion in motions for x in motion.center)
    written(contents)


@pytest.mark.parametrize("unit", [0.0, -1.0, nan, inf, 1e-200, 1e200])
@pytest.mark.parametrize("name", ["meters_per_unit", "kilograms_per_unit"])
def test_units_that_are_none_count_as_one(name: str, unit: float) -> None:
    """A stage is read, and written over, as if it had not said them."""
    said = {"physics:density": 5.0, "physics:diagonalInertia": (1.0, 2.0, 3.0)}
    body = prim("/A", "Cube", (BODY, MASS, COLLISION), attributes=said, kinds=("Xformable",))
    whole, plain = placed(body, **{name: unit}), placed(body)
    assert contents_of(whole) == contents_of(plain)
    contents, _ = contents_of(plain)
    assert written_over(contents, whole)[0].prims == written_over(contents, plain)[0].prims


def test_without_numpy_masses_are_not_computed_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All else is read as ever."""
    monkeypatch.setitem(sys.modules, "omi_physics_joint.usd.reading.bodies.masses", None)
    said = {"physics:mass": 3.0, "physics:centerOfMass": (0.0, 0.0, 0.0)}
    stage = placed(prim("/A", schemas=(BODY,)), prim("/B", schemas=(BODY, MASS), attributes=said))
    (issue,) = issues_of(stage).values()
    assert issue.code == "usd-mass-not-computed"
    assert "A" in issue.message
    assert "B" not in issue.message.partition(":")[2]
