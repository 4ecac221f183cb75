# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender's window: takes all steps of tests/ui, each from a fresh scene.

    run_steps.py -- OUTPUT_FOLDER [--only WORD] [--quick]

First with a free hand: every step must be well. Then with a tied hand, which moves the mouse but
presses nothing: every step must be found faulty by its state and by its picture, because a check
that cannot fail checks nothing. `--quick` leaves that out.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
import traceback
from collections.abc import Generator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts"), str(ROOT / "tests")]

import bpy  # noqa: E402, TID251 - this runs inside Blender

from window.desk import open_start, set_up  # noqa: E402
from window.hand import Hand  # noqa: E402
from window.said import say  # noqa: E402
from window.sight import Waiting  # noqa: E402
from window.steps import STEPS, NotThereError, Step, Ui  # noqa: E402

SCREEN = Path(os.environ["OMI_SCREEN"])


def take(one: Step, hand: Hand, output: Path) -> Generator[float, None, Ui]:
    """Take one step from its scene and return what was found."""
    ui = Ui(hand, SCREEN, output / one.name)
    yield from open_start()
    one.scene()
    bpy.ops.ed.undo_push(message="The scene")
    yield from ui.park()
    try:
        yield from one.act(ui)
    except NotThereError as error:
        ui.state_faults.append(str(error))
    except Exception as error:  # noqa: BLE001 - all other steps are taken too
        traceback.print_exc()
        ui.state_faults.append(f"the step ended with {type(error).__name__}: {error}")
    return ui


def run_free(chosen: list[Step], output: Path) -> Generator[float, None, int]:
    """Take the steps with a free hand, say how each went and return how many were faulty."""
    faulty = 0
    for one in chosen:
        start = time.monotonic()
        ui = yield from take(one, Hand(), output)
        faults = [*ui.state_faults, *ui.picture_faults]
        if not ui.state_checks or not ui.picture_checks:
            faults.append("checks nothing by state, or nothing by picture")
        seconds = time.monotonic() - start
        say(f"{'FAILED' if faults else 'ok':6}  {one.name}  ({seconds:.0f} s)  {one.sentence}")
        for fault in faults:
            say(f"          {fault}")
        faulty += bool(faults)
    return faulty


def run_tied(chosen: list[Step], output: Path) -> Generator[float, None, int]:
    """Take the steps with a tied hand and return how many found nothing wrong with that."""
    blind = 0
    for one in chosen:
        ui = yield from take(one, Hand(tied=True), output)
        lacking = [
            kind
            for kind, faults in (("state", ui.state_faults), ("picture", ui.picture_faults))
            if not faults
        ]
        if lacking:
            say(f"BLIND   {one.name}: nothing was pressed, and no {' and no '.join(lacking)} check")
            say("          found that wrong")
        blind += bool(lacking)
    return blind


def run(options: argparse.Namespace) -> Waiting:
    """Take all steps and end Blender with 0 if all is well, else 1."""
    yield from set_up()
    chosen = [one for one in STEPS if options.only in one.name]
    faulty = yield from run_free(chosen, options.output)
    say(f"{len(chosen) - faulty} of {len(chosen)} steps are well; pictures in {options.output}")
    blind = 0
    if not options.quick:
        blind = yield from run_tied(chosen, options.output)
        say(f"{len(chosen) - blind} of {len(chosen)} are found faulty where nothing is pressed")
    end(0 if chosen and not faulty and not blind else 1)


def end(code: int) -> None:
    """End here: Blender's own way out can crash or hang."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Start the steps on a timer, which goes on beside Blender's own events."""
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=Path)
    parser.add_argument("--only", default="", help="steps with this word in their names")
    parser.add_argument("--quick", action="store_true", help="leave out the tied hand")
    options = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])
    options.output.mkdir(parents=True, exist_ok=True)
    importlib.import_module("ui.steps")  # which registers them

    running = run(options)

    def tick() -> float:
        try:
            return next(running)
        except BaseException:
            traceback.print_exc()
            end(1)
            raise

    bpy.app.timers.register(tick, first_interval=1.0, persistent=True)


main()
