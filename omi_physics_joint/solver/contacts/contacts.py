# SPDX-License-Identifier: GPL-3.0-or-later
"""What touches in a simulation: who may, whose islands go together, and where it does."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...model.mechanics.islands import islands_of
from ...model.mechanism import Mechanism
from ..island_group import IslandGroup
from ..kinematics.rotation import Array, Index
from ..reading.assembly import Links
from ..reading.bodies import Bodies
from ..reading.motions import KinematicBodies
from .collision import Collision
from .surfaces import Floor, Surfaces, links_of, read_surfaces
from .touching import TouchingStepper

PARTED = 0.2
"""s: islands that were near go together for so long."""
WORLD, FLOOR = -1, -2
"""What stands for nodes: of colliders without a body, and of the floor."""


@dataclass(frozen=True, slots=True)
class Touching:
    """Where bodies touch.

    Attributes:
        nodes: (n, 2) of the bodies, the larger one second.
        points: (n, 3) m, world axes.
        forces: (n, 3) N on the second, mean over what was computed last.
    """

    nodes: Index
    points: Array
    forces: Array

    def pressed(self) -> dict[tuple[int, int], Array]:
        """Return what each two bodies bear in all: N on the second, by their nodes."""
        found: dict[tuple[int, int], Array] = {}
        for (first, second), force in zip(self.nodes.tolist(), self.forces, strict=True):
            found[first, second] = found.get((first, second), np.zeros(3)) + force
        return found


class Contacts:
    """Keeps account of what may touch.

    Attributes:
        seen: the bodies that touch or were near a short while ago, and when, s.
        surfaces: all shapes that are solid.
        floor: how high the floor is, m; None without one.
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
        self._ends: dict[int, tuple[int, int]] = {}
        apart: set[frozenset[int]] = set()
        for index, _, joint in mechanism.joints():
            owners = mechanism.body_of(index), mechanism.body_of(joint.connected_node)
            first, second = (number[-1 if owner is None else owner] for owner in owners)
            self._ends[index] = first, second
            if not joint.enable_collision:
                apart.add(frozenset((first, second)))
        level = floor and replace(floor, height=floor.height or 0.0)
        every = read_surfaces(mechanism, bodies, movers, level)
        collision = Collision(library, [one.core for one in every])
        self.surfaces = Surfaces(every, bodies, apart)
        place = movers.frames(0.0, bodies.position, bodies.rotation)
        self._library, self._dynamic = library, bodies.dynamic
        self._nodes = bodies.nodes[self.surfaces.body]
        self.floor: float | None = None
        if floor is not None:
            self._nodes[-1] = FLOOR
            self.floor = floor.height
            if floor.height is None:
                low = collision.boxes(self.surfaces.placed(*place), 0.0)[:, 0, 1]
                self.floor = float(low[np.isfinite(low)].min(initial=0.0))
            self.surfaces.pose[-1, 1] = self.floor
        self._falls = np.zeros(len(bodies.nodes), bool)
        self.seen: dict[tuple[int, int], float] = {}
        self.surfaces.leave_out(collision, place, _related(bodies, [*self._ends.values()]))

    def let_fall(self, broken: Collection[int]) -> None:
        """Have the floor catch what no joint holds that is whole; joints broke by their nodes."""
        ends = [pair for node, pair in self._ends.items() if node not in broken]
        for island in islands_of(np.flatnonzero(self._dynamic).tolist(), ends):
            self._falls[island.bodies] = not island.is_held(ends)

    def look(
        self, time: float, place: tuple[Array, Array], speed: tuple[Array, Array], dt: float
    ) -> bool:
        """Find what may touch within dt seconds; return whether other islands go together now."""
        surfaces = self.surfaces
        pairs = surfaces.near(*place, surfaces.speeds(*speed), dt)
        on_floor = (self._nodes[pairs] == FLOOR).any(1)
        self._pairs = pairs[~on_floor | self._falls[surfaces.body[pairs]].any(1)]
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

    def touching(self, groups: Sequence[IslandGroup]) -> Touching:
        """Return where bodies touched at the end of the last step."""
        found = [group.touching.touches for group in groups if group.touching is not None]
        nodes = np.concatenate([np.zeros((0, 2), int), *(self._nodes[one.shapes] for one in found)])
        points, forces = np.zeros((0, 3)), np.zeros((0, 3))
        points = np.concatenate([points, *(one.points for one in found)])
        forces = np.concatenate([forces, *(one.forces for one in found)])
        turned = nodes[:, 0] > nodes[:, 1]
        return Touching(np.sort(nodes), points, np.where(turned[:, None], -forces, forces))


def _related(bodies: Bodies, ends: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return by body a number that those share which joints connect."""
    found = islands_of(np.flatnonzero(bodies.dynamic).tolist(), ends)
    return {body: number for number, island in enumerate(found) for body in island.bodies}
