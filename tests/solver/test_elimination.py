# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of large islands are solved joint by joint: the answer is that of one dense matrix."""

from __future__ import annotations

import numpy as np
import pytest
from solver.building import Builder

from omi_physics_joint.model import recipes
from omi_physics_joint.solver import Simulation
from omi_physics_joint.solver import system as system_module
from omi_physics_joint.solver.elimination import Blocks


def branching() -> Builder:
    """Return bodies that hang in branches on welds, hinges and pins, some the other way round."""
    random = np.random.default_rng(3)
    made = Builder()
    nodes = [made.ground()]
    kinds = (recipes.weld(), recipes.hinge(1), recipes.pin())
    for number in range(14):
        parent = nodes[0] if not number else nodes[1 + int(random.integers(number))]
        body = made.body(tuple(random.normal(size=3)), mass=float(0.5 + random.random()))
        ends = (parent, body) if random.integers(2) else (body, parent)
        made.joint(*ends, kinds[number % 3], tuple(random.normal(size=3)))
        nodes.append(body)
    return made


def test_what_is_solved_is_the_system_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows held or not, rigid or yielding: each answer is its own, whatever was solved before."""
    monkeypatch.setattr(system_module, "DENSE_ROWS", 0)
    (group,) = Simulation(branching().mechanism()).groups
    system, blocks = group.system, group.system.linear
    assert isinstance(blocks, Blocks)
    random = np.random.default_rng(4)
    size = len(system)
    for share in (1.0, 0.8):
        active = random.random(size) < share
        held = np.flatnonzero(active)
        columns = [blocks.pull(row.reshape(-1, 6)) for row in np.eye(6 * system.count)]
        matrix = np.array(columns).T[held]
        gram = matrix @ matrix.T
        for yielding in (0.0, 5.0, 0.0, 0.5):
            compliance = yielding * (1.0 + random.random(size)) if yielding else None
            wanted = random.normal(size=size)
            found = blocks.solve(blocks.invert(active, compliance), wanted)
            matrix = gram if compliance is None else gram + np.diag(compliance[held])
            assert matrix @ found[held] == pytest.approx(wanted[held], abs=1e-6)
            assert (found[~active] == 0.0).all()
