# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots of MuJoCo."""

from __future__ import annotations

from pathlib import Path

from ...model.contents import Contents, Package
from ...model.issue import Issue
from ...robots.importing.bases import RootBase
from ...robots.mjcf.read import read_mjcf
from ...robots.mjcf.writing.write import write_mjcf
from ...robots.remarks import places_in as places
from ..formats import Choices

__all__ = ["places", "read", "write"]


def read(path: Path, choices: Choices) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a robot holds."""
    return read_mjcf(path, RootBase(choices.base))


def write(contents: Contents, path: Path, _: Choices) -> tuple[Package, tuple[Issue, ...]]:
    """Return a robot that holds contents."""
    return write_mjcf(contents, path)
