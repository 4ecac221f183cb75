# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of MJCF and the actuators on them, written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ....model.geometry.transform import translation_of
from ...element import Element, Said, unique
from ...motion import in_axes_of
from ...robot import Axis, Link, Spring, Way
from ...turning import quaternion_of, wxyz

ENDLESS = 1e6
"""m or rad: a bound that is never reached."""


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

    @property
    def is_turned(self) -> bool:
        """Whether it is a ball that starts turned."""
        return self.axis is not None and any(self.axis.turn[:3])


def write_joints(body: Element, index: int, link: Link, names: set[str]) -> list[Written]:
    """Write the joints of a link, and return them."""
    if link.free:
        name = unique(f"{link.name} free", names)
        body.add("freejoint", name=name)
        places = (*translation_of(link.placed), *wxyz(quaternion_of(link.placed)))
        spin = in_axes_of(link.placed, link.spin)
        return [Written(name, None, places, (*link.velocity, *spin))]
    found: list[Written] = []
    for axis, rates in zip(link.axes, link.rates_by_axis(), strict=True):
        name = unique(axis.name or f"{link.name} joint {index}", names)
        body.add("joint", name=name, type=axis.way.value, **_said(axis))
        start = wxyz(axis.turn) if axis.way is Way.BALL else (axis.value,)
        found.append(Written(name, axis, start, rates))
    return found


def _said(axis: Axis) -> dict[str, Said]:
    anchor = axis.anchor if axis.way is not Way.SLIDE and any(axis.anchor) else None
    if axis.way is Way.BALL:
        return {"pos": anchor, "range": (0.0, axis.high) if axis.high < inf else None}
    bounds = (max(axis.low, -ENDLESS), min(axis.high, ENDLESS))
    spring = next(filter(_is_passive, axis.springs), Spring())
    return {
        "pos": anchor,
        "axis": axis.direction,
        "ref": axis.rest or None,
        "range": None if (axis.low, axis.high) == (-inf, inf) else bounds,
        "stiffness": spring.stiffness or None,
        "springref": (spring.target or 0.0) if spring.stiffness else None,
        "damping": spring.damping or None,
    }


def _is_passive(spring: Spring) -> bool:
    """Return whether a joint does by itself what a spring does: no bound and no speed."""
    return spring.max_force == inf and not spring.rate


def write_actuators(section: Element, joints: Sequence[Written]) -> list[float]:
    """Write what joints do not do by themselves, and return what controllers say at the start."""
    controls: list[float] = []
    names: set[str] = set()
    for joint in joints:
        springs = () if joint.axis is None else joint.axis.springs
        passive = next(filter(_is_passive, springs), None)
        for spring in springs:
            if spring is not passive:
                name = unique(spring.name or joint.name, names)
                controls.append(_actuator(section, name, joint.name, spring))
    return controls


def _actuator(section: Element, name: str, joint: str, spring: Spring) -> float:
    k, c, most = spring.stiffness, spring.damping, spring.max_force
    target, rate = spring.target or 0.0, spring.rate or 0.0
    law: dict[str, Said]
    if k > 0.0 and not rate:
        tag, law, control = "position", {"kp": k, "kv": c or None}, target
    elif k > 0.0:
        law = {"gainprm": 1.0, "biastype": "affine", "biasprm": (0.0, -k, -c)}
        tag, control = "general", k * target + c * rate
    elif c > 0.0:
        tag, law, control = "velocity", {"kv": c}, rate
    else:
        tag, law, control = "motor", {}, 0.0
    bounds = None if most == inf else (-most, most)
    section.add(tag, name=name, joint=joint, **law, forcerange=bounds)
    return control
