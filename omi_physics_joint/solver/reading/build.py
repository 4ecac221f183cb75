# SPDX-License-Identifier: GPL-3.0-or-later
"""From a mechanism to groups of equal islands, each with its first state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...model.joint import JointSettings, Limit
from ...model.mechanism import Mechanism
from ...model.wording.describe import AxisWords
from ..engines.engine import Engine
from ..island_group import IslandGroup
from ..kinematics.rotation import Array
from ..system import RowKind, empty_state
from .assembly import IslandMembers, Links, alike, frames_of, members_of, system_of
from .bodies import Bodies, KinematicBodies
from .joints import in_parts, read_joints, shape_of
from .mending import Mended, mend, mended


@dataclass(slots=True)
class Moment:
    """Where all bodies are, whatever islands they belong to.

    Attributes:
        time: s.
        position, rotation: (bodies, 3) and (bodies, 3, 3), in the order of ``read_bodies``.
        velocity: (bodies, 6) scaled, zero for what is not dynamic.
        joints: by node, the six coordinates and the quaternion that go on from there.
    """

    time: float
    position: Array
    rotation: Array
    velocity: Array
    joints: dict[int, tuple[Array, Array]]


@dataclass(frozen=True, slots=True)
class Bonds:
    """What holds bodies together besides what the file says.

    Attributes:
        broken: nodes of the joints that hold no more.
        touching: bodies that go together as they touch.
    """

    broken: frozenset[int] = frozenset()
    touching: Links = ()


class Build:
    """Groups of islands, and how they belong to their mechanism."""

    def __init__(
        self,
        mechanism: Mechanism,
        rest: Bodies,
        settings: tuple[JointSettings, ...],
        held: Mapping[int, frozenset[Limit]],
        bonds: Bonds,
        words: AxisWords,
        how: Mapping[int, Mended] | None = None,
    ) -> None:
        """Read a mechanism at rest; ``how`` joints are mended, where it was read before."""
        self.rest, world = rest, len(rest.nodes) - 1
        numbers = {int(node): i for i, node in enumerate(rest.nodes) if node >= 0}
        dynamic = np.flatnonzero(rest.dynamic).tolist()
        joints, self.issues = read_joints(
            mechanism, settings, numbers, world, frozenset(dynamic), held=held, words=words
        )
        self.mended = mended(mechanism, joints, dynamic, numbers) if how is None else how
        mend(joints, self.mended)
        held_together = [joint for joint in joints if joint.node not in bonds.broken]
        self.joints = [part for joint in held_together for part in in_parts(joint)]
        self.joint_nodes = tuple(sorted(joint.node for joint in held_together))
        ends = [joint.bodies for joint in self.joints]
        groups = alike(dynamic, ends, lambda j: shape_of(self.joints[j]), bonds.touching)
        self.members = [members_of(islands, ends, bonds.touching) for islands in groups]

    def groups(
        self, gravity: Array, movers: KinematicBodies, moment: Moment | None, engine: Engine
    ) -> list[IslandGroup]:
        """Return the groups at rest, or at a moment of the same bodies."""
        groups = []
        for members in self.members:
            system = system_of(members, self.joints, self.rest, movers, gravity)
            group = IslandGroup(system, empty_state(system), members, self._nodes(members), engine)
            group.lead(movers)
            self._place(group, moment)
            group.begin(0.0 if moment is None else moment.time, continued=moment is not None)
            groups.append(group)
        return groups

    def _nodes(self, members: IslandMembers) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        nodes = self.rest.nodes
        return [
            (tuple(nodes[bodies].tolist()), tuple(self.joints[j].node for j in joints))
            for bodies, joints in zip(members.bodies, members.joints.tolist(), strict=True)
        ]

    def _place(self, group: IslandGroup, moment: Moment | None) -> None:
        """Put the bodies where they are at rest or at a moment, and let them move as there."""
        rest, system, state = self.rest, group.system, group.state
        n, bodies = system.bodies, group.numbers.bodies
        state.position[:], state.rotation[:] = frames_of(group.numbers, rest, group.movers)
        if moment is not None:
            state.position[:, :n] = moment.position[bodies]
            state.rotation[:, :n] = moment.rotation[bodies]
            state.velocity[:] = moment.velocity[bodies]
            self._go_on(group, moment)
            return
        state.velocity[..., :3] = rest.velocity[bodies]
        state.velocity[..., 3:] = rest.spin[bodies]
        state.velocity[:] *= system.roots

    def _go_on(self, group: IslandGroup, moment: Moment) -> None:
        """Let twists go on from where they were; those of new joints from within a turn."""
        system, state = group.system, group.state
        state.half[..., 3] = 1.0
        joint, axis = system.joint_of_row, system.coordinate
        turning = np.flatnonzero(system.twisting & (system.kind == RowKind.FREE))
        for island, (_, nodes) in enumerate(group.members):
            for number, node in enumerate(nodes):
                if node in moment.joints:
                    values, state.half[island, number] = moment.joints[node]
                    own = turning[joint[turning] == number]
                    state.value[island, own] = values[axis[own]]
                    if system.axle[number] >= 0:
                        state.angle[island, number] = values[3 + system.axle[number]]
