# SPDX-License-Identifier: GPL-3.0-or-later
"""What the settings of many joints say, in columns, and their frames: all is drawn at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.geometry.frames import NEARLY_SQUARE, rigid_frame
from ..model.joint import AXES, Freedom, JointSettings
from ..model.settings.coordinates import coordinates, relative
from ..model.settings.spans import Spans, spans_of
from ..model.settings.together import Together, together_in
from .bounds import ends_of, has_two_sides, is_free_pin, is_held, reversed_settings
from .layout import Floats
from .marks.discs_and_cones import shared_spans, swing_axis
from .marks.motors import target_of
from .marks.together import TogetherArrays, together_arrays
from .world_lines import Indices

SMALLEST = 1e-12
"""Length of an axis below which a frame counts as flat: it is drawn unturned then. Nothing hangs on
it: scales are 0 or far larger."""
SIX = 6
"""Degrees of freedom: linear X, Y, Z, then angular X, Y, Z."""


class JointColumns(NamedTuple):
    """One joint: what ``JointTable`` holds of it."""

    spans: Spans
    bounds: Floats
    """(4, 6): low, high, rigid low, rigid high; open where they make no sense."""
    held: list[bool]
    targets: tuple[tuple[int, float], ...]
    """Degree of freedom and position target of each drive that has one."""
    pointing: int
    """The axis of the connected frame that points into a cone, -1 where there is none."""
    together: tuple[Together, ...]
    rounded: list[bool]
    """Of the six: distances and leans that have no bound but with others, turns of a free pin."""


@lru_cache(maxsize=4096)
def columns_of(settings: JointSettings) -> JointColumns:
    """Return the columns of one joint."""
    spans, together = spans_of(settings.limits), together_in(settings.limits)
    bounds = np.empty((SIX, 4))
    for row, span in zip(bounds, spans, strict=True):
        low, high = ends_of(span)
        is_free = low.is_open and high.is_open
        rigid = (-inf, inf) if is_free else (span.rigid_low, span.rigid_high)
        row[:] = (low.at, high.at, *rigid)
    targets = tuple(
        (drive.axis + (len(AXES) if drive.type is Freedom.ANGULAR else 0), target)
        for drive in settings.drives
        if (target := target_of(drive)) is not None
    )
    pointing = swing_axis(spans[3:])
    if pointing is None:
        pointing = next((one.left_axis for one in together if one.kind == "cone"), -1)
    # Of a whole angle each axis has its arc; of all others one mark shows the pose.
    rounded = shared_spans(spans, (one for one in together if one.kind != "whole angle"))
    is_pin = is_free_pin(settings)
    return JointColumns(
        spans,
        bounds.T,
        [is_held(span) for span in spans],
        targets,
        pointing,
        together,
        [span in rounded or (is_pin and at >= len(AXES)) for at, span in enumerate(spans)],
    )


@dataclass(frozen=True, slots=True)
class JointTable:
    """Many joints, one row each unless said otherwise."""

    settings: tuple[JointSettings, ...]
    """As they are drawn: reversed where a joint is drawn from its other side."""
    signs: Floats
    """(n,): -1.0 where a joint is drawn in its connected frame, else 1.0; see ``bounds``."""
    sizes: Floats
    """Display radii in m."""
    spans: tuple[Spans, ...]
    """What the model says, never reversed."""
    bounds: Floats
    """(n, 4, 6)."""
    held: NDArray[np.bool_]
    """(n, 6): degrees of freedom that cannot move."""
    pointing: Indices
    rounded: NDArray[np.bool_]
    """(n, 6): what is shown with others only, or as of free pins not at all."""
    together: TogetherArrays
    target_owners: Indices
    """(k,): the joint of each position target."""
    target_freedoms: Indices
    targets: Floats

    @property
    def count(self) -> int:
        """How many joints there are."""
        return len(self.settings)


@dataclass(frozen=True, slots=True)
class Poses:
    """Where joints stand: all arrays have one row for each joint, in glTF's axes."""

    joints: Floats
    """Joint frames, rigid, (n, 4, 4)."""
    partners: Floats
    """Connected frames, rigid, (n, 4, 4)."""
    values: Floats
    """(n, 6)."""


def joint_table(
    settings: Sequence[JointSettings],
    sizes: Sequence[float],
    from_partner: Sequence[bool] | None = None,
) -> JointTable:
    """Return the table of joints, which are drawn from their other side where that is wanted."""
    # Joints that share a block share its object: hashing each of them would cost more.
    distinct = {id(one): one for one in settings}
    spans = {key: columns_of(one).spans for key, one in distinct.items()}
    reverse = {key: reversed_settings(one) for key, one in distinct.items() if has_two_sides(one)}
    wanted = from_partner or [False] * len(settings)
    turned = [one and id(joint) in reverse for one, joint in zip(wanted, settings, strict=True)]
    drawn = [
        reverse[id(joint)] if one else joint for one, joint in zip(turned, settings, strict=True)
    ]
    known = {key: columns_of(one) for key, one in {id(one): one for one in drawn}.items()}
    rows = [known[id(one)] for one in drawn]
    targets = [(owner, *target) for owner, row in enumerate(rows) for target in row.targets]
    owners, freedoms, numbers = zip(*targets, strict=True) if targets else ((), (), ())
    return JointTable(
        settings=tuple(drawn),
        signs=np.where(np.array(turned, np.bool_), -1.0, 1.0),
        sizes=np.array(sizes, np.float64),
        spans=tuple(spans[id(one)] for one in settings),
        bounds=np.array([row.bounds for row in rows]).reshape(-1, 4, SIX),
        held=np.array([row.held for row in rows], np.bool_).reshape(-1, SIX),
        pointing=np.array([row.pointing for row in rows], np.intp),
        rounded=np.array([row.rounded for row in rows], np.bool_).reshape(-1, SIX),
        together=together_arrays([row.together for row in rows]),
        target_owners=np.array(owners, np.intp),
        target_freedoms=np.array(freedoms, np.intp),
        targets=np.array(numbers, np.float64),
    )


def drawn_frames(table: JointTable, joints: Floats, partners: Floats) -> Floats:
    """Return the frames that joints are drawn in: theirs, or the connected ones; (n, 4, 4)."""
    return np.where(table.signs[:, None, None] < 0.0, partners, joints)


def joint_values(table: JointTable, joints: Floats, partners: Floats, which: Indices) -> Floats:
    """Return where some joints stand as drawn: metres, then radians, shape (len(which), 6).

    What is drawn from its other side has the model's values with the other sign, and of distances
    those of the joint frame in the connected one. The frames of all are rigid, (n, 4, 4).
    """
    values, signs = np.empty((len(which), SIX)), table.signs[which]
    pairs = zip(which.tolist(), joints[which].tolist(), partners[which].tolist(), strict=True)
    for row, (index, joint, partner) in enumerate(pairs):
        values[row] = signs[row] * np.array(coordinates(table.spans[index], joint, partner))
        if signs[row] < 0.0:
            values[row, :3] = relative(partner, joint)[0]
    return values


def rigid_frames(worlds: Floats, settings: Sequence[JointSettings | None]) -> Floats:
    """Return the right-handed, unscaled frames that nodes stand for: (n, 4, 4), world from node.

    These are what ``model.geometry.frames.rigid_frame`` makes one by one.
    The settings of each one's joint decide how a mirrored frame is turned back. Where a node is
    flat or not finite, its frame is not turned, and stands at the origin where even its place is
    not finite.
    """
    frames = np.array(worlds, np.float64)
    frames[~np.isfinite(frames).all(axis=(1, 2))] = np.eye(4)
    linear = frames[:, :3, :3]
    lengths = np.sqrt((linear * linear).sum(axis=1))
    flat = (lengths < SMALLEST).any(axis=1)
    unit = linear / np.maximum(lengths, SMALLEST)[:, None, :]
    square = np.abs(unit.transpose(0, 2, 1) @ unit - np.eye(3)).max(axis=(1, 2)) < NEARLY_SQUARE
    plain = square & ~flat & (np.linalg.det(unit) > 0.0)
    for _ in range(2):  # the model's own two steps towards the nearest rotation
        unit = 0.5 * unit @ (3.0 * np.eye(3) - unit.transpose(0, 2, 1) @ unit)
    linear[plain] = unit[plain]
    for index in np.flatnonzero(~plain).tolist():
        world = tuple(map(tuple, frames[index].tolist()))
        try:
            frames[index] = rigid_frame(world, settings[index])
        except ZeroDivisionError:  # flat: any turn is as good as another, and Check says so
            frames[index, :3, :3] = np.eye(3)
    return frames
