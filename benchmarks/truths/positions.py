# SPDX-License-Identifier: GPL-3.0-or-later
"""Second route: few coordinates, and nothing told of a mechanism but where its bodies then are.

Places and rotations are followed as Taylor polynomials of second order along directions of the
coordinates. Their first orders are the Jacobian, their second what velocities add to accelerations;
d'Alembert's principle does the rest. Joints that close loops are held by multipliers.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .assembly import EYE, GROUND, Array, Assembly, Joint, matrix_of, skew
from .stretches import Pressed, integrate, push_of, stored
from .taylor import Taylor, columns, cos, products, rotation, sin

RANK = 1e-6


class Coordinates(Protocol):
    """Says where the bodies of an assembly are."""

    size: int
    """Number of speeds."""

    def start(self) -> Array:
        """Return the values of the coordinates at rest."""

    def rates(self, values: Array, speeds: Array) -> Array:
        """Return the derivatives of the values."""

    def poses(self, values: Array, directions: Array) -> tuple[list[Taylor], list[Taylor]]:
        """Return places (directions, 3) and rotations (directions, 3, 3) of all bodies."""


class Tree:
    """The coordinates of the joints that reach each body first."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly
        self.links = [assembly.joints[number] for number in assembly.tree]
        self.size = sum(self._speeds(joint.locked) for joint in self.links)

    @staticmethod
    def _speeds(locked: tuple[int, ...]) -> int:
        turning = 3 - sum(axis >= 3 for axis in locked)
        return 3 - sum(axis < 3 for axis in locked) + (turning if turning < 2 else 3)

    def _split(self, locked: tuple[int, ...]) -> tuple[list[int], list[int]]:
        linear = [axis for axis in range(3) if axis not in locked]
        return linear, [axis for axis in range(3) if axis + 3 not in locked]

    def start(self) -> Array:
        """Return zero for distances and angles, and no rotation for balls."""
        values: list[float] = []
        for joint in self.links:
            linear, angular = self._split(joint.locked)
            values += [0.0] * len(linear)
            values += [0.0] * len(angular) if len(angular) < 2 else [0.0, 0.0, 0.0, 1.0]
        return np.array(values)

    def rates(self, values: Array, speeds: Array) -> Array:
        """Return speeds, and those of the quaternions of balls."""
        out, v, s = np.empty_like(values), 0, 0
        for joint in self.links:
            linear, angular = self._split(joint.locked)
            plain = len(linear) + (len(angular) if len(angular) < 2 else 0)
            out[v : v + plain] = speeds[s : s + plain]
            v, s = v + plain, s + plain
            if len(angular) > 1:
                q, w = values[v : v + 4], speeds[s : s + 3]
                out[v : v + 3] = 0.5 * (q[3] * w + np.cross(q[:3], w))
                out[v + 3] = -0.5 * (w @ q[:3])
                v, s = v + 4, s + 3
        return out

    def poses(self, values: Array, directions: Array) -> tuple[list[Taylor], list[Taylor]]:
        """Follow the tree from the ground."""
        bodies, count = self.assembly.bodies, len(directions)
        places, turns = {GROUND: Taylor.still(np.zeros(3))}, {GROUND: Taylor.still(EYE)}
        v = s = 0
        for joint in self.links:
            a, b = (None if joint.a == GROUND else bodies[joint.a]), bodies[joint.b]
            turn_a, place_a = (EYE, np.zeros(3)) if a is None else (a.turn, a.place)
            frame = products(turns[joint.a], turn_a.T @ joint.frame)
            place = places[joint.a] + columns(turns[joint.a], turn_a.T @ (joint.place - place_a))
            linear, angular = self._split(joint.locked)
            for axis in linear:
                slid = Taylor(values[v : v + 1], directions[:, s], np.zeros(count)).spread(1)
                place = place + slid * frame.at(np.s_[..., :, axis])
                v, s = v + 1, s + 1
            if len(angular) == 1:
                angle = Taylor(values[v : v + 1], directions[:, s], np.zeros(count))
                frame = products(frame, rotation(angular[0], cos(angle), sin(angle)))
                v, s = v + 1, s + 1
            elif angular:
                here, k = matrix_of(values[v : v + 4])[None], skew(directions[:, s : s + 3])
                frame = products(frame, Taylor(here, here @ k, here @ k @ k))
                v, s = v + 4, s + 3
            turns[joint.b] = products(frame, joint.frame.T @ b.turn)
            places[joint.b] = place + columns(turns[joint.b], b.turn.T @ (b.place - joint.place))
        order = range(len(bodies))
        return [places[i] for i in order], [turns[i] for i in order]


class Positions:
    """The equations of motion of an assembly in coordinates of its own."""

    def __init__(self, assembly: Assembly, coordinates: Coordinates | None = None) -> None:
        self.assembly = assembly
        self.held = [] if coordinates else [assembly.joints[i] for i in assembly.loops]
        if coordinates is None:
            self.held += [
                joint
                for joint in (assembly.joints[i] for i in assembly.tree)
                if sum(axis >= 3 for axis in joint.locked) == 1
            ]
        self.coordinates: Coordinates = coordinates or Tree(assembly)
        self.springs = [(j, s) for j in assembly.joints for s in j.springs]

    def start(self) -> Array:
        """Return values and speeds at rest.

        Raises:
            ValueError: the velocities of the bodies are none that the joints allow.
        """
        values = self.coordinates.start()
        places, turns = self._moves(values, np.zeros(self.coordinates.size))
        rows, wanted = [], []
        for body, place, turn in zip(self.assembly.bodies, places, turns, strict=True):
            rows += [place.first[:-1].T, _spins(turn)[:-1].T]
            wanted += [body.velocity, body.spin]
        matrix, right = np.concatenate(rows), np.concatenate(wanted)
        speeds = np.linalg.lstsq(matrix, right, rcond=None)[0]
        if np.abs(matrix @ speeds - right).max() > 1e-9:
            message = "the joints do not allow these velocities"
            raise ValueError(message)
        return np.concatenate([values, speeds])

    def _moves(self, values: Array, speeds: Array) -> tuple[list[Taylor], list[Taylor]]:
        directions = np.vstack([np.eye(self.coordinates.size), speeds])
        places, turns = self.coordinates.poses(values, directions)
        count = len(directions)
        return [one.along(count) for one in places], [one.along(count) for one in turns]

    def split(self, state: Array) -> tuple[Array, Array]:
        """Return values and speeds."""
        return state[: -self.coordinates.size], state[-self.coordinates.size :]

    def rate(self, state: Array, pressed: Pressed) -> Array:
        """Return the time derivative of a state."""
        values, speeds = self.split(state)
        places, turns = self._moves(values, speeds)
        size = self.coordinates.size
        mass, push = np.zeros((size, size)), np.zeros(size)
        for body, place, turn in zip(self.assembly.bodies, places, turns, strict=True):
            move, spins = place.first[:-1], _spins(turn)
            inertia = turn.value_at(-1) @ np.diag(body.inertia) @ turn.value_at(-1).T
            w = spins[-1]
            drag = inertia @ _turning(turn)[-1] + np.cross(w, inertia @ w)
            pull = body.mass * (self.assembly.gravity - place.second[-1])
            mass += body.mass * move @ move.T + spins[:-1] @ inertia @ spins[:-1].T
            push += move @ pull - spins[:-1] @ drag
        push += self._pushes(places, turns, pressed)
        acceleration = self._held(places, turns, mass, push)
        return np.concatenate([self.coordinates.rates(values, speeds), acceleration])

    def _held(self, places: list[Taylor], turns: list[Taylor], mass: Array, push: Array) -> Array:
        free = np.linalg.solve(mass, push)
        if not self.held:
            return free
        rows = [row for joint in self.held for row in self._misses(joint, places, turns)]
        gradient = np.array([row.first[:-1] for row in rows])
        bias = np.array([row.second[-1] for row in rows])
        # Rows that say nothing new are left out: their gradient is but rounding.
        turn, sizes, _ = np.linalg.svd(gradient)
        new = turn[:, : len(sizes)][:, sizes > RANK * sizes.max(initial=1e-3)].T
        gradient, bias = new @ gradient, new @ bias
        spread = np.linalg.solve(mass, gradient.T)
        right = -(gradient @ free + bias)
        return free + spread @ np.linalg.solve(gradient @ spread, right)

    def _frames(
        self, joint: Joint, places: list[Taylor], turns: list[Taylor]
    ) -> tuple[Taylor, Taylor]:
        """Return the gap of a joint in its frame, and the connected frame in it."""
        frames, origins = [], []
        for number in (joint.a, joint.b):
            at, frame = joint.place, joint.frame
            if number == GROUND:
                frames.append(Taylor.still(frame))
                origins.append(Taylor.still(at))
                continue
            body = self.assembly.bodies[number]
            frames.append(products(turns[number], body.turn.T @ frame))
            arm = body.turn.T @ (at - body.place)
            origins.append(places[number] + columns(turns[number], arm))
        back = frames[0].transposed()
        return products(back, (origins[1] - origins[0]).spread(1)), products(back, frames[1])

    def _misses(self, joint: Joint, places: list[Taylor], turns: list[Taylor]) -> list[Taylor]:
        """Return what a joint holds at zero."""
        gap, turn = self._frames(joint, places, turns)
        locked = joint.locked
        out = [gap.at(np.s_[..., axis, 0]) for axis in locked if axis < 3]
        if any(joint is self.assembly.joints[i] for i in self.assembly.tree):
            out = []
        angular = [axis - 3 for axis in locked if axis >= 3]
        if len(angular) == 2:
            (free,) = {0, 1, 2} - {*angular}
            return [*out, *(turn.at(np.s_[..., axis, free]) for axis in angular)]
        for axis in angular:
            i, j = (axis + 1) % 3, (axis + 2) % 3
            out.append(turn.at(np.s_[..., j, i]) - turn.at(np.s_[..., i, j]))
        return out

    def _values(
        self, joint: Joint, axis: int, places: list[Taylor], turns: list[Taylor]
    ) -> tuple[float, Array]:
        """Return a coordinate of a joint and its rates along all directions."""
        gap, turn = self._frames(joint, places, turns)
        if axis < 3:
            one = gap.at(np.s_[..., axis, 0])
            return float(one.value_at(-1)), one.first
        i, j = (axis + 1) % 3, (axis + 2) % 3
        c, s = turn.at(np.s_[..., i, i]), turn.at(np.s_[..., j, i])
        angle = np.arctan2(s.value_at(-1), c.value_at(-1))
        return float(angle), c.value * s.first - s.value * c.first

    def _pushes(self, places: list[Taylor], turns: list[Taylor], pressed: Pressed) -> Array:
        out, stop = np.zeros(self.coordinates.size), iter(pressed)
        for joint, spring in self.springs:
            value, rates = self._values(joint, spring.axis, places, turns)
            side = next(stop) if spring.is_stop else 0
            out += push_of(spring, value, float(rates[-1]), side) * rates[:-1]
        return out

    def stop_values(self, state: Array) -> Array:
        """Return the coordinates of the soft stops."""
        places, turns = self._moves(*self.split(state))
        return np.array(
            [self._values(j, s.axis, places, turns)[0] for j, s in self.springs if s.is_stop]
        )

    def energy(self, state: Array) -> tuple[float, float]:
        """Return kinetic and potential energy in J."""
        places, turns = self._moves(*self.split(state))
        kinetic = potential = 0.0
        for body, place, turn in zip(self.assembly.bodies, places, turns, strict=True):
            v, w = place.first[-1], turn.value_at(-1).T @ _spins(turn)[-1]
            kinetic += 0.5 * float(body.mass * v @ v + body.inertia @ w**2)
            potential -= body.mass * float(self.assembly.gravity @ place.value_at(-1))
        for joint, spring in self.springs:
            value, _ = self._values(joint, spring.axis, places, turns)
            potential += stored(spring, value)
        return kinetic, potential

    def path(self, times: Array, tolerance: float = 1e-11, method: str = "DOP853") -> Array:
        """Return the states at all times."""
        return integrate(
            self.assembly,
            self.rate,
            self.stop_values,
            self.start(),
            times,
            tolerance=tolerance,
            method=method,
        )

    def bodies(self, state: Array) -> tuple[Array, Array, Array, Array]:
        """Return places, rotations, velocities and spins of the bodies."""
        places, turns = self._moves(*self.split(state))
        return (
            np.array([place.value_at(-1) for place in places]),
            np.array([turn.value_at(-1) for turn in turns]),
            np.array([place.first[-1] for place in places]),
            np.array([_spins(turn)[-1] for turn in turns]),
        )

    def marks(self, state: Array) -> Array:
        """Return where the marks of the bodies are, (n, 3)."""
        places, turns = self._moves(*self.split(state))
        return np.array(
            [
                place.value_at(-1) + turn.value_at(-1) @ body.mark
                for body, place, turn in zip(self.assembly.bodies, places, turns, strict=True)
            ]
        )


def _spins(turn: Taylor) -> Array:
    """Return angular velocities along all directions, (directions, 3)."""
    return _axial(turn.first @ np.swapaxes(turn.value, -1, -2))


def _turning(turn: Taylor) -> Array:
    """Return angular accelerations along all directions."""
    return _axial(turn.second @ np.swapaxes(turn.value, -1, -2))


def _axial(m: Array) -> Array:
    parts = (m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1])
    return 0.5 * np.stack(parts, -1)
