# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in one mechanism than in another: of meaning, not of spelling.

Which resources are shared, their order and their names, members that nobody knows and the rest of
a scene are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..mechanism import EARTH, Mechanism, Node
from ..wording.describe import title
from .fact import SAME, Change, Fact, compared
from .joints import joint_facts
from .pairing import PARTS, paired, subjects
from .parts import collider_facts, gravity_facts, motion_facts, numbers_said, trigger_facts
from .places import place_facts, placed

RULES = {
    "place": place_facts,
    "motion": motion_facts,
    "collider": collider_facts,
    "trigger": trigger_facts,
    "gravity": gravity_facts,
    "joint": joint_facts,
}
"""What is asked of each node that is in both, by the part that it is about."""


def changes(before: Mechanism, after: Mechanism) -> tuple[Change, ...]:
    """Return what is another in the second mechanism; both in the same axes, indices in range."""
    return tuple(_changes(before, after))


def _changes(before: Mechanism, after: Mechanism) -> Iterator[Change]:
    pairing = paired(before, after)
    gravities = (before.gravity or EARTH, after.gravity or EARTH)
    for fact in compared("", gravities, numbers_said("m/s\u00b2"), SAME):
        yield Change("Gravity", fact)
    names, names_then = subjects(before), subjects(after)
    matters, matters_then = placed(before), placed(after)
    for index, node in enumerate(before.nodes):
        other = pairing.forth.get(index)
        if other is None:
            if _matters(node):
                fact = Fact("", "", f"removed ({_parts(before, node)})", "node")
                yield Change(names[index], fact, (index, None))
            continue
        facts: list[Fact] = []
        if node.name != after.nodes[other].name and _matters(node):
            facts.append(Fact("", "", f"now called {names_then[other]}", "name"))
        for part, rule in RULES.items():
            if part != "place" or index in matters or other in matters_then:
                facts += (replace(fact, part=part) for fact in rule(pairing, index, other))
        for fact in facts:
            yield Change(names[index], fact, (index, other))
    known = set(pairing.forth.values())
    for index, node in enumerate(after.nodes):
        if index not in known and _matters(node):
            fact = Fact("", "", f"new ({_parts(after, node)})", "node")
            yield Change(names_then[index], fact, (None, index))


def _matters(node: Node) -> bool:
    """Return whether a node says anything that is compared."""
    return node.is_physical or node.gravity_shape is not None


def _parts(mechanism: Mechanism, node: Node) -> str:
    """Say what physics a node has: "dynamic body, collider"."""
    said = [f"{node.motion.type.value} body"] if node.motion is not None else []
    said += [part for part in PARTS[1:3] if getattr(node, part) is not None]
    said += ["gravity volume"] if node.gravity_shape is not None else []
    if node.joint is not None and 0 <= node.joint.settings < len(mechanism.settings):
        said.append(f"joint: {title(mechanism.settings_of(node.joint))}")
    return ", ".join(said)
