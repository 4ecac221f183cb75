# SPDX-License-Identifier: GPL-3.0-or-later
"""Godot, which looks once at all files of these tests; they are skipped where it is not named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.godot import engine

from .files import Built, write_cases

PROGRAM = "OMI_GODOT_PROGRAM"


@pytest.fixture(scope="session")
def look(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[Path]], list[Built]]:
    """A function that has Godot import files with our add-on, and returns what becomes of them."""
    program = os.environ.get(PROGRAM)
    if not program:
        pytest.skip(f"{PROGRAM} names no Godot (make test-godot)")
    folder = tmp_path_factory.mktemp("godot")

    def look(paths: list[Path]) -> list[Built]:
        made = engine.built(Path(program), folder, paths)
        return [Built(path, made[path]) for path in paths]

    return look


@pytest.fixture(scope="session")
def cases(
    look: Callable[[list[Path]], list[Built]], tmp_path_factory: pytest.TempPathFactory
) -> list[Built]:
    """All cases, as the add-on builds them."""
    return look(write_cases(tmp_path_factory.mktemp("cases")))
