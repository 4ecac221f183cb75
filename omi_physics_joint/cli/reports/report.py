# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism holds, as JSON and as lines: the same for glTF files and inside Blender."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NotRequired, TypedDict

from ...gltf.document.numbers import number
from ...model.joint import JointNode
from ...model.mechanism import Mechanism
from ...model.wording.describe import sentence, title
from ...model.wording.words import counted
from .articulations import ArticulationsInfo, articulation_lines, articulations_info


class BodyInfo(TypedDict):
    """One body."""

    name: str
    motion: str
    mass: float
    """kg."""


class JointInfo(TypedDict):
    """One joint; axes are named as glTF has them, Y up."""

    name: str
    title: str
    sentence: str
    settings: int
    """Index into the settings of the same report."""
    body: str
    """Name of the body that holds the joint; "" where there is none."""
    connected_body: str
    enable_collision: bool


class SettingsInfo(TypedDict):
    """Joint settings, and who uses them."""

    name: str
    title: str
    sentence: str
    users: list[str]
    """Names of the joints."""


class Info(TypedDict):
    """All of a mechanism."""

    nodes: int
    colliders: int
    triggers: int
    bodies: list[BodyInfo]
    joints: list[JointInfo]
    settings: list[SettingsInfo]
    articulations: NotRequired[ArticulationsInfo]
    """Where they were asked for."""


def info_of(mechanism: Mechanism, articulations: str | None = None) -> Info:
    """Return what a mechanism in glTF axes holds, ready for JSON.

    Articulations are those of a pattern of names; None leaves them out.
    """
    users: list[list[str]] = [[] for _ in mechanism.settings]
    joints: list[JointInfo] = []
    for index, _, joint in mechanism.joints():
        joints.append(_joint_info(mechanism, index, joint))
        users[joint.settings].append(mechanism.name_of(index))
    info: Info = {
        "nodes": len(mechanism.nodes),
        "colliders": sum(node.collider is not None for node in mechanism.nodes),
        "triggers": sum(node.trigger is not None for node in mechanism.nodes),
        "bodies": [
            {
                "name": mechanism.name_of(index),
                "motion": node.motion.type.value,
                "mass": number(node.motion.mass),
            }
            for index, node in enumerate(mechanism.nodes)
            if node.motion is not None
        ],
        "joints": joints,
        "settings": [
            {
                "name": settings.name,
                "title": title(settings),
                "sentence": sentence(settings),
                "users": names,
            }
            for settings, names in zip(mechanism.settings, users, strict=True)
        ],
    }
    if articulations is not None:
        info["articulations"] = articulations_info(mechanism, articulations)
    return info


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


def _joint_info(mechanism: Mechanism, index: int, joint: JointNode) -> JointInfo:
    settings = mechanism.settings_of(joint)
    return {
        "name": mechanism.name_of(index),
        "title": title(settings),
        "sentence": sentence(settings),
        "settings": joint.settings,
        "body": mechanism.name_of(mechanism.body_of(index)),
        "connected_body": mechanism.name_of(mechanism.body_of(joint.connected_node)),
        "enable_collision": joint.enable_collision,
    }
