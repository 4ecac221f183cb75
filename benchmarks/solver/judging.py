# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of the solver: an accuracy for each scene, and lines that are met or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from .measures import Figures

if TYPE_CHECKING:
    from .measuring import Cell, SceneResult

OURS = "ours"
BLENDER, PYBULLET, RK4 = "Blender rigid bodies", "PyBullet", "MuJoCo RK4"


@dataclass(frozen=True, slots=True)
class Target:
    """The accuracy that counts on a scene."""

    limit: float
    whole_path: bool = False
    """Whether every frame counts, and not only the last."""
    of_overshoot: bool = False
    """Whether the excess over bounds in rad counts, where there is no truth."""

    def is_met(self, figures: Figures) -> bool:
        """Return whether a path is accurate enough."""
        return self.value(figures) <= self.limit

    def value(self, figures: Figures) -> float:
        """Return the figure that counts."""
        if self.of_overshoot:
            return figures.overshoot
        return figures.path_error if self.whole_path else figures.error

    def __str__(self) -> str:
        """Return it as words for a table."""
        what = "overshoot" if self.of_overshoot else "error"
        return f"{what} {self.limit:g}{' in all frames' if self.whole_path else ''}"


TARGETS = {
    "chain100": Target(1e-2),
    "chain1000": Target(1e-2),
    "tree": Target(5e-2),
    "ragdoll": Target(1e-2),
    "ragdoll_limits": Target(1e-3, of_overshoot=True),
    "slider": Target(1e-3, whole_path=True),
    "heavy": Target(1e-2, whole_path=True),
    "doors1000": Target(1e-2),
}


def target_of(name: str) -> Target:
    """Return the accuracy that counts on a scene; 1e-3 of its length where none is named."""
    return TARGETS.get(name, Target(1e-3))


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judged line."""

    line: str
    value: float
    goal: float | None
    """The value is to be at most this; None is only told."""
    detail: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether it is met; None where it could not be measured or has no goal."""
        return None if self.goal is None or isnan(self.value) else self.value <= self.goal


Results = Mapping[str, "SceneResult"]


def verdicts(results: Results) -> Iterator[Verdict]:
    """Yield every judged line that the measured scenes allow."""
    if "chain10" in results:
        yield from _against_peers(results["chain10"])
    yield from _everywhere(results)
    if "heavy" in results:
        yield from _heavy(results["heavy"])
    for name, seconds in (
        ("four_bar", "real time at 1e-3"),
        ("spatial_loop", "real time at 1e-3"),
        ("chain100", "real time at 1e-2"),
        ("doors1000", "real time at 1e-2"),
        ("tree", "real time at 24 fps and 5e-2"),
    ):
        if name in results:
            cell = results[name].passing(OURS)
            yield Verdict(f"{name}: {seconds}, ms a second", _ms(cell), 1000.0, _setting(cell))
    if "chain100" in results and "chain1000" in results:
        yield from _growth(results["chain100"], results["chain1000"])
    if "slider" in results:
        own = results["slider"].chosen(OURS)
        value = own.figures.path_error if own else float("nan")
        yield Verdict("slider: error in all frames, own choice", value, 1e-3, _setting(own))


def _against_peers(result: SceneResult) -> Iterator[Verdict]:
    times = {name: _ms(result.passing(name)) for name in (OURS, BLENDER, PYBULLET, RK4)}
    for peer, goal in ((BLENDER, 1.2), (PYBULLET, 0.25), (RK4, None)):
        cells = (result.passing(OURS), result.passing(peer))
        detail = " against ".join(map(_setting, cells))
        line = f"chain10: time to 1e-3 over that of {peer}"
        yield Verdict(line, times[OURS] / times[peer], goal, detail)


def _everywhere(results: Results) -> Iterator[Verdict]:
    """Judge separation, overshoot and energy on every scene, at two settings each."""
    rows: tuple[tuple[str, Callable[[Figures], float], float], ...] = (
        ("separation in m", lambda figures: figures.separation, 1e-6),
        ("overshoot in rad", lambda figures: figures.overshoot, 1e-6),
        ("energy gain", lambda figures: figures.energy_gain, 1e-3),
    )
    for what, value, goal in rows:
        found = [
            (value(cell.figures), scene)
            for scene, result in results.items()
            for cell in (result.passing(OURS), result.chosen(OURS))
            if cell is not None and not isnan(value(cell.figures))
        ]
        worst, scene = max(found, default=(float("nan"), "nowhere"))
        yield Verdict(f"largest {what} on any scene", worst, goal, scene)


def _heavy(result: SceneResult) -> Iterator[Verdict]:
    own = result.chosen(OURS)
    nan = float("nan")
    separation = own.figures.separation if own else nan
    yield Verdict("heavy: separation in m, own choice", separation, 1e-4, _setting(own))
    error = own.figures.path_error if own else nan
    yield Verdict("heavy: error of the tip in all frames, own choice", error, 1e-2, _setting(own))


def _growth(hundred: SceneResult, thousand: SceneResult) -> Iterator[Verdict]:
    """Compare the cost of 1000 joints with that of 100 at equal accuracy."""
    costs = {cell.setting: cell.milliseconds for cell in hundred.of(OURS)}
    ratios = {
        cell.said: cell.milliseconds / costs[cell.setting]
        for cell in thousand.of(OURS)
        if cell.setting in costs
    }
    worst = max(ratios, key=ratios.__getitem__, default="")
    value = ratios.get(worst, float("nan"))
    yield Verdict("1000 joints over 100, equal accuracy", value, 12.0, worst)


def _ms(cell: Cell | None) -> float:
    return float("nan") if cell is None else cell.milliseconds


def _setting(cell: Cell | None) -> str:
    if cell is None:
        return "not reached"
    note = f" [{cell.note}]" if cell.note else ""
    return f"{cell.said}: {cell.milliseconds:.1f} ms{note}"
