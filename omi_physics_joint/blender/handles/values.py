# SPDX-License-Identifier: GPL-3.0-or-later
"""Drags one bound of a limit, or the target of a drive."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import bpy

from ...drawing.mouse.drag import AxisDrag, Travel, clamped, step_of
from ...drawing.mouse.handles import Handle, Part, mirror_room, place_of, room_of, sense_of
from ...drawing.mouse.picking import Pixel, View
from ...model.body import Vector3
from ...model.geometry.transform import minus, translation_of
from ...model.joint import Freedom
from ..bridge.read_settings import settings_of
from ..check.diagnosis import animates
from ..data.limits import Item, OMI_JOINT_PG_limit
from ..data.units import said, unit_length, value_of
from ..joints.authoring import AuthoringError
from ..joints.settings_editing import block_of
from .places import FINE_DIGITS, held_frame, label_of, size_of, value_world


class HeldKeys(NamedTuple):
    """What is held down while dragging."""

    snap: bool = False
    fine: bool = False
    mirror: bool = False

    def step(self, freedom: Freedom, view: View, place: Vector3, scene: bpy.types.Scene) -> float:
        """Return what numbers at a place are multiples of, in m or rad; see ``step_of``."""
        size, unit = view.pixel_size(place), unit_length(scene)
        return step_of(freedom, size, snap=self.snap, fine=self.fine, unit=unit)


class _Number(NamedTuple):
    """A number of an item as it was before."""

    name: str
    value: float
    is_set: bool
    """Whether it was stored at all, or only the default."""


class ValueDrag:
    """Changes one number of shared settings; ``restore`` leaves no trace."""

    def __init__(self, joint: bpy.types.Object, handle: Handle, scene: bpy.types.Scene) -> None:
        """Take hold.

        Raises:
            AuthoringError: the number cannot be changed here; the message says why.
        """
        self.joint, self.handle, self.scene = joint, handle, scene
        self.block = block_of(joint)
        is_target = handle.part is Part.TARGET
        self.name = "Drag Joint Target" if is_target else "Drag Joint Limit"
        self._list = "drives" if is_target else "limits"
        own, self._partner = _names(handle)
        path = f"{self._list}[{handle.index}].{own}"
        self._ask_for_editable(path)
        self._numbers = [
            _Number(name, getattr(self._item, name), self._item.is_property_set(name))
            for name in (own, self._partner)
            if name
        ]
        self._own = self._numbers[0]
        settings = settings_of(joint)
        frame = held_frame(joint, value_world(joint, settings)[0], settings)
        self._place = place_of(handle, frame, size_of(joint))
        arm = minus(self._place, translation_of(frame))
        self._axis = AxisDrag(handle.freedom, frame, handle.axis, arm)
        self._travel = Travel(self._own.value)
        self._keys = HeldKeys()
        self._has_moved = False
        self._is_keyed = self.block.animation_data is not None and animates(self.block, path)

    @property
    def _item(self) -> Item:
        item: Item = getattr(self.block, self._list)[self.handle.index]
        return item

    def _ask_for_editable(self, path: str) -> None:
        if not self.block.is_editable:
            raise AuthoringError(
                f"{self.block.name} is linked from another file: make it local, or give "
                f"{self.joint.name} settings of its own, to drag its numbers."
            )
        drivers = self.block.animation_data.drivers if self.block.animation_data else ()
        if any(driver.data_path == path for driver in drivers):
            raise AuthoringError(
                f"{label_of(self.handle)} of {self.block.name} has a driver, which sets it."
            )

    def moved(self, _context: bpy.types.Context, view: View, mouse: Pixel, keys: HeldKeys) -> None:
        """Follow the mouse."""
        change = self.handle.sign * self._axis.moved(view, mouse)
        self._travel.add(change, fine=keys.fine)
        self._keys = keys
        self._has_moved = self._has_moved or change != 0.0
        if self._has_moved:
            step = keys.step(self.handle.freedom, view, self._place, self.scene)
            self.set(self._travel.value(step), mirror=keys.mirror)
        else:
            self.restore()

    def typed(self, text: str) -> bool:
        """Set a typed number, and say whether it is one."""
        value = value_of(text, self.handle.freedom, self.scene)
        if value is not None:
            self.set(value, mirror=self._keys.mirror)
        return value is not None

    def set(self, value: float, *, mirror: bool = False) -> None:
        """Set the number, as far as the other bound allows, or the other one along with it.

        Of axes by themselves the other one becomes its negative; a bound on several together has
        none, so there both go the same way.
        """
        item, (least, most) = self._item, sense_of(self.handle)
        if not isinstance(item, OMI_JOINT_PG_limit):
            _write(item, self._own.name, value)
            return
        if mirror and self._has_both:
            gap = self._numbers[1].value - self._own.value
            if self.handle.together:
                value = clamped(value, least - min(gap, 0.0), most - max(gap, 0.0))
            else:
                value = clamped(value, *mirror_room(self.handle.part))
            _write(item, self._partner, value + gap if self.handle.together else -value)
        else:
            self._put_back(self._numbers[1:])
            low = getattr(item, f"{item.freedom}_min") if item.use_min else -inf
            high = getattr(item, f"{item.freedom}_max") if item.use_max else inf
            low, high = room_of(self.handle.part, low, high)
            value = clamped(value, max(low, least), min(high, most))
        _write(item, self._own.name, value)

    @property
    def _has_both(self) -> bool:
        """Whether there was a minimum beside the maximum; up to zero, a distance has none."""
        item = self._item
        both = isinstance(item, OMI_JOINT_PG_limit) and item.use_min and item.use_max
        return both and not (self.handle.together and min(x.value for x in self._numbers) <= 0.0)

    @property
    def changed(self) -> bool:
        """Whether anything differs from before."""
        return any(getattr(self._item, one.name) != one.value for one in self._numbers)

    def restore(self) -> None:
        """Put everything back, bit by bit."""
        self._put_back(self._numbers)

    def _put_back(self, numbers: list[_Number]) -> None:
        for number in numbers:
            if number.is_set:
                _write(self._item, number.name, number.value)
            else:
                self._item.property_unset(number.name)

    @property
    def label(self) -> str:
        """What is dragged, and where it is."""
        return f"{label_of(self.handle)}: {self._said(getattr(self._item, self._own.name))}"

    def _said(self, value: float) -> str:
        return said(value, self.handle.freedom, self.scene, FINE_DIGITS)

    def summary(self) -> str:
        """Return what the header says."""
        parts = [f"{self.label}  (was {self._said(self._own.value)})"]
        joints = self.block.users - self.block.use_fake_user
        if joints > 1:
            parts.append(f"shared by {joints} joints")
        if self._is_keyed:
            parts.append("keyed: insert a keyframe to keep it")
        return "    ".join(parts)


def _write(item: Item, name: str, value: float) -> None:
    """Set a number if it differs, so that what stays the same is not stored anew."""
    if getattr(item, name) != value:
        setattr(item, name, value)


def _names(handle: Handle) -> tuple[str, str]:
    """Return the property of a handle and that of the other bound; none for a target."""
    if handle.part is Part.TARGET:
        return f"{handle.freedom}_position_target", ""
    other = Part.MAX if handle.part is Part.MIN else Part.MIN
    return f"{handle.freedom}_{handle.part}", f"{handle.freedom}_{other}"
