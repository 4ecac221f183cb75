# SPDX-License-Identifier: GPL-3.0-or-later
"""What rows are is defined in Python; the kernel evaluates the same, to rounding."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from solver.test_together import KINDS, soft_pair

from benchmarks.solver.random_mechanisms import open_mechanism, tangle
from omi_physics_joint.model.joint import JointSettings, Limit
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver.engines.compiled import filled
from omi_physics_joint.solver.engines.kernel_structs import ISLAND, STATE
from omi_physics_joint.solver.island_group import IslandGroup
from omi_physics_joint.solver.kinematics.coordinates import Kinematics
from omi_physics_joint.solver.kinematics.island_rows import IslandRows
from omi_physics_joint.solver.kinematics.rotation import exponential
from omi_physics_joint.solver.system import RowKind
from scripts.build_kernel import EXACT, KERNEL, LANGUAGE, kernel_sources

Array = NDArray[np.float64]
WIDE = 20000
"""Doubles of a workspace."""
TEXT = """#include "context.h"
void rows_of(const omi_island *is, omi_state *st, const double *other, double *work, double **out)
{
    omi_context c;
    omi_open(&c, is, st, 0, other, work);
    omi_evaluate(&c, st->position, st->rotation, st->velocity);
    const double *from[] = {c.rows.value, c.rows.rate, c.rows.drift, c.rows.stretch, c.rows.entry};
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < is->rows * (k < 4 ? 1 : 12); ++i) out[k][i] = from[k][i];
}
"""
Evaluates = Callable[[IslandGroup, Array], tuple[Array, ...]]


@pytest.fixture(scope="module")
def by_the_kernel(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Evaluates:
    """A function that has the kernel evaluate the rows of the first island of a group."""
    folder = tmp_path_factory.mktemp("rows")
    source, library = folder / "rows.c", folder / "rows.so"
    source.write_text(TEXT, "utf-8")
    flags = [*LANGUAGE, "-Wno-missing-prototypes", *EXACT, "-O0", "-fPIC", "-shared"]
    flags += [f"-I{KERNEL}", "-o", str(library), str(source), *kernel_sources()]
    subprocess.run([*c_compiler, *flags], check=True)
    call = ctypes.CDLL(str(library)).rows_of

    def rows_of(group: IslandGroup, other: Array) -> tuple[Array, ...]:
        system, state = group.system.one(0), group.state.one(0)
        island, moving = filled(ISLAND, system, 1), filled(STATE, state, 1)
        out = [np.zeros(system.rows) for _ in range(4)] + [np.zeros((system.rows, 2, 6))]
        work, places = np.zeros(WIDE), (ctypes.c_void_p * 5)(*(one.ctypes.data for one in out))
        given = island, moving, other, work
        call(*(ctypes.c_void_p(one.ctypes.data) for one in given), places)
        return tuple(out)

    return rows_of


def thrown(group: IslandGroup, seed: int) -> Array:
    """Put the first island anyhow, at random velocities; return those of what leads it."""
    random, system, state = np.random.default_rng(seed), group.system, group.state
    turns = exponential(random.normal(size=state.position[0].shape))
    state.rotation[0] = state.rotation[0] @ turns
    state.position[0] += random.normal(size=state.position[0].shape)
    state.velocity[0] = 3.0 * random.normal(size=state.velocity[0].shape) * system.roots[0]
    pressed = np.isfinite(system.high[0]) & (random.random(system.rows) < 0.5)
    state.side[0], state.excess[0] = np.where(pressed, 1, 0), 0.0
    return np.asarray(random.normal(size=(1, system.others, 6)))


def agrees(group: IslandGroup, seed: int, by_the_kernel: Evaluates) -> None:
    """Compare values, rates, drifts, stretches and Jacobian of all rows."""
    other = thrown(group, seed)
    system, state = group.system.one(0), group.state.one(0)
    rows = IslandRows(Kinematics(system), state, other)
    twists = (state.side != 0) & rows.kinematics.twists
    rows.pressed[:, 0] = np.where(twists, system.high, np.nan)
    now = rows.now()
    rate, drift = rows.motion(now, state.velocity[:, None])
    moving = system.ends[system.joint_of_row] < system.bodies
    expected = now.value, rate, drift, now.stretch, now.entry * moving[:, :, None]
    found = by_the_kernel(group, other)
    for mine, its in zip(expected, found, strict=True):
        size = 1e-12 * max(1.0, float(np.abs(mine).max(initial=0.0)))
        assert its == pytest.approx(mine[0, 0], rel=0.0, abs=size)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_rows_of_random_mechanisms_are_the_same(seed: int, by_the_kernel: Evaluates) -> None:
    """Joints of all kinds, open and closed, however bodies lie, fly and are led."""
    for mechanism in (open_mechanism(seed)[0], tangle(seed, wild=False)):
        for group in Simulation(mechanism).groups:
            agrees(group, seed, by_the_kernel)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_several_axes_are_the_same(name: str, seed: int, by_the_kernel: Evaluates) -> None:
    """Ropes, tubes, cones and whole angles."""
    here = np.array([0.1, -0.2, 0.3, 0.9])
    for group in soft_pair(JointSettings(limits=(KINDS[name],)), here).groups:
        agrees(group, seed, by_the_kernel)


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 1), (0, 2)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_turns_that_are_held_softly_are_the_same(
    axes: tuple[int, ...], seed: int, by_the_kernel: Evaluates
) -> None:
    """However far they have given way, and whatever turns beside them."""
    bounds = Limit((0, 1, 2), (), 0.0, 0.0), Limit((), axes, 0.25, 0.25, 9.0, 0.5)
    for group in soft_pair(JointSettings(limits=bounds), np.array([0.1, -0.2, 0.3, 0.9])).groups:
        assert (group.system.kind == RowKind.HELD).any()
        agrees(group, seed, by_the_kernel)
