# SPDX-License-Identifier: GPL-3.0-or-later
"""What other formats say of joints and bodies and no extension of glTF can: it is named."""

from __future__ import annotations

from dataclasses import replace

from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism

_SAID = {
    "breaking-not-said": (
        "No extension of glTF can say at which force or torque a joint breaks.",
        "It never breaks here.",
    ),
    "muted-not-said": (
        "No extension of glTF can say that a joint is muted.",
        "It is left out; its two frames stay as plain nodes.",
    ),
    "sleep-not-said": (
        "No extension of glTF can say that a body starts asleep.",
        "It moves from the start.",
    ),
}
"""What cannot be said, and what becomes of it."""


def as_gltf_can_say(mechanism: Mechanism) -> tuple[Mechanism, tuple[Issue, ...]]:
    """Return a mechanism without joints that are muted, and a warning for all that is lost."""
    issues: list[Issue] = []

    def note(code: str, index: int) -> None:
        where = mechanism.nodes[index].name or f"node {index}"
        issues.append(Issue(Severity.WARNING, code, where, *_SAID[code], index))

    nodes = list(mechanism.nodes)
    for index, node, joint in mechanism.all_joints():
        if not joint.enabled:
            note("muted-not-said", index)
            nodes[index] = replace(node, joint=None)
        elif joint.breaking is not None:
            note("breaking-not-said", index)
    for index, node in enumerate(mechanism.nodes):
        if node.motion is not None and node.motion.starts_asleep:
            note("sleep-not-said", index)
    return replace(mechanism, nodes=tuple(nodes)), tuple(issues)
