# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests `make test-all` runs where."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_every_blender_runs_its_tests_and_every_python_the_short_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only what says nothing of a Blender is left to one of each Python, or, if long, to one."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts"), *sys.path])
    import test_blenders as script

    blender, others = [], []
    for went in (script._runs("3.11", {"3.13"}), script._runs("3.11", {"3.11", "3.13"})):
        blender.append(went.pop("", None))
        others += went.values()
    known = [f"--ignore={path}" for path in script.OF_PYTHON]
    assert script._runs("3.11", set()) == {"": []}
    assert blender[0] == script.WITH_BLENDER
    assert blender[1] == ["tests/blender", "tests/package", "tests/usd", *known]
    assert others == [["-m", "not long", *(f"--ignore={path}" for path in script.WITH_BLENDER)]]
    assert all((ROOT / path).exists() for path in script.WITH_BLENDER + script.OF_PYTHON)
