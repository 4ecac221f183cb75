# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the truths anew, each by two routes: ``python -m benchmarks.truths.make [NAME ...]``.

What is kept is rounded so that the same machine makes the same bytes again.
"""

from __future__ import annotations

import sys
import time
from typing import cast

import numpy as np

from .assembly import Array
from .catalogue import SAMPLES, Case, cases
from .maximal import Maximal
from .pendulums import without_idle_joints
from .positions import Coordinates, Positions

ENOUGH = 1e-6
"""Of the length, by which the routes may differ."""


def main(names: list[str]) -> int:
    """Make the truths of some names, or all; return 1 where two routes disagree."""
    known, failed = cases(), False
    for name in names or known:
        failed |= not keep(known[name])
    return 1 if failed else 0


def keep(case: Case) -> bool:
    """Make and keep the truth of a case; return whether its routes agree."""
    began, assembly = time.process_time(), case.build()
    coordinates = cast(Coordinates, case.coordinates(assembly)) if case.coordinates else None
    routes = {
        "maximal": Maximal(without_idle_joints(assembly)),
        "positions": Positions(assembly, coordinates),
    }
    first = routes.pop(case.first)
    (second,) = routes.values()
    if case.closed:
        marks, energy = case.closed(case.times)
    else:
        states = first.path(case.times, case.tolerance, case.method)
        marks = np.array([first.marks(state) for state in states])
        energy = np.array([first.energy(state) for state in states]).T
    times = case.times[case.times <= case.compared]
    others = second.path(times, case.tolerance, case.method)
    away = marks[: len(times)] - np.array([second.marks(state) for state in others])
    agreement = float(np.linalg.norm(away, axis=-1).max())
    SAMPLES.mkdir(exist_ok=True)
    np.savez_compressed(
        case.file,
        marks=rounded(marks[:, case.bodies()] / case.length, 7).astype(np.float32),
        energy=_significant(energy),
        agreement=float(f"{agreement:.1g}"),
    )
    exchanged = float(np.ptp(energy[0]))
    print(
        f"{case.name}: routes agree to {agreement / case.length:.0e} of the length, until "
        f"{times[-1]:g} of {case.seconds:g} s; {exchanged:.3g} J are exchanged; "
        f"{time.process_time() - began:.0f} s",
        flush=True,
    )
    return agreement < ENOUGH * case.length


def rounded(values: Array, digits: int) -> Array:
    """Return values with so many digits after the point, zero without a sign."""
    return np.round(values, digits) + 0.0


def _significant(energy: Array) -> Array:
    size = float(np.abs(energy).max()) or 1.0
    return rounded(energy / size, 9) * size


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
