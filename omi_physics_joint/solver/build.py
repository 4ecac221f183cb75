# SPDX-License-Identifier: GPL-3.0-or-later
"""From a mechanism to a system and its first state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..model.joint import JointSettings, Limit
from ..model.mechanism import Mechanism
from .bodies import Bodies
from .coordinates import Coordinates
from .joints import read_joints
from .rotation import Array
from .state import State
from .system import System

VIOLATED = 1e-9
"""m or rad by which a bound must be passed to count as violated."""
PRESSED = 1e-6
"""The same on the way, where what presses on a bound may lie beyond it by as much as is allowed."""


class Build:
    """A system and how it belongs to its mechanism."""

    def __init__(
        self,
        mechanism: Mechanism,
        rest: Bodies,
        settings: tuple[JointSettings, ...],
        held: Mapping[int, frozenset[Limit]],
        broken: frozenset[int],
    ) -> None:
        body_index = {int(node): i for i, node in enumerate(rest.nodes) if node >= 0}
        joints, self.issues = read_joints(
            mechanism,
            settings,
            body_index,
            len(rest.nodes) - 1,
            frozenset(int(i) for i in np.flatnonzero(rest.dynamic)),
            held=held,
        )
        joints = [joint for joint in joints if joint.node not in broken]
        self.system = System(rest, joints)
        self.joint_nodes = tuple(sorted(joint.node for joint in self.system.joints))
        self.joint_number = {joint.node: i for i, joint in enumerate(self.system.joints)}

    def state(self, old: State | None, old_build: Build | None) -> State:
        """Return the rest pose, or where an older build of the same bodies has come to."""
        system = self.system
        bodies, n, rows = system.bodies, system.count, len(system)
        position, rotation = bodies.position.copy(), bodies.rotation.copy()
        velocity = np.zeros((n, 6))
        velocity[:, :3] = bodies.velocity[:n] * np.sqrt(bodies.mass[:n, None])
        velocity[:, 3:] = bodies.spin[:n] * np.sqrt(bodies.inertia[:n])
        time = 0.0
        if old is not None and old_build is not None:
            source = old_build.system.place[system.order]
            position, rotation = old.position[source], old.rotation[source]
            velocity, time = old.velocity[source[:n]], old.time
        turning = velocity[:, 3:] / np.sqrt(bodies.inertia[:n])
        reference = np.zeros(system.coordinates.size)
        if old is not None and old_build is not None:
            reference = self._turns(old, old_build)
        system.coordinates.reference[:] = reference
        values, _ = system.values(position, rotation)
        system.remember_turns(values)
        low = np.minimum(values - system.rows.low, 0.0)
        high = np.maximum(values - system.rows.high, 0.0)
        least = VIOLATED if old is None else PRESSED
        low, high = (np.where(np.abs(x) > least, x, 0.0) for x in (low, high))
        locked = system.rows.locked
        low, high = np.where(locked, low + high, low), np.where(locked, low + high, high)
        return State(
            time=time,
            position=position,
            rotation=rotation,
            velocity=velocity,
            turning=turning,
            turning_before=turning.copy(),
            multiplier=np.zeros(rows),
            multiplier_before=np.zeros(rows),
            active=locked.copy(),
            values=values,
            rates=np.zeros(rows),
            reference=system.coordinates.reference.copy(),
            excess_low=low,
            excess_high=high,
            excess=float(np.maximum(high, -low).max(initial=0.0)),
            since=time,
            impulse=np.zeros(rows),
        )

    def _turns(self, old: State, old_build: Build) -> Array:
        """Return the turns that angles have made, by joint, from a state of an older build."""
        here, there = self.system.coordinates, old_build.system.coordinates
        reference = np.zeros(here.size)
        for number, joint in enumerate(self.system.joints):
            other = old_build.joint_number.get(joint.node)
            if other is None or old_build.system.joints[other].mode != joint.mode:
                continue
            a, b = here.pool_of(number, 3), there.pool_of(other, 3)
            if a >= 0 and b >= 0:
                reference[a : a + 3] = old.reference[b : b + 3]
        return reference

    def joint_coordinates(self, state: State) -> Array:
        """Return the six coordinates of every joint in the sense of its settings: (joints, 6)."""
        every, joints = self._every, self.system.joints
        for number in range(len(joints)):
            start = self.system.coordinates.pool_of(number, 3)
            if start >= 0:
                at = every.pool_of(number, 3)
                every.reference[at : at + 3] = state.reference[start : start + 3]
        values, _ = every.values(state.position, state.rotation)
        slots = values[(every.start[:, :, None] + np.arange(3)).reshape(-1, 6)]
        out = self._sign * slots + self._offset
        np.put_along_axis(out, self._axis, out[:, 3:].copy(), 1)
        return np.asarray(out)

    @cached_property
    def _every(self) -> Coordinates:
        """All six coordinates of all joints, whether anything acts on them or not."""
        joints = [replace(joint) for joint in self.system.joints]
        return Coordinates(joints, self.system.bodies, everything=True)

    @cached_property
    def _sign(self) -> Array:
        return np.array([joint.sign for joint in self.system.joints]).reshape(-1, 6)

    @cached_property
    def _offset(self) -> Array:
        return np.array([joint.offset for joint in self.system.joints]).reshape(-1, 6)

    @cached_property
    def _axis(self) -> NDArray[np.intp]:
        """Column of each angular slot: (joints, 3)."""
        axes = [joint.slot_axis for joint in self.system.joints]
        return 3 + np.array(axes, dtype=np.intp).reshape(-1, 3)
