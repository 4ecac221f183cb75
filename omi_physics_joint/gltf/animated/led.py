# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that animations of a document lead: their bodies do not stand still, and their poses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import isfinite

from ...files.inputs import spend
from ...model.body import MotionType
from ...model.contents import PoseKeys, moments
from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...model.wording.findings import ANIMATED_BODIES
from ..document.json_text import Json
from ..document.members import Place
from .animation import Track, Tracks, local_poses, moved_nodes

NUMBERS = 16
"""In a pose."""
JUST_BEFORE = 1e-4
"""s before a step at which a node is still where it was."""
SAID = {
    **ANIMATED_BODIES,
    "animation-left-out": (
        "The animation of a body that forces move goes into no other format.",
        "Make it kinematic, or take its animation out.",
    ),
    "animation-not-read": (
        "Its animation has numbers that are none, or it is scaled to nothing above.",
        "It stands still.",
    ),
}
"""Of bodies that an animation moves: what is so, and what to do."""


def with_led(mechanism: Mechanism, gltf: Mapping[str, Json]) -> tuple[Mechanism, tuple[Issue, ...]]:
    """Return a mechanism of a document whose animated bodies are not static, and what is to say."""
    animated = set(moved_nodes(gltf))
    nodes, issues = list(mechanism.nodes), []
    for index, node in enumerate(nodes if animated else ()):
        if node.motion is None:
            continue
        kind = node.motion.type
        if kind is MotionType.STATIC and _is_led(mechanism, index, animated):
            nodes[index] = replace(node, motion=replace(node.motion, type=MotionType.KINEMATIC))
            issues.append(_issue(mechanism, index, "static-animated"))
        elif kind is MotionType.DYNAMIC and _is_led(mechanism, index, animated):
            issues.append(_issue(mechanism, index, "dynamic-animated", Severity.WARNING))
    return (replace(mechanism, nodes=tuple(nodes)) if issues else mechanism), tuple(issues)


def led_poses(mechanism: Mechanism, tracks: Tracks) -> tuple[dict[int, PoseKeys], list[Issue]]:
    """Return how nodes are led, often enough for straight lines in between, and what is not."""
    led: dict[int, PoseKeys] = {}
    issues: list[Issue] = []
    for index, moved in tracks.items():
        if not 0 <= index < len(mechanism.nodes):
            continue
        if mechanism.is_dynamic(index):
            issues.append(_issue(mechanism, index, "animation-left-out", Severity.WARNING))
            continue
        keys = {time for track in moved.values() for time in track.times}
        steps = (track.times for track in moved.values() if track.interpolation == "STEP")
        keys |= {time - JUST_BEFORE for times in steps for time in times[1:]}
        poses = _poses(mechanism, moved, index, sorted(filter(isfinite, keys)))
        if poses is None:
            issues.append(_issue(mechanism, index, "animation-not-read", Severity.WARNING))
        else:
            led[index] = poses
    return led, issues


def _poses(
    mechanism: Mechanism, moved: dict[str, Track], index: int, keys: list[float]
) -> PoseKeys | None:
    """Return how a node is led at its keys and in between; None where that is no pose."""
    times = moments(keys) if keys else ()
    spend("numbers", NUMBERS * len(times))
    try:
        poses = tuple(local_poses(mechanism, moved, index, times))
    except ZeroDivisionError:
        return None
    is_sound = all(isfinite(sum(map(sum, pose))) for pose in poses)
    return PoseKeys(times, poses) if times and is_sound else None


def _is_led(mechanism: Mechanism, index: int, animated: Collection[int]) -> bool:
    """Return whether an animation moves a body, or what is above it.

    Not above what forces move, and of a dynamic body not above any other.
    """
    is_free = mechanism.is_dynamic(index)
    for above in mechanism.ancestry(index):
        is_body = mechanism.nodes[above].motion is not None
        if above != index and (mechanism.is_dynamic(above) or (is_free and is_body)):
            return False
        if above in animated:
            return True
    return False


def _issue(
    mechanism: Mechanism, index: int, code: str, severity: Severity = Severity.HINT
) -> Issue:
    where = str(Place(f"/nodes/{index}", mechanism.nodes[index].name))
    return Issue(severity, code, where, *SAID[code], index)
