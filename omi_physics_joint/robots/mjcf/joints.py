# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of MJCF, and the actuators on them."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from ...model.body import ZERO
from ...model.geometry.transform import UNITS
from ...model.wording.findings import Findings
from ..element import Element
from ..remarks import Remarks
from ..robot import Axis, Spring, Way, dry
from ..turning import unit
from .compiler import ACTUATORS, Compiler

WAYS = {way.value: way for way in Way}
KEPT = tuple(tag for tag in ACTUATORS if tag not in ("adhesion", "plugin"))
"""Actuators on a joint that go along as they stand, whether they are played or not."""
LEAST_EFFORT = 1e-12
"""N or N m: stands for a largest force of nothing, since MuJoCo takes no range of zero."""
USUAL = (0.02, 1.0)
"""Time in s and damping ratio of bounds, as MuJoCo has them by itself."""
STIFF, FIRM = 2500.0, 0.9
"""1/s^2: the stiffness of these; the least part of its way that such a bound has."""
OWN = ("class", "joint", "jointinparent")
"""Attributes of actuators that are said anew."""


def read_axis(element: Element, name: str, compiler: Compiler, findings: Findings) -> Axis:
    """Return a joint that is not free."""
    name = element.text("name") or name
    kind = element.text("type", "hinge")
    way = WAYS.get(kind, Way.HINGE)
    if kind not in WAYS:
        findings.note("joint", name)

    def value(text: str, default: float) -> float:
        found = element.number(text, default)
        return found if way is Way.SLIDE or found == default else compiler.angle(found)

    if any(element.floats("springdamper")):
        findings.note("spring-damper", name)
    armature, effort = element.number("armature"), _most(element, "actuatorfrc", findings, name)
    if armature > 0.0 or effort < inf:
        findings.note("kept", name)
    effort = 0.0 if effort <= LEAST_EFFORT else effort
    remarks = Remarks(armature=armature or None, effort=effort if effort < inf else None)
    low, high = _range(element, way, compiler)
    if low > high or (low == -high == -inf and element.text("limited") == "true"):
        findings.note("boundless", name)
        low, high = -inf, inf
    if (low > -inf or high < inf) and _gives_way(element):
        findings.note("bounds", name)
    stiffness, damping = element.number("stiffness"), element.number("damping")
    rest = 0.0 if way is Way.BALL else value("ref", 0.0)
    springs: tuple[Spring, ...] = ()
    if stiffness > 0.0 or damping > 0.0:
        if way is Way.BALL:
            findings.note("ball-spring", name)
        target: float | None = 0.0 if way is Way.BALL else value("springref", 0.0)
        target, rate = target if stiffness > 0.0 else None, 0.0 if damping > 0.0 else None
        springs = (Spring(stiffness, damping, target, rate),)
    if (friction := element.number("frictionloss")) > 0.0:
        springs += (dry(friction),)
    axis = element.vector("axis", UNITS[2])
    if axis == ZERO and way is not Way.BALL:
        findings.note("axis", name)
    direction = unit(axis)
    anchor = element.vector("pos")
    return Axis(
        name, way, direction, anchor, low, high, rest, rest, springs=springs, remarks=remarks
    )


def _gives_way(element: Element) -> bool:
    """Return whether bounds begin early, or give way or swing more than MuJoCo's own do."""
    said, impedance = element.floats("solreflimit"), (*element.floats("solimplimit"), 1.0, 1.0)
    time, ratio = (*said, *USUAL[len(said) :])[:2]  # or stiffness and damping, below zero
    is_soft = time > USUAL[0] or 0.0 <= ratio < USUAL[1] or -STIFF < time < 0.0
    return is_soft or impedance[1] < FIRM or element.number("margin") > 0.0


def _range(element: Element, way: Way, compiler: Compiler) -> tuple[float, float]:
    limited, bounds = element.text("limited", "auto"), element.floats("range")
    is_limited = limited == "true" or (
        limited == "auto" and len(bounds) == 2 and compiler.flag("autolimits", default=True)
    )
    if not is_limited or len(bounds) != 2 or not any(bounds):
        return -inf, inf
    low, high = bounds if way is Way.SLIDE else map(compiler.angle, bounds)
    return (-inf if way is Way.BALL else low), high


def with_actuator(
    axis: Axis, element: Element, number: int, control: float, findings: Findings
) -> Axis:
    """Return a joint with what an actuator does to it, which has what its class says.

    It has a number among all of the model, and a controller says something to it at the start.
    """
    name = element.text("name") or axis.name
    if element.tag in KEPT:
        own = {key: text for key, text in element.attributes.items() if key not in OWN}
        said = {**own, "tag": element.tag, "number": number, "control": control}
        kept = [*(axis.remarks.actuators or ()), said]
        axis = replace(axis, remarks=replace(axis.remarks, actuators=kept))
    pull = None if axis.way is Way.BALL else pull_of(element, control, name)
    if pull is None:
        findings.note("not-played" if element.tag in KEPT else "actuator", name)
        return axis
    if any(element.floats("dampratio")):
        findings.note("damping-ratio", name)
    if element.number("timeconst") > 0.0 or element.text("dyntype", "none") != "none":
        findings.note("filter-time", name)
    for kind in ("force", "ctrl") if pull.is_bare else ("force",):
        _most(element, kind, findings, name)
    if not pull.is_bare:
        others = tuple(one for one in axis.springs if one.is_dry or not one.is_bare)
        return replace(axis, springs=(*others, pull))
    findings.note("motor", name)
    if axis.springs or pull.max_force in (inf, 0.0):
        return axis
    return replace(axis, springs=(pull,))


def pull_of(element: Element, control: float, name: str) -> Spring | None:
    """Return what an actuator does to its joint; None where it is no spring, damper or motor."""
    law = _law(element, control)
    gear = element.number("gear", 1.0)
    if law is None or gear == 0.0:
        return None
    stiffness, damping, push = law
    most = _most(element, "force") * abs(gear)
    if not (stiffness > 0.0 or damping > 0.0):
        most = min(most, _most(element, "ctrl") * abs(gear * _gain(element)))
        return Spring(max_force=most, name=name)
    target = push / stiffness / gear if stiffness > 0.0 else None
    rate = (0.0 if stiffness > 0.0 else push / damping / gear) if damping > 0.0 else None
    return Spring(stiffness * gear * gear, damping * gear * gear, target, rate, most, name)


def _law(element: Element, control: float) -> tuple[float, float, float] | None:
    """Return stiffness, damping and push of an actuator at gear one; None where it is no such."""
    gain = _gain(element)
    if element.tag == "motor":
        return 0.0, 0.0, control
    if element.tag == "position":
        return gain, element.number("kv"), gain * control
    if element.tag == "velocity":
        return 0.0, gain, gain * control
    if element.tag != "general" or element.text("gaintype", "fixed") != "fixed":
        return None
    bias = element.floats("biasprm") if element.text("biastype") == "affine" else ()
    constant, stiffness, damping = (*bias[:3], 0.0, 0.0, 0.0)[:3]
    if stiffness > 0.0 or damping > 0.0:  # it pushes away
        return None
    return -stiffness, -damping, gain * control + constant


def _gain(element: Element) -> float:
    """Return how much of what a controller says an actuator pushes with."""
    names = {"general": "gainprm", "position": "kp", "velocity": "kv"}
    return element.number(names[element.tag], 1.0) if element.tag in names else 1.0


def _most(element: Element, kind: str, findings: Findings | None = None, name: str = "") -> float:
    """Return the largest force or control; infinite where there is no bound."""
    low, high = _bounds(element, kind)
    if findings is not None and high < inf and abs(low + high) > 1e-9 * max(abs(low), abs(high)):
        findings.note("force-range", name)
    return max(abs(low), abs(high))


def clamped(element: Element, control: float) -> float:
    """Return what a controller says as the actuator takes it."""
    low, high = _bounds(element, "ctrl")
    return min(max(control, low), high)


def _bounds(element: Element, kind: str) -> tuple[float, float]:
    """Return the range of the force or the control of an actuator."""
    bounds = element.floats(f"{kind}range")
    if element.text(f"{kind}limited") == "false" or len(bounds) != 2 or not any(bounds):
        return -inf, inf
    return bounds[0], bounds[1]
