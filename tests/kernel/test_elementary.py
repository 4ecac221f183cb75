# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel's own sine and the like: how far they are off, and that every system has the same."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from math import inf, nan, pi
from pathlib import Path

import numpy as np
import pytest

from scripts.build_kernel import EXACT, KERNEL, LANGUAGE, SMALL

Numbers = np.ndarray
Function = Callable[..., Numbers]

ONE = ("sin", "cos", "rint", "ceil", "sqrt", "fabs")
TWO = ("atan2", "fmax", "fmin")
TEXT = """#include "elementary.h"
#define ONE(f) void all_##f(int n, const double *x, double *out) \\
    { for (int i = 0; i < n; ++i) out[i] = f(x[i]); }
#define TWO(f) void all_##f(int n, const double *x, const double *y, double *out) \\
    { for (int i = 0; i < n; ++i) out[i] = f(x[i], y[i]); }
"""


def compiled(command: list[str], folder: Path) -> ctypes.CDLL:
    """Return a library that calls each function for many numbers."""
    lines = [*(f"ONE({name})" for name in ONE), *(f"TWO({name})" for name in TWO)]
    source, library = folder / "elementary.c", folder / "elementary.so"
    source.write_text(TEXT + "\n".join(lines) + "\n", "utf-8")
    flags = [*LANGUAGE, "-Wno-missing-prototypes", *EXACT, "-O2", "-fPIC", "-shared"]
    flags += [f"-I{KERNEL}", "-o", str(library), str(source)]
    subprocess.run([*command, *flags], check=True)
    return ctypes.CDLL(str(library))


def caller(library: ctypes.CDLL) -> Function:
    """Return a function of a name and arrays."""

    def call(name: str, *arrays: Numbers) -> Numbers:
        given = [np.ascontiguousarray(array, np.float64) for array in arrays]
        out = np.empty_like(given[0])
        pointers = (one.ctypes.data_as(ctypes.c_void_p) for one in (*given, out))
        getattr(library, f"all_{name}")(len(out), *pointers)
        return out

    return call


@pytest.fixture(scope="module")
def ours(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Function:
    """The functions as this machine's compiler makes them."""
    return caller(compiled(c_compiler, tmp_path_factory.mktemp("own")))


def off(found: Numbers, true: Numbers) -> float:
    """Return the largest error in units of the last place of what is true, in higher precision."""
    return float((np.abs(found - true) / np.spacing(np.abs(true.astype(np.float64)))).max())


@pytest.mark.parametrize("reach", [1e-5, 0.5, pi, 1e3])
@pytest.mark.parametrize(("name", "most"), [("sin", 2.0), ("cos", 2.0)])
def test_turns_are_right(ours: Function, name: str, most: float, reach: float) -> None:
    """Sines and cosines are within two units of the last place, tangents within four."""
    x = np.random.default_rng(1).uniform(-reach, reach, 100_000)
    assert off(ours(name, x), getattr(np, name)(x.astype(np.longdouble))) < most


def test_directions_are_right(ours: Function) -> None:
    """The angle of a direction is within two and a half units of the last place, all around."""
    random = np.random.default_rng(2)
    y, x = random.normal(size=(2, 100_000)) * 10.0 ** random.uniform(-6, 6, (2, 100_000))
    true = np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))
    assert off(ours("atan2", y, x), true) < 2.5
    axes = np.array([[0, 1], [1, 0], [0, -1], [-1, 0], [0, 0], [1, 1], [-1, -1.0]]).T
    assert ours("atan2", *axes).tolist() == np.arctan2(*axes).tolist()


def test_the_rest_is_exact(ours: Function) -> None:
    """Roots, rounding and the larger of two are as NumPy has them."""
    x = np.concatenate([np.random.default_rng(3).uniform(-1e4, 1e4, 10_000), np.arange(-9, 9) / 2])
    x = np.concatenate([x, [0.0, 2.0**51, 2.0**52 + 1, -(2.0**60), 0.49999999999999994]])
    assert np.array_equal(ours("rint", x), np.rint(x))
    assert np.array_equal(ours("ceil", x), np.ceil(x))
    assert np.array_equal(ours("fabs", x), np.abs(x))
    assert np.array_equal(ours("sqrt", np.abs(x)), np.sqrt(np.abs(x)))
    y = np.where(np.arange(len(x)) % 7, -0.5 * x, nan)
    assert np.array_equal(ours("fmax", x, y), np.fmax(x, y))
    assert np.array_equal(ours("fmin", y, x), np.fmin(y, x))


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_no_number_is_too_large(ours: Function, name: str) -> None:
    """Turns of any size have a value; what is infinite or no number has none."""
    assert np.isfinite(ours(name, np.array([1e6, -1e12, 1e15, 1e300]))).all()
    assert np.isnan(ours(name, np.array([inf, -inf, nan]))).all()


def test_no_direction_is_an_angle(ours: Function) -> None:
    """What is no number, or infinite both ways, has no direction."""
    assert np.isnan(
        ours("atan2", np.array([nan, 1.0, nan, inf]), np.array([1.0, nan, nan, inf]))
    ).all()


@pytest.mark.long
def test_compilers_agree_to_the_last_bit(ours: Function, zig_python: str, tmp_path: Path) -> None:
    """Two compilers, one of which also makes the kernels for the other systems."""
    theirs = caller(compiled([zig_python, "-m", "ziglang", "cc", *SMALL], tmp_path))
    random = np.random.default_rng(4)
    x, y = random.normal(size=(2, 50_000)) * 10.0 ** random.uniform(-8, 5, (2, 50_000))
    for name in ONE:
        given = np.abs(x) if name == "sqrt" else x
        assert ours(name, given).tobytes() == theirs(name, given).tobytes(), name
    for name in TWO:
        assert ours(name, x, y).tobytes() == theirs(name, x, y).tobytes(), name
