# SPDX-License-Identifier: GPL-3.0-or-later
"""What touches in a simulation: who may, whose islands go together, and where it does."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from ...model.mechanics.islands import islands_of
from ...model.mechanism import Mechanism
from ..island_group import IslandGroup
from ..kinematics.rotation import Array
from ..reading.assembly import Links
from ..reading.bodies import Bodies
from ..reading.motions import KinematicBodies
from .collision import Collision
from .surfaces import Floor, Surfaces, links_of, read_surfaces
from .touching import Touches, TouchingStepper

PARTED = 0.2
"""s: islands that were near go together for so long."""


class Contacts:
    """Keeps account of what may touch.

    Attributes:
        seen: the bodies that touch or were near a short while ago, and when, s.
        surfaces: all shapes that are solid.
    """

    def __init__(
        self,
        library: ctypes.CDLL,
        mechanism: Mechanism,
        bodies: Bodies,
        movers: KinematicBodies,
        floor: Floor | None,
    ) -> None:
        """Read the colliders of a mechanism at rest, on a floor or on none."""
        number = {int(node): i for i, node in enumerate(bodies.nodes)}
        ends: list[tuple[int, int]] = []
        apart: set[frozenset[int]] = set()
        for index, _, joint in mechanism.joints():
            owners = mechanism.body_of(index), mechanism.body_of(joint.connected_node)
            first, second = (number[-1 if owner is None else owner] for owner in owners)
            ends.append((first, second))
            if not joint.enable_collision:
                apart.add(frozenset((first, second)))
        every = read_surfaces(mechanism, bodies, movers, floor)
        self.surfaces = Surfaces(every, bodies, apart)
        self._library, self._dynamic = library, bodies.dynamic
        self.seen: dict[tuple[int, int], float] = {}
        self.surfaces.leave_out(
            Collision(library, [one.core for one in every]),
            movers.frames(0.0, bodies.position, bodies.rotation),
            _related(bodies, ends),
        )

    def look(
        self, time: float, place: tuple[Array, Array], speed: tuple[Array, Array], dt: float
    ) -> bool:
        """Find what may touch within dt seconds; return whether other islands go together now."""
        surfaces = self.surfaces
        self._pairs = surfaces.near(*place, surfaces.speeds(*speed), dt)
        before = self.links
        for link in links_of(self._pairs, surfaces.body):
            self.seen[link] = time
        self.seen = {link: at for link, at in self.seen.items() if time - at < PARTED}
        return self.links != before

    @property
    def links(self) -> Links:
        """The bodies that touch or were near a short while ago."""
        return tuple(sorted(self.seen))

    def lead(self, groups: Sequence[IslandGroup], *, anew: bool) -> None:
        """Give the islands that touch what they touch with."""
        linked = {body for link in self.links for body in link if self._dynamic[body]}
        for group in groups:
            if not linked.intersection(group.numbers.bodies[0].tolist()):
                continue
            if anew or group.touching is None:
                numbers = (*group.numbers.bodies[0].tolist(), *group.numbers.others[0].tolist())
                local = {body: i for i, body in enumerate(numbers)}
                group.touching = TouchingStepper(self._library, self.surfaces, local, group.stepper)
            group.touching.look_at(self._pairs)

    @staticmethod
    def touches(groups: Sequence[IslandGroup]) -> list[Touches]:
        """Return where shapes touched at the end of the last step, island by island."""
        return [group.touching.touches for group in groups if group.touching is not None]


def _related(bodies: Bodies, ends: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return by body a number that those share which joints connect."""
    found = islands_of(np.flatnonzero(bodies.dynamic).tolist(), ends)
    return {body: number for number, island in enumerate(found) for body in island.bodies}
