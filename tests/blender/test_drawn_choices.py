# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn mechanisms: what of them plays, what falls, what is held, by what they are led.

As digests, like ``test_drawn_scenes.py``; nothing of Blender's is made for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from omi_physics_joint.blender.simulated import choice, holding
from omi_physics_joint.blender.timeline.baking import needed
from omi_physics_joint.blender.timeline.cache.motion import CachedMotion, rotation_of, values_after
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.mechanism import Mechanism
from tests.digests import approved_by_digest, numbers
from tests.drawn_cases import drawn

COUNT = 60
MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "ZXY")
Array = holding.Array


def odd(mechanism: Mechanism, *, is_light: bool) -> Mechanism:
    """Return a mechanism in which all that stands says a speed, and perhaps nothing has weight."""
    nodes = list(mechanism.nodes)
    for index, own in mechanism.motions():
        if own.type is MotionType.STATIC:
            own = replace(own, linear_velocity=(1.0, 0.0, 0.0))  # noqa: PLW2901
        if is_light:
            own = replace(own, gravity_factor=0.0)  # noqa: PLW2901
        nodes[index] = replace(nodes[index], motion=own)
    return replace(mechanism, nodes=tuple(nodes))


def chosen(number: int) -> Iterator[str]:
    """Yield what plays of a mechanism: all, with contacts, and what hangs on each of some nodes."""
    mechanism = odd(drawn(number).mechanism, is_light=number % 3 == 0)
    nodes = range(len(mechanism.nodes))
    for contacts in (False, True):
        islands = choice.islands_of(mechanism, contacts=contacts)
        yield f"{sorted(islands.of.items())} {sorted(islands.ends.items())}"
        yield f"{[islands.members(body) for body in sorted(islands.of)]}"
        yield f"{choice.loose(mechanism, islands)}"
        some = Random(number).sample(nodes, min(4, len(nodes)))
        for only in (None, [], *([one] for one in some), some):
            playing = choice.playing(mechanism, islands, only)
            yield f"{only} {[playing.is_dynamic(index) for index in nodes]}"
        for pinned in ((), some):
            yield f"falls {choice.falling(mechanism, islands, pinned)}"
        loads = choice.usual_loads(mechanism, islands)
        for node in sorted(loads):
            load = loads[node]
            yield f"{node} {numbers((load.length, load.force, load.torque))}"
        for animated in ((), some):
            yield f"along {sorted(choice.held_along(mechanism, islands, animated))}"
    yield f"{[choice.may_meet(mechanism, floor=floor) for floor in (True, False)]}"


def held(number: int) -> Iterator[str]:
    """Yield the mechanism with a hand and with pins, and where the hand goes."""
    mechanism = drawn(number).mechanism
    random = np.random.default_rng(number)
    bodies = [index for index, _ in mechanism.motions()]
    made = holding.Holding(mechanism)
    yield numbers(made.mass_of(bodies))
    near, far = random.normal(size=3), 5.0 * random.normal(size=3)
    made.grip = holding.Grip(bodies[0], (0.1, 0.2, -0.3), made.mass_of(bodies), far, near)
    for step in range(3):
        motion = made.grip.move_hand(0.1 * step, 0.1 * step + 0.1, near, 0.5 * far)
        yield f"{numbers(motion.times)} {numbers(motion.translations)} {numbers(motion.rotations)}"
    for body in bodies[: number % 3]:
        pose = random.normal(size=3), np.array([0.0, 0.6, 0.0, 0.8])
        made.pins[body] = holding.Pin(pose, holding.local_point(pose, far))
        yield f"{numbers(made.pins[body].point)} {numbers(made.pins[body].local)}"
    if number % 2:
        made.grip = None
    found = made.mechanism
    for node in found.nodes[len(mechanism.nodes) :]:
        yield f"{node.parent} {numbers(node.world)} {node.motion} {node.joint}"
    yield f"{found.settings[len(mechanism.settings) :]}"


def cached(number: int) -> Iterator[str]:
    """Yield a motion as numbers of each mode, at frames and in between, packed, and its keys."""
    random = np.random.default_rng(number)
    frames, bodies = 9, 2
    turns = random.normal(size=(frames, bodies, 4)).cumsum(axis=0)
    turns[..., 0] += 0.5
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
    places = np.round(random.normal(size=(frames, bodies, 3)), 1)
    places[number % 5 :, :, number % 3] = 0.25  # it comes to rest, or rests from the beginning
    motion = CachedMotion(places.astype(np.float32), turns.astype(np.float32))
    again = CachedMotion.unpacked(motion.packed(), bodies)
    assert np.array_equal(again.locations, motion.locations)
    assert np.array_equal(again.rotations, motion.rotations)
    for frame in (-1.0, 0.0, 0.25, 3.0, 7.5, 7.9999999, 8.0, 12.0):
        yield numbers(motion.locations_at(frame), 5)
        for body, mode in enumerate((MODES[number % 4], MODES[(number + 1) % 4])):
            values = (0.5, 0.1, 0.2, 0.3)[: 4 if mode in MODES[:2] else 3]
            rest = values_after(mode, rotation_of(mode, values), values)
            yield numbers(motion.rotation_at(body, frame, mode, rest), 4)
    for tolerance in (0.0, 1e-4, 0.27):
        for rest in (0.0, 0.25):
            yield f"{needed(motion.locations[:, 0, number % 3], rest, tolerance).tolist()}"


def test_what_plays_is_held_and_is_cached_is_as_approved() -> None:
    """Of drawn mechanisms and motions, whichever are chosen, pinned, pulled or led."""
    cases = {f"case {number:02}": number for number in range(COUNT)}
    outputs = {"chosen": chosen, "held": held, "cached": cached}
    approved_by_digest("scenes_chosen.txt", outputs, cases)
