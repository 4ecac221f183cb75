# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands of random mechanisms as the kernel gets them, in a file, the same bytes on each machine.

What NumPy makes of a mechanism may differ in a last digit by machine and release; what the kernel
makes of these islands may not. `python -m tests.kernel.stored_islands` stores them anew, as is
needed when the fields of its structs change; then `make approve`.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.kernel_fuzz.harness_input import Case
from benchmarks.kernel_fuzz.random_islands import random_cases

PATH = Path(__file__).with_name("islands.xz")
SEEDS = (*range(40), 44, 49, 52, 116, 119, 148, 156)
"""Of mechanisms in which each tuned constant of the kernel counts, as far as it does in any."""


def store() -> None:
    """Write the islands of all seeds: a line of JSON, then arrays, for each."""
    out = BytesIO()
    for case in (one for seed in SEEDS for one in random_cases(seed)):
        parts = {"island": case.island, "state": case.state, "": {"other": case.other}}
        arrays = {
            f"{of}.{name}": np.asarray(x) for of, all_ in parts.items() for name, x in all_.items()
        }
        told = {name: (x.dtype.str, x.shape) for name, x in arrays.items()}
        line = json.dumps(
            {"seed": case.seed, "dt": case.dt, "tolerance": case.tolerance, "arrays": told}
        )
        out.write(b"".join((line.encode(), b"\n", *(x.tobytes() for x in arrays.values()))))
    PATH.write_bytes(lzma.compress(out.getvalue(), preset=9))


def stored() -> Iterator[Case]:
    """Yield the islands of the file."""
    file = BytesIO(lzma.decompress(PATH.read_bytes()))
    while line := file.readline():
        told = json.loads(line)
        found: dict[str, dict[str, Any]] = {"island": {}, "state": {}, "": {}}
        for name, (kind, shape) in told["arrays"].items():
            of, _, field = name.partition(".")
            size = np.dtype(kind).itemsize * int(np.prod(shape, dtype=int))
            found[of][field] = np.frombuffer(file.read(size), kind).reshape(shape)
        other, times = found[""]["other"], (told["dt"], told["tolerance"])
        yield Case(told["seed"], found["island"], found["state"], other, *times)


if __name__ == "__main__":
    store()
