# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages of USD."""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import attrgetter
from os import sep
from os.path import relpath
from pathlib import Path

from ...model.contents import Contents, ContentsError, Package
from ...model.issue import Issue
from ...model.mechanism import Node
from ...usd import stage
from ...usd.apart import read_apart
from ...usd.prim import Stage
from ...usd.reading.read import contents_of
from ...usd.writing.write import written, written_over
from ..formats import Choices


def read(path: Path, choices: Choices) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a stage holds."""
    return contents_of(_stage_of(path, choices.prim))


def write(contents: Contents, path: Path, choices: Choices) -> tuple[Package, tuple[Issue, ...]]:
    """Return a stage that holds contents, or a layer over one."""
    suffix = path.suffix.lower()
    if choices.over is None:
        record, issues = written(contents, flat=choices.flat)
        return Package(stage.encoded(record, suffix)), issues
    if choices.over.resolve() == path.resolve():
        message = f"{path} is the stage that it is to be written over; give it another name."
        raise ContentsError(message)
    base = _stage_of(choices.over)
    record, issues = written_over(contents, base, flat=choices.flat)
    below = relpath(choices.over.resolve(), path.parent.resolve()).replace(sep, "/")
    return Package(stage.encoded(record, suffix, f"./{below}")), (*base.troubles, *issues)


def places(_path: Path) -> Callable[[Node], str]:
    """Return the names of nodes, which are paths of prims."""
    return attrgetter("name")


def _stage_of(path: Path, below: str = "") -> Stage:
    """Return what is in a file: read in a process of its own, where Blender is not in this one."""
    return (stage.read if "bpy" in sys.modules else read_apart)(path, below)
