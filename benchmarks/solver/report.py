# SPDX-License-Identifier: GPL-3.0-or-later
"""The measured figures as Markdown."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from math import isnan

import numpy as np

from .measuring import Cell, SceneResult

Results = Mapping[str, SceneResult]


def markdown(
    results: Results, versions: Mapping[str, str], command: str, drives: Sequence[str] = ()
) -> str:
    """Return the whole report; drives are lines made elsewhere."""
    lines = [
        f"`{command}`",
        "",
        f"Python {platform.python_version()}, NumPy {np.__version__}, "
        f"{platform.system()} {platform.machine()}; "
        + "; ".join(f"{name} {version}" for name, version in versions.items()),
        "",
        "Error: distance from the truth at the end of the run, and in brackets the largest of all "
        "frames, as a fraction of the mechanism's length (slider: of its sag). Energy gain: "
        "max(E - E0) / max|PE - PE0|. ms: wall time for one simulated second, least of all rounds.",
        "",
        *summary_table(results),
    ]
    lines += ["", *drives] if drives else []
    for result in results.values():
        lines += ["", *_section(result)]
    return "\n".join(lines) + "\n"


def summary_table(results: Results) -> Iterator[str]:
    """Yield one row a scene: what each engine needs to reach the target."""
    engines = list(dict.fromkeys(c.engine for r in results.values() for c in r.cells))
    yield "ms for one simulated second at the coarsest setting that reaches the target, in brackets"
    yield "its substeps a frame, or accuracy (ours). –: not reached or not possible."
    yield ""
    yield "| scene | target | " + " | ".join(engines) + " |"
    yield "|-" * (len(engines) + 2) + "|"
    for name, result in results.items():
        cells = [result.passing(engine) for engine in engines]
        texts = [f"{c.milliseconds:.3g} ({c.said})" if c else "–" for c in cells]
        yield f"| {name} | {result.target} | " + " | ".join(texts) + " |"


def _section(result: SceneResult) -> Iterator[str]:
    scene, truth = result.scene, result.truth
    yield f"## {scene.name}: {scene.title}"
    yield ""
    if truth is None:
        yield "No truth is known: only separation, overshoot and energy are measured."
    else:
        yield f"Truth: {truth.routes}; they differ by {truth.agreement:.1e} of the length."
    yield f"{scene.fps} frames a second, {scene.seconds:g} s. Target: {result.target}."
    yield ""
    yield "| engine | setting | ms | error | separation m | overshoot rad | energy gain | note |"
    yield "|-|-|-|-|-|-|-|-|"
    engines = list(dict.fromkeys(cell.engine for cell in result.cells))
    for engine in engines:
        yield from _rows(result, engine)
    for engine, why in result.absent.items():
        yield f"| {engine} | | | | | | | {why} |"
    yield ""
    for labelled in (True, False):
        yield from _precision_table(result, engines, labelled=labelled)


def _rows(result: SceneResult, engine: str) -> Iterator[str]:
    """Yield the own choice, and the coarsest setting that passes or the finest that does not."""
    chosen, passing = result.chosen(engine), result.passing(engine)
    if chosen is not None:
        yield _row(chosen, f"{chosen.said}, own")
    if passing is not None and passing is not chosen:
        yield _row(passing, passing.said)
    elif passing is None:
        finest = result.of(engine)
        if finest:
            yield _row(finest[-1], f"{finest[-1].said}, target not reached")


def _row(cell: Cell, setting: str) -> str:
    f = cell.figures
    columns = (
        cell.engine,
        setting,
        f"{cell.milliseconds:.1f}",
        f"{_short(f.error)} ({_short(f.path_error)})",
        _short(f.separation),
        _short(f.overshoot),
        _short(max(f.energy_gain, 0.0)) if not isnan(f.energy_gain) else "–",
        cell.note,
    )
    return f"| {' | '.join(columns)} |"


def _precision_table(
    result: SceneResult, engines: Sequence[str], *, labelled: bool
) -> Iterator[str]:
    """Yield work against precision: "ms / error" for each engine and setting.

    Args:
        result: of a scene.
        engines: to tell of.
        labelled: whether of those whose settings have labels, or of those with substeps.
    """
    cells = [cell for cell in result.cells if bool(cell.label) == labelled]
    if not cells:
        return
    settings = {cell.setting: cell.said for cell in sorted(cells, key=lambda c: c.setting)}
    what = "accuracy" if labelled else "substeps"
    yield f"| ms / error at {what} | " + " | ".join(settings.values()) + " |"
    yield "|-" * (len(settings) + 1) + "|"
    for engine in engines:
        own = {cell.setting: cell for cell in cells if cell.engine == engine}
        texts = [
            f"{own[n].milliseconds:.3g} / {_short(result.target.value(own[n].figures))}"
            if n in own
            else ""
            for n in settings
        ]
        if own:
            yield f"| {engine} | " + " | ".join(texts) + " |"
    yield ""


def _short(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2g}"
