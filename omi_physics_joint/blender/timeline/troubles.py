# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run over the timeline says of mechanisms that could not be computed as they are meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...model.wording.shortcomings import cannot_hold, left_out, not_followed, only_roughly
from ...model.wording.words import Say, counted
from ...solver import IslandReport

MOST_NAMES = 6
"""Joints that a warning names."""
ADVICE = "Look whether they move as they should there; if not, widen their limits."


@dataclass(slots=True)
class _Island:
    """How it went with one mechanism: bodies that joints connect."""

    not_met: list[int] = field(default_factory=list)
    """Frames in which its joints could not hold."""
    rough: list[int] = field(default_factory=list)
    """Frames that were computed to first order."""
    lost: dict[int, None] = field(default_factory=dict)
    """Nodes of the joints that were off, in this order."""
    separation: float = 0.0
    misalignment: float = 0.0


class Troubles:
    """Takes note frame by frame of what is simulated; says it at the end, island by island."""

    def __init__(self, mechanism: Mechanism, fps: float, say: Say) -> None:
        self._mechanism, self._fps, self._say = mechanism, fps, say
        self._frames = 0
        self._lost: list[tuple[int, int]] = []
        """Frames, and how many points of contact were left out."""
        self._stiff: defaultdict[int, list[int]] = defaultdict(list)
        """By the node of a joint, frames in which its springs, drives or stops were replaced."""
        self._islands: defaultdict[tuple[int, ...], _Island] = defaultdict(_Island)

    def note(
        self,
        frame: int,
        not_met: Sequence[IslandReport],
        first_order: Sequence[IslandReport],
        stiff: Sequence[IslandReport] = (),
        lost: int = 0,
    ) -> None:
        """Take note of what could not hold, was stepped roughly, not followed, or left out."""
        self._frames += 1
        if lost:
            self._lost.append((frame, lost))
        for one in not_met:
            island = self._islands[one.named]
            island.not_met.append(frame)
            island.lost.update(dict.fromkeys(one.contradicting or one.named))
            island.separation = max(island.separation, one.separation)
            island.misalignment = max(island.misalignment, one.misalignment)
        for one in first_order:
            self._islands[one.named].rough.append(frame)
        for joint in {joint for one in stiff for joint in one.unfollowed}:
            self._stiff[joint].append(frame)

    def issues(self) -> Iterator[Issue]:
        """Yield a warning for each mechanism that could not hold; hints of what was not exact."""
        for joints, one in self._islands.items():
            if one.not_met:
                far = (one.separation, one.misalignment)
                names, more = self._names(list(one.lost) or joints), len(one.not_met) - 1
                when = "at this frame" + f" and {more} more" * (more > 0)
                message, fix = cannot_hold(names, far, self._say, when=when, most=MOST_NAMES)
                yield _issue(Severity.WARNING, "not-converged", one.not_met, message, f"{fix}.")
            elif one.rough:
                when = f"in {len(one.rough)} of {counted(self._frames, 'frame')}"
                message = only_roughly(self._names(joints), when, most=MOST_NAMES)
                yield _issue(Severity.HINT, "roughly-computed", one.rough, message, ADVICE)
        if self._lost:
            frames = [frame for frame, _ in self._lost]
            message, fix = left_out(max(count for _, count in self._lost))
            yield _issue(Severity.WARNING, "contacts-left-out", frames, message, f"{fix}.")
        if self._stiff:
            names, most = self._names([*self._stiff]), max(self._stiff.values(), key=len)
            finer = "Raise the frame rate"
            message, fix = not_followed(names, self._fps, len(most), finer, most=MOST_NAMES)
            yield _issue(Severity.HINT, "motion-not-followed", most, message, f"{fix}.")

    def _names(self, joints: Sequence[int]) -> list[str]:
        return [self._mechanism.nodes[node].name for node in joints]


def _issue(severity: Severity, code: str, frames: list[int], message: str, fix: str) -> Issue:
    return Issue(severity, code, f"frame {frames[0]}", f"{message}.", fix)
