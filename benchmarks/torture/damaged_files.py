# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged files on the command line: an exit code and sentences, whatever is in them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from omi_physics_joint.cli.command import main

from .cases import FoundError, Tally, ask_for_calm, heard
from .documents import damage, document, write

CODES = {0, 1, 2, 3}


def case(chance: Random, folder: Path, tally: Tally) -> None:
    """Check, describe and simulate one damaged file."""
    gltf = document(chance)
    damage(gltf, chance)
    path = folder / chance.choice(("damaged.gltf", "damaged.glb"))
    write(gltf, path, chance, hurt=True)
    before = path.read_bytes()
    commands = [["check", str(path)], ["info", "--json", str(path)]]
    if chance.random() < 0.3:
        motion = str(folder / "motion.json")
        commands.append(["simulate", str(path), "--seconds", "0.1", "--json", motion])
    for command in commands:
        code, text = said_by(command)
        tally.count(f"{command[0]} {'refused' if code == 2 else 'answered'}")
        ask_for_calm(text)
        if code not in CODES:
            message = f"{command[0]} ends with {code}"
            raise FoundError(message)
        if command[0] == "info":
            _ask_for_json(text)
    if path.read_bytes() != before:
        message = "the file was changed"
        raise FoundError(message)


def said_by(command: list[str]) -> tuple[int, str]:
    """Return the exit code of a command, and all that it said."""
    with heard() as said:
        try:
            code = main(command)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, said[0]


def _ask_for_json(text: str) -> None:
    start = text.find("{")
    try:
        json.JSONDecoder(parse_constant=_refuse).raw_decode(text[max(start, 0) :])
    except ValueError:
        message = "info --json is no JSON"
        raise FoundError(message) from None


def _refuse(text: str) -> float:
    raise ValueError(text)
