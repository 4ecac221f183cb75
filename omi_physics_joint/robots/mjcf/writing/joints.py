# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of MJCF and the actuators on them, written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ....model.body import ZERO
from ....model.geometry.transform import translation_of
from ...element import Element, unique
from ...motion import in_axes_of
from ...numbers import spelled, wxyz
from ...robot import Axis, Link, Spring, Way
from ...turning import quaternion_of


@dataclass(frozen=True, slots=True)
class Written:
    """One joint as it stands in a model."""

    name: str
    axis: Axis | None
    """None is a free joint."""
    places: tuple[float, ...]
    """In ``qpos``."""
    speeds: tuple[float, ...]
    """In ``qvel``."""
    is_turned: bool = False
    """Whether it is a ball that starts turned."""


def write_joints(body: Element, index: int, link: Link, names: set[str]) -> list[Written]:
    """Write the joints of a link, and return them."""
    if link.free:
        name = unique(f"{link.name} free", names)
        body.add("freejoint", name=name)
        w = wxyz(quaternion_of(link.placed))
        spin = in_axes_of(link.placed, link.spin)
        places = (*translation_of(link.placed), *w)
        return [Written(name, None, places, (*link.velocity, *spin))]
    rates = list(link.rates)
    found: list[Written] = []
    for axis in link.axes:
        name = unique(axis.name or f"{link.name} joint {index}", names)
        count = 3 if axis.way is Way.BALL else 1
        own, rates = tuple(rates[:count]) or (0.0,) * count, rates[count:]
        body.add("joint", **_said(axis, name))
        if axis.way is Way.BALL:
            turn = wxyz(axis.turn)
            found.append(Written(name, axis, turn, own, is_turned=axis.turn[:3] != ZERO))
        else:
            found.append(Written(name, axis, (axis.value,), own))
    return found


def _said(axis: Axis, name: str) -> dict[str, str | None]:
    said: dict[str, str | None] = {"name": name, "type": axis.way.value}
    if axis.way is not Way.SLIDE and any(axis.anchor):
        said["pos"] = spelled(axis.anchor)
    if axis.way is Way.BALL:
        if axis.high < inf:
            said["range"] = spelled([0.0, axis.high])
        return said
    said["axis"] = spelled(axis.direction)
    if axis.rest:
        said["ref"] = spelled([axis.rest])
    if (axis.low, axis.high) != (-inf, inf):
        said["range"] = spelled([max(axis.low, -ENDLESS), min(axis.high, ENDLESS)])
    for spring in axis.springs:
        if _is_passive(spring):
            said |= {
                "stiffness": spelled([spring.stiffness]) if spring.stiffness else None,
                "springref": spelled([spring.target or 0.0]) if spring.stiffness else None,
                "damping": spelled([spring.damping]) if spring.damping else None,
            }
            break
    return said


ENDLESS = 1e6
"""m or rad: a bound that is never reached."""


def _is_passive(spring: Spring) -> bool:
    """Return whether a joint does by itself what a spring does: no bound and no speed."""
    return spring.max_force == inf and not spring.rate


def write_actuators(section: Element, joints: Sequence[Written]) -> list[float]:
    """Write what joints do not do by themselves, and return what controllers say at the start."""
    controls: list[float] = []
    names: set[str] = set()
    for joint in joints:
        springs = () if joint.axis is None else joint.axis.springs
        passive = next((one for one in springs if _is_passive(one)), None)
        for spring in springs:
            if spring is not passive:
                name = unique(spring.name or joint.name, names)
                controls.append(_actuator(section, name, joint.name, spring))
    return controls


def _actuator(section: Element, name: str, joint: str, spring: Spring) -> float:
    most = f"{spelled([-spring.max_force])} {spelled([spring.max_force])}"
    force = None if spring.max_force == inf else most
    k, c = spring.stiffness, spring.damping
    target, rate = spring.target or 0.0, spring.rate or 0.0
    if k > 0.0 and not rate:
        section.add(
            "position",
            name=name,
            joint=joint,
            kp=spelled([k]),
            kv=spelled([c]) if c else None,
            forcerange=force,
        )
        return target
    if k > 0.0:
        section.add(
            "general",
            name=name,
            joint=joint,
            gainprm="1",
            biastype="affine",
            biasprm=spelled([0.0, -k, -c]),
            forcerange=force,
        )
        return k * target + c * rate
    if c > 0.0:
        section.add("velocity", name=name, joint=joint, kv=spelled([c]), forcerange=force)
        return rate
    section.add("motor", name=name, joint=joint, forcerange=force)
    return 0.0
