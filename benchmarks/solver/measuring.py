# SPDX-License-Identifier: GPL-3.0-or-later
"""All engines on one scene: every setting once for accuracy, then rounds for the time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as File

from .judging import Target, target_of
from .measures import Figures, figures
from .peers.engine import GRID, Engine, NotHereError
from .recording import record, timed, trial
from .scene import Scene
from .truths import Truth, truth_of

BEYOND = (32, 64, 128, 320)
"""Further settings for engines that the grid is too coarse for, on one scene."""
REACH_BEYOND = "chain10"
CHEAP = 150.0
"""ms: settings that cost less take part in every round; of dearer ones only those that count."""


@dataclass(slots=True)
class Cell:
    """One engine at one setting on one scene."""

    engine: str
    setting: int
    """Substeps a frame, or what the engine has instead."""
    figures: Figures
    times: list[float] = field(default_factory=list)
    """ms for each simulated second, one entry a round."""
    note: str = ""
    label: str = ""
    """The setting where it is not substeps."""
    is_default: bool = False
    """Whether the engine chooses it by itself."""

    @property
    def said(self) -> str:
        """The setting, for a table."""
        return self.label or str(self.setting)

    @property
    def milliseconds(self) -> float:
        """The least of all rounds."""
        return min(self.times)


@dataclass(slots=True)
class SceneResult:
    """What came of one scene."""

    scene: Scene
    truth: Truth | None
    target: Target
    cells: list[Cell] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)
    """Engine -> why it, or its larger settings, are not in the table."""

    def of(self, engine: str) -> list[Cell]:
        """Return the cells of an engine, coarse settings first."""
        return sorted((c for c in self.cells if c.engine == engine), key=lambda c: c.setting)

    def passing(self, engine: str) -> Cell | None:
        """Return the coarsest setting that reaches the target."""
        return next((c for c in self.of(engine) if self.target.is_met(c.figures)), None)

    def chosen(self, engine: str) -> Cell | None:
        """Return the cell with the engine's own choice."""
        return next((cell for cell in self.of(engine) if cell.is_default), None)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    rounds: int = 5
    budget: float = 20.0
    """Seconds that one run may take."""
    grid: Sequence[int] = GRID


def measure(scene: Scene, engines: Iterable[Engine], plan: Plan, folder: File) -> SceneResult:
    """Measure all engines on one scene."""
    say(f"{scene.title}: truth")
    result = SceneResult(scene, truth_of(scene, folder), target_of(scene.name))
    by_name = {engine.name: engine for engine in engines}
    for engine in by_name.values():
        say(f"{scene.title}: {engine.name}")
        for cell in _accuracy(engine, scene, plan, result):
            result.cells.append(cell)
    wanted = _counting(result)
    for number in range(1, plan.rounds):
        say(f"{scene.title}: round {number + 1} of {plan.rounds}")
        for cell in sorted(result.cells, key=lambda c: c.setting):
            if cell.milliseconds * scene.seconds < CHEAP or id(cell) in wanted:
                gc.collect()
                cell.times.append(timed(by_name[cell.engine], scene, cell.setting))
    return result


def say(line: str) -> None:
    """Tell on standard error what is being done."""
    print(line, file=sys.stderr, flush=True)


def _accuracy(engine: Engine, scene: Scene, plan: Plan, result: SceneResult) -> Iterator[Cell]:
    """Yield a cell for every setting that fits into the budget."""
    truth = None if result.truth is None else result.truth.points
    settings = list(getattr(engine, "settings", plan.grid))
    last = settings[-1]
    if scene.name == REACH_BEYOND and not hasattr(engine, "settings"):
        settings += BEYOND
    reached = False
    for setting in settings:
        if setting > last and reached:
            return
        label = engine.label(setting) if hasattr(engine, "label") else ""
        try:
            if scene.count >= 100:
                foretold = trial(engine, scene, setting) * scene.seconds / 1000.0
                if foretold > plan.budget:
                    why = f"a run at {label or f'{setting} substeps'} would take {foretold:.0f} s"
                    result.absent[engine.name] = why
                    return
            recording = record(engine, scene, setting)
        except NotHereError as reason:
            result.absent[engine.name] = str(reason)
            return
        measured = figures(scene, recording.path, truth)
        reached = reached or result.target.is_met(measured)
        yield Cell(
            engine.name,
            setting,
            measured,
            [recording.milliseconds],
            recording.note,
            label,
            setting == getattr(engine, "default", None),
        )


def _counting(result: SceneResult) -> set[int]:
    """Return the cells whose time is judged however dear they are."""
    counting: set[int] = set()
    for engine in {cell.engine for cell in result.cells}:
        for cell in (result.passing(engine), result.chosen(engine)):
            if cell is not None and cell.milliseconds * result.scene.seconds < 10_000.0:
                counting.add(id(cell))
    return counting
