# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases drawn at random from a seed: any joint, anywhere, on any bodies."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex, Plane, Shape

from .body_cases import WEDGE
from .building import Case, at, chained
from .random_bodies import BodyDraw
from .random_joints import JointDraw


def random_cases(count: int, seed: int) -> dict[str, Case]:
    """Return cases that depend on the seed only; each on its own number, so that fewer are some."""
    cases: dict[str, Case] = {}
    for number in range(count):
        name, case = _CaseDraw(Random(f"{seed} {number}")).case()
        cases[f"{seed}-{number} {name}"] = case
    return cases


class _CaseDraw(BodyDraw, JointDraw):
    """Draws one case."""

    def case(self) -> tuple[str, Case]:
        """Return what was drawn, in words, and the case."""
        bodies = self.pick({1: 6, 2: 3, 3: 2})
        base = self.pick({"static": 6, "kinematic": 1, "loose": 2})
        above = self.above()
        nodes = [Node("Wall", None, chained(above, self.place()), motion=self.base(base))]
        shapes: list[Shape] = [self.shape()]
        first = nodes[0].motion
        if base == "loose" and bodies == 1:
            nodes[0] = replace(nodes[0], collider=Collider(0))
        if first is not None and base == "loose" and (bodies > 1 or isinstance(shapes[0], Plane)):
            nodes[0] = replace(nodes[0], motion=self.bounded(first))
        if base == "static" and bodies == 1 and self.chance(0.2):
            self.say("on a plane")
            shapes[0] = Plane()
            nodes[0] = replace(nodes[0], collider=Collider(0))
        settings: list[JointSettings] = []
        here = above
        joints: list[tuple[int, int, Matrix, Matrix]] = []
        for number in range(bodies):
            frame = chained(here, self.place(0.3), self.turned())
            place = chained(frame, self.place(0.3), self.scale())
            solid = bodies + (base == "loose") <= 2 or number == 0
            motion, shape = self.motion(), self.shape()
            if not solid or isinstance(shape, Plane):
                motion = self.bounded(motion)
            nodes.append(
                Node(
                    f"Bar{number}",
                    None,
                    place,
                    motion=motion,
                    collider=Collider(number + 1) if solid else None,
                )
            )
            shapes.append(shape)
            settings.append(self.settings())
            connected = chained(frame, self.posed(settings[-1]))
            joints.append((number, number + 1, frame, connected))
            here = chained(connected, at(*self.vector(0.4)))
        if bodies > 1 and self.chance(0.2):
            self.words.append("nested")
            nodes[2] = replace(nodes[2], parent=1)
        self._join(nodes, joints)
        if above != IDENTITY:
            nodes = [
                replace(node, parent=len(nodes)) if node.parent is None else node for node in nodes
            ]
            nodes.append(Node("Above", None, above))
        words = " ".join(word for word in (base, f"{bodies}", *self.words) if word)
        uses_mesh = any(isinstance(shape, Convex) for shape in shapes)
        mechanism = Mechanism(
            tuple(nodes), tuple(settings), tuple(shapes), meshes=("Mesh",) if uses_mesh else ()
        )
        return words, Case(mechanism, (WEDGE,) if uses_mesh else ())

    def _join(self, nodes: list[Node], joints: list[tuple[int, int, Matrix, Matrix]]) -> None:
        """Add the nodes of joints, each on either side."""
        for number, (first, second, frame, connected) in enumerate(joints):
            swap = self.chance(0.4)
            ends = (first, second) if swap else (second, first)
            joint = JointNode(number, len(nodes) + 1)
            nodes.append(Node(f"Joint{number}", ends[0], frame, joint=joint))
            nodes.append(Node(f"Anchor{number}", ends[1], connected))
            self.words.append("swapped" if swap else "")
