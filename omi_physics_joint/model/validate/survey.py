# SPDX-License-Identifier: GPL-3.0-or-later
"""What every rule needs to know of a mechanism, gathered once, in time linear in its size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ..geometry.extent import Corners, boxes
from ..geometry.transform import Matrix
from ..godot.bodies import is_unscaled
from ..issue import Issue
from ..joint import Drive, JointNode, JointSettings, Limit
from ..mechanism import Mechanism, Node
from ..readers import STEPPED, USUAL, Reader, codes_for, spoken_of
from ..settings.spans import Span, Spans, spans_of, spans_within
from ..target import Target
from ..wording.describe import AxisWords
from ..wording.findings import ONE, SEVERAL
from ..wording.words import some
from .codes import issue_of

OMI, KHR = "omi", "khr"
BOTH = frozenset((OMI, KHR))
"""Families of extensions, as the command line calls them."""
SCENE = "scene"
"""Where issues lie that belong to the whole mechanism."""


@dataclass(frozen=True, slots=True)
class Ends:
    """A joint with the bodies at its two ends."""

    index: int
    """Index of the joint node."""
    joint: JointNode
    body: int | None
    """Nearest body of the joint node, the node itself or above it."""
    connected_body: int | None
    bodies: tuple[int, ...]
    """The bodies at its ends: two, one or none."""


@dataclass(frozen=True, slots=True)
class Survey:
    """A mechanism, what was found out about it, and the words to speak of it."""

    mechanism: Mechanism
    words: AxisWords
    joints: tuple[Ends, ...]
    bodies: tuple[int | None, ...]
    """The nearest body of every node."""
    parts: Mapping[int | None, Sequence[int]]
    """The nodes of every body, itself among them."""
    dynamic: frozenset[int | None]
    """The nodes that are bodies which forces move."""
    solid: frozenset[int | None]
    """The nodes that are bodies with colliders."""
    rooms: Mapping[int, Corners]
    """The box in the world around each body that has any."""
    users: tuple[int | None, ...]
    """The first joint node that uses each settings."""
    spans: tuple[Spans, ...]
    """What each settings leave free of each axis by itself."""
    within: tuple[Spans, ...]
    """The same for readers that bound no axes together."""
    target: Target = Target.SPECIFIED
    """For whom the file is."""
    readers: frozenset[Reader] = USUAL
    """Who is to be spoken of."""
    spoken: frozenset[str] = BOTH
    """Which families of extensions the file has."""
    differences: frozenset[str] = frozenset()
    """Codes of what these readers do otherwise with such a file."""
    right: frozenset[int] = frozenset()
    """Nodes of bodies and joints that trying has found to move right."""

    def settings_of(self, ends: Ends) -> JointSettings:
        """Return the settings of a joint."""
        return self.mechanism.settings[ends.joint.settings]

    def worlds(self, ends: Ends) -> tuple[Matrix, Matrix]:
        """Return where the two frames of a joint are."""
        nodes = self.mechanism.nodes
        return nodes[ends.index].world, nodes[ends.joint.connected_node].world

    def name(self, node: int) -> str:
        """Return the name of a node, or its number where it has none."""
        return self.mechanism.name_of(node)

    def settings_name(self, index: int) -> str:
        """Return the name of joint settings, or their number where they have none."""
        return self.mechanism.settings[index].name or f"joint settings {index}"

    def way(self, on: Drive | Span) -> str:
        """Return "about X": the axis of a drive, or the one that limits leave something of."""
        return self.words.way(on.type if isinstance(on, Drive) else on.freedom, on.axis)

    def is_dynamic(self, node: int | None) -> bool:
        """Return whether a node is a body that forces move."""
        return node in self.dynamic

    def is_written_unscaled(self, node: int) -> bool:
        """Return whether a file for Godot says a solid node without its scale."""
        own = self.mechanism.nodes[node]
        below = self.bodies[node] is not None
        return self.target.is_godots and (below if own.motion is None else is_unscaled(own))

    def is_refuted(self, code: str, node: int | None) -> bool:
        """Return whether trying has shown that a code is not true of a joint or of a body."""
        return code in STEPPED and node in self.right

    def at_node(self, code: str, node: int, **words: object) -> Issue:
        """Return an issue with a node, its words filled in."""
        return issue_of(code, self.name(node), node, **words)

    def at_settings(
        self, code: str, index: int, *, says: str = "", mend: str = "", **words: object
    ) -> Issue:
        """Return an issue with joint settings; its node is the first joint that uses them."""
        where = self.settings_name(index)
        node = self.users[index]
        if self.is_refuted(code, node):  # of this joint; not yet of all
            others = (ends.index for ends in self.joints if ends.joint.settings == index)
            node = next((one for one in others if one not in self.right), node)
        return issue_of(code, where, node, says, mend, **words)

    def at_scene(self, code: str, **words: object) -> Issue:
        """Return an issue with the whole mechanism."""
        return issue_of(code, SCENE, **words)

    def of_nodes(self, code: str, nodes: Sequence[int]) -> Iterator[Issue]:
        """Yield one issue with the whole mechanism about some nodes, if there are any."""
        nodes = [one for one in nodes if not self.is_refuted(code, one)]
        if nodes:
            number = ONE if len(nodes) == 1 else SEVERAL
            names = some([repr(self.name(node)) for node in nodes])  # told from words by quotes
            yield self.at_scene(code, names=names, **number)


def survey_of(
    mechanism: Mechanism,
    words: AxisWords,
    target: Target = Target.SPECIFIED,
    readers: frozenset[Reader] = USUAL,
    spoken: frozenset[str] = BOTH,
    right: frozenset[int] = frozenset(),
) -> Survey:
    """Gather what the rules need."""
    readers = spoken_of(readers, target)
    bodies = _nearest_bodies(mechanism.nodes)
    joints = [
        Ends(index, joint, *ends, tuple(one for one in dict.fromkeys(ends) if one is not None))
        for index, _, joint in mechanism.joints()
        for ends in [(bodies[index], bodies[joint.connected_node])]
    ]
    users = {ends.joint.settings: ends.index for ends in reversed(joints)}
    every = _all_spans(mechanism)
    parts: dict[int | None, list[int]] = defaultdict(list)
    for index, body in enumerate(bodies):
        parts[body].append(index)
    return Survey(
        mechanism,
        words,
        tuple(joints),
        tuple(bodies),
        parts,
        frozenset(filter(mechanism.is_dynamic, range(len(mechanism.nodes)))),
        frozenset(
            body for body, node in zip(bodies, mechanism.nodes, strict=True) if node.collider
        ),
        boxes(mechanism),
        tuple(users.get(index) for index in range(len(mechanism.settings))),
        tuple(spans for spans, _ in every),
        tuple(within for _, within in every),
        target,
        readers,
        spoken,
        frozenset().union(*(codes_for(reader, target) for reader in readers)),
        right,
    )


def _all_spans(mechanism: Mechanism) -> list[tuple[Spans, Spans]]:
    """Return both kinds of spans of all settings; equal limits are looked at once."""

    @cache
    def both(limits: tuple[Limit, ...]) -> tuple[Spans, Spans]:
        spans = spans_of(limits)
        return spans, spans_within(limits) if any(one.together for one in limits) else spans

    return [both(settings.limits) for settings in mechanism.settings]


def loops(nodes: Sequence[Node]) -> list[int]:
    """Return one node of every circle of parents."""
    trail_of: dict[int, int] = {}
    found: list[int] = []
    for start in range(len(nodes)):
        index: int | None = start
        while index is not None and index not in trail_of:
            trail_of[index] = start
            index = nodes[index].parent
        if index is not None and trail_of[index] == start:
            found.append(index)
    return found


def _nearest_bodies(nodes: Sequence[Node]) -> list[int | None]:
    """Return what ``Mechanism.body_of`` says of every node; each node is climbed past once."""
    bodies: dict[int | None, int | None] = {None: None}
    for start in range(len(nodes)):
        trail: list[int] = []
        index: int | None = start
        while index is not None and index not in bodies:
            is_body = nodes[index].motion is not None
            bodies[index] = index if is_body else None  # so that a circle of parents ends here
            trail += [] if is_body else [index]
            index = index if is_body else nodes[index].parent
        bodies.update(dict.fromkeys(trail, bodies[index]))
    return [bodies[index] for index in range(len(nodes))]
