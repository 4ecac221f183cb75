# SPDX-License-Identifier: GPL-3.0-or-later
"""Work against precision as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from pathlib import Path as File

import numpy as np

from .measuring import SceneResult

STYLES = {
    "ours": ("#d62728", "o", 2.2),
    "Blender rigid bodies": ("#ff7f0e", "s", 1.4),
    "PyBullet": ("#1f77b4", "^", 1.2),
    "MuJoCo Euler": ("#2ca02c", "v", 1.2),
    "MuJoCo RK4": ("#006400", "D", 1.2),
    "Rapier": ("#9467bd", "P", 1.2),
    "Jolt": ("#8c564b", "X", 1.2),
}
COLUMNS = 3


def plot(results: Mapping[str, SceneResult], file: File) -> None:
    """Draw one field for each scene: time across, error up; towards the lower left is better."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    rows = ceil(len(results) / COLUMNS)
    figure, fields = pyplot.subplots(
        rows, COLUMNS, figsize=(5.2 * COLUMNS, 3.9 * rows), squeeze=False, layout="constrained"
    )
    for field in fields.flat[len(results) :]:
        field.set_axis_off()
    handles = {}
    for field, result in zip(fields.flat, results.values(), strict=False):
        for engine in dict.fromkeys(cell.engine for cell in result.cells):
            cells = result.of(engine)
            times = np.array([cell.milliseconds for cell in cells])
            errors = np.array([result.target.value(cell.figures) for cell in cells])
            seen = np.isfinite(errors) & (errors < 10.0)
            colour, marker, width = STYLES.get(engine, ("grey", ".", 1.0))
            (handles[engine],) = field.loglog(
                times[seen], np.maximum(errors[seen], 1e-13), color=colour, marker=marker,
                markersize=4, linewidth=width,
            )  # fmt: skip
            own = result.chosen(engine)
            if own is not None:
                value = result.target.value(own.figures)
                field.loglog(own.milliseconds, max(value, 1e-13), "*", color=colour, markersize=13)
        field.axhline(result.target.limit, color="black", linewidth=0.8, linestyle=":")
        field.axvline(1000.0, color="black", linewidth=0.8, linestyle=":")
        field.set_title(result.scene.title, fontsize=10)
        field.set_xlabel("ms for one simulated second", fontsize=8)
        what = "overshoot in rad" if result.target.of_overshoot else "error / length"
        field.set_ylabel(what, fontsize=8)
        field.tick_params(labelsize=7)
        field.grid(visible=True, linewidth=0.3)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=8, fontsize=8)
    figure.suptitle("Work against precision (star: ours as it comes; dotted: target, real time)")
    figure.savefig(file, dpi=75)
