# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves tests out that would take minutes where the textbook moves everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator

import pytest

from omi_physics_joint.solver.engines.engine import StepResult
from omi_physics_joint.solver.textbook.stepper import TextbookStepper

SMALL_STEPS = 300
"""The textbook may take in a test, in some four seconds: the same on a machine that is busy."""
CASES = 2
"""Of a test that are found to take too long, before its others are left out unseen."""
TOO_LONG = "it takes too long by the textbook, and there is no compiled kernel here (make kernel)"


class TextbookTime:
    """Counts its small steps in a test, which is skipped once they are too many."""

    def __init__(self) -> None:
        self._taken, self._is_left_out = 0, False
        self._long = Counter[str]()
        plain = TextbookStepper.step  # which relax calls too

        def counted(stepper: TextbookStepper, *times: float) -> StepResult:
            if self._taken > SMALL_STEPS:
                self._is_left_out = True
                pytest.skip(TOO_LONG)
            went = plain(stepper, *times)
            self._taken += int(went.reports["steps"].sum())
            return went

        TextbookStepper.step = counted

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        """Count anew; what is set up may take as long as the test itself."""
        self._taken, self._is_left_out = 0, False
        if self._long[_test_of(item)] >= CASES:
            pytest.skip(TOO_LONG)
        return (yield from self._leaving_out(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Go on counting."""
        return (yield from self._leaving_out(item))

    def _leaving_out(self, item: pytest.Item) -> Generator[None, object, object]:
        """Skip also where Blender has made something else of the exception, or nothing."""
        try:
            return (yield)
        finally:
            if self._is_left_out:
                self._long[_test_of(item)] += 1
                pytest.skip(TOO_LONG)


def _test_of(item: pytest.Item) -> str:
    """Return the name of a test without its case."""
    return item.nodeid.partition("[")[0]
