# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a run could not be done as it was asked: found frame by frame, said at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...model.issue import Issue, Severity
from ...model.wording.shortcomings import cannot_hold, left_out, not_followed, only_roughly
from ...model.wording.words import counted, metric
from ...solver import IslandReport, StepReport

MOST_MECHANISMS, MOST_NAMES = 5, 6
"""Mechanisms in trouble that are listed, and joints of each that are named."""
Joints = tuple[int, ...]
"""Nodes of the joints of a mechanism."""


class RunTroubles:
    """Frames in which joints were not met, only roughly, or not followed."""

    def __init__(self) -> None:
        """Begin with none."""
        self._not_met: Counter[Joints] = Counter()
        self._rough: Counter[Joints] = Counter()
        self._stiff: Counter[int] = Counter()
        """By the node of the joint whose springs, drives or stops were replaced."""
        self._left_out = 0
        self._worst: dict[Joints, IslandReport] = {}
        """How it was in the frame that was met least."""

    def note(self, report: StepReport) -> None:
        """Note how one frame went."""
        self._not_met.update(one.named for one in report.not_met)
        self._rough.update(one.named for one in report.first_order)
        self._left_out = max(self._left_out, report.left_out)
        self._stiff.update({node for one in report.not_followed for node in one.unfollowed})
        for one in report.not_met:
            pair = (self._worst.get(one.named, one), one)
            self._worst[one.named] = max(pair, key=lambda it: max(it.separation, it.misalignment))

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
            elif not self._not_met:
                yield replace(one, severity=Severity.ERROR)
        for joints, many in self._not_met.most_common(MOST_MECHANISMS):
            worst, when = self._worst[joints], f"in {counted(many, 'frame')}"
            which, far = worst.contradicting or joints, (worst.separation, worst.misalignment)
            message, fix = cannot_hold(own(which), far, metric, when=when, most=MOST_NAMES)
            yield issue("motion-not-met", Severity.ERROR, which, message, f"{fix}.")
        for joints, many in self._rough.most_common(MOST_MECHANISMS):
            severity = Severity.ERROR if 2 * many > frames else Severity.WARNING
            when, held = f"in {counted(many, 'frame')}", joints not in self._not_met
            message = only_roughly(own(joints), when, lost=not held, most=MOST_NAMES)
            fix = "Raise --fps, or look at what check says."
            yield issue("motion-rough", severity, joints, message, fix)
        for lost, what in ((self._not_met, "cannot hold"), (self._rough, "only roughly computed")):
            if len(lost) > MOST_MECHANISMS:
                more = f"{counted(len(lost) - MOST_MECHANISMS, 'mechanism')} more: {what}"
                yield issue("motion-more", Severity.WARNING, (), more, "")
        if self._left_out:
            message, fix = left_out(self._left_out)
            yield issue("contacts-left-out", Severity.WARNING, (), message, f"{fix}.")
        if self._stiff:
            stiff, many = tuple(self._stiff), max(self._stiff.values())
            message, fix = not_followed(own(stiff), fps, many, "Raise --fps", most=MOST_NAMES)
            message += ", and forces there are left out"
            yield issue("motion-not-followed", Severity.WARNING, stiff, message, f"{fix}.")
