# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands of random mechanisms as the kernel gets them, in a file, the same bytes on each machine.

What NumPy makes of a mechanism may differ in a last digit by machine and release; what the kernel
makes of these islands may not. `python -m tests.kernel.stored_islands` stores them anew, as is
needed when the fields of its structs change; then `make approve`.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.kernel_fuzz.harness_input import Case
from benchmarks.kernel_fuzz.random_islands import random_cases

PATH = Path(__file__).with_name("islands.xz")
SEEDS = (*range(40), 44, 49, 52, 116, 119, 148, 156)
"""Of mechanisms in which each tuned constant of the kernel counts, as far as it does in any."""


Parts = dict[str, Any]
"""Arrays by the names of what they are of, and their own."""


def write(path: Path, cases: Iterable[tuple[Case, Parts]]) -> None:
    """Write islands and what else belongs to each: a line of JSON, then arrays."""
    out = BytesIO()
    for case, more in cases:
        parts = {"island": case.island, "state": case.state, "": {"other": case.other}} | more
        arrays = {
            f"{of}.{name}": np.asarray(x) for of, all_ in parts.items() for name, x in all_.items()
        }
        told = {name: (x.dtype.str, x.shape) for name, x in arrays.items()}
        line = json.dumps(
            {"seed": case.seed, "dt": case.dt, "tolerance": case.tolerance, "arrays": told}
        )
        out.write(b"".join((line.encode(), b"\n", *(x.tobytes() for x in arrays.values()))))
    path.write_bytes(lzma.compress(out.getvalue(), preset=9))


def read(path: Path) -> Iterator[tuple[Case, Parts]]:
    """Yield the islands of a file, and what else belongs to each."""
    file = BytesIO(lzma.decompress(path.read_bytes()))
    while line := file.readline():
        told = json.loads(line)
        found: dict[str, dict[str, Any]] = {"island": {}, "state": {}, "": {}}
        for name, (kind, shape) in told["arrays"].items():
            of, _, field = name.partition(".")
            size = np.dtype(kind).itemsize * int(np.prod(shape, dtype=int))
            array = np.frombuffer(file.read(size), kind).reshape(shape)
            found.setdefault(of, {})[field] = array
        other, times = found[""]["other"], (told["dt"], told["tolerance"])
        yield Case(told["seed"], found.pop("island"), found.pop("state"), other, *times), found


def store() -> None:
    """Write the islands of all seeds."""
    write(PATH, ((one, {}) for seed in SEEDS for one in random_cases(seed)))


def stored() -> Iterator[Case]:
    """Yield the islands of the file."""
    return (one for one, _ in read(PATH))


if __name__ == "__main__":
    store()
