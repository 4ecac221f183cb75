# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged and hostile files of every format, each read by a command in a process of its own.

A case fails by a traceback, another exit code than those that are promised, more than 20 s of
computing (or five times that by the clock) or more than 2 GB.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random

from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.fresh import contents_of
from omi_physics_joint.library.formats import Choices, format_of

from .cases import FoundError, Tally, ask_for_calm
from .documents import damage, document, write
from .hostile import HOSTILE

SOUND = (".usda", ".usdc", ".xml", ".urdf", ".gltf", ".glb")
CODES = {0, 1, 2, 3}
SECONDS, MEMORY = 20.0, 2 * 2**30
NASTY = (b"nan", b"inf", b"-1", b"0", b"1e308", b"1e-320", b"99999999999999999999", b"", b'""')
WORD = re.compile(rb"[-+.\w:]+")
STRUCTURE = re.compile(rb"[{}()\[\]<>\"'=,/]")


def _with_pxr() -> dict[str, str]:
    """Return the environment of commands; where Blender has the only ``pxr``, with its folder."""
    blender = find_spec("bpy") if find_spec("pxr") is None else None
    if blender is not None and blender.origin is not None:
        inside = f"*/python/lib/python3.{sys.version_info[1]}/site-packages"
        sys.path += map(str, Path(blender.origin).parent.glob(inside))
    folders = [str(Path(__file__).parents[2]), *sys.path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}


ENVIRONMENT = _with_pxr()


def case(chance: Random, folder: Path, tally: Tally) -> None:
    """Have one or two commands read one file."""
    if chance.random() < 0.25:
        kind = chance.choice(list(HOSTILE))
        path = HOSTILE[kind](chance, folder)
    else:
        path = _damaged(chance, folder)
        kind = path.suffix
    tally.count(kind)
    for command in chance.sample(["check", "info", "convert", "diff", "simulate"], 2):
        words = [command, str(path)]
        if command == "convert":
            words.append(str(folder / f"out{chance.choice(SOUND)}"))
        elif command == "diff":
            words.append(str(path))
        elif command == "simulate":
            words += ["--seconds", "0.05"]
        code = ended(words, f"{command} {kind}")
        tally.count("refused" if code == 2 else "answered")


def _damaged(chance: Random, folder: Path) -> Path:
    """Write a sound file of any format, and hurt it."""
    gltf = document(chance)
    suffix = chance.choice(SOUND)
    path = folder / f"damaged{suffix}"
    form = format_of(path)
    if form is None:
        damage(gltf, chance)
        write(gltf, path, chance, hurt=True)
        return path
    sound = folder / "sound.glb"
    write(gltf, sound, chance, hurt=False)
    package, _ = form.write(contents_of(load(sound))[0], path, Choices())
    for name, side in package.sides.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(side if isinstance(side, bytes) else side.read_bytes())
    hurt = _bytes_hurt if suffix == ".usdc" else _text_hurt
    path.write_bytes(hurt(package.main, chance))
    return path


def _text_hurt(text: bytes, chance: Random) -> bytes:
    """Return a text of which words, lines and signs are replaced, removed, doubled and swapped."""
    for _ in range(chance.randint(1, 5)):
        lines = text.split(b"\n")
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        words = list((WORD if chance.random() < 0.8 else STRUCTURE).finditer(text))
        action = chance.randrange(6)
        if action <= 2 and words:
            word = chance.choice(words)
            new = chance.choice(NASTY) if action else chance.choice(words)[0]
            text = text[: word.start()] + new + text[word.end() :]
        elif action == 3:
            text = b"\n".join(lines[:at] + lines[at + 1 :])
        elif action == 4:
            text = b"\n".join([*lines[:at], lines[other], *lines[at:]])
        elif chance.random() < 0.3:
            text = _bytes_hurt(text, chance)
    return text


def _bytes_hurt(content: bytes, chance: Random) -> bytes:
    """Return bytes of which some are others; now and then the end is missing, or a part twice."""
    data = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        if data:
            data[chance.randrange(len(data))] = chance.randrange(256)
    at = chance.randrange(len(data) + 1)
    if chance.random() < 0.15:
        del data[at:]
    elif chance.random() < 0.15:
        data[at:at] = data[at : at + chance.randrange(100)]
    return bytes(data)


def ended(words: list[str], what: str) -> int:
    """Run a command and return its exit code.

    Raises:
        FoundError: it does what no command may.
    """
    said = Path(words[1]).parent / "said.txt"
    start = time.monotonic()
    with said.open("wb") as file:
        command = [sys.executable, "-m", "omi_physics_joint", *words]
        process = subprocess.Popen(
            command, stdout=file, stderr=subprocess.STDOUT, env=ENVIRONMENT, start_new_session=True
        )
        status, usage = None, None
        while status is None:
            number, state, usage = os.wait4(process.pid, os.WNOHANG)
            if number:
                status = os.waitstatus_to_exitcode(state)
            elif time.monotonic() - start > 5.0 * SECONDS:
                os.killpg(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                raise FoundError(f"{what}: not done after {5.0 * SECONDS:.0f} s")
            else:
                time.sleep(0.02)
        process.returncode = status
    assert usage is not None
    text = said.read_text("utf-8", "replace")
    ask_for_calm(text)
    if "Traceback" in text or status not in CODES:
        raise FoundError(f"{what}: ends with {status}: {json.dumps(text[-100:])}")
    if usage.ru_utime + usage.ru_stime > SECONDS:
        raise FoundError(f"{what}: computes for {usage.ru_utime + usage.ru_stime:.0f} s")
    if usage.ru_maxrss * 1024 > MEMORY:
        raise FoundError(f"{what}: takes {usage.ru_maxrss // 1024} MB")
    return status
