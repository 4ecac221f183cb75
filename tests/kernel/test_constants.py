# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers that C and Python both say are the same numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from omi_physics_joint import solver
from omi_physics_joint.solver.integrator import events

KERNEL = Path(__file__).resolve().parents[2] / "kernel"
ROOMS = ("engines", "integrator", "kinematics", "linalg")
DEFINED = re.compile(r"^#define (\w+) +(.+?) *(?:/\*.*)?$", re.MULTILINE)
IN_C_ALONE = {"BLOCK", "HALVINGS of events.c", "NODES", "ROOT15", "SHORT"}
"""Sizes and roots, and what the reference does otherwise."""
IN_C_ALONE |= {"NOTHING_MOVES", "AT_ONCE", "VIOLATED", "PRESSED", "FIXED"}
"""What has no name in the reference."""
OTHER_NAMES = {
    "APPROACHES": "_APPROACH",
    "PASSES_BY": "_PASSES",
    "PRESSES": "_PRESSES",
    "PULLS": "_PULLS",
    "NO_TIME": "_NOTHING",
    "HORIZON": "GIVE",
    "FIRST_ORDER_STEPS": "CRAWLS",
    "ITERATIONS": "FITS",
}
"""In the reference, by that in C."""


def constants_in_c() -> Iterator[tuple[str, str, float]]:
    """Yield file, name and value of what the kernel defines as a number."""
    for path in sorted(KERNEL.glob("*.[ch]")):
        known: dict[str, float] = {"OMI_PI": 3.141592653589793}
        for name, text in DEFINED.findall(path.read_text("utf-8")):
            try:
                known[name] = float(eval(text, {"__builtins__": {}}, known))
            except (NameError, SyntaxError):
                continue
            if not name.startswith("OMI_"):
                yield path.name, name, known[name]


def constants_in_python() -> dict[str, set[float]]:
    """Return what modules of the solver that the kernel repeats say, by name."""
    found: dict[str, set[float]] = {}
    names = [f"{solver.__name__}.state"]
    for room in ROOMS:
        package = import_module(f"{solver.__name__}.{room}")
        names += [f"{package.__name__}.{one.name}" for one in iter_modules(package.__path__)]
    for module in map(import_module, names):
        for name, value in vars(module).items():
            if name.isupper() and isinstance(value, int | float):
                found.setdefault(name, set()).add(float(value))
    return found


def test_a_constant_of_the_kernel_is_that_of_the_reference() -> None:
    """One that is changed in one language alone is noticed, whatever moves by it."""
    known, alone = constants_in_python(), set()
    for file, in_c, value in constants_in_c():
        label, name = f"{in_c} of {file}", OTHER_NAMES.get(in_c, in_c)
        if name not in known or label in IN_C_ALONE:
            alone.add(label if label in IN_C_ALONE else name)
        else:
            assert value in known[name], label
    assert alone == IN_C_ALONE


def test_an_event_is_found_as_finely_by_both() -> None:
    """The kernel halves as often as the reference's finer and finer parts come to."""
    halvings = next(value for *at, value in constants_in_c() if at == ["events.c", "HALVINGS"])
    assert 2.0**halvings == float(events.FINER) ** events.LEVELS
