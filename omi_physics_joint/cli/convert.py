# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert``: a file in another format, its physics in other dialects."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..files.replacing import real
from ..gltf.animated.keyed import read_channels
from ..gltf.dialects import Spoken, spoken_by
from ..gltf.document.files import Document, DocumentError, load, named_files
from ..gltf.document.packing import companions, missing_files, packed
from ..gltf.fresh import contents_of
from ..gltf.respelling import respelled
from ..model.contents import ContentsError, Package
from ..model.issue import Issue, Severity, against_strict
from ..model.mechanism import Mechanism
from ..model.readers import Reader
from ..model.validate import check
from .formats import (
    BLEND,
    GLTF,
    READABLE,
    add_choices,
    choices_of,
    format_of,
    put,
    read_document_of,
    why_unreadable,
)
from .guarded import guarded
from .judging import Judge, add_judging
from .outcome import HAS_NUMPY, REFUSED, Outcome, faults_of, is_same_file, pointed
from .reports.versions import deliver, versions

NO_WEIGHT = (
    "OMI's extensions need the centres of mass that the file leaves to its colliders, and finding "
    "them takes NumPy: pip install numpy, or write --dialect khr."
)


def add_convert(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its class
    """Add the command to a parser."""
    convert = commands.add_parser(
        "convert",
        help="write a file in other dialects, or in another format",
        description="Write the physics of a glTF file in other extensions, and everything else as "
        "it is. A .glb takes buffers and images in, a .gltf has them beside it. Between other "
        "formats, which the names of the files say, go bodies, joints, shapes and meshes without "
        "their looks. What the new file cannot say is named.",
    )
    option = convert.add_argument
    option("files", nargs="+", type=Path, metavar="IN OUT")
    option("--output-dir", type=Path, metavar="DIR", help="where to, for any number of files")
    option("--format", choices=[one[1:] for one in READABLE], help="of those: what they become")
    option(
        "--dialect",
        choices=("both", "omi", "khr"),
        default="both",
        help="which extensions of glTF: OMI's, Khronos', or both in one file (default: both)",
    )
    option("--prim", default="", metavar="PATH", help="read of a USD stage what is below this prim")
    option(
        "--flat",
        action="store_true",
        help="write bodies beside each other in USD, not in each other",
    )
    option(
        "--over",
        type=Path,
        metavar="STAGE",
        help="write a USD layer above this stage, with opinions on physics alone",
    )
    add_choices(convert)
    option(
        "--mesh-uri",
        default="",
        metavar="URI",
        help="what names of meshes begin with in URDF, as package://robot/meshes (default: their "
        "folder beside OUT)",
    )
    option("--strict", action="store_true", help="write nothing where there are errors or losses")
    option("--overwrite", action="store_true", help="also write over IN, and over files of others")
    option("--json", action="store_true", help="print one JSON document")
    add_judging(convert)


def convert(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    judge = Judge.of(arguments)
    outcome = Outcome(arguments.file, judge=judge)
    try:
        with guarded():
            source, package, issues = _converted(arguments)
            outcome = replace(outcome, issues=judge.heard(issues))
            if arguments.strict and against_strict(outcome.issues):
                outcome = replace(outcome, error=REFUSED, is_refused=True)
            else:
                _write(package, source, arguments.output, overwrite=arguments.overwrite)
                outcome = replace(outcome, output=str(arguments.output))
    except ContentsError as trouble:
        outcome = replace(outcome, error=str(trouble))
    if arguments.json:
        report = {"command": "convert", "versions": versions(), **outcome.as_json()}
        deliver(arguments, report)
    else:
        outcome.print_results("convert", named=False)
        sys.stdout.flush()
    outcome.print_troubles(named=False, issues=not arguments.json)
    return outcome.code


def _converted(arguments: argparse.Namespace) -> tuple[Document, Package, tuple[Issue, ...]]:
    """Return the file as a document, the files to write, and what is lost or wrong."""
    path: Path = arguments.file
    output: Path = arguments.output
    choices = choices_of(arguments)
    why = why_unreadable(path, "converted", also_blend=False)
    if path.suffix.lower() == BLEND:
        why = "A .blend file is written by export, not by convert."
    if why:
        raise ContentsError(why)
    before, after = format_of(path), format_of(output)
    if after is None and output.suffix.lower() not in GLTF:
        *names, last = READABLE
        raise ContentsError(f"{output} must be named {', '.join(names)} or {last}.")
    if after is not None:  # without glTF on the way, which cannot say all
        source = load(path) if before is None else Document({}, path)
        contents, found = before.read(path, choices) if before else contents_of(source)
        package, lost = after.write(contents, output, choices)
        return source, package, (*found, *lost, *_faults(contents.mechanism, path))
    source, unread = read_document_of(path, choices)
    channels, unheard = read_channels(source)
    weigh = partial(_weighed, source)
    result = respelled(source.json, spoken_by(arguments.dialect), channels, weigh)
    faults = _faults(result.mechanism, path)
    issues = (*missing_files(source), *unread, *result.issues, *unheard, *faults)
    return source, packed(source, result.json, output), issues


def _faults(mechanism: Mechanism, path: Path) -> tuple[Issue, ...]:
    """Return what is wrong with what was read, whoever reads it, and where that is in the file.

    Hints are for those who make a mechanism, not for those who pass it on.
    """
    judged = check(mechanism, readers=frozenset((Reader.SPEC,)), spoken=frozenset((Spoken.KHR,)))
    found = faults_of(mechanism, judged)
    return pointed((one for one in found if one.severity is not Severity.HINT), mechanism, path)


def _weighed(document: Document, mechanism: Mechanism) -> Mechanism:
    """Return a mechanism of a document that knows where the mass of its bodies is."""
    if not HAS_NUMPY:
        raise ContentsError(NO_WEIGHT)
    from .motion.from_file import measured_mechanism

    return measured_mechanism(document, mechanism)[0]


def _write(package: Package, source: Document, output: Path, *, overwrite: bool) -> None:
    """Put all files in place, over files of others only where that is wanted."""
    if not overwrite:
        files = {output.parent / name: content for name, content in package.sides.items()}
        inputs = {source.path, *named_files(source), *companions(source)}
        for place in (output, *files):
            if any(is_same_file(place, one) for one in inputs):
                raise ContentsError(f"{place} is a file that is read: --overwrite writes over it.")
        _check_others(files, real(output))
    put(package, output)


def _check_others(files: Mapping[Path, bytes | Path], main: Path) -> None:
    """Refuse to write over files that are another's: not of the older output."""
    own: list[Path] = []
    with suppress(DocumentError):  # what is there may be anything
        older = load(main)
        own = [*named_files(older), *companions(older)]
    for place, content in files.items():
        if not place.exists() or any(is_same_file(place, one) for one in own):
            continue
        with suppress(OSError):
            new = content if isinstance(content, bytes) else content.read_bytes()
            if place.is_file() and place.read_bytes() == new:
                continue
        message = f"{place} is there already, and is another: --overwrite writes over it."
        raise ContentsError(message)
