# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of prims in SI: what nobody has authored is its default, and so is what is no number."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite, isnan
from struct import pack, unpack

from ..model.body import Quaternion, Vector3
from ..model.keys import Keys
from .prim import Prim, Stage
from .reading.findings import StageFindings
from .table import Attribute
from .units import Unit, Units

LARGEST = 3e38
"""Single precision holds no larger numbers."""


class Values:
    """The values of one stage.

    Attributes:
        prims: by path.
        units: of the stage.
        findings: what is said of it.
        rate: time codes per second.
    """

    def __init__(self, stage: Stage, findings: StageFindings) -> None:
        self.stage = stage
        self.findings = findings
        self.units = Units(
            _positive(stage.meters_per_unit, 1.0), _positive(stage.kilograms_per_unit, 1.0)
        )
        self.rate = _positive(stage.time_codes_per_second, 24.0)
        self.prims: Mapping[str, Prim] = {prim.path: prim for prim in stage}

    def flag(self, prim: Prim, attribute: Attribute) -> bool:
        """Return whether something is so."""
        value = prim.attributes.get(attribute.name, attribute.default)
        return bool(value) if isinstance(value, bool | int) else bool(attribute.default)

    def token(self, prim: Prim, attribute: Attribute) -> str:
        """Return a word."""
        value = prim.attributes.get(attribute.name, attribute.default)
        return value if isinstance(value, str) else str(attribute.default)

    def is_said(self, prim: Prim, attribute: Attribute, instance: str = "") -> bool:
        """Return whether somebody has authored it."""
        return attribute.of(instance) in prim.attributes

    def number(
        self,
        prim: Prim,
        attribute: Attribute,
        *,
        unit: Unit | None = None,
        instance: str = "",
        default: float | None = None,
    ) -> float:
        """Return a number in SI.

        Args:
            prim: whose.
            attribute: which.
            unit: where it depends on the degree of freedom.
            instance: of a schema that is applied several times.
            default: where prims of this type have another one.
        """
        fallback = attribute.default if default is None else default
        value = prim.attributes.get(attribute.of(instance), fallback)
        if not _is_number(value) or isnan(value):
            self.findings.note("usd-number", prim.path, attribute.of(instance))
            value = fallback
        value = _plain(attribute, float(value))
        return self.units.meant(value, attribute.unit if unit is None else unit)

    def vector(self, prim: Prim, attribute: Attribute) -> Vector3 | None:
        """Return three finite numbers in SI; None where they are not said, or a sentinel."""
        value = prim.attributes.get(attribute.name)
        if value is None:
            return None
        numbers = _numbers(value, 3)
        if numbers is None or any(isnan(one) or one == inf for one in numbers):
            self.findings.note("usd-number", prim.path, attribute.name)
            return None
        if not all(map(isfinite, numbers)):
            return None
        plain = [_plain(attribute, one) for one in numbers]
        x, y, z = self.units.all_meant(plain, attribute.unit)
        return (x, y, z)

    def quaternion(self, prim: Prim, attribute: Attribute) -> Quaternion | None:
        """Return a rotation; None where it is not said or zero."""
        value = prim.attributes.get(attribute.name)
        if value is None:
            return None
        numbers = _numbers(value, 4)
        if numbers is None or not all(map(isfinite, numbers)):
            self.findings.note("usd-number", prim.path, attribute.name)
            return None
        x, y, z, w = (_plain(attribute, one) for one in numbers)
        return (x, y, z, w) if any(numbers) else None

    def keys(self, prim: Prim, name: str, field: str, unit: Unit) -> Keys | None:
        """Return how a number goes over time; None where it does not change."""
        samples = prim.samples.get(name, ())
        sound = [(t, v) for t, v in samples if _is_number(v) and not isnan(v) and isfinite(t)]
        if len(sound) < len(samples):
            self.findings.note("usd-number", prim.path, name)
        if len(sound) < 2:
            return None
        times = tuple(time / self.rate for time, _ in sound)
        plain = (shortest(float(value)) for _, value in sound)
        return Keys(field, times, tuple(self.units.meant(value, unit) for value in plain))


def shortest(value: float) -> float:
    """Return the shortest decimal that single precision holds as a number: 0.3, not 0.30000001."""
    if not isfinite(value) or abs(value) > LARGEST or float32(value) != value:
        return value
    tries = (float(f"{value:.{digits}g}") for digits in range(6, 9))
    return next((one for one in tries if float32(one) == value), value)


def float32(value: float) -> float:
    """Return a number as single precision has it."""
    found: float = unpack("<f", pack("<f", value))[0]
    return found


def _plain(attribute: Attribute, value: float) -> float:
    """Return a number as it was typed, where its attribute holds single precision."""
    return value if attribute.type.startswith("double") else shortest(value)


def _positive(value: float, otherwise: float) -> float:
    return value if isfinite(value) and value > 0.0 else otherwise


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _numbers(value: object, count: int) -> tuple[float, ...] | None:
    if not isinstance(value, tuple) or len(value) != count or not all(map(_is_number, value)):
        return None
    return tuple(map(float, value))
