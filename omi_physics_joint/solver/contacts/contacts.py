# SPDX-License-Identifier: GPL-3.0-or-later
"""What touches in a simulation: who may, whose islands go together, and where it does."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from ...model.issue import Issue
from ...model.joint import Freedom
from ...model.mechanics.islands import islands_of
from ...model.mechanism import Mechanism
from ...model.settings.spans import spans_of
from ...model.wording.words import Say, metric
from ..engines.kernel_structs import TOUCH_POINT
from ..island_group import IslandGroup
from ..kinematics.rotation import Array, Index
from ..reading.assembly import Links
from ..reading.bodies import Bodies, KinematicBodies
from .collision import in_order
from .cores import Numbers
from .overlapping import Holes, deepest, hull_issues, joint_issue, overlap_issue, overlaps_of
from .surfaces import MARGIN, Floor, Surfaces, links_of, read_surfaces, read_triggers
from .touching import NO_POINTS, Points, TouchingStepper

FARTHER = 2.0
"""How many times as far as it went what was thrown is looked for."""
PARTED = 0.2
"""s: islands that were near go together for so long. With a tenth or ten times as much boxes, coins
and balls fall and bounce to the same places: it only saves that islands are made anew."""
STAYS, RESTS = 5e-5, 0.5
"""m and rad, and s: an island that touches something and whose bodies all have gone no farther for
so long stays where it is. By where they are, not by speed: heaps shake by 1 mm/s and go nowhere.
With a tenth they are awake for longer; with ten times as much what creeps stops."""
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


NO_TOUCHING = Touching(np.zeros((0, 2), np.intp), np.zeros((0, 3)), np.zeros((0, 3)))


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is known of the steps before.

    Attributes:
        seen: the bodies that touch or were near a short while ago, and when, s.
        links: the first of each island that they make, with all others and all that it touches.
        touched: where shapes touched at the end of the last step, with which the next one begins.
        still: (bodies, 13) since when each body stays about where it is and touches, s, infinite
            where it does not; that place, m, and rotation.
    """

    seen: Mapping[tuple[int, int], float]
    links: Links
    touched: Points
    still: Array


class Contacts:
    """Keeps account of what may touch.

    Attributes:
        known: of the steps before.
        surfaces: all shapes.
        floor: how high the floor is, m; None without one.
        issues: what begins inside of something, and hulls that are others.
    """

    def __init__(
        self,
        library: ctypes.CDLL,
        mechanism: Mechanism,
        bodies: Bodies,
        movers: KinematicBodies,
        floor: Floor | None,
        say: Say = metric,
    ) -> None:
        """Read the colliders and triggers of a mechanism at rest, on a floor or on none."""
        number = {int(node): i for i, node in enumerate(bodies.nodes)}
        self._ends: dict[int, tuple[int, int]] = {}
        for index, _, joint in mechanism.joints():
            owners = mechanism.body_of(index), mechanism.body_of(joint.connected_node)
            first, second = (number[-1 if owner is None else owner] for owner in owners)
            self._ends[index] = first, second
        self._apart = {
            index: frozenset(self._ends[index])
            for index, _, joint in mechanism.joints()
            if not joint.enable_collision
        }
        self._welds = set(_welds_of(mechanism))
        level = floor and replace(floor, height=floor.height or 0.0)
        solid = read_surfaces(mechanism, bodies, movers, level)
        triggers = read_triggers(mechanism, bodies, movers)
        self.surfaces = Surfaces(library, solid, triggers)
        place = movers.frames(0.0, bodies.position, bodies.rotation)
        self._library, self._dynamic = library, bodies.dynamic
        self._movable = np.flatnonzero(bodies.dynamic).tolist()
        self._nodes = bodies.nodes[self.surfaces.body]
        self.floor: float | None = None
        if floor is not None:
            own = self.surfaces.solid - 1
            self._nodes[own] = FLOOR
            self.floor = floor.height
            if floor.height is None:
                boxes = self.surfaces.collision.boxes(self.surfaces.placed(*place), 0.0)
                low = boxes[:own, 0, 1]
                self.floor = float(low[np.isfinite(low)].min(initial=0.0))
            self.surfaces.pose[own, 1] = self.floor
        self._begin = self._place = place
        self._way = np.zeros(len(self.surfaces.every))
        self._falls = np.zeros(len(bodies.nodes), bool)
        self._broken: frozenset[int] | None = None
        self._none_still = np.full((len(bodies.nodes), 13), inf)
        self.known = Remembered({}, (), NO_POINTS, self._none_still)
        self._noted = NO_POINTS
        self._groups: Sequence[IslandGroup] | None = None
        self._steppers: list[tuple[IslandGroup, TouchingStepper]] = []
        self.let_fall(frozenset())
        self._holes = Holes(self.surfaces)
        hulls = hull_issues(mechanism, self.surfaces, say)
        self.issues = (*self._overlapping(mechanism, place, bodies, say), *hulls)

    def _overlapping(
        self, mechanism: Mechanism, place: tuple[Array, Array], bodies: Bodies, say: Say
    ) -> Iterator[Issue]:
        """Yield what is in one another; let those not meet that are built or held there."""
        surfaces, joints = self.surfaces, {frozenset(e): n for n, e in self._ends.items()}
        related = _related(bodies, [*self._ends.values()])
        found = list(overlaps_of(surfaces, surfaces.placed(*place), self._near(place)))
        built = {
            one.bodies for one in found if set.intersection(*(related[body] for body in one.bodies))
        }
        held = {one.bodies for one in found if not self._falls[[*one.bodies]].any()}
        surfaces.keep_apart(one.shapes for one in found if one.bodies in built | held)
        for ends, one in deepest(found).items():
            if ends in joints:
                yield joint_issue(mechanism, joints[ends], one.depth, say)
            elif ends not in built:
                nodes = self._nodes[list(one.shapes)].tolist()
                owners = [surfaces.every[i].node for i in one.shapes]
                depth = say(one.depth, Freedom.LINEAR)
                yield overlap_issue(mechanism, nodes, owners, depth, held=ends in held)

    def let_fall(self, broken: frozenset[int]) -> None:
        """Have the floor catch what no joint holds that is whole; joints broke by their nodes.

        What a weld held apart meets from now on, but for what began in one another. What another
        joint did may be in one another as it breaks: as a flap, that turns about its middle.
        """
        if broken == self._broken:
            return
        self._broken, surfaces = broken, self.surfaces
        whole = {pair for node, pair in self._apart.items() if node not in broken & self._welds}
        freed = {*surfaces.between({*self._apart.values()} - whole)}
        surfaces.keep_apart(surfaces.between(whole), but=freed)
        if freed:
            near = [pair for pair in self._near(self._begin).tolist() if tuple(pair) in freed]
            found = overlaps_of(surfaces, surfaces.placed(*self._begin), np.array(near, int))
            surfaces.keep_apart(one.shapes for one in found)
        self._joined = [pair for node, pair in self._ends.items() if node not in broken]
        for island in islands_of(self._movable, self._joined):
            self._falls[island.bodies] = not island.is_held(self._joined)
        self.known = replace(self.known, links=self._links_of(self.known.seen))

    def look(self, time: float, place: tuple[Array, Array], way: Array) -> bool:
        """Find what may touch as shapes go ways (n,), m; return whether islands are others now."""
        self._place, self._way = place, way
        self._pairs = self._near(place, way)
        before, self._time = self.links, time
        near = dict.fromkeys(links_of(self._pairs, self.surfaces.body), time)
        seen = {link: at for link, at in self.known.seen.items() if time - at < PARTED} | near
        links = before if seen.keys() == self.known.seen.keys() else self._links_of(seen)
        self.known = replace(self.known, seen=seen, links=links)
        return links != before

    def missed(self, place: tuple[Array, Array]) -> Array | None:
        """Return ways (n,), m, for which it has to be looked once more, if it has to.

        What is thrown in the step, by an impact or a joint, goes farther than it went before, and
        may have passed what nobody looked for.

        Args:
            place: frames of all bodies at the end of the step.
        """
        gone = self.surfaces.ways(self._place, place)
        if (gone <= self._way + 0.5 * MARGIN).all():
            return None
        way = np.maximum(self._way, FARTHER * gone)
        return way if len(self._near(self._place, way)) > len(self._pairs) else None

    def _links_of(self, seen: Collection[tuple[int, int]]) -> Links:
        """Return the links of the islands that bodies make which touch or are joined."""
        ends, found = [*self._joined, *seen], list[tuple[int, int]]()
        for island in islands_of(self._movable, ends):
            if island.joints and island.joints[-1] >= len(self._joined):
                first, *others = island.bodies
                touched = {body for joint in island.joints for body in ends[joint]}
                others += sorted(touched.difference(island.bodies))
                found += [(first, other) for other in others]
        return tuple(found)

    def _near(self, place: tuple[Array, Array], way: Array | float = 0.0) -> Numbers:
        """Return the pairs of shapes that are near, with ways in m that they may go."""
        pairs = self.surfaces.near(place, way, self._dynamic)
        on_floor = (self._nodes[pairs] == FLOOR).any(1)
        falls = self._falls[self.surfaces.body[pairs]].any(1)
        return np.asarray(pairs[~on_floor | falls])

    def inside(self, place: tuple[Array, Array]) -> list[tuple[int, int]]:
        """Return the nodes of triggers and of bodies in them, from frames of all bodies."""
        found = self.surfaces.inside(place).tolist()
        pairs = {(self.surfaces.every[j].node, int(self._nodes[i])) for i, j in found}
        return sorted((trigger, body) for trigger, body in pairs if body >= 0)

    @property
    def links(self) -> Links:
        """What goes together, as it touches or was near a short while ago."""
        return self.known.links

    def lead(self, groups: Sequence[IslandGroup]) -> None:
        """Give the islands that touch what they touch with."""
        if groups is not self._groups:
            self._take_over(groups)
        still = np.full(len(self._steppers) + 1, -inf)  # what is of no such island counts as last
        np.maximum.at(still, self._island, self.known.still[:, 0])
        pairs, touched = self._by_island(self._pairs), self._by_island(self.known.touched["shape"])
        asleep = (self._time - still >= RESTS).tolist()
        for number, (group, stepper) in enumerate(self._steppers):
            rests = asleep[number] and not group.is_led
            if rests and stepper.lies and self.known.touched is self._noted:
                continue
            known = self.known.touched[touched[number]]
            stepper.look_at(self._pairs[pairs[number]], known, rests=rests)

    def _take_over(self, groups: Sequence[IslandGroup]) -> None:
        """Let islands that touch be moved with their surfaces."""
        linked = {body for link in self.links for body in link if self._dynamic[body]}
        self._groups, self._steppers = groups, []
        self._island = np.full(len(self._dynamic), -1)
        for group in groups:
            own, others = group.numbers.bodies[0].tolist(), group.numbers.others[0].tolist()
            if linked.isdisjoint(own):
                continue
            self._island[own] = len(self._steppers)
            local = {body: i for i, body in enumerate((*own, *others))}
            stepper = TouchingStepper(self._library, self.surfaces, local, group.stepper)
            group.touching = stepper
            self._steppers.append((group, stepper))

    def _by_island(self, shapes: Numbers) -> list[Index]:
        """Return which of pairs of shapes (k, 2) are of each island that touches, rising."""
        island = self._island[self.surfaces.body[shapes]].max(axis=1)
        order = np.argsort(island, kind="stable")
        return np.split(order, np.searchsorted(island[order], range(len(self._steppers) + 1)))[1:]

    def note(self, place: tuple[Array, Array]) -> None:
        """Take over where shapes touched in the step that has ended, and what has stayed there.

        Args:
            place: frames of all bodies.
        """
        told = [stepper.touched for _, stepper in self._steppers]
        touches = np.array([*map(len, told), 0], bool)[self._island]
        now, before = np.empty_like(self._none_still), self.known.still
        now[:, 0], now[:, 1:4], now[:, 4:] = self._time, place[0], place[1].reshape(-1, 9)
        stays = np.all(np.abs(now - before)[:, 1:] < STAYS, axis=-1, keepdims=True)
        still = np.where(stays, before, now)
        still[~touches] = inf
        joined = b"".join(one.tobytes() for one in told)  # concatenate takes ten times as long
        points = np.frombuffer(joined, TOUCH_POINT)
        self._noted = points[in_order(points["shape"])]  # as the kernel has its pairs
        self.known = replace(self.known, touched=self._noted, still=still)

    def wake(self) -> None:
        """Let all go on that lies: something else acts on it now."""
        self.known = replace(self.known, still=self._none_still)

    def touching(self) -> Touching:
        """Return where bodies touched at the end of the last step."""
        found = self.known.touched
        nodes, forces = self._nodes[found["shape"]], found["force"]
        turned = nodes[:, 0] > nodes[:, 1]
        forces = np.where(turned[:, None], -forces, forces)
        return Touching(np.sort(nodes), found["point"], forces)

    def look_into_holes(self, place: tuple[Array, Array]) -> Iterable[tuple[int, int]]:
        """Return nodes of hulls, and of what has touched them where their mesh is hollow, by now.

        Args:
            place: frames of all bodies.
        """
        self._holes.look(self.known.touched, place)
        return self._holes.found


def _related(bodies: Bodies, ends: Sequence[tuple[int, int]]) -> Mapping[int, set[int]]:
    """Return by body the numbers of mechanisms: which it is of, or which hang on it."""
    found = defaultdict[int, set[int]](set)
    for number, one in enumerate(islands_of(np.flatnonzero(bodies.dynamic).tolist(), ends)):
        for body in {*one.bodies, *(body for joint in one.joints for body in ends[joint])}:
            found[body].add(number)
    found[len(bodies.nodes) - 1] = set()  # the world is no part
    return found


def _welds_of(mechanism: Mechanism) -> Iterator[int]:
    """Yield the nodes of joints that leave no way to move."""
    for index, _, joint in mechanism.joints():
        if all(one.is_rigidly_locked for one in spans_of(mechanism.settings_of(joint).limits)):
            yield index
