# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on says of a file, by the codes of what Check says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from omi_physics_joint.model.body import ZERO, MotionType
from omi_physics_joint.model.godot.bodies import written_motion
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.validate import check

from .bodies import is_moved_by_nothing
from .files import Built

Said = set[tuple[str, str]]
"""Codes, each with the name of what it is said of; "" is the file."""
PUSHED = "pushed"
"""Stands for what Check does not say, since files are not asked of it: a start with a velocity."""
CODES = {
    "became one of each axis": "godot-together",
    "gives back up to a quarter": "godot-stops",
    "is by acceleration": "godot-acceleration",
    "has a speed, which Godot drops": "godot-position-and-velocity",
    "would fall behind its load": "godot-motor-damping",
    "its triangles move": "trimesh-moves",
    "faster than Godot lets": "godot-fast",
    "gives way, and is rigid": "godot-soft-limit",
    "has a largest force": "godot-spring-force",
    "gives so small a body": "godot-tiny",
    "turns about several axes": "godot-several-turns",
    "go beyond half a turn": "godot-full-turn",
    "no longer holds past half a turn": "godot-full-turn",
    "is turned far from its target": "godot-far-spring",
    "tumbles": "godot-tumbling",
    "have infinite mass": "godot-endless",
    "it starts with a velocity": PUSHED,
}
"""What reasons hold, and the code of Check that says the same."""
OF_FILES = ("godot-stops", "godot-tumbling")
"""Codes that Check says once a file."""
LINE = re.compile(r'((?:, )?(?:Joint|Body) "[^"]*")+: ')


def said_by_addon(texts: Iterable[str]) -> Said:
    """Return the codes of what the add-on warns of."""
    found: Said = set()
    for text in texts:
        line = LINE.match(text)
        for reason, code in CODES.items():
            if line is not None and reason in text[line.end() :]:
                names = re.findall('"([^"]*)"', line[0])
                found |= {(code, "" if code in OF_FILES else name) for name in names}
    return found


def said_by_check(built: Built) -> Said:
    """Return the same codes of what Check says of a file, for Godot with our add-on."""
    mechanism, audience = built.mechanism, built.reading.audience
    issues = check(
        mechanism,
        target=audience.target,
        readers=frozenset((Reader.GODOT,)),
        spoken=frozenset(audience.spoken),
    )
    found = {(PUSHED, name) for name in _pushed(mechanism)}
    for issue in issues:
        if issue.code in OF_FILES:
            found.add((issue.code, ""))
        elif issue.code in CODES.values() and issue.node is not None:
            found |= {(issue.code, name) for name in _alike(mechanism, issue.node)}
    return found


def _alike(mechanism: Mechanism, index: int) -> Iterator[str]:
    """Yield the name of a node, and those of joints with the same settings."""
    joint = mechanism.nodes[index].joint
    for node in mechanism.nodes:
        if node is mechanism.nodes[index] or (
            joint and node.joint and node.joint.settings == joint.settings
        ):
            yield node.name


def _pushed(mechanism: Mechanism) -> Iterator[str]:
    """Yield the joints of what forces move and what starts with a velocity."""
    for index, node, joint in mechanism.joints():
        for end in (index, joint.connected_node):
            body = mechanism.body_of(end)
            motion = mechanism.motion_of(body)
            if body is None or motion is None or motion.type is not MotionType.DYNAMIC:
                continue
            if is_moved_by_nothing(motion):
                continue
            told = written_motion(mechanism.nodes[body])
            if told is not None and told.linear_velocity != ZERO:
                yield node.name
