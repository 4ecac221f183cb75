# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose that a model starts in: that of its key frame ``home``, or of its first one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...model.body import IDENTITY_QUATERNION, Quaternion
from ...model.geometry.transform import IDENTITY, Matrix, multiply, rotation_from_quaternion
from ...model.issue import Severity
from ...model.wording.findings import Findings
from ..element import Element
from ..numbers import floats
from ..robot import WORLD, Axis, Link, Way
from ..turning import pose, turned

HOME = "home"


def key_frame(root: Element) -> Element | None:
    """Return the key frame that a model starts at."""
    keys = [key for section in root.all("keyframe") for key in section.all("key")]
    named = (key for key in keys if key.text("name") == HOME)
    return next(named, keys[0] if keys else None)


def at_start(links: Sequence[Link], key: Element | None, findings: Findings) -> list[Link]:
    """Return links with the values and rates of a key frame."""
    if key is None:
        return list(links)
    values, rates = floats(key, "qpos"), floats(key, "qvel")
    places = sum(7 * link.free + sum(_places(axis) for axis in link.axes) for link in links)
    speeds = sum(6 * link.free + sum(_speeds(axis) for axis in link.axes) for link in links)
    for what, numbers, count in (("qpos", values, places), ("qvel", rates, speeds)):
        if numbers and len(numbers) != count:
            findings.say(
                Severity.WARNING,
                "key-frame",
                key.text("name") or "key frame",
                f"{what} has {len(numbers)} numbers where the joints have {count}.",
                "It is left out.",
            )
    place = iter(values if len(values) == places else ())
    speed = iter(rates if len(rates) == speeds else ())
    led_places, led_turns = iter(floats(key, "mpos")), iter(floats(key, "mquat"))
    found: list[Link] = []
    for one in links:
        link = one
        if link.free and len(values) == places:
            link = replace(link, placed=_pose([next(place) for _ in range(7)]))
        elif link.led:
            link = _led(
                link,
                [next(led_places, None) for _ in range(3)],
                [next(led_turns, None) for _ in range(4)],
            )
        if len(values) == places and link.axes:
            link = replace(
                link,
                axes=tuple(
                    _at(axis, [next(place) for _ in range(_places(axis))]) for axis in link.axes
                ),
            )
        if len(rates) == speeds:
            link = _moving(
                link,
                [next(speed) for _ in range(6 * link.free)],
                [next(speed) for axis in link.axes for _ in range(_speeds(axis))],
            )
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


def _at(axis: Axis, numbers: Sequence[float]) -> Axis:
    if axis.way is Way.BALL:
        return replace(axis, turn=_quaternion(numbers))
    return replace(axis, value=numbers[0])


def _places(axis: Axis) -> int:
    return 4 if axis.way is Way.BALL else 1


def _speeds(axis: Axis) -> int:
    return 3 if axis.way is Way.BALL else 1


def _pose(numbers: Sequence[float]) -> Matrix:
    x, y, z = numbers[:3]
    return pose(rotation_from_quaternion(_quaternion(numbers[3:])), (x, y, z))


def _quaternion(numbers: Sequence[float]) -> Quaternion:
    w, x, y, z = numbers
    return (x, y, z, w) if any(numbers) else IDENTITY_QUATERNION


def at_rest(links: Sequence[Link]) -> list[Matrix]:
    """Return where links are in the world with every joint at rest."""
    found: list[Matrix] = []
    for link in links:
        above = IDENTITY if link.parent == WORLD else found[link.parent]
        found.append(multiply(above, link.placed))
    return found
