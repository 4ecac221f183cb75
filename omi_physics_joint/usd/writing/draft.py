# SPDX-License-Identifier: GPL-3.0-or-later
"""A prim while it is spelled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...model.geometry.transform import Matrix
from ...model.keys import Keys
from ..prim import DEF, Prim, Samples, Value
from ..table import Attribute
from ..units import PLAIN, Unit, Units

XFORM = "Xform"
JUST_BEFORE = 1e-3
"""Time codes before a key at which a number that stays until then still stands."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """How numbers of a mechanism become those of a stage."""

    units: Units = field(default_factory=Units)
    time_codes_per_second: float = 24.0
    up: str = "Y"
    """The axis that capsules stand along."""


@dataclass(slots=True)
class Draft:
    """What a prim will have.

    Attributes:
        path: absolute.
        numbers: those of the stage.
        type: of the prim.
        local: pose below the prim above, in units of the stage.
        resets: whether it is a pose in the stage.
        specifier: whether the layer makes it, or has opinions on one that is there.
    """

    path: str
    numbers: Numbers
    type: str = XFORM
    local: Matrix | None = None
    resets: bool = False
    specifier: str = DEF
    label: str = ""
    schemas: list[str] = field(default_factory=list)
    attributes: dict[str, Value] = field(default_factory=dict)
    targets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    samples: dict[str, Samples] = field(default_factory=dict)

    def apply(self, schema: str, instance: str = "") -> None:
        """Apply a schema, once."""
        name = f"{schema}:{instance}" if instance else schema
        if name not in self.schemas:
            self.schemas.append(name)

    def say(
        self, attribute: Attribute, value: Value, instance: str = "", unit: Unit | None = None
    ) -> None:
        """Give an attribute a value, in SI; nothing where it is what the schema means anyway."""
        said = self._said(value, unit or attribute.unit)
        if said != attribute.default:
            self.attributes[attribute.of(instance)] = said

    def insist(self, attribute: Attribute, value: Value) -> None:
        """Give an attribute a value, also where it is the default."""
        self.attributes[attribute.name] = self._said(value, attribute.unit)

    def key(
        self, attribute: Attribute, keys: Keys, instance: str = "", unit: Unit | None = None
    ) -> None:
        """Give an attribute values over time."""
        rate = self.numbers.time_codes_per_second
        values = [self._said(value, unit or attribute.unit) for value in keys.values]
        found: list[tuple[float, Value]] = []
        for time, value in zip(keys.times, values, strict=True):
            code = time * rate
            if found and keys.is_stepped and code - JUST_BEFORE > found[-1][0]:
                found.append((code - JUST_BEFORE, found[-1][1]))
            found.append((code, value))
        self.samples[attribute.of(instance)] = tuple(found)

    def key_flag(self, attribute: Attribute, keys: Keys) -> None:
        """Give an attribute that is true or false values over time, which stay until the next."""
        rate = self.numbers.time_codes_per_second
        pairs = zip(keys.times, keys.values, strict=True)
        self.samples[attribute.name] = tuple((time * rate, value != 0.0) for time, value in pairs)

    def aim(self, relationship: str, paths: Iterable[str]) -> None:
        """Have a relationship name prims."""
        self.targets[relationship] = tuple(paths)

    def finished(self) -> Prim:
        """Return the prim."""
        return Prim(
            self.path,
            self.type,
            tuple(self.schemas),
            self.attributes,
            self.targets,
            self.samples,
            self.local,
            resets=self.resets,
            label=self.label,
            specifier=self.specifier,
        )

    def _said(self, value: Value, unit: Unit) -> Value:
        if unit == PLAIN or isinstance(value, bool | str):
            return value
        factor = self.numbers.units.factor(unit)
        if isinstance(value, tuple):
            return tuple(self._said(one, unit) for one in value)
        return value * factor
