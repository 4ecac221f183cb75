# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn animations of drawn mechanisms: what they lead, and where, is what it was, to a digest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from omi_physics_joint.gltf.animated.animation import (
    Track,
    Tracks,
    led_poses,
    moving_poses,
    with_led,
)
from omi_physics_joint.library.motion.from_file import kinematic_motions
from omi_physics_joint.model.body import MotionType
from tests.digests import approved_by_digest, numbers, places
from tests.drawn_cases import drawn
from tests.model.building import changed
from tests.outputs_of_cases import issues_of

COUNT = 60
KINDS = (MotionType.KINEMATIC, MotionType.KINEMATIC, MotionType.STATIC)
WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
WAYS = ("LINEAR", "STEP", "CUBICSPLINE")


def track(random: Random, path: str) -> Track:
    """Return a track with some keys, of any interpolation; a rotation may change its sign."""
    way, count = random.choice(WAYS), random.randrange(1, 4)
    times = tuple(sorted(round(random.uniform(0.0, 2.0), 2) + 0.003 * at for at in range(count)))
    width, each = WIDTHS[path], 3 if way == "CUBICSPLINE" else 1
    low = 0.5 if path == "scale" else -1.0
    rows = [[round(random.uniform(low, 1.5), 3) for _ in range(width)] for _ in range(each * count)]
    if path != "translation" and random.random() < 0.2:
        rows[-1] = [0.0] * width
    return Track(times, tuple(map(tuple, rows)), way, is_rotation=width == 4)


def led(number: int) -> Iterator[str]:
    """Yield which bodies are led, the poses of their nodes, and where these get in the world."""
    random, mechanism = Random(number), drawn(number).mechanism
    for index, own in mechanism.motions() if number % 2 else ():
        mechanism = changed(mechanism, index, motion=replace(own, type=random.choice(KINDS)))
    first, *others = (index for index, _ in mechanism.motions())
    for index in others if number % 4 < 2 else ():
        mechanism = changed(mechanism, index, parent=first)
    nodes = [random.randrange(len(mechanism.nodes)) for _ in range(random.randrange(1, 4))]
    tracks: Tracks = {
        node: {path: track(random, path) for path in WIDTHS if random.random() < 0.6}
        for node in nodes
    }
    tracks[len(mechanism.nodes) + 3] = {"scale": track(random, "scale")}
    channels: list[Any] = [
        {"target": {"node": node, "path": path}} for node, of in tracks.items() for path in of
    ]
    channels += [{"target": {"node": 0, "path": "weights"}}, {}]
    made, issues = with_led(mechanism, {"animations": [{"channels": channels}]})
    yield f"{[str(own.type) for _, own in made.motions()]}"
    yield from issues_of(issues)
    found, lost = led_poses(made, tracks)
    for node, keys in sorted(found.items()):
        yield f"{node} {numbers(keys.times)}"
        yield from map(places, keys.poses[:: max(1, len(keys.poses) // 6)])
    yield from issues_of(lost)
    for index, _ in made.motions():
        poses = moving_poses(made, tracks, index, (-1.0, 0.4, 1.1, 9.0))
        yield f"{index} {'stays' if poses is None else [*map(places, poses)]}"
    for node, motion in sorted(kinematic_motions(made, tracks, 12.0, 6).items()):
        yield f"{node} {numbers(motion.times)} {places(motion.translations)}"


def test_what_drawn_animations_lead_is_as_approved() -> None:
    """Of several nodes in each other, in every interpolation, of place, turn and scale."""
    cases = {f"case {number:02}": number for number in range(COUNT)}
    approved_by_digest("cases_animated.txt", {"led": led}, cases)
