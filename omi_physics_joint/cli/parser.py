# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that the commands understand."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from ..library.formats import BLEND, READABLE
from ..model.readers import Reader
from ..model.target import Target
from .batch.tasks import names_many, wrong_names
from .outcome import WRONG_USE, add_judging
from .reports.versions import versions
from .words import (
    add_batch,
    add_choices,
    add_convert,
    add_simulate,
    is_supervised,
    misnamed_report,
    path_of,
    unused_word,
    wrong_words,
)

MANY = ("check", "convert", "export", "info", "simulate")
"""Commands that take any number of files."""
FENCED = ("check", "convert", "diff", "info", "simulate")
"""Commands that read files which may name others."""
OLDER_WORDS = ("--godot-angular-sign", "--no-godot-angular-sign")
"""Of release 0.1.0, for --target; still understood."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End with wrong use."""
        self.exit(WRONG_USE, f"error: {message} (try {self.prog} --help)\n")


def parsed(argv: Sequence[str], program: str) -> argparse.Namespace:
    """Return what a command line asks for.

    Raises:
        SystemExit: it asks for help, or it is wrong, which has been said.
    """
    said = ", ".join(f"{name} {version}" for name, version in versions(solver=False).items())
    parser = _parser(program, said)
    arguments, more = parser.parse_known_args([plain_number(word) for word in argv])
    if any(word.startswith("-") for word in more) or (more and arguments.command not in MANY):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:  # argparse takes those before the first option alone
        arguments.files += map(Path, more)
    _take_file_back(arguments)
    if arguments.command == "info" and not (arguments.files or arguments.solver):
        parser.error("the following arguments are required: FILE")
    trouble = _wrong_words(arguments)
    if trouble:
        parser.error(trouble)
    return arguments


def plain_number(word: str) -> str:
    """Return a negative number without its exponent, and any other word as it is.

    argparse takes ``-1e1`` for an option, and ``-10`` for a number. Only what double precision
    holds is spelled out: the digits of ``-1e-999999999`` would fill the memory.
    """
    if not word.startswith("-") or "e" not in word.lower():
        return word
    try:
        value = float(word)
    except ValueError:
        return word
    return format(Decimal(repr(value)), "f") if isfinite(value) else word


@cache
def _parser(program: str, version: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=program,
        description="Physics joints of glTF and .blend files.",
        epilog="Exit codes, the largest of all files: 0 fine; 1 something was found, see "
        "--fail-on; 2 a wrong call; 3 a file cannot be read or written; 4 a worker died or was "
        "out of time; 130 stopped.",
    )
    parser.add_argument("--version", action="version", version=version)
    words = "export|convert|check|info|diff|simulate"
    commands = parser.add_subparsers(dest="command", required=True, metavar=words)
    export = commands.add_parser("export", help="write .blend files as glTF")
    _add_export(export)
    check = commands.add_parser("check", help="list what is wrong, and what to do")
    info = commands.add_parser("info", help="say what bodies and joints there are")
    check.add_argument("files", nargs="+", type=path_of, metavar="FILE")
    check.add_argument(
        "--require",
        action="append",
        choices=("joints", "bodies", "colliders"),
        help="what every file must hold, several if given again: finds physics that was dropped",
    )
    info.add_argument("files", nargs="*", type=path_of, metavar="FILE")
    info.add_argument("--solver", action="store_true", help="say which solver runs, and why")
    info.add_argument(
        "--articulations",
        nargs="?",
        const="*",
        metavar="PATTERN",
        help="say the trees of joints, with types, coordinates and loops as Newton has them; of "
        "joints and bodies with such names ('*wheel*')",
    )
    for command in (check, info):
        add_choices(command)
    check.add_argument(
        "--try",
        dest="tries",
        action="store_true",
        help="move it for two seconds as Godot does, and leave out what is not so in this file",
    )
    check.set_defaults(articulations=None)
    info.set_defaults(reader=None, tries=False, require=None)
    for command in (export, check):
        command.add_argument(
            "--reader",
            action="append",
            choices=[reader.value for reader in Reader],
            help="of whom to speak, several if given again; spec is nobody (default: as a .blend "
            "file says, else godot, with our add-on)",
        )
    for command in (export, check, info):
        add_judging(command)
        command.add_argument("--json", action="store_true", help="print one JSON document")
    add_convert(commands)
    _add_diff(commands)
    add_simulate(commands)
    for name in MANY:
        add_batch(commands.choices[name], name)
    for name in FENCED:
        commands.choices[name].add_argument(
            "--inside",
            type=path_of,
            metavar="DIR",
            help="read nothing outside of this folder that a file names: layers, meshes, includes",
        )
    return parser


def _add_export(export: argparse.ArgumentParser) -> None:
    option = export.add_argument
    option("files", nargs="+", type=path_of, metavar="FILE.blend")
    option("--output-dir", type=path_of, metavar="DIR", help="where to (default: beside each file)")
    option("--format", choices=[one[1:] for one in READABLE], default="glb", help="default: glb")
    option(
        "--strict",
        action=argparse.BooleanOptionalAction,
        help="write nothing of a file with errors or losses (default: as the .blend file says)",
    )
    option(
        "--target",
        choices=tuple(Target),
        help="who reads the file: glTF as specified, or Godot with omi-godot and nothing else "
        "(default: as the .blend file says, or its readers)",
    )
    option(
        "--dialect",
        choices=("both", "omi", "khr"),
        help="which extensions: OMI's, Khronos', or both in one file "
        "(default: as the .blend says, or the preferences of Blender)",
    )
    for word, target in zip(OLDER_WORDS, (Target.GODOT, Target.SPECIFIED), strict=True):
        option(word, dest="target", action="store_const", const=target, help=argparse.SUPPRESS)
    option(
        "--split",
        choices=("scene", "collection"),
        help="write a file for each scene, or for each collection directly below the scene, in a "
        "folder for each .blend (see --name)",
    )
    option(
        "--scripts",
        choices=("allow", "deny"),
        help="whether Python in .blend files runs (default: as in this Blender)",
    )
    option(
        "--current-frame",
        action=argparse.BooleanOptionalAction,
        help="take the pose of the current frame, not of frame 0 (default: as the .blend says; of "
        "USD the current one)",
    )


def _add_diff(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its class
    """Add the command to a parser."""
    diff = commands.add_parser(
        "diff",
        help="say what has changed between two files",
        description="Say in words what is another in the second file: exit code 0 where nothing "
        "is, 1 where something is, 3 where a file cannot be read.",
    )
    diff.add_argument("before", type=path_of, metavar="A")
    diff.add_argument("after", type=path_of, metavar="B")
    diff.add_argument("--json", action="store_true", help="print one JSON document")
    diff.add_argument("--annotations", choices=("github",), help="show it on GitHub beside B")


def _wrong_words(arguments: argparse.Namespace) -> str:
    """Return what words contradict each other, "" of none; many files of some take a worker."""
    asked, many = is_supervised(arguments), False
    if arguments.command == "convert":
        many = asked or arguments.output_dir is not None
        if many and (arguments.output_dir is None or arguments.format is None):
            return "many files are converted with --output-dir DIR and --format ENDING"
        if not many and len(arguments.files) != 2:
            return "convert takes IN and OUT, or files with --output-dir DIR and --format ENDING"
    elif arguments.command == "simulate":
        many = asked or len(arguments.files) != 1 or names_many(arguments.files[0])
        trouble = wrong_words(arguments)
        if trouble:
            return trouble
    if many and arguments.jobs is None:
        arguments.jobs = 1
    if getattr(arguments, "resume", False) and arguments.report is None:
        return "--resume goes on with a report: name it with --report"
    if trouble := wrong_names(arguments) or misnamed_report(arguments):
        return trouble
    return "" if arguments.command == "diff" else unused_word(arguments)


def _take_file_back(arguments: argparse.Namespace) -> None:
    """Read ``info --articulations door.glb`` as it is meant: nobody's name ends like a file."""
    pattern: str | None = getattr(arguments, "articulations", None)
    if pattern is not None and pattern.lower().endswith((BLEND, *READABLE)):
        arguments.files.insert(0, Path(pattern))
        arguments.articulations = "*"
