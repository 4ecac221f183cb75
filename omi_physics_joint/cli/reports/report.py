# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism holds, as JSON: the same for glTF files and inside Blender."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from ...gltf.document.numbers import number
from ...model.joint import JointNode
from ...model.mechanism import Mechanism
from ...model.wording.describe import sentence, title
from .articulations import ArticulationsInfo, articulations_info


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
