# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism moved as a reader moves it, beside its exact motion: what of Check is true of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import degrees

import numpy as np

from ...model.issue import Issue, Severity
from ...model.mechanism import EARTH, Mechanism
from ...model.settings.keyed import is_keyed, settings_at
from ...model.validate import SCENE
from ...model.wording.words import Say, counted, some
from ...solver import Comparison, KinematicMotion, Options, Simulation, Steps, largest

SECONDS, FRAMES = 2.0, 60
"""How long it is moved, and how often a second both are compared."""
DEGREES, METRES = 2.0, 0.02
"""By how much a body may be elsewhere and be right; fine steps alone make 1 degree and 1 cm."""
TOLD = 3
"""How many joints are named."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of trying.

    Attributes:
        right: nodes of the bodies, and of the joints of such alone, that Godot moves as they should
            but for its long steps and its damping.
        issues: where joints end in Godot's own steps.
    """

    right: frozenset[int]
    issues: tuple[Issue, ...]


def tried_in_godot(
    mechanism: Mechanism,
    say: Say,
    motions: Mapping[int, KinematicMotion] | None = None,
    done: Callable[[float], object] = bool,
) -> Tried:
    """Move a mechanism for two seconds from rest: exactly, in Godot's steps, in fine ones.

    Args:
        mechanism: What is moved.
        say: How lengths are said.
        motions: Of kinematic bodies, by node.
        done: Hears which part is done, above 0 to 1.
    """
    options = Options(mechanism.gravity or EARTH)
    keyed = any(map(is_keyed, mechanism.settings))
    with np.errstate(all="ignore"):  # what comes of it is looked at
        exact, own, fine = every = [
            Simulation(mechanism, replace(options, steps=kind), motions=motions)
            for kind in (Steps.EXACT, Steps.GODOT, Steps.GODOT_FINE)
        ]
        ends = Comparison(own, exact)
        right = np.ones(len(exact.body_nodes), np.bool_)
        for frame in range(round(SECONDS * FRAMES)):
            now = (frame + 1) / FRAMES
            told = tuple(settings_at(one, now) for one in mechanism.settings) if keyed else ()
            for simulation in every:
                if keyed:
                    simulation.retune(told)
                simulation.step(1.0 / FRAMES)
            right &= ~_is_elsewhere(exact, fine)
            done(now / SECONDS)
        issues = tuple(_ends(mechanism, ends, say))
    bodies = {node for node, fits in zip(exact.body_nodes, right, strict=True) if fits}
    return Tried(frozenset(bodies) | frozenset(_joints_of(mechanism, bodies)), issues)


def _is_elsewhere(one: Simulation, other: Simulation) -> np.ndarray:
    """Return which bodies are not where they are in another simulation."""
    away = np.sqrt(np.square(one.positions - other.positions).sum(-1))
    cosine = np.abs((one.rotations * other.rotations).sum(-1))
    angle = 2.0 * np.degrees(np.arccos(np.minimum(cosine, 1.0)))
    return np.asarray(~((away <= METRES) & (angle <= DEGREES)))


def _joints_of(mechanism: Mechanism, bodies: set[int]) -> Iterator[int]:
    """Yield the joints of which all bodies that forces move are among some."""
    for index, _, joint in mechanism.joints():
        ends = (mechanism.body_of(index), mechanism.body_of(joint.connected_node))
        if all(end in bodies for end in ends if mechanism.is_dynamic(end)):
            yield index


def _ends(mechanism: Mechanism, ends: Comparison, say: Say) -> Iterator[Issue]:
    """Yield one hint about the joints that end elsewhere than they should."""
    told = [
        one
        for one in largest(ends.differences())
        if degrees(one.told[0]) > DEGREES or one.told[1] > METRES
    ]
    if told:
        nodes = mechanism.nodes
        words = [f"{nodes[one.joint].name!r} {one.words(say)}" for one in told[:TOLD]]
        more = len(told) - TOLD
        words += [counted(more, "more joint")] if more > 0 else []
        verb = "ends" if len(told) == 1 else "end"
        message = f"Moved as Godot moves, after {SECONDS:g} s {some(words)} {verb} elsewhere."
        mend = "Play it with Steps: As Godot; a hint that is gone by trying is not the cause."
        node = told[0].joint if len(told) == 1 else None
        where = SCENE if node is None else nodes[node].name
        yield Issue(Severity.HINT, "tried-in-godot", where, message, mend, node)
