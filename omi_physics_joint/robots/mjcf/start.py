# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose that a model starts in: that of its key frame ``home``, or of its first one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...model.geometry.transform import Matrix, rotation_from_quaternion
from ...model.issue import Severity
from ...model.wording.findings import Findings
from ..element import Element
from ..robot import Axis, Link, Way
from ..turning import from_wxyz, pose, turned

HOME = "home"


def key_frame(root: Element) -> Element | None:
    """Return the key frame that a model starts at."""
    keys = list(root.inside("keyframe", "key"))
    return next((key for key in keys if key.text("name") == HOME), keys[0] if keys else None)


def at_start(links: Sequence[Link], key: Element | None, findings: Findings) -> list[Link]:
    """Return links with the values and rates of a key frame."""
    if key is None:
        return list(links)
    values, rates = key.floats("qpos"), key.floats("qvel")
    speeds = sum(map(_speeds, links))
    # A place that has a quaternion in it is one number more.
    balls = sum(axis.way is Way.BALL for link in links for axis in link.axes)
    places = speeds + balls + sum(link.free for link in links)
    for what, numbers, count in (("qpos", values, places), ("qvel", rates, speeds)):
        if numbers and len(numbers) != count:
            findings.say(
                Severity.WARNING,
                "key-frame",
                key.text("name") or "key frame",
                f"{what} has {len(numbers)} numbers where the joints have {count}.",
                "It is left out.",
            )
    place, speed = iter(values), iter(rates)
    led_places, led_turns = iter(key.floats("mpos")), iter(key.floats("mquat"))
    found: list[Link] = []
    for one in links:
        link = one
        if link.led:
            mocap = [next(led_places, None) for _ in range(3)]
            link = _led(link, mocap, [next(led_turns, None) for _ in range(4)])
        if len(values) == places:
            if link.free:
                link = replace(link, placed=_pose([next(place) for _ in range(7)]))
            link = replace(link, axes=tuple(_at(axis, place) for axis in link.axes))
        if len(rates) == speeds:
            own = [next(speed) for _ in range(_speeds(link))]
            link = _moving(link, own[: 6 * link.free], own[6 * link.free :])
        found.append(link)
    return found


def _led(link: Link, place: Sequence[float | None], turn: Sequence[float | None]) -> Link:
    """Return a body that others lead where the key frame has it."""
    x, y, z = (row[3] for row in link.placed[:3])
    where = [b if a is None else a for a, b in zip(place, (x, y, z), strict=True)]
    if None in turn:
        linear = tuple(tuple(row[:3]) for row in link.placed[:3])
        return replace(link, placed=pose(linear, (where[0], where[1], where[2])))
    return replace(link, placed=_pose([*where, *(a or 0.0 for a in turn)]))


def _moving(link: Link, base: Sequence[float], rates: Sequence[float]) -> Link:
    """Return a link with its rates; a free one turns about its own axes."""
    if link.free:
        a, b, c, d, e, f = base
        return replace(link, velocity=(a, b, c), spin=turned(link.placed, (d, e, f)))
    return replace(link, rates=tuple(rates))


def _at(axis: Axis, numbers: Iterator[float]) -> Axis:
    if axis.way is Way.BALL:
        return replace(axis, turn=from_wxyz([next(numbers) for _ in range(4)]))
    return replace(axis, value=next(numbers))


def _speeds(link: Link) -> int:
    return 6 * link.free + sum(axis.way.speeds for axis in link.axes)


def _pose(numbers: Sequence[float]) -> Matrix:
    x, y, z = numbers[:3]
    return pose(rotation_from_quaternion(from_wxyz(numbers[3:])), (x, y, z))
