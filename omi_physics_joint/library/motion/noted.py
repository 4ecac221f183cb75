# SPDX-License-Identifier: GPL-3.0-or-later
"""What is noted frame by frame beside the poses of a run, and said at the end.

That is how far joints went from the exact motion, which bodies touched how long and how hard, and
what could not be done as it was asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np

from ...gltf.document.numbers import number
from ...model.issue import Issue, Severity
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.wording.shortcomings import cannot_hold, left_out, not_followed, only_roughly
from ...model.wording.words import counted, metric
from ...solver import (
    FLOOR,
    WORLD,
    Comparison,
    IslandReport,
    JointDifference,
    KinematicMotion,
    Options,
    Simulation,
    StepReport,
    Steps,
    Touching,
    largest,
)


class Apart(TypedDict):
    """How far one joint went from the exact motion at most."""

    angle: float
    """rad; of what turns about one axis over whole turns."""
    distance: float
    """m."""


class Beside:
    """Simulates a mechanism exactly while another simulation goes on."""

    def __init__(
        self,
        shown: Simulation,
        mechanism: Mechanism,
        options: Options,
        motions: Mapping[int, KinematicMotion] | None,
    ) -> None:
        """Begin at rest."""
        self._exact = Simulation(mechanism, replace(options, steps=Steps.EXACT), motions=motions)
        self._comparison = Comparison(shown, self._exact)
        self._most: dict[int, JointDifference] = {}

    def advance(self, dt: float, settings: tuple[JointSettings, ...]) -> None:
        """Go on by dt seconds with these settings, after the other has, and compare."""
        self._exact.retune(settings)
        self._exact.step(dt)
        for one in self._comparison.differences():
            before = self._most.get(one.joint, one)
            angle, distance = max(one.angle, before.angle), max(one.distance, before.distance)
            self._most[one.joint] = replace(one, angle=angle, distance=distance)

    def document(self, names: Mapping[int, str]) -> dict[str, Apart]:
        """Return the most of each joint; joints by the names of their nodes."""
        return {
            names[node]: {"angle": number(one.angle), "distance": number(one.distance)}
            for node, one in self._most.items()
        }

    def lines(self, names: Mapping[int, str], most: int) -> Iterator[str]:
        """Yield lines for people, the largest difference first, and at most so many."""
        told = largest(self._most.values())
        if not told:
            yield "no joint is elsewhere than in the exact motion"
        for one in told[:most]:
            yield f"joint {names[one.joint]}: up to {one.words(metric)} from the exact motion"
        if len(told) > most:
            yield f"{counted(len(told) - most, 'joint')} more, less far from the exact motion"


STANDS = {WORLD: "(world)", FLOOR: "(floor)"}
"""What colliders without a body, and the floor, are called."""


class TouchedPair(TypedDict):
    """Two bodies that touched."""

    bodies: list[str]
    frames: int
    """In how many frames."""
    force: float
    """N, the largest."""
    last: float
    """N, in the last frame; 0 where they do not touch any more."""


class Touched:
    """Takes note frame by frame."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._forces: defaultdict[tuple[int, int], dict[int, float]] = defaultdict(dict)
        """N by frame, of pairs of nodes."""
        self._frame = 0

    def note(self, touching: Touching) -> None:
        """Note what touches at the end of a frame."""
        self._frame += 1
        for pair, force in touching.pressed().items():
            self._forces[pair][self._frame] = float(np.linalg.norm(force))

    def document(self, names: Mapping[int, str]) -> list[TouchedPair]:
        """Return all pairs, those that pressed hardest first; bodies have names by node."""
        called, most = {**names, **STANDS}, lambda item: -max(item[1].values())
        return [
            {
                "bodies": [called[second], called[first]],
                "frames": len(forces),
                "force": number(max(forces.values())),
                "last": number(forces.get(self._frame, 0.0)),
            }
            for (first, second), forces in sorted(self._forces.items(), key=most)
        ]

    def lines(self, names: Mapping[int, str], most: int) -> Iterator[str]:
        """Yield the pairs for people, so many at most."""
        told = self.document(names)
        if not told:
            yield "nothing touches"
        for one in told[:most]:
            yield (
                f"{' touches '.join(one['bodies'])} in {counted(one['frames'], 'frame')}, with "
                f"{one['force']:.3g} N at most, {one['last']:.3g} N at last"
            )
        if len(told) > most:
            yield f"{counted(len(told) - most, 'pair')} more that touch, less hard"


MOST_MECHANISMS, MOST_NAMES = 5, 6
"""Mechanisms in trouble that are listed, and joints of each that are named."""
Joints = tuple[int, ...]
"""Nodes of the joints of a mechanism."""


class RunTroubles:
    """Frames in which joints were not met, only roughly, or not followed."""

    def __init__(self) -> None:
        """Begin with none."""
        self.frames = 0
        """Noted so far."""
        self.not_met: defaultdict[Joints, list[int]] = defaultdict(list)
        self.rough: defaultdict[Joints, list[int]] = defaultdict(list)
        self.stiff: defaultdict[int, list[int]] = defaultdict(list)
        """By the node of the joint whose springs, drives or stops were replaced."""
        self.left_out: list[tuple[int, int]] = []
        """Frames, and how many points of contact."""
        self.broke: dict[int, int] = {}
        """First frames, by the node of the joint."""
        self.worst: dict[Joints, IslandReport] = {}
        """How it was in the frame that was met least."""

    def note(self, report: StepReport, frame: int = 0, broken: Iterable[int] = ()) -> None:
        """Note how one frame went, by its number where somebody will ask for that."""
        self.frames += 1
        self.broke = {**dict.fromkeys(broken, frame), **self.broke}
        for one in report.not_met:
            self.not_met[one.named].append(frame)
            pair = (self.worst.get(one.named, one), one)
            self.worst[one.named] = max(pair, key=lambda it: max(it.separation, it.misalignment))
        for one in report.first_order:
            self.rough[one.named].append(frame)
        for node in {node for one in report.not_followed for node in one.unfollowed}:
            self.stiff[node].append(frame)
        if report.left_out:
            self.left_out.append((frame, report.left_out))

    def issues(
        self, locks: Iterable[Issue], names: Mapping[int, str], frames: int, fps: float
    ) -> Iterator[Issue]:
        """Yield them, with what is known of the mechanism at rest; joints have names by node."""

        def own(joints: Sequence[int]) -> list[str]:
            return [names[joint] for joint in joints] or ["a free body"]

        def issue(
            code: str, severity: Severity, joints: Sequence[int], message: str, fix: str
        ) -> Issue:
            node = joints[0] if joints else None
            return Issue(severity, code, own(joints)[0], f"{message}.", fix, node)

        for one in locks:
            if one.code != "joints-contradict":
                yield one
            elif not self.not_met:
                yield replace(one, severity=Severity.ERROR)
        for joints, many in _most(self.not_met):
            worst, when = self.worst[joints], f"in {counted(many, 'frame')}"
            which, far = worst.contradicting or joints, (worst.separation, worst.misalignment)
            message, fix = cannot_hold(own(which), far, metric, when=when, most=MOST_NAMES)
            yield issue("motion-not-met", Severity.ERROR, which, message, f"{fix}.")
        for joints, many in _most(self.rough):
            severity = Severity.ERROR if 2 * many > frames else Severity.WARNING
            when, held = f"in {counted(many, 'frame')}", joints not in self.not_met
            message = only_roughly(own(joints), when, lost=not held, most=MOST_NAMES)
            fix = "Take more frames a second, or look at what check says."
            yield issue("motion-rough", severity, joints, message, fix)
        for lost, what in ((self.not_met, "cannot hold"), (self.rough, "only roughly computed")):
            if len(lost) > MOST_MECHANISMS:
                more = f"{counted(len(lost) - MOST_MECHANISMS, 'mechanism')} more: {what}"
                yield issue("motion-more", Severity.WARNING, (), more, "")
        if self.left_out:
            message, fix = left_out(max(count for _, count in self.left_out))
            yield issue("contacts-left-out", Severity.WARNING, (), message, f"{fix}.")
        if self.stiff:
            stiff, many = tuple(self.stiff), max(map(len, self.stiff.values()))
            more = "Take more frames a second"
            message, fix = not_followed(own(stiff), fps, many, more, most=MOST_NAMES)
            message += ", and forces there are left out"
            yield issue("motion-not-followed", Severity.WARNING, stiff, message, f"{fix}.")


def _most(found: Mapping[Joints, list[int]]) -> list[tuple[Joints, int]]:
    """Return those mechanisms that were in trouble in most frames, with in how many."""
    counts = [(joints, len(frames)) for joints, frames in found.items()]
    return sorted(counts, key=lambda one: -one[1])[:MOST_MECHANISMS]
