# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred drawn mechanisms that say, together, what the model can say in many combinations.

Each is drawn from its number alone and is the same on every machine and Python. It is sound, but
for a few odd things that Check is to name. What wings make of them is kept as digests
(``tests/digests.py``): breadth, not reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any

from omi_physics_joint.model.body import Collider, Motion, MotionType, Trigger
from omi_physics_joint.model.contents import Contents, PoseKeys
from omi_physics_joint.model.geometry.transform import Matrix, compose, inverse, multiply
from omi_physics_joint.model.joint import AXES, Breaking, JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.shape import Plane
from omi_physics_joint.model.solid import Triangles
from tests.drawn_parts import DrawnParts

COUNT = 100
MESHES = (
    Triangles(
        ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.75, 0.0), (0.0, 0.0, 1.0)),
        ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
    ),
    Triangles(
        ((-1.0, 0.1, -2.0), (1.0, 0.0, -2.0), (1.0, 0.2, 2.0), (-1.0, 0.0, 2.0)),
        ((0, 2, 1), (0, 3, 2)),
    ),
)
"""A wedge, and a floor that is open and uneven."""
GRAVITY_VOLUME = '{"OMI_physics_gravity":{"gravity":2.5,"shaped":{"shape":null},"type":"shaped"}}'


class Drawing(DrawnParts):
    """Draws one case: bodies with their shapes, and joints between them."""

    def motion(self) -> Motion:
        """Return how a body moves."""
        kind = self.random.choice((MotionType.DYNAMIC,) * 5 + tuple(MotionType))
        if kind is MotionType.STATIC:
            return Motion(kind)
        a, b, c = sorted(self.number(0.3, 0.5) for _ in AXES)
        diagonal = self.random.choice(((0.0, 0.0, 0.0), (a, b, c), (c, a, b), (a, inf, inf)))
        diagonal = (a, b, 9.0) if self.odd(0.1) else diagonal
        return Motion(
            kind,
            self.random.choice((1.0, self.number(0.1, 9.0), self.number(0.1, 9.0), inf)),
            self.random.choice(((0.0, 0.0, 0.0), self.vector(0.4), None)),
            diagonal,
            self.turn() if diagonal != (0.0, 0.0, 0.0) else (0.0, 0.0, 0.0, 1.0),
            *(self.maybe(0.25, self.vector(3.0), (0.0, 0.0, 0.0)) for _ in range(2)),
            self.maybe(0.8, 1.0, self.number(-1.0, 2.0)),
            self.unknown(),
            self.chance(0.15),
        )

    def pick(self, part: float, of: Sequence[object]) -> int | None:
        """Return the number of something shared, in a part of all cases."""
        return self.random.randrange(len(of)) if of and self.chance(part) else None

    def body(self, shared: dict[str, list[Any]]) -> int:
        """Add a body, maybe below a group or another body, with its shapes; return its number."""
        above = None
        if self.chance(0.35):
            above = self.add(self.name(), None, self.place(2.0, 0.6))
        elif self.nodes and self.odd(0.3):
            above = self.random.randrange(len(self.nodes))
        body = self.add(self.name(), above, self.place(3.0, 0.35), motion=self.motion())
        parts = self.random.choice((0, 0, 1, 2, 3))
        own = self.maybe(0.6, self.collider(shared, 1.0), None)
        trigger = None
        found = []
        for index in range(parts):
            below = body if index == 0 or self.chance(0.7) else len(self.nodes) - 1
            found.append(self.add(self.name(), below, self.place(0.6, 0.4)))
            what = self.random.choice(("collider", "collider", "trigger", "gravity", "both"))
            if what in ("collider", "both"):
                self.change(found[-1], collider=self.collider(shared, 1.0))
            if what in ("trigger", "both"):
                self.change(found[-1], trigger=self.trigger(shared))
            if what == "gravity":
                volume = self.random.randrange(len(shared["shapes"]))
                self.change(found[-1], gravity_shape=volume, unknown=GRAVITY_VOLUME)
        solid = [one for one in found if self.nodes[one].collider]
        if solid and self.chance(0.15):
            own = self.collider(shared, 0.0)
        noticing = tuple(one for one in found if self.nodes[one].trigger)
        if len(noticing) > 0 and self.chance(0.6):
            trigger = Trigger(None, noticing[::-1], None, self.unknown())
        elif self.chance(0.25):
            trigger = self.trigger(shared)
        self.change(body, collider=own, trigger=trigger)
        return body

    def collider(self, shared: dict[str, list[Any]], shaped: float) -> Collider:
        """Return a collider; one without a shape is made of those below it."""
        shape = self.pick(shaped, shared["shapes"])
        surface = self.pick(0.5, shared["physics_materials"])
        return Collider(shape, surface, self.pick(0.4, shared["collision_filters"]), self.unknown())

    def trigger(self, shared: dict[str, list[Any]]) -> Trigger:
        """Return a trigger with a shape."""
        shape, sees = self.pick(1.0, shared["shapes"]), self.pick(0.4, shared["collision_filters"])
        return Trigger(shape, (), sees, self.unknown())

    def change(self, index: int, **values: Any) -> None:
        """Say more of a node."""
        self.nodes[index] = replace(self.nodes[index], **values)

    def join(self, ends: tuple[int, int], kinds: Sequence[JointSettings]) -> None:
        """Add a joint between two bodies, anywhere near, at zero or aside, or to the world."""
        first, second = ends
        frame = multiply(self.nodes[first].world, compose(self.vector(0.6), self.turn()))
        aside = compose()
        if not self.is_calm and self.chance(0.4):
            aside = self.aside()
        other, below = multiply(frame, aside), second
        ends_there = [
            one.joint.connected_node
            for one in self.nodes
            if one.joint and self.nodes[one.joint.connected_node].parent == second
        ]
        if self.chance(0.1):
            partner = self.add("World", None, other)
        elif ends_there and not self.is_calm and self.chance(0.25):
            partner = self.random.choice(ends_there)
            frame = self.nodes[partner].world
        elif self.chance(0.1):
            partner = second
        else:
            if self.chance(0.2):
                below = self.add("Bracket", second, self.place(0.5, 0.4))
            local = multiply(inverse(self.nodes[below].world), other)
            partner = self.add(f"{self.nodes[second].name} end", below, local)
        local = multiply(inverse(self.nodes[first].world), frame)
        meets = self.chance(0.3)
        breaking = Breaking(self.number(10.0, 900.0), self.maybe(0.5, inf, self.number(1.0, 90.0)))
        joint = JointNode(
            self.random.randrange(len(kinds)),
            partner,
            meets,
            self.unknown(),
            self.keys(0.06, "enable_collision", float(meets), float(not meets)),
            breaking if self.chance(0.2) else None,
            not self.chance(0.08),
        )
        if self.odd(0.1):
            joint = replace(joint, connected_node=first)
        self.add(self.maybe(0.5, "Joint", self.name()), first, local, joint=joint)

    def aside(self) -> Matrix:
        """Return a place near by, turned by up to half a right angle: about one axis, or any."""
        alone = self.random.choice(AXES) if self.chance(0.5) else None
        x, y, z = (one * (alone in (None, axis)) for axis, one in enumerate(self.vector(0.3)))
        size = (x * x + y * y + z * z + 1.0) ** 0.5
        place = self.maybe(0.5, (0.0, 0.0, 0.0), self.vector(0.3))
        return compose(place, (x / size, y / size, z / size, 1.0 / size))

    def contents(self) -> Contents:
        """Return the case."""
        shared: dict[str, list[Any]] = {
            "shapes": [self.shape() for _ in range(self.random.randrange(2, 6))],
            "physics_materials": [self.material() for _ in range(self.random.randrange(3))],
            "collision_filters": [self.filter() for _ in range(self.random.randrange(4))],
        }
        kinds = [self.settings() for _ in range(self.random.randrange(1, 5))]
        bodies = [self.body(shared) for _ in range(self.random.randrange(2, 6))]
        for index, body in enumerate(bodies[1:]):  # chains and trees, and now and then an island
            if self.chance(0.85):
                other = bodies[index if self.chance(0.6) else self.random.randrange(index + 1)]
                self.join((body, other) if self.chance(0.6) else (other, body), kinds)
        for _ in range(
            0 if self.is_calm else self.random.choice((0, 0, 1, 2))
        ):  # loops, and two joints of one pair
            first, second = self.random.sample(bodies, 2)
            self.join((first, second), kinds)
        if self.chance(0.3):
            shared["shapes"].append(Plane(self.number(1.0, 9.0), self.maybe(0.3, inf, 4.0)))
            floor = replace(self.collider(shared, 1.0), shape=len(shared["shapes"]) - 1)
            self.add("Floor", None, self.place(1.0, 0.3), collider=floor)
        return self.finished(kinds, shared)

    def finished(self, kinds: list[JointSettings], shared: dict[str, list[Any]]) -> Contents:
        """Return the case, with what it is all in, shows and is led by."""
        unknown = self.unknown(0.15)
        mechanism = Mechanism(
            tuple(self.nodes),
            tuple(kinds),
            **{name: tuple(of) for name, of in shared.items()},
            meshes=("Wedge", "Floor"),
            unknown={"OMI_physics_body": unknown} if unknown else {},
            gravity=self.maybe(0.3, self.vector(9.0), None),
        )
        led = {
            index: PoseKeys((0.0, 0.5, 1.25), tuple(self.place(1.0) for _ in range(3)))
            for index, node in enumerate(self.nodes)
            if node.motion and node.motion.type is MotionType.KINEMATIC and self.chance(0.5)
        }
        shown = {
            index: self.random.randrange(2)
            for index, node in enumerate(self.nodes)
            if node.joint is None and self.chance(0.3)
        }
        return Contents(mechanism, MESHES, shown, led)


def drawn(number: int) -> Contents:
    """Return a case."""
    return Drawing(number).contents()
