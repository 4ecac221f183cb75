# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots of ROS."""

from __future__ import annotations

from pathlib import Path

from ...model.contents import Contents, ContentsError, Package
from ...model.issue import Issue
from ...robots.importing.bases import RootBase
from ...robots.remarks import places_in as places
from ...robots.urdf.read import read_urdf
from ...robots.urdf.write import write_urdf
from ..formats import Choices

__all__ = ["places", "read", "write"]


def read(path: Path, choices: Choices) -> tuple[Contents, tuple[Issue, ...]]:
    """Return what a robot holds."""
    packages: dict[str, Path] = {}
    for said in choices.packages:
        name, equals, folder = said.partition("=")
        if not (name and equals and Path(folder).is_dir()):
            raise ContentsError(f"The package {said} is no NAME=FOLDER of a folder that is there.")
        packages[name] = Path(folder)
    return read_urdf(path, RootBase(choices.base), packages)


def write(contents: Contents, path: Path, choices: Choices) -> tuple[Package, tuple[Issue, ...]]:
    """Return a robot that holds contents."""
    return write_urdf(contents, path, choices.mesh_uri)
