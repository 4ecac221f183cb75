# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of prims in SI: what nobody has authored is its default, and so is what is no number."""

from __future__ import annotations

from ctypes import c_float
from math import inf, isfinite, isnan

from ...model.body import Quaternion, Vector3
from ...model.joint import AXIS_NAMES
from ...model.keys import Keys
from ...model.unknown import EXTRAS, members_in, text_of
from ...model.wording.findings import Findings
from .. import table
from ..prim import Prim, Stage
from ..table import Attribute
from ..units import Unit
from .findings import KINDS

_AMOUNTS = (table.BODY_MASS, table.BODY_DENSITY)
"""What is never below zero."""


class Values:
    """The values of one stage, and what is said of them."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.prims = {prim.path: prim for prim in stage}
        self.units = stage.units
        self.found = Findings(KINDS)

    def note(self, code: str, prim: Prim, detail: str = "") -> None:
        """Note a kind of finding of a prim, once; the detail stands behind its name."""
        self.found.note(code, f"{prim.name} ({detail})" if detail else prim.name, prim.path)

    def flag(self, prim: Prim, attribute: Attribute) -> bool:
        """Return whether something is so."""
        value = prim.attributes.get(attribute.name)
        return bool(value if isinstance(value, bool | int) else attribute.default)

    def token(self, prim: Prim, attribute: Attribute) -> str:
        """Return a word."""
        value = prim.attributes.get(attribute.name)
        return value if isinstance(value, str) else str(attribute.default)

    def axis(self, prim: Prim, attribute: Attribute) -> int:
        """Return the number of an axis."""
        word = self.token(prim, attribute)
        if word not in AXIS_NAMES:
            self.note("usd-number", prim, attribute.name)
        return AXIS_NAMES.index(word if word in AXIS_NAMES else str(attribute.default))

    def extras(self, prim: Prim) -> str:
        """Return what is kept of glTF's extras, as members that nobody knows; "" where nothing."""
        extras = members_in(self.token(prim, table.EXTRAS))
        return text_of({EXTRAS: extras}) if extras else ""

    def number(
        self,
        prim: Prim,
        attribute: Attribute,
        instance: str = "",
        *,
        unit: Unit | None = None,
        default: float | None = None,
    ) -> float:
        """Return a number in SI, of an instance of a schema that is applied several times.

        A unit is named where it depends on the degree of freedom, a default where prims of this
        type have another one.
        """
        name, fallback = attribute.of(instance), attribute.default if default is None else default
        value = prim.attributes.get(name, fallback)
        is_negative = attribute in _AMOUNTS and _is_number(value) and value < 0.0
        if not _is_number(value) or isnan(value) or is_negative:
            self.note("usd-number", prim, name)
            value = fallback
        return self.units.meant(_plain(attribute, float(value)), unit or attribute.unit)

    def amount(self, prim: Prim, attribute: Attribute) -> float:
        """Return how much there is of something; zero in place of what is negative or endless."""
        value = self.number(prim, attribute)
        return value if 0.0 < value < inf else 0.0

    def vector(self, prim: Prim, attribute: Attribute) -> Vector3 | None:
        """Return three finite numbers in SI; None where they are not said, or a sentinel."""
        numbers = self._several(prim, attribute, 3)
        if numbers is None or not all(map(isfinite, numbers)):
            return None
        x, y, z = (self.units.meant(one, attribute.unit) for one in numbers)
        return (x, y, z)

    def quaternion(self, prim: Prim, attribute: Attribute) -> Quaternion | None:
        """Return a rotation; None where it is not said or zero."""
        numbers = self._several(prim, attribute, 4)
        if numbers is None or not any(numbers):
            return None
        x, y, z, w = numbers
        return (x, y, z, w)

    def _several(self, prim: Prim, attribute: Attribute, count: int) -> tuple[float, ...] | None:
        """Return numbers as they were typed; None where they are not said or are none.

        The sentinel of vectors is -inf.
        """
        value = prim.attributes.get(attribute.name)
        if value is None:
            return None
        if isinstance(value, tuple) and len(value) == count and all(map(_is_number, value)):
            numbers = tuple(_plain(attribute, float(one)) for one in value)
            if all(isfinite(one) or (one == -inf and count == 3) for one in numbers):
                return numbers
        self.note("usd-number", prim, attribute.name)
        return None

    def keys(self, prim: Prim, name: str, field: str, unit: Unit) -> Keys | None:
        """Return how a number goes over time; None where it does not change."""
        samples = prim.samples.get(name, ())
        sound = [(t, v) for t, v in samples if _is_number(v) and not isnan(v) and isfinite(t)]
        if len(sound) < len(samples):
            self.note("usd-number", prim, name)
        if len(sound) < 2:
            return None
        times = tuple(self.stage.seconds(time) for time, _ in sound)
        return Keys(
            field, times, tuple(self.units.meant(shortest(float(v)), unit) for _, v in sound)
        )


def shortest(value: float) -> float:
    """Return the shortest decimal that single precision holds as a number: 0.3, not 0.30000001."""
    tries = (float(f"{value:.{digits}g}") for digits in range(6, 9))
    return next((one for one in tries if c_float(one).value == value), value)


def _plain(attribute: Attribute, value: float) -> float:
    """Return a number as it was typed, where its attribute holds single precision."""
    return value if attribute.type.startswith("double") else shortest(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
