# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats of files, by the endings of their names: the one place that lists them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from os import sep
from os.path import relpath
from pathlib import Path

from ..files.replacing import obstacle, put_all, real
from ..model.contents import Contents, ContentsError, Package
from ..model.issue import Issue
from ..model.mechanism import Node
from ..model.wording.words import capitalized
from ..usd import stage
from ..usd.apart import read_apart
from ..usd.prim import Stage
from ..usd.reading.read import contents_of as read_stage
from ..usd.writing.write import written, written_over

GLTF = (".gltf", ".glb")
BLEND = ".blend"


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


Found = tuple[Contents, tuple[Issue, ...]]
Written = tuple[Package, tuple[Issue, ...]]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of files beside glTF.

    Attributes:
        suffixes: endings of their names.
        read: returns what a file holds, and issues; raises ContentsError.
        write: returns the files that hold contents, and what they cannot say; raises ContentsError.
        places: returns, of a file that was read, what says where in it the nodes are.
    """

    suffixes: tuple[str, ...]
    read: Callable[[Path, Choices], Found]
    write: Callable[[Contents, Path, Choices], Written]
    places: Callable[[Path], Callable[[Node], str]] = lambda _: attrgetter("name")


def _stage_of(path: Path, below: str = "") -> Stage:
    """Return what is in a file: read in a process of its own, where Blender is not in this one."""
    return (stage.read if "bpy" in sys.modules else read_apart)(path, below)


def _read_usd(path: Path, choices: Choices) -> Found:
    return read_stage(_stage_of(path, choices.prim))


def _write_usd(contents: Contents, path: Path, choices: Choices) -> Written:
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


def _read_mjcf(path: Path, choices: Choices) -> Found:
    from ..robots.importing.bases import RootBase  # loads NumPy, which glTF does without
    from ..robots.mjcf.read import read_mjcf

    return read_mjcf(path, RootBase(choices.base))


def _write_mjcf(contents: Contents, path: Path, _: Choices) -> Written:
    from ..robots.mjcf.writing.write import write_mjcf  # likewise

    return write_mjcf(contents, path)


def _read_urdf(path: Path, choices: Choices) -> Found:
    from ..robots.importing.bases import RootBase  # likewise
    from ..robots.urdf.read import read_urdf

    packages: dict[str, Path] = {}
    for said in choices.packages:
        name, equals, folder = said.partition("=")
        if not (name and equals and Path(folder).is_dir()):
            raise ContentsError(f"--package {said} is no NAME=FOLDER of a folder that is there.")
        packages[name] = Path(folder)
    return read_urdf(path, RootBase(choices.base), packages)


def _write_urdf(contents: Contents, path: Path, choices: Choices) -> Written:
    from ..robots.urdf.write import write_urdf  # likewise

    return write_urdf(contents, path, choices.mesh_uri)


def _places_in_robot(path: Path) -> Callable[[Node], str]:
    from ..robots.places import places_in  # likewise

    return places_in(path)


FORMATS: tuple[Format, ...] = (
    Format(stage.SUFFIXES, _read_usd, _write_usd),
    Format((".xml", ".mjcf"), _read_mjcf, _write_mjcf, _places_in_robot),
    Format((".urdf",), _read_urdf, _write_urdf, _places_in_robot),
)
ADVICE = {
    ".xacro": "makes a robot and is none yet: run xacro on it, and give the .urdf that it prints.",
    BLEND: "is Blender's own: first have it written by export, as a .glb.",
    ".srdf": "says groups and poses of a robot and has no joints: give the .urdf beside it.",
}
"""What to do about files that are none of these."""
READABLE = (*GLTF, *(suffix for one in FORMATS for suffix in one.suffixes))


def format_of(path: Path) -> Format | None:
    """Return the format of a file by its name; None of glTF and of what is not known."""
    return next((one for one in FORMATS if path.suffix.lower() in one.suffixes), None)


def why_unreadable(path: Path) -> str:
    """Return a sentence that says which files can be read, if this one's name is of none."""
    suffix = path.suffix.lower()
    if suffix in READABLE:
        return ""
    if suffix in ADVICE:
        return f"{path.name} {ADVICE[suffix]}"
    *names, last = READABLE
    return f"Only {', '.join(names)} and {last} files can be read, not {suffix!a}."


def put(package: Package, output: Path) -> None:
    """Put the files of a package in place at once, the main one last.

    Raises:
        ContentsError: they cannot be written; older files are as they were.
    """
    places = {real(output.parent / name): content for name, content in package.sides.items()}
    places |= {real(output): package.main}
    if trouble := obstacle(places):
        raise ContentsError(f"{capitalized(trouble)}.")
    try:
        put_all(places)
    except OSError as error:
        raise ContentsError(f"{output} cannot be written: {error.strerror}.") from None
