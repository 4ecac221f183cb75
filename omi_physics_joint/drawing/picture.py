# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is drawn of many joints, ready for a graphics card: points and colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.joint import JointSettings
from .joint_sketch import drives_sketch, limits_sketch
from .joint_table import JointTable, drawn_frames
from .layout import Floats
from .marks.frame_marks import joint_frame_mark, partner_frame_mark
from .marks.pointers import STAR, pointers, to_blender
from .strokes import Role, Sketch
from .world_lines import Indices, WorldLines, joined_lines, placed_sketches, plain_lines

Singles = NDArray[np.float32]

LINK_DASHES = 15
TOGETHER = 1e-5
"""Distance of two frames in m that needs no line between them."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What is wanted of each joint."""

    frames: bool = True
    limits: bool = True
    values: bool = True
    drives: bool = True
    links: bool = True


@dataclass(frozen=True, slots=True)
class Poses:
    """Where joints stand: all arrays have one row for each joint, in glTF's axes."""

    joints: Floats
    """Joint frames, rigid, (n, 4, 4)."""
    partners: Floats
    """Connected frames, rigid, (n, 4, 4)."""
    values: Floats
    """(n, 6)."""


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

    Args:
        table: all joints.
        poses: where they stand.
        which: the joints to draw.
        broken: whether each joint of the table is broken: it holds nothing, and shows only that.
        parts: what is wanted.
    """
    return joined_lines(_strokes(table, poses, which, broken, parts))


def picture(
    lines: WorldLines,
    emphasis: NDArray[np.integer[Any]],
    colours: Singles,
    *,
    is_blender: bool = False,
) -> Picture:
    """Return lines in colour, in Blender's world.

    Args:
        lines: in glTF's world, or in Blender's already.
        emphasis: of each joint: 0 dimmed, 1 selected, 2 active, 3 switched off.
        colours: by emphasis and role, see ``palette``; the last axis is RGBA.
        is_blender: whether the lines are in Blender's world.
    """
    turned = np.asarray if is_blender else to_blender
    level = emphasis[lines.owners]
    tints = colours[level, lines.roles]
    points = turned(lines.lines).astype(np.float32)
    batches = {}
    for lit in (0, 1):
        for thick in (0, 1):
            chosen = (np.isin(level, LIT) == bool(lit)) & (lines.thick == bool(thick))
            if chosen.any():
                batches[lit, thick] = Batch(
                    points[chosen].reshape(-1, 3), np.repeat(tints[chosen], 2, axis=0)
                )
    fill = colours[emphasis[lines.fill_owners], lines.fills].copy()
    fill[:, 3] *= FILL_OPACITY
    surface = turned(lines.triangles).astype(np.float32).reshape(-1, 3)
    return Picture(batches, Batch(surface, np.repeat(fill, 3, axis=0)))


LIT = (1, 2)
"""What is emphasized: the selected and the active."""
FILL_OPACITY = 0.07
"""Of a surface, against its lines."""


def _strokes(
    table: JointTable, poses: Poses, which: Indices, broken: NDArray[np.bool_], parts: Parts
) -> Iterator[WorldLines]:
    sizes = table.sizes.tolist()
    bases = drawn_frames(table, poses.joints, poses.partners)
    if parts.frames:
        marks = [joint_frame_mark(sizes[one]) for one in which]
        yield from placed_sketches(marks, poses.joints[which], which)
        marks = [partner_frame_mark(sizes[one]) for one in which]
        yield from placed_sketches(marks, poses.partners[which], which)
    if parts.links:
        yield from _links(poses, which, broken)
    yield from _crosses(table, poses, which[broken[which]])
    whole = which[~broken[which]]
    if parts.limits:
        sketches = _sketches(limits_sketch, table, whole)
        yield from placed_sketches(sketches, bases[whole], whole)
    if parts.drives:
        driven = whole[[bool(table.settings[one].drives) for one in whole]]
        sketches = _sketches(drives_sketch, table, driven)
        yield from placed_sketches(sketches, bases[driven], driven)
    yield from pointers(
        table,
        bases,
        poses.partners,
        poses.values,
        whole,
        show_values=parts.values,
        show_drives=parts.drives,
    )


def _sketches(
    make: Callable[[JointSettings, float], Sketch], table: JointTable, which: Indices
) -> list[Sketch]:
    """Return the sketch of each joint, made once for joints of the same settings and size."""
    sizes = table.sizes.tolist()
    # By identity: joints that share a block share its object, and hashing each would cost more.
    keys = [(id(table.settings[one]), sizes[one], one) for one in which.tolist()]
    made = {key[:2]: key[2] for key in keys}
    sketches = {key: make(table.settings[one], sizes[one]) for key, one in made.items()}
    return [sketches[key[:2]] for key in keys]


def _links(poses: Poses, which: Indices, broken: NDArray[np.bool_]) -> Iterator[WorldLines]:
    """Yield dashes from joints to their partners, where these are elsewhere."""
    start, end = poses.joints[which, :3, 3], poses.partners[which, :3, 3]
    apart = np.abs(end - start).max(axis=1, initial=0.0) > TOGETHER
    start, way, owners = start[apart], (end - start)[apart], which[apart]
    steps = np.linspace(0.0, 1.0, LINK_DASHES + 1)
    points = start[:, None] + steps[:, None] * way[:, None]
    pieces = np.stack((points[:, :-1], points[:, 1:]), axis=2)[:, ::2]
    roles = np.where(broken[owners], Role.BROKEN, Role.BODY).astype(np.uint8)
    count = pieces.shape[1]
    yield plain_lines(pieces.reshape(-1, 2, 3), np.repeat(roles, count), np.repeat(owners, count))


def _crosses(table: JointTable, poses: Poses, broken: Indices) -> Iterator[WorldLines]:
    stars = 3.5 * STAR[None] * table.sizes[broken, None, None, None]
    turned = stars.reshape(-1, 2 * len(STAR), 3) @ poses.joints[broken, :3, :3].transpose(0, 2, 1)
    moved = (turned + poses.joints[broken, None, :3, 3]).reshape(-1, 2, 3)
    yield plain_lines(moved, Role.BROKEN, np.repeat(broken, len(STAR)), thick=True)
