# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands: the same words inside and outside Blender."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from ..model.issue import summary
from ..model.readers import USUAL, Reader
from ..model.target import Target
from .convert import add_convert, convert
from .diff import add_diff, diff
from .formats import BLEND, READABLE, add_choices, choices_of
from .outcome import FINE, WRONG_USE, Outcome, examined, exported, is_same_file
from .reports.report import info_lines
from .simulate import add_simulate, simulate
from .streams import accept_any_text

PROGRAM = "omi_physics_joint"
OLDER_WORDS = ("--godot-angular-sign", "--no-godot-angular-sign")
"""Of release 0.1.0, for --target; still understood."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End with wrong use."""
        self.exit(WRONG_USE, f"error: {message} (try {self.prog} --help)\n")


def main(argv: Sequence[str]) -> int:
    """Run one command.

    Returns:
        0 where all is well, 1 where a file has errors, 2 where the command was used wrongly or a
        file could not be read; the largest of all files.
    """
    accept_any_text()
    parser = _parser()
    try:
        arguments = parser.parse_args([plain_number(word) for word in argv])
        _take_file_back(arguments)
        if arguments.command == "info" and not (arguments.files or arguments.solver):
            parser.error("the following arguments are required: FILE")
    except SystemExit as end:  # argparse has said why; Blender must not end with it
        return end.code if isinstance(end.code, int) else WRONG_USE
    command = arguments.command
    own = {"simulate": simulate, "convert": convert, "diff": diff}.get(command)
    if own is not None:
        return own(arguments)
    outcomes = _export(arguments) if command == "export" else _examined(arguments)
    several = len(outcomes) > 1
    code = max((outcome.code for outcome in outcomes), default=FINE)
    says_solver = command == "info" and arguments.solver
    if arguments.json:
        files = [_as_json(outcome, command) for outcome in outcomes]
        report = {"command": command, "code": code, "files": files}
        if says_solver:
            report["solver"] = _solver()
        print(json.dumps(report, indent=2))
    else:
        if says_solver:
            print(_solver())
        for outcome in outcomes:
            _print(outcome, command, several=several)
        if command == "check" and several:
            every = [issue for outcome in outcomes for issue in outcome.issues]
            unread = sum(bool(outcome.error) for outcome in outcomes)
            not_read = f", {unread} not read" if unread else ""
            print(f"{len(outcomes)} files{not_read}: {summary(every)}")
    sys.stdout.flush()
    for outcome in outcomes:
        quiet = command == "check" or arguments.json
        outcome.print_troubles(named=several, issues=not quiet)
    return code


def _examined(arguments: argparse.Namespace) -> list[Outcome]:
    readers = frozenset(map(Reader, arguments.reader or USUAL))
    pattern: str | None = arguments.articulations
    choices, command = choices_of(arguments), arguments.command
    return [examined(path, command, readers, pattern, choices) for path in arguments.files]


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


def _solver() -> str:
    from ..solver.engines.kernel import kernel  # loads NumPy, which the other commands do without

    return kernel().sentence


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, description="Physics joints of glTF and .blend files.")
    words = "export|convert|check|info|diff|simulate"
    commands = parser.add_subparsers(dest="command", required=True, metavar=words)
    export = commands.add_parser("export", help="write .blend files as glTF")
    option = export.add_argument
    option("files", nargs="+", type=Path, metavar="FILE.blend")
    option("--output-dir", type=Path, metavar="DIR", help="where to (default: beside each file)")
    option("--format", choices=("glb", "gltf"), default="glb", help="default: glb")
    option(
        "--strict",
        action=argparse.BooleanOptionalAction,
        help="write nothing where there are errors (default: as the .blend file says)",
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
        "--current-frame",
        action=argparse.BooleanOptionalAction,
        help="take the pose of the current frame, not of frame 0 (default: as the .blend says)",
    )
    check = commands.add_parser("check", help="list what is wrong, and what to do")
    info = commands.add_parser("info", help="say what bodies and joints there are")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    check.add_argument(
        "--reader",
        action="append",
        choices=[reader.value for reader in Reader],
        help="of whom to speak, several if given again; spec is nobody (default: godot, with our "
        "add-on; a .blend says its own)",
    )
    info.add_argument("files", nargs="*", type=Path, metavar="FILE")
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
    check.set_defaults(articulations=None)
    info.set_defaults(reader=None)
    for command in (export, check, info):
        command.add_argument("--json", action="store_true", help="print one JSON document")
    add_convert(commands)
    add_diff(commands)
    add_simulate(commands)
    return parser


def _take_file_back(arguments: argparse.Namespace) -> None:
    """Read ``info --articulations door.glb`` as it is meant: nobody's name ends like a file."""
    pattern: str | None = getattr(arguments, "articulations", None)
    if pattern is not None and pattern.lower().endswith((BLEND, *READABLE)):
        arguments.files.insert(0, Path(pattern))
        arguments.articulations = "*"


def _export(arguments: argparse.Namespace) -> list[Outcome]:
    """Export every file, unless two of them would become the same file."""
    names = ("strict", "target", "dialect", "current_frame")
    choices = {name: getattr(arguments, name) for name in names}
    outcomes: list[Outcome] = []
    taken: dict[Path, Path] = {}
    for path in arguments.files:
        folder = arguments.output_dir or path.parent
        output = folder.resolve() / f"{path.stem}.{arguments.format}"
        trouble = _hindrance(output, arguments.files, taken)
        if trouble:
            outcomes.append(Outcome(path, error=trouble))
        else:
            taken[output] = path
            outcomes.append(exported(path, output, arguments.format, choices))
    return outcomes


def _hindrance(output: Path, files: Sequence[Path], taken: Mapping[Path, Path]) -> str:
    """Return in words why an output cannot be written, where others are taken; "" where it can."""
    for before, path in taken.items():
        if is_same_file(before, output):
            return f"It would be written over {path}: both become {output.name}."
    if any(one.suffix.lower() == BLEND and is_same_file(output, one) for one in files):
        return f"{output} is one of the files that are read: nothing is written over it."
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"The folder {output.parent} cannot be made: {error.strerror}."
    return ""


def _as_json(outcome: Outcome, command: str) -> dict[str, Any]:
    report = outcome.as_json()
    if command == "info":
        report["info"] = outcome.info
    if command == "export":
        report["output"] = outcome.output
    return report


def _print(outcome: Outcome, command: str, *, several: bool) -> None:
    """Print what people asked for; what went wrong is said on standard error."""
    prefix = f"{outcome.path}: " if several else ""
    lines: list[str] = []
    if command == "check" and not (outcome.error and not outcome.issues):
        lines = [str(issue) for issue in outcome.issues]
        lines += [] if several else [summary(outcome.issues)]
    elif command == "info" and outcome.info is not None:
        lines = list(info_lines(outcome.info))
    elif command == "export" and outcome.output:
        lines = [outcome.output]
        prefix = ""
    for line in lines:
        print(prefix + line)
