# SPDX-License-Identifier: GPL-3.0-or-later
"""What kernel and Python both call met, touched or too stiff are the same numbers."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from omi_physics_joint import solver

KERNEL = Path(__file__).resolve().parents[2] / "kernel"
DEFINED = re.compile(r"^#define (\w+) +\(?([\d.e+-]+(?: / [\d.]+)?)\)?(?: .*)?$", re.MULTILINE)
SAME = (
    "AGAIN",
    "APPROACHES",
    "BRINGING_IN",
    "FARTHEST",
    "FLATTEST",
    "FRAME",
    "HORIZON",
    "HOLDS",
    "JUMP",
    "LARGEST",
    "LEAST",
    "MOST",
    "MOVES",
    "NEAREST",
    "NOTHING",
    "PASSES",
    "PASSES_BY",
    "PRESSED",
    "PRESSES",
    "PULLS",
    "ROUGH",
    "SMALLEST_SINE",
    "STANDING",
    "STILL",
    "TOUCH",
    "TRIES",
    "VIOLATED",
)
"""What a mechanism does hangs on them; others are matters of how each computes."""


def in_c(name: str) -> set[float]:
    """Return the numbers by which the kernel defines a name."""
    every = "\n".join(path.read_text("utf-8") for path in sorted(KERNEL.glob("*.[ch]")))
    found = [text.partition(" / ") for known, text in DEFINED.findall(every) if known == name]
    return {float(number) / float(by or 1.0) for number, _, by in found}


def in_python(name: str) -> set[float]:
    """Return the numbers that modules of the solver give a name."""
    names = [f"{solver.__name__}.system"]
    for wing in ("engines", "kinematics", "textbook"):
        package = import_module(f"{solver.__name__}.{wing}")
        names += [f"{package.__name__}.{one.name}" for one in iter_modules(package.__path__)]
    return {float(getattr(one, name)) for one in map(import_module, names) if hasattr(one, name)}


@pytest.mark.parametrize("name", SAME)
def test_kernel_and_python_mean_the_same_number(name: str) -> None:
    """One that is changed in one language alone is noticed, whatever moves by it."""
    (number,) = in_python(name)
    assert number in in_c(name)
