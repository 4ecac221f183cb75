# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files a run is about, and where what comes of each goes: known before one is opened."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from string import Formatter

from ...files.outputs import why_not_made
from ...library.formats import BLEND, READABLE

LIST = "@"
"""What the name of a list of files begins with."""
START = 2**16
"""Bytes in which the first element of XML is looked for."""
WRITES = ("export", "convert")
"""Commands that write a file for each."""
PART = "{part}"
"""What stands in the name of an output for the name of a part."""
FIELDS = frozenset(("folder", "stem", "part"))
"""Of patterns of names: where a file lies below what was named, and what it is called."""
FileId = tuple[int, int]
"""What paths have in common that lead to one file: its disk, and its number there."""


class TasksError(Exception):
    """No run can be made of what was asked; its text is one sentence."""


@dataclass(frozen=True, slots=True)
class Task:
    """One file of a run.

    Attributes:
        path: What is read.
        output: What is written; None where the command writes nothing.
        trouble: Why it cannot be done, "" where it can.
    """

    path: Path
    output: Path | None = None
    trouble: str = ""

    @property
    def target(self) -> str:
        """Where it goes, with {part} for names of parts; "" where nothing is written."""
        return str(self.output or "")

    @property
    def name(self) -> tuple[str, str]:
        """What it is known by in reports: what is read, and what is written."""
        return str(self.path), self.target


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file, and where it lies below what was named."""

    path: Path
    below: Path


def tasks_of(arguments: argparse.Namespace) -> list[Task]:
    """Return the files that a command is about, and where what comes of each goes.

    Raises:
        TasksError: what it names is not there.
    """
    command = arguments.command
    if arguments.jobs is None and command in ("convert", "simulate"):  # one, named as it is
        output = arguments.files[1] if command == "convert" else arguments.motion
        return [Task(arguments.files[0], output)]
    every = (*READABLE, BLEND)
    kinds = {"check": every, "info": every, "export": (BLEND,)}.get(command, READABLE)
    made = (arguments.output_dir, f"*.{arguments.format}") if command == "convert" else None
    found = sources(arguments.files, kinds, deep=arguments.recursive, made=made)
    parts = sharded(found, arguments.shard)
    if command == "simulate" and arguments.motion is not None:
        return placed(parts, arguments.motion, "{folder}/{name}.json")
    if command not in WRITES:
        return [Task(one.path, trouble=_no_file(one.path)) for one in parts]
    return placed(parts, arguments.output_dir, f"{_pattern(arguments)}.{arguments.format}")


def pattern_of(word: str) -> str:
    """Return a pattern of names, such as ``{folder}/{stem}_lo``.

    What a part is called stands apart from other fields, so that files of two .blend never meet.

    Raises:
        ArgumentTypeError: it is none, or leads out of a folder.
    """
    try:
        levels = [[one[1] for one in Formatter().parse(level)] for level in word.split("/")]
    except ValueError:
        levels = [[""]]
    for fields in levels:
        own = {field for field in fields if field is not None}
        if not own <= FIELDS or (PART[1:-1] in own and len(own) > 1):
            raise argparse.ArgumentTypeError(
                f"{word} is no name such as {{folder}}/{{stem}}_lo or {{stem}}/{{part}}: there are "
                "{folder}, {stem} and, between slashes without another, {part}"
            )
    if Path(word).is_absolute() or {"..", ""} & set(word.split("/")):
        raise argparse.ArgumentTypeError(f"{word} is no name of a file below a folder")
    return word


def _pattern(arguments: argparse.Namespace) -> str:
    """Return the pattern of names of outputs."""
    split = getattr(arguments, "split", None) is not None
    usual = "{folder}/" * arguments.tree + "{stem}" + f"/{PART}" * split
    return usual if arguments.name is None else str(arguments.name)


def wrong_names(arguments: argparse.Namespace) -> str:
    """Return what words about names of outputs contradict each other; "" of none."""
    if arguments.command not in WRITES:
        return ""
    name: str = arguments.name or ""
    for other in arguments.files[1:] if arguments.command == "export" else ():
        if other.suffix.lower() in READABLE:
            return f"{other} is no .blend file: where an export goes --output-dir and --name say"
    if arguments.tree and name:
        return "--tree is a --name of its own: take {folder} into that"
    lies_below = arguments.tree or "{folder}" in name or (name and arguments.command == "convert")
    if lies_below and arguments.output_dir is None:
        return (
            "--tree, {folder} and a --name of convert lie below a folder: name it with --output-dir"
        )
    if name and (PART in name) != (getattr(arguments, "split", None) is not None):
        return "{part} of --name and --split go together"
    return ""


def sources(
    words: Iterable[Path],
    suffixes: Sequence[str],
    *,
    deep: bool,
    made: tuple[Path, str] | None = None,
) -> list[NamedFile]:
    """Return the files that words name, each once: files, folders, patterns and lists of these.

    Args:
        words: As a user gave them; ``@night.txt`` is a list, a line each.
        suffixes: Endings of what is taken out of folders.
        deep: Whether folders inside of folders count.
        made: Where outputs go and how they end: inside of a folder that is named, such files there
            are those of the run before.

    Raises:
        TasksError: a list cannot be read, or a folder or pattern has no such file in it.
    """
    found: dict[str, NamedFile] = {}
    named: list[Path] = []
    for word in _words(words):
        if not os.path.isdir(word):  # unlike Path, it takes any name
            named += _matching(word)
            continue
        inside = word.rglob("*") if deep else word.glob("*")
        files = sorted(one for one in inside if _is_meant(one, word, suffixes))
        if made is not None and _is_inside(made[0], word):
            files = [one for one in files if not (_is_inside(one, made[0]) and one.match(made[1]))]
        if not files:
            hint = "" if deep else " (-r looks into its folders too)"
            raise TasksError(f"There is no {' or '.join(suffixes)} file in {word}{hint}.")
        for path in files:
            found.setdefault(os.path.abspath(path), NamedFile(path, path.relative_to(word)))
    top = _above_all(os.path.abspath(path.parent) for path in named if not _is_below_here(path))
    for path in named:
        whole = os.path.abspath(path)
        below = path if _is_below_here(path) else os.path.relpath(whole, top)
        found.setdefault(whole, NamedFile(path, Path(os.path.normpath(below))))
    return list(found.values())


def _is_inside(path: Path, folder: Path) -> bool:
    return Path(os.path.abspath(folder)) in Path(os.path.abspath(path)).parents


def _is_below_here(path: Path) -> bool:
    """Return whether a file is named as it lies below the present folder: that says where it is."""
    return not path.is_absolute() and ".." not in path.parts


def _is_meant(path: Path, folder: Path, suffixes: Sequence[str]) -> bool:
    """Return whether something in a folder is taken: no hidden files, but links to nothing.

    Of XML what begins as another kind of it, as a package of ROS or a report of ours, is not.
    """
    is_hidden, suffix = any(part[0] == "." for part in path.relative_to(folder).parts), path.suffix
    if suffix.lower() not in suffixes or is_hidden or path.is_dir():
        return False
    if suffix.lower() == ".xml" and path.is_file():
        with suppress(OSError), path.open("rb") as file:
            start = re.sub(rb"<!--.*?-->", b"", file.read(START), flags=re.DOTALL)
            return re.findall(rb"<(\w[\w.:-]*)", start)[:1] in ([], [b"mujoco"])
    return True


def _above_all(folders: Iterable[str]) -> str:
    """Return the deepest folder that all of these are in; of several drives "/"."""
    try:
        return os.path.commonpath(list(folders))
    except ValueError:  # none at all, or on different drives
        return os.sep


def _words(words: Iterable[Path]) -> Iterator[Path]:
    for word in words:
        if not _is_list(word):
            yield word
            continue
        try:
            text = Path(str(word)[1:]).read_text(encoding="utf-8-sig", errors="surrogateescape")
            if "\0" in text:
                raise ValueError("it is no text in UTF-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise TasksError(f"The list {str(word)[1:]} cannot be read: {reason}.") from None
        yield from (Path(_unquoted(line.strip())) for line in text.splitlines() if line.strip())


def _unquoted(line: str) -> str:
    """Return a line of a list without the quotes around it, unless a file is called so."""
    is_quoted = len(line) > 1 and line[0] == line[-1] and line[0] in "\"'"
    return line[1:-1] if is_quoted and not os.path.exists(line) else line


def names_many(word: Path) -> bool:
    """Return whether a word stands for any number of files: a folder, a list or a pattern."""
    return os.path.isdir(word) or _is_list(word) or _is_pattern(word)


def _is_list(word: Path) -> bool:
    return str(word).startswith(LIST) and not os.path.exists(word)


def _is_pattern(word: Path) -> bool:
    return has_magic(str(word)) and not os.path.exists(word)


def _matching(word: Path) -> list[Path]:
    """Return the files of a pattern that the shell has left as it is, or the word itself."""
    if not _is_pattern(word):
        return [word]
    found = [Path(one) for one in sorted(glob(str(word), recursive=True))]
    if not found:
        raise TasksError(f"There is no file like {word}.")
    return found


def sharded(files: Sequence[NamedFile], shard: tuple[int, int] | None) -> list[NamedFile]:
    """Return one part of several of all files; who is in which hangs on its name alone."""
    if shard is None:
        return list(files)
    number, count = shard
    digests = [hashlib.sha256(os.fsencode(one.below.as_posix())).digest() for one in files]
    parts = [int.from_bytes(digest[:8]) % count + 1 for digest in digests]
    return [one for one, part in zip(files, parts, strict=True) if part == number]


def shard_of(word: str) -> tuple[int, int]:
    """Return the parts of ``3/40``.

    Raises:
        ArgumentTypeError: it is none.
    """
    number, _, count = word.partition("/")
    if number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count):
        return int(number), int(count)
    raise argparse.ArgumentTypeError(f"{word} is no part such as 3/40")


def placed(files: Sequence[NamedFile], folder: Path | None, pattern: str) -> list[Task]:
    """Return files with where each goes, and why that may not be.

    Args:
        files: What is read.
        folder: Where to; None is beside each file.
        pattern: Of the names of what comes of each, with its ending; {part} is left in it.
    """
    tasks: list[Task] = []
    taken: dict[str, Path] = {}
    read = {_id(one.path) for one in files if one.path.suffix.lower() == BLEND}
    for one in files:
        above = "" if one.below.parent == Path() else one.below.parent.as_posix()
        name = pattern.format(folder=above, stem=one.path.stem, name=one.path.name, part=PART)
        output = (folder or one.path.parent).resolve() / name.lstrip("/")
        place = os.path.realpath(output).casefold()  # case is nothing on many disks
        trouble = _no_file(one.path) or _hindrance(output, taken.get(place), read)
        if not trouble:
            taken[place] = one.path
        tasks.append(Task(one.path, output, trouble))
    return tasks


def _id(path: Path) -> FileId | None:
    """Return which file a path leads to; None where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # it is not there, or no file can have its name
        return None
    return found.st_dev, found.st_ino


def _no_file(path: Path) -> str:
    """Return in words that what is there is no file, such as a pipe or a device; "" else."""
    try:
        return "" if path.is_file() or not path.exists() else f"{path} is no file."
    except (OSError, ValueError):  # no file can have its name: whoever opens it says so
        return ""


def _hindrance(output: Path, before: Path | None, read: Set[FileId | None]) -> str:
    """Return in words why an output cannot be written; "" where it can.

    Args:
        output: Where to.
        before: Whose output goes there already.
        read: The files that are read.
    """
    if before is not None:
        return (
            f"It would be written over what {before} becomes: both are {output.name} there. Have "
            "--tree, or a --name with {folder} and {stem}, tell them apart."
        )
    there = _id(output)
    if there is not None and there in read:
        return f"{output} is one of the files that are read: nothing is written over it."
    return why_not_made(next(one for one in output.parents if PART not in str(one)))
