# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism holds, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...model.wording.words import counted, listed

if TYPE_CHECKING:
    from .report import ArticulationInfo, ArticulationsInfo, Info, TreeJointInfo

OF_AXES = "Axes are glTF's, Y up: 0° to 90° about Blender's Y is -90° to 0° about Z here"


def info_lines(info: Info) -> Iterator[str]:
    """Yield an info as lines for people: of articulations, where these were asked for."""
    if "articulations" in info:
        yield from articulation_lines(info["articulations"])
        return
    bodies, joints = info["bodies"], info["joints"]
    counts = (
        (info["nodes"], "node"),
        (len(bodies), "body"),
        (len(joints), "joint"),
        (info["colliders"], "collider"),
        (info["triggers"], "trigger"),
    )
    yield ", ".join(counted(count, noun) for count, noun in counts)
    for body in bodies:
        mass = f", {body['mass']:g} kg" if body["motion"] == "dynamic" else ""
        yield f"body {body['name']}: {body['motion']}{mass}"
    for joint in joints:
        ends = (joint["body"] or "nothing", joint["connected_body"] or "nothing")
        words = joint["sentence"]
        if joint["title"] != words:
            words = f"{joint['title']} ({words})"
        yield f"joint {joint['name']}: {words}; joins {ends[0]} and {ends[1]}"
    if joints:
        yield OF_AXES
    for settings in info["settings"]:
        users = settings["users"]
        name = f'"{settings["name"]}"' if settings["name"] else "without a name"
        listed = f": {', '.join(users)}" if users else ""
        yield f"settings {name}: {settings['title']}; {counted(len(users), 'user')}{listed}"


def articulation_lines(info: ArticulationsInfo) -> Iterator[str]:
    """Yield articulations as lines for people."""
    found = info["articulations"]
    named = f" with a body or joint named {info['pattern']}" if info["pattern"] != "*" else ""
    sizes = (
        f"joint_q has {counted(len(info['joint_q']), 'number')}, joint_qd {len(info['joint_qd'])}"
    )
    yield f"{counted(len(found), 'articulation')}{named}; {sizes}"
    for one in found:
        yield (
            f"articulation of {one['root']}: {one['base']} base, "
            f"{counted(one['bodies'], 'moving body')}, {_shown(one)}, "
            f"{counted(one['qd_count'], 'degree')} of freedom; {_spans(one)}"
        )
        depths: dict[str, int] = {}
        for joint in one["joints"]:
            depth = depths[joint["child"]] = depths.get(joint["parent"], 0) + 1
            yield f"{'  ' * depth}{_joint_line(joint)}"
        for loop in one["loops"]:
            yield f"  closes a loop: {_joint_line(loop)}"


def _shown(one: ArticulationInfo) -> str:
    """Say how many joints there are, and how many of them follow."""
    shown, count = len(one["joints"]) + len(one["loops"]), one["joint_count"] + one["loop_count"]
    loops = f", {one['loop_count']} of them in loops" if one["loop_count"] else ""
    selected = f" ({shown} selected)" if shown < count else ""
    return f"{counted(count, 'joint')}{loops}{selected}"


def _joint_line(joint: TreeJointInfo) -> str:
    """Return a joint, its type and what it moves, whom it connects, and its numbers."""
    moves: list[str] = []
    for kind, verb in (("linear", "along"), ("angular", "about")):
        axes = [axis["axis"] for axis in joint["axes"] if axis["type"] == kind]
        if axes and joint["axis_count"] and joint["type"] not in ("DISTANCE", "BALL"):
            moves.append(f"{verb} {listed(axes)}")
    detail = f" {', '.join(moves)}" if moves else ""
    parent = joint["parent"] or joint["static_parent"] or "the world"
    name = f"{joint['name']}: " if joint["name"] else ""
    notes = " (reversed)" * joint["reversed"] + " (D6 allows other poses)" * (not joint["exact"])
    numbers = f"; {_spans(joint)}" if joint["q_count"] else ""
    return f"{name}{joint['type']}{detail}, {parent} > {joint['child']}{notes}{numbers}"


def _spans(one: ArticulationInfo | TreeJointInfo) -> str:
    q = _span("q", one["q_start"], one["q_count"])
    return f"{q}, {_span('qd', one['qd_start'], one['qd_count'])}"


def _span(name: str, start: int, count: int) -> str:
    """Return "q 7 to 9", which numbers of an array these are."""
    if count == 0:
        return f"no {name}"
    return f"{name} {start}" if count == 1 else f"{name} {start} to {start + count - 1}"
