# SPDX-License-Identifier: GPL-3.0-or-later
"""Actuators of MJCF, written: those of a model that was read as they stood, others anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isclose
from typing import Any

from ...element import Element, Said, XmlError, unique
from ...remarks import number_in, texts
from ...robot import Axis, Spring, Way
from ..joints import KEPT, pull_of

SAME = 1e-5
"""Part of a number that single precision leaves open."""


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
    springs: Sequence[Spring] = ()
    """What kept actuators do not do."""
    kept: Sequence[Mapping[str, Any]] = ()
    """Actuators of the model that was read."""


def claimed(axis: Axis) -> tuple[list[Spring], list[Mapping[str, Any]]]:
    """Return what a joint has to do by itself, and the actuators of its model that do the rest.

    Drives are what counts: an actuator whose drive was changed or taken away is none any more.
    What pulls without a bound is one drive, so actuators are taken out of the sum.
    """
    springs, kept = list(axis.springs), list[Mapping[str, Any]]()
    for actuator in axis.remarks.actuators or ():
        pull = None
        if not isinstance(actuator, dict) or actuator.get("tag") not in KEPT:
            continue
        if axis.way is not Way.BALL:
            element = Element(actuator["tag"], texts(actuator))
            try:
                pull = pull_of(element, number_in(actuator, "control"), "")
            except XmlError:
                continue
        if pull is not None and not pull.is_bare:
            index = next((i for i, one in enumerate(springs) if _holds(one, pull)), None)
            if index is None:
                continue
            springs[index : index + 1] = _left(springs[index], pull)
        elif pull is not None:
            springs = [one for one in springs if one.is_dry or not one.is_bare]
        kept.append(actuator)
    return springs, kept


def _holds(spring: Spring, pull: Spring) -> bool:
    """Return whether a drive is an actuator, or has it in its sum."""
    if pull.max_force < inf:
        names = ("stiffness", "damping", "max_force")
        return all(isclose(getattr(spring, n), getattr(pull, n), rel_tol=SAME) for n in names)
    more = 1.0 + SAME
    return (
        spring.max_force == inf
        and spring.stiffness * more >= pull.stiffness
        and spring.damping * more >= pull.damping
    )


def _left(spring: Spring, pull: Spring) -> list[Spring]:
    """Return what is left of a drive without an actuator."""
    if pull.max_force < inf:
        return []
    k, c = spring.stiffness - pull.stiffness, spring.damping - pull.damping
    k = k if k > SAME * spring.stiffness else 0.0
    c = c if c > SAME * spring.damping else 0.0
    if not (k or c):
        return []
    place = spring.stiffness * (spring.target or 0.0) - pull.stiffness * (pull.target or 0.0)
    speed = spring.damping * (spring.rate or 0.0) - pull.damping * (pull.rate or 0.0)
    rate = (
        speed / c if c and abs(speed) > SAME * abs(spring.damping * (spring.rate or 0.0)) else 0.0
    )
    return [replace(spring, stiffness=k, damping=c, target=place / k if k else None, rate=rate)]


def is_passive(spring: Spring) -> bool:
    """Return whether a joint does by itself what a spring does: no bound and no speed."""
    return spring.max_force == inf and not spring.rate


def write_actuators(section: Element, joints: Sequence[Written]) -> list[float]:
    """Write what joints do not do by themselves, and return what controllers say at the start.

    Those of a model that was read stand in its order, and new ones behind them.
    """
    found: list[tuple[float, float, Element]] = []
    names: set[str] = set()
    for joint in joints:
        for kept in joint.kept:
            said = texts(kept)
            tag, own_name = said.pop("tag"), said.pop("name", "")
            name = unique(own_name or joint.name, names)
            element = Element(tag, {**said, "name": name, "joint": joint.name})
            found.append((number_in(kept, "number"), number_in(kept, "control"), element))
        passive = next(filter(is_passive, joint.springs), None)
        for spring in joint.springs:
            if spring is not passive and not spring.is_dry:
                name = unique(spring.name or joint.name, names)
                element, control = _actuator(name, joint.name, spring)
                found.append((inf, control, element))
    found.sort(key=lambda one: one[0])
    section.children += [element for _, _, element in found]
    return [control for _, control, _ in found]


def _actuator(name: str, joint: str, spring: Spring) -> tuple[Element, float]:
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
    element = Element(tag)
    bounds = None if most == inf else (-most, most)
    element.say(name=name, joint=joint, **law, forcerange=bounds)
    return element, control
