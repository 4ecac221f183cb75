# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats of files, by the endings of their names: the one place that lists them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from .arguments import is_a, is_one_of

if TYPE_CHECKING:
    from ..model.contents import Contents, Package
    from ..model.issue import Issue
    from ..model.mechanism import Node

GLTF = (".gltf", ".glb")
BLEND = ".blend"
FOREIGN = {
    ".usda": "usd",
    ".usdc": "usd",
    ".usd": "usd",
    ".usdz": "usd",
    ".xml": "mjcf",
    ".mjcf": "mjcf",
    ".urdf": "urdf",
}
"""Formats beside glTF, and which module of ``library.foreign`` is the ``Format`` of each.

It is loaded when such a file is named, so that nobody pays for what he does not read.
"""
READABLE = (*GLTF, *FOREIGN)
BASES = ("file", "fixed", "floating")
"""What may be asked of the roots of robots."""
ADVICE = {
    ".xacro": "makes a robot and is none yet: run xacro on it, and give the .urdf that it prints.",
    BLEND: "is Blender's own: first have it written by export, as a .glb.",
    ".srdf": "says groups and poses of a robot and has no joints: give the .urdf beside it.",
}
"""What to do about files that are none of these."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be asked of formats; each takes what concerns it."""

    prim: str = ""
    """USD: read what is below this prim."""
    flat: bool = False
    """USD: write bodies beside each other, not in each other."""
    over: Path | None = None
    """USD: write opinions above this stage alone."""
    base: str = "file"
    """Robots: whether their roots stand or float: "fixed", "floating", or "file", as that says."""
    packages: Sequence[str] = ()
    """URDF: folders of packages, as NAME=FOLDER."""
    mesh_uri: str = ""
    """URDF: what stands before the names of meshes that are written."""

    def __post_init__(self) -> None:
        """Refuse what nobody could mean."""
        is_one_of("base", self.base, BASES)
        is_a("packages", self.packages, "a list of NAME=FOLDER", list, tuple)


class Format(Protocol):
    """A kind of files beside glTF."""

    def read(self, path: Path, choices: Choices) -> tuple[Contents, tuple[Issue, ...]]:
        """Return what a file holds, and issues.

        Raises:
            ContentsError: it cannot be read.
        """

    def write(
        self, contents: Contents, path: Path, choices: Choices
    ) -> tuple[Package, tuple[Issue, ...]]:
        """Return the files that hold contents, and what they cannot say.

        Raises:
            ContentsError: they cannot be made.
        """

    def places(self, path: Path) -> Callable[[Node], str]:
        """Return, of a file that was read, what says where in it the nodes are."""


def format_of(path: Path) -> Format | None:
    """Return the format of a file by its name; None of glTF and of what is not known."""
    name = FOREIGN.get(path.suffix.lower())
    return cast("Format", import_module(f"..foreign.{name}", __name__)) if name else None


def why_unreadable(path: Path) -> str:
    """Return a sentence that says which files can be read, if this one's name is of none."""
    suffix = path.suffix.lower()
    if suffix in READABLE:
        return ""
    if suffix in ADVICE:
        return f"{path.name} {ADVICE[suffix]}"
    if path.is_dir():
        return "This is a folder, not a file."
    *names, last = READABLE
    return f"Only {', '.join(names)} and {last} files can be read, not {suffix!a}."
