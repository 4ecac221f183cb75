# SPDX-License-Identifier: GPL-3.0-or-later
"""Islands of random heaps that touch, as the kernel gets them: what stored_islands is to joints.

`python -m tests.kernel.stored_touching` stores them anew; then `make approve`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks.kernel_fuzz.harness_input import Case, Values
from benchmarks.kernel_fuzz.random_islands import values_of
from benchmarks.solver.random_shapes import heap
from benchmarks.truths.falls import GRIP, above_floor
from omi_physics_joint.solver import Floor, Options, Simulation
from omi_physics_joint.solver.contacts import contacts
from omi_physics_joint.solver.contacts.touching import TouchingStepper
from omi_physics_joint.solver.engines.compiled import CompiledStepper
from omi_physics_joint.solver.engines.engine import Stepper
from omi_physics_joint.solver.engines.kernel_structs import ISLAND, SHAPE, STATE
from tests.kernel.stored_islands import read, write

PATH = Path(__file__).with_name("touching.xz")
FALLS = 1000
# fmt: off
SEEDS = (
    10, 16, 24, 32, 34, 40, 48, 59, 64, 72, 73, 82, 105, 129, 142, 152, 156, 1138, 1673,
)
# fmt: on
"""Of heaps, and from FALLS on of ragdolls that fall, the odd ones of capsules, in which each tuned
constant of contacts counts, as far as it does in any of 160 and 11."""
LATER, STEP = 24, 1.0 / 60.0
"""Output steps until they are stored, and s of one."""
WITH = ("body", "pose", "material", "mix")


class Touching(NamedTuple):
    """An island with what its bodies touch with."""

    case: Case
    surfaces: Values
    shapes: Sequence[Values]


class Remembering(TouchingStepper):
    """Knows how it was made."""

    def __init__(self, library: Any, surfaces: Any, local: dict[int, int], of: Stepper) -> None:
        super().__init__(library, surfaces, local, of)
        self.of, self.cores = of, [surfaces.every[i].core for i in self._own.tolist()]

    def now(self, case_: Case) -> Touching:
        """Return what it would hand to the kernel next."""
        surfaces = {name: self._held[name] for name in WITH} | {"pair": self._pairs}
        shapes = [{name: getattr(core, name) for name in SHAPE.names or ()} for core in self.cores]
        return Touching(case_, surfaces, shapes)


def random_touching(seed: int) -> Iterator[Touching]:
    """Yield the islands that touch of a heap or, from FALLS on, a fall, frames after it began."""
    if seed < FALLS:
        mechanism, options = heap(seed)
    else:
        mechanism = above_floor(seed - FALLS, capsules=bool(seed % 2))
        options = Options(contacts=True, floor=Floor(0.0, GRIP))
    with patch.object(contacts, "TouchingStepper", Remembering):
        simulation = Simulation(mechanism, options)
        for _ in range(LATER):
            simulation.step(STEP)
    for group in simulation.groups:
        on = group.touching
        if not isinstance(on, Remembering) or not len(on.touched):
            continue
        assert isinstance(on.of, CompiledStepper)
        island, state = values_of(ISLAND, group.system, 0), values_of(STATE, group.state, 0)
        velocity = on.of.other_velocity[0]
        yield on.now(Case(seed, island, state, velocity, STEP, options.accuracy))


def store() -> None:
    """Write the islands of all seeds."""
    write(
        PATH,
        (
            (
                one.case,
                {"surfaces": one.surfaces}
                | {f"shape {i}": shape for i, shape in enumerate(one.shapes)},
            )
            for seed in SEEDS
            for one in random_touching(seed)
        ),
    )


def stored() -> Iterator[Touching]:
    """Yield the islands of the file."""
    for one, rest in read(PATH):
        shapes = [rest[name] for name in rest if name.startswith("shape ")]
        yield Touching(one, rest["surfaces"], shapes)


if __name__ == "__main__":
    store()
