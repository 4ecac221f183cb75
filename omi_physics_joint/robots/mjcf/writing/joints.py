# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of MJCF and the actuators on them, written."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ....model.geometry.transform import translation_of
from ...element import Element, Said, unique
from ...motion import in_axes_of
from ...robot import Axis, Link, Spring, Way
from ...turning import quaternion_of, wxyz
from ..joints import LEAST_EFFORT
from .actuators import Written, claimed, is_passive

ENDLESS = 1e6
"""m or rad: a bound that is never reached."""
MOST_EFFORT = 1e9
"""N or N m: from here on a largest force is none."""


def write_joints(body: Element, index: int, link: Link, names: set[str]) -> list[Written]:
    """Write the joints of a link, and return them."""
    if link.free:
        name = unique(link.remarks.name or f"{link.name} free", names)
        body.add("freejoint", name=name)
        places = (*translation_of(link.placed), *wxyz(quaternion_of(link.placed)))
        spin = in_axes_of(link.placed, link.spin)
        return [Written(name, None, places, (*link.velocity, *spin))]
    found: list[Written] = []
    for axis, rates in zip(link.axes, link.rates_by_axis(), strict=True):
        name = unique(axis.name or f"{link.name} joint {index}", names)
        springs, kept = claimed(axis)
        body.add("joint", name=name, type=axis.way.value, **_said(axis, springs))
        start = wxyz(axis.turn) if axis.way is Way.BALL else (axis.value,)
        found.append(Written(name, axis, start, rates, springs, kept))
    return found


def _said(axis: Axis, springs: Sequence[Spring]) -> dict[str, Said]:
    anchor = axis.anchor if axis.way is not Way.SLIDE and any(axis.anchor) else None
    remarks = axis.remarks
    most = inf if remarks.effort is None else max(remarks.effort, LEAST_EFFORT)
    own: dict[str, Said] = {
        "pos": anchor,
        "armature": remarks.armature,
        "frictionloss": sum(one.max_force for one in axis.springs if one.is_dry) or None,
        "actuatorfrcrange": None if most >= MOST_EFFORT else (-most, most),
    }
    if axis.way is Way.BALL:
        del own["actuatorfrcrange"]
        return {**own, "range": (0.0, axis.high) if axis.high < inf else None}
    bounds = (max(axis.low, -ENDLESS), min(axis.high, ENDLESS))
    is_bounded = axis.low < axis.high and (axis.low, axis.high) != (-inf, inf)
    spring = next(filter(is_passive, springs), Spring())
    return {
        **own,
        "axis": axis.direction,
        "ref": axis.rest or None,
        "range": bounds if is_bounded else None,
        "stiffness": spring.stiffness or None,
        "springref": (spring.target or 0.0) if spring.stiffness else None,
        "damping": spring.damping or None,
    }
