# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations are those of Newton 1.8.0, as ``benchmarks/newton`` has asked it."""

from __future__ import annotations

import pytest

from benchmarks.newton.judging import judged
from benchmarks.newton.samples import kept, question
from benchmarks.newton.scenes import SCENES

KEPT = kept()
"""``python -m benchmarks.newton.run --keep`` makes them, where Newton is installed."""


@pytest.mark.parametrize("name", SCENES)
def test_layout_poses_and_coordinates_are_those_of_newton(name: str) -> None:
    """The same layout; ``eval_fk`` and ``eval_ik`` to 1e-5, in single precision."""
    found = judged(question(name), KEPT[name])
    assert {what: gap for what, gap in found.items() if gap > 1e-5} == {}


def test_every_answer_is_judged() -> None:
    """No scene without an answer, and none answered that is not there any more."""
    assert list(KEPT) == list(SCENES)
