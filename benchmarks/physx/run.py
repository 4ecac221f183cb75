# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms written as stages, loaded and moved by PhysX on the processor, beside our solver.

    make bench-physx [ARGS="--only hinge | --godot | --random 100 --seed 7"]

In a Python with what stands in requirements.txt (1.3 GB). It ends with 1 where a case is off and
nothing is said of it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import ovphysx
import ovstage
from ovphysx.samples.python_samples.schema_support import physx_schema_paths
from ovphysx.types import GlobalConfigKey, ObjectScope, SimObjectType

from benchmarks.godot.engine import Measured, Pose
from benchmarks.stages.judging import Engine
from benchmarks.stages.run import measured, parser
from omi_physics_joint.model.readers import Reader

STEPS_A_SECOND = 1920
BODIES = (SimObjectType.RIGID_BODY, SimObjectType.ARTICULATION_LINK)


class PhysX:
    """PhysX, which moves one stage after another."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        ovphysx.PhysX.set_cpu_mode(True)
        ovphysx.set_global_config(GlobalConfigKey.NUM_THREADS, 0)  # waiting ones take nine tenths
        self.physx = ovphysx.PhysX()
        schemas = [*physx_schema_paths(), ovphysx.newton_schema_root()]
        ovstage.population.register_usd_schemas([str(path) for path in schemas])

    def moved(self, path: Path, seconds: float) -> Measured:
        """Return where the bodies of a stage are at the start and after some seconds."""
        stage = ovstage.Stage("bench")
        try:
            everything = ovstage.PopulationDomain.ALL
            ovstage.population.open_usd(stage, str(path), ordinal=1, domains=everything)
            stage.advance_write_floor(ordinal=1).wait()
            self.physx.wait_task(self.physx.attach_ovstage(stage, read_ordinal=1))
            start = self._poses(stage)
            for _ in range(round(seconds * self.rate)):
                self.physx.step_sync(1.0 / self.rate)
            return Measured((), start, self._poses(stage))
        finally:
            if self.physx.is_stage_attached(stage):
                self.physx.wait_task(self.physx.detach_ovstage())
            stage.destroy()

    def _poses(self, stage: ovstage.Stage) -> dict[str, Pose]:
        """Return where bodies are, by the names of their prims."""
        places, turns = (self._read(stage, one) for one in ("position", "orientation"))
        return {name: (*place, *turns[name]) for name, place in places.items()}

    def _read(self, stage: ovstage.Stage, attribute: str) -> dict[str, Pose]:
        found: dict[str, Pose] = {}
        with ovstage.PathDictionary(stage) as paths:
            for kind in BODIES:
                with self.physx.read_sync(kind, [attribute], scope=ObjectScope.ALL) as read:
                    for group in read.groups:
                        names = paths.get_path_strings(group.prim_list)
                        rows = group.tensors[0].numpy().astype(float).tolist()
                        for name, row in zip(names, rows, strict=True):
                            found[name.rpartition("/")[2]] = tuple(row)
        return found


def main() -> int:
    """Run with the words of the command line and return the exit code."""
    words = parser(__doc__)
    words.add_argument("--rate", type=int, default=STEPS_A_SECOND, help="steps a second")
    arguments = words.parse_args()
    return measured(Engine(Reader.PHYSX, PhysX(arguments.rate).moved), arguments)


if __name__ == "__main__":
    sys.exit(main())
