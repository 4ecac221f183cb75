# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in one mechanism than in another: of meaning, not of spelling.

Which resources are shared, their order and their names, members that nobody knows and the rest of
a scene are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..mechanism import Mechanism, Node
from ..wording.describe import title
from .fact import SAME, Change, Fact, all_near, compared
from .joints import joint_facts
from .pairing import PARTS, Pairing, paired, subjects
from .parts import collider_facts, gravity_facts, motion_facts, trigger_facts
from .places import place_facts, placed
from .settings import fine

EARTH = (0.0, -9.81, 0.0)
"""m/s^2, where a mechanism does not say."""
RULES = (motion_facts, collider_facts, trigger_facts, gravity_facts, joint_facts)


def changes(before: Mechanism, after: Mechanism) -> tuple[Change, ...]:
    """Return what is another in the second mechanism; both in the same axes, indices in range."""
    return tuple(_changes(paired(before, after)))


def _changes(pairing: Pairing) -> Iterator[Change]:
    before, after = pairing.before, pairing.after
    for fact in _gravity_facts(before, after):
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
        if index in matters or other in matters_then:
            facts += place_facts(pairing, index, other)
        for rule in RULES:
            facts += rule(pairing, index, other)
        for fact in facts:
            yield Change(names[index], fact, (index, other))
    for index, node in enumerate(after.nodes):
        if index not in pairing.back and _matters(node):
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


def _gravity_facts(before: Mechanism, after: Mechanism) -> Iterator[Fact]:
    one, other = before.gravity or EARTH, after.gravity or EARTH
    if not all_near(one, other, SAME):
        yield from compared(
            "",
            one,
            other,
            lambda values, digits: f"({', '.join(fine(v, digits) for v in values)}) m/s\u00b2",
        )
