# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is drawn of many joints, ready for a graphics card: points and colours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.joint import JointSettings
from ..model.settings.spans import spans_of
from ..model.settings.together import together_in
from .bounds import is_free_pin, is_held
from .joint_table import JointTable, Poses, drawn_frames
from .layout import BLENDER_FROM_GLTF, Floats
from .marks.discs_and_cones import draw_swing, draw_together, shared_spans, swing_axis
from .marks.frame_marks import joint_frame_mark, partner_frame_mark, pin_mark, weld_mark
from .marks.motors import draw_drive
from .marks.pointers import STAR, pointers
from .marks.sliding import draw_slides
from .marks.turning import draw_turn
from .strokes import Pen, Role, Sketch, pieces_of, without_axes
from .world_lines import Indices, WorldLines, joined_lines, moved, placed_sketches, plain_lines


@lru_cache(maxsize=1024)
def limits_sketch(settings: JointSettings, size: float) -> Sketch:
    """Return what the limits of a joint leave, in the joint frame; welds and free pins have marks.

    Settings are in glTF's axes, the size is the display radius in m.
    """
    spans, together = spans_of(settings.limits), together_in(settings.limits)
    if all(is_held(span) for span in spans):
        return weld_mark(size)
    if is_free_pin(settings):
        return pin_mark(size)
    pen = Pen()
    for one in together:
        draw_together(pen, one, size)
    shared = shared_spans(spans, together)
    draw_slides(pen, spans[:3], size, shared)
    turning = [span for span in spans[3:] if not is_held(span)]
    pointing = swing_axis(spans[3:])
    if pointing is not None:
        draw_swing(pen, spans[3:], pointing, size)
    for span in turning:
        if span not in shared:
            draw_turn(pen, span, size, alone=len(turning) == 1)
    is_sole = len({span.axis for span in spans if not is_held(span)}) == 1
    return without_axes(pen.sketch()) if is_sole else pen.sketch()


@lru_cache(maxsize=1024)
def drives_sketch(settings: JointSettings, size: float) -> Sketch:
    """Return the flags and motors of a joint's drives, in the joint frame."""
    pen = Pen()
    for drive in settings.drives:
        draw_drive(pen, drive, size)
    return pen.sketch()


Singles = NDArray[np.float32]

LINK_DASHES = 15
TOGETHER = 1e-5
"""Distance of two frames in m that needs no line between them."""
LIT = (1, 2)
"""What is emphasized: the selected and the active."""
FILL_OPACITY = 0.07
"""Of a surface, against its lines."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What is wanted of each joint."""

    frames: bool = True
    limits: bool = True
    values: bool = True
    drives: bool = True
    links: bool = True


@dataclass(frozen=True, slots=True)
class Batch:
    """Points and a colour each, in Blender's axes."""

    points: Singles
    """(n, 3) in m."""
    colours: Singles
    """(n, 4)."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines by emphasis (0 dimmed or off, 1 selected and active) and weight (0 thin, 1 thick)."""

    lines: dict[tuple[int, int], Batch]
    fills: Batch


def world_lines(
    table: JointTable, poses: Poses, which: Indices, broken: NDArray[np.bool_], parts: Parts
) -> WorldLines:
    """Return all lines of some joints in glTF's world.

    A joint of the table that is broken holds nothing, and shows only that.
    """
    bases = drawn_frames(table, poses.joints, poses.partners)
    cut, whole = which[broken[which]], which[~broken[which]]
    found: list[WorldLines] = []
    if parts.frames:
        sizes = table.sizes[which].tolist()
        for mark, frames in (
            (joint_frame_mark, poses.joints),
            (partner_frame_mark, poses.partners),
        ):
            found += placed_sketches(list(map(mark, sizes)), frames[which], which)
    if parts.links:
        found.append(_links(poses, which, broken))
    stars = moved(3.5 * STAR * table.sizes[cut, None, None, None], poses.joints[cut])
    found.append(plain_lines(stars, Role.BROKEN, cut, thick=True))
    if parts.limits:
        found += _sketched(limits_sketch, table, whole, bases)
    if parts.drives:
        driven = whole[[bool(table.settings[one].drives) for one in whole]]
        found += _sketched(drives_sketch, table, driven, bases)
    shown = {"show_values": parts.values, "show_drives": parts.drives}
    found += pointers(table, replace(poses, joints=bases), whole, **shown)
    return joined_lines(found)


def picture(
    lines: WorldLines,
    emphasis: NDArray[np.integer[Any]],
    colours: Singles,
    *,
    is_blender: bool = False,
) -> Picture:
    """Return lines of glTF's world, or of Blender's already, in colour in Blender's world.

    Colours are those of ``strokes``, by the emphasis of each joint.
    """
    ends, triangles = lines.lines, lines.triangles
    if not is_blender:
        ends, triangles = ends @ BLENDER_FROM_GLTF.T, triangles @ BLENDER_FROM_GLTF.T
    level = emphasis[lines.owners]
    tints, points = colours[level, lines.roles], ends.astype(np.float32)
    is_lit = np.isin(level, LIT)
    batches = {}
    for lit, thick in product((0, 1), repeat=2):
        chosen = (is_lit == lit) & (lines.thick == thick)
        if chosen.any():
            drawn = points[chosen].reshape(-1, 3)
            batches[lit, thick] = Batch(drawn, np.repeat(tints[chosen], 2, axis=0))
    fill = colours[emphasis[lines.fill_owners], lines.fills]
    fill[:, 3] *= FILL_OPACITY
    surface = triangles.astype(np.float32).reshape(-1, 3)
    return Picture(batches, Batch(surface, np.repeat(fill, 3, axis=0)))


def _sketched(
    make: Callable[[JointSettings, float], Sketch], table: JointTable, which: Indices, bases: Floats
) -> list[WorldLines]:
    """Return the sketches of joints, made once for those of the same settings and size."""
    sizes = table.sizes.tolist()
    # By identity: joints that share a block share its object, and hashing each would cost more.
    keys = [(id(table.settings[one]), sizes[one], one) for one in which.tolist()]
    made = {key[:2]: key[2] for key in keys}
    sketches = {key: make(table.settings[one], sizes[one]) for key, one in made.items()}
    return placed_sketches([sketches[key[:2]] for key in keys], bases[which], which)


def _links(poses: Poses, which: Indices, broken: NDArray[np.bool_]) -> WorldLines:
    """Return dashes from joints to their partners, where these are elsewhere."""
    start, end = poses.joints[which, :3, 3], poses.partners[which, :3, 3]
    apart = np.abs(end - start).max(axis=1, initial=0.0) > TOGETHER
    start, way, owners = start[apart], (end - start)[apart], which[apart]
    steps = np.linspace(0.0, 1.0, LINK_DASHES + 1)
    pieces = pieces_of(start[:, None] + steps[:, None] * way[:, None])[:, ::2]
    roles = np.where(broken[owners], Role.BROKEN, Role.BODY).astype(np.uint8)
    return plain_lines(pieces, roles, owners)
