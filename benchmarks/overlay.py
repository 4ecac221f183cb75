# SPDX-License-Identifier: GPL-3.0-or-later
"""What drawing joints costs in Python: idle, one joint moving, many moving, everything anew.

Run it with a Python that has bpy, from a checkout:

    python benchmarks/overlay.py [--joints 1000] [--runs 50] [--blocks 1000]

Each joint is on an empty below a body of its own, with its partner below another. With Blender 5.2
or later the batches are put onto a graphics card and drawn off screen as well; before that there
is none without a window, and all up to the arrays is measured. Times are what the processor spends
on this thread, so that a busy machine counts less. Goal: at most 2 ms when nothing happens.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

from started import bpy, gpu, in_a_view, run_script, two_bodies

GOAL_MS = 2.0


def build(joints: int, blocks: int) -> list[bpy.types.Object]:
    """Make bodies in a grid, each hinged to a partner of its own; return the second bodies."""
    from omi_physics_joint.blender.bridge.write import new_settings
    from omi_physics_joint.blender.joints.authoring import add_frame
    from omi_physics_joint.model.settings.recipes import hinge

    bpy.ops.wm.read_homefile(use_empty=True)
    settings_blocks = [new_settings(hinge(1, -0.5, 0.5 + 1e-3 * index)) for index in range(blocks)]
    movers = []
    for index in range(joints):
        place, pair = two_bodies(index)
        frames = [add_frame(f"{body.name} J", body, place, 1.0) for body in pair]
        frames[0].omi_physics_joint.is_joint = True
        frames[0].omi_physics_joint.settings = settings_blocks[index % blocks]
        frames[0].omi_physics_joint.connected_node = frames[1]
        movers.append(pair[1])
    bpy.context.view_layer.update()
    return movers


class Redraw:
    """One redraw of a 3D view, as the draw handler does it."""

    def __init__(self, card: gpu.types.GPUOffScreen | None) -> None:
        """Draw onto a card, or only make the arrays."""
        self._card = card
        if card is None:
            from omi_physics_joint.blender.overlay import viewport

            viewport.drawable = lambda _picture: viewport.Drawable({}, None)

    def prepare(self) -> float:
        """Bring everything up to date; return the milliseconds."""
        from omi_physics_joint.blender.overlay import viewport

        begin = time.thread_time()
        viewport.update_view(bpy.context)
        return 1e3 * (time.thread_time() - begin)

    def draw(self) -> float:
        """Draw what is up to date; return the milliseconds."""
        from omi_physics_joint.blender.overlay import viewport

        if self._card is None:
            return float("nan")
        canvas = viewport.Canvas((self._card.width, self._card.height), 1.0, True)
        ready = viewport.update_view(bpy.context)
        with self._card.bind():
            begin = time.thread_time()
            viewport.draw(ready, canvas)
            return 1e3 * (time.thread_time() - begin)


def measured(redraw: Redraw, change: Callable[[int], None], runs: int) -> float:
    """Return the median milliseconds of bringing things up to date after a change."""
    times = []
    for run in range(runs):
        change(run)
        bpy.context.view_layer.update()
        times.append(redraw.prepare())
    return statistics.median(times)


def changes(movers: list[bpy.types.Object]) -> dict[str, Callable[[int], None]]:
    """Return what happens between two redraws."""
    from omi_physics_joint.blender.interface import signals

    block = movers[0].parent or bpy.data.objects["Still 0 J"].omi_physics_joint.settings

    def turn(objects: list[bpy.types.Object]) -> Callable[[int], None]:
        def change(run: int) -> None:
            for obj in objects:
                obj.rotation_euler.z += 0.001 * (run % 3 - 1) + 1e-4

        return change

    def choose(run: int) -> None:
        movers[run % min(7, len(movers))].select_set(run % 2 == 0)

    def edit(run: int) -> None:
        block.limits[-1].angular_max = 0.5 + 0.001 * (run % 20)
        block.update_tag()

    return {
        "nothing": lambda _run: None,
        "one joint moves": turn(movers[:1]),
        "30 joints move": turn(movers[:30]),
        "300 joints move": turn(movers[:300]),
        "a bound of one block is dragged": edit,
        "a body is selected": choose,
        "everything is found anew": lambda _run: signals.on_replaced(),
    }


def main() -> None:
    """Build, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--joints", type=int, default=1000)
    parser.add_argument("--blocks", type=int, default=10)
    parser.add_argument("--runs", type=int, default=50)
    options = parser.parse_args()
    card: Any = None
    if hasattr(gpu, "init"):
        gpu.init()
        card = gpu.types.GPUOffScreen(256, 256)
    movers = build(options.joints, options.blocks)
    with in_a_view():
        redraw = Redraw(card)
        found = {}
        for name, change in changes(movers).items():
            measured(redraw, change, 3)
            found[name] = measured(redraw, change, options.runs)
        calls = statistics.median(redraw.draw() for _ in range(options.runs))
    where = "with a card" if card else "without a card"
    print(
        f"Blender {bpy.app.version_string}, Python {platform.python_version()}, "
        f"{options.joints} joints, {options.blocks} settings blocks, {where}"
    )
    for name, ms in found.items():
        print(f"{name:34} {ms:9.3f} ms")
    print(f"{'draw calls on this card':34} {calls:9.3f} ms")
    print(f"goal: nothing at most {GOAL_MS} ms")


if __name__ == "__main__":
    run_script(main)
