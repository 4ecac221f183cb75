# SPDX-License-Identifier: GPL-3.0-or-later
"""What the overlay puts on a screen: drawn off-screen where Blender can do so without a window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import bpy
import gpu
import numpy as np
import pytest
from mathutils import Matrix
from scenes import door, turn

from omi_physics_joint.blender.overlay import extras, labels, viewport
from omi_physics_joint.drawing.played import Arrow

NO_CARD = "this Blender has no graphics card without a window (gpu.init came with 5.2)"


@pytest.fixture(autouse=True)
def no_extras() -> Iterator[None]:
    """Leave nothing of play behind."""
    yield
    extras.show()


@pytest.fixture
def card() -> Any:
    """An off-screen card of 200 by 200 pixels."""
    if not hasattr(gpu, "init"):
        pytest.skip(NO_CARD)
    gpu.init()
    return gpu.types.GPUOffScreen(200, 200)


def pixels(card: Any) -> np.ndarray:
    """Draw the 3D view of the first window onto a card and return its pixels, (200, 200, 4)."""
    window = bpy.context.window_manager.windows[0]
    area = window.screen.areas[0]
    area.type = "VIEW_3D"
    eye = Matrix.Translation((1.0, 0.0, 10.0))
    with bpy.context.temp_override(window=window, area=area), card.bind():
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0.0, 0.0, 0.0, 0.0))
        with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            gpu.matrix.load_matrix(eye.inverted())
            flat = Matrix.Diagonal((0.3, 0.3, -0.01, 1.0))
            gpu.matrix.load_projection_matrix(flat)
            ready = viewport.update_view(bpy.context)
            viewport.draw(ready, viewport.Canvas((200, 200), 1.0, True))
        buffer = frame.read_color(0, 0, 200, 200, 4, 0, "FLOAT")
    buffer.dimensions = 200 * 200 * 4
    return np.array(buffer, np.float32).reshape(200, 200, 4)


def test_joints_reach_the_screen(card: Any) -> None:
    """A hinge is drawn about its place, in the colour of Blender's Z, and redrawn when it turns."""
    bpy.context.view_layer.update()
    empty = pixels(card)
    assert empty[..., :3].max() == 0.0
    _, leaf, joint = door(angle_min=0.0, angle_max=1.5)
    bpy.context.view_layer.update()
    first = pixels(card)
    lit = np.argwhere(first[..., 3] > 0.1)
    assert len(lit) > 100
    assert np.abs(lit.mean(axis=0) - 100.0).max() < 40.0
    blue = (first[..., 2] > first[..., 0] + 0.2) & (first[..., 2] > first[..., 1])
    assert blue.sum() > 20
    turn(leaf, joint.matrix_world.translation, "Z", 0.5)
    assert np.abs(pixels(card) - first).max() > 0.1


def test_forces_reach_the_screen(card: Any) -> None:
    """The arrows, the pins and the spring of play are drawn, and go when play is over."""
    before = pixels(card)
    forces = [
        Arrow((0.0, 0.0, 0.0), (100.0, 0.0, 0.0), "force", 10.0, 1.0),
        Arrow((1.0, 0.0, 0.0), (0.0, 50.0, 0.0), "torque", 10.0, 1.0),
    ]
    spring = (0.5, 0.5, 0.0), (1.5, 0.0, 0.0)
    extras.show(forces, pins=[(0.0, 0.0, 0.0)], spring=spring)
    assert (pixels(card)[..., 3] > 0.1).sum() > 50
    extras.show()
    assert np.array_equal(pixels(card), before)


def test_values_stand_one_above_the_other_whatever_their_order() -> None:
    """From the lowest up, none in another's room; a note that finds none is left out."""
    lows = (100.0, 104.0, 110.0, 150.0)
    texts = [labels._Text((0.0, 0.0, 0.0), str(low), (), 8.0) for low in lows]
    placed = [(text, 50.0, low) for text, low in zip(texts, lows, strict=True)]
    near = (labels._Text((0.0, 0.0, 0.0), "near", (), 8.0), 50.0, 103.0)
    far = (labels._Text((0.0, 0.0, 0.0), "far", (), 8.0), 500.0, 103.0)
    for values in permutations(placed):
        found = list(labels._arranged([*values], [far, near, far], 1.0))
        heights = {text.text: y for text, _, y in found}
        shown = [heights[str(low)] for low in lows]
        assert shown == sorted(shown)
        assert shown[0] == pytest.approx(lows[0] - 0.35 * labels.SIZE)
        assert min(np.diff(shown)) >= 1.35 * labels.SIZE
        assert [text.text for text, _, _ in found].count("far") == 1
        assert heights["near"] >= shown[2] + 1.35 * labels.SIZE
