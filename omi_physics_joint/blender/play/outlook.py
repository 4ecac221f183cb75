# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to say of a play, before it begins and while it lasts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from time import monotonic

import bpy
from bpy.types import Scene

from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...model.validate.settings import narrow_issues
from ...model.validate.survey import survey_of
from ...model.wording.describe import BLENDER_AXES
from ...model.wording.shortcomings import cannot_hold, left_out, not_followed, only_roughly
from ...model.wording.words import Say, counted, some
from ...solver import IslandReport, Options, Steps, lock_issues
from ...solver.engines.kernel import kernel
from ..between_bodies.remembered import strayed
from ..bridge.placed import joints_in, placed_in_scene
from ..bridge.read_nodes import mechanism_from_placed
from ..data.units import sayer
from ..interface import redrawing
from ..interface.signals import signals
from ..purpose.lengths import odd_settings
from ..simulated.choice import Islands, falling, islands_of, solids
from ..simulated.reading import TOLD, faults_of
from ..simulated.running import Run, holds_by_itself, options_of, played_rigidly

PATIENCE = 20.0
"""A look at the scene may take a part of the time as small as one by this."""
MOST = 4
"""Mechanisms, and joints of each, that are named."""
LOCKED = ("joints-lock", "limits-lock", "joints-out-of-line")
"""Findings of the solver that say why nothing moves."""
PAUSE = 0.3
"""s between two looks."""


def remarks(
    mechanism: Mechanism,
    islands: Islands,
    options: Options,
    pinned: Iterable[int] = (),
    missed: Collection[int] = (),
) -> list[str]:
    """Return in sentences what falls and what is played otherwise than its numbers say.

    Something solid falls if there is nothing below, or once it has ``missed`` that.
    """
    told = []
    bodies = falling(mechanism, islands, pinned) if any(options.gravity) else []
    if options.contacts:
        solid = solids(mechanism)
        stands = options.floor or not all(map(mechanism.is_dynamic, solid))
        bodies = [
            one
            for one in bodies
            if not stands or one in missed or solid.isdisjoint(islands.members(one))
        ]
    if bodies:
        names = [mechanism.nodes[body].name for body in bodies]
        what = f"{names[0]}: it falls" if len(names) == 1 else f"{some(names, 2)}: they fall"
        to = "it" if len(names) == 1 else "them"
        switch = "Switch Contacts on, join"
        if options.contacts:  # what falls past a floor has nothing to touch it with
            switch = f"Give {to} a collider, join" if options.floor else "Switch Floor on, join"
        can_touch = options.steps is Steps.EXACT and kernel().library is not None
        join = switch if can_touch else "Join"
        told.append(f"Nothing holds {what}. {join} {to} to a static body, or turn gravity off")
    if holds_by_itself(options):
        told += worded(played_rigidly(mechanism))
    return told


def narrow(mechanism: Mechanism, say: Say) -> list[str]:
    """Return in sentences which joints have a range that is too small for anybody to see."""
    issues = narrow_issues(survey_of(mechanism, BLENDER_AXES.saying(say)))
    return worded(
        [
            issue if issue.node is None else replace(issue, where=mechanism.nodes[issue.node].name)
            for issue in issues
        ]
    )


def worded(issues: Sequence[Issue]) -> list[str]:
    """Return the first issues in sentences."""
    return [f"{one.where}: {one.message} {one.fix}" for one in issues[:MOST]]


def locked(mechanism: Mechanism, say: Say) -> list[str]:
    """Return in sentences which joints leave nothing to move, though each would alone."""
    issues = [one for one in lock_issues(mechanism, say) if one.code in LOCKED]
    return [f"{one.message} {one.fix}" for one in issues[:MOST]]


def lengths(mechanism: Mechanism, scene: Scene) -> list[str]:
    """Return in sentences what is odd of the units and the gravity of a scene."""
    return [f"{one.message} {one.fix}" for one in odd_settings(mechanism, scene)]


def troubles(mechanism: Mechanism, run: Run, say: Say) -> list[str]:
    """Return in sentences which joints cannot hold, how much is left out, and what to do."""
    told = [". ".join(left_out(run.left_out))] if run.left_out else []
    for one in run.not_met[:MOST]:
        far = (one.separation, one.misalignment)
        names = _names(mechanism, _steady(one))
        told.append(". ".join(cannot_hold(names, far, say, when="in this pose", most=MOST)))
    return told


def approximations(mechanism: Mechanism, run: Run) -> list[str]:
    """Return in sentences what was only roughly computed or not followed, in how many frames."""
    told = []
    for joints, frames in list(run.rough.items())[:MOST]:
        when = f"in {frames} of {counted(run.frames, 'frame')}"
        lost = any(one.named == joints for one in run.not_met)
        told.append(only_roughly(_names(mechanism, joints), when, lost=lost, most=MOST))
    stiff = {node: count for node, count in run.stiff.items() if node < len(mechanism.nodes)}
    if stiff:  # but for the hand, whose spring nobody can make softer
        names, frames = _names(mechanism, [*stiff]), max(stiff.values())
        said = not_followed(names, 1.0 / run.stiff_step, frames, "Play slower", most=MOST)
        told.append(". ".join(said))
    return told


def _steady(island: IslandReport) -> list[int]:
    """Return the joints that are off: who is named does not change places from step to step."""
    lost = list(island.contradicting or island.named)
    told = MOST if len(lost) <= MOST else MOST - 1
    return [*sorted(lost[:told]), *lost[told:]]


def _names(mechanism: Mechanism, joints: Sequence[int]) -> list[str]:
    # What the hand and pins hold by is no joint of the scene.
    own = [mechanism.nodes[node].name for node in joints if node < len(mechanism.nodes)]
    return [*own, "the held body"] if len(own) < len(joints) else own


class _Outlook:
    """What was found when a scene was last looked at."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._due = 0.0
        self._told: list[str] = []

    def of(self, scene: Scene) -> list[str]:
        """Return in sentences what would be worth knowing before a scene is played."""
        options = options_of(scene.omi_physics_preview, scene)
        units = scene.unit_settings
        seen = (
            scene.session_uid,
            options,
            (units.system, units.length_unit, units.scale_length, units.system_rotation),
            signals.pose,
            signals.look,
            signals.structure,
            signals.settings,
            signals.generation,
            signals.operators,
        )
        if seen == self._seen:
            return self._told
        now = monotonic()
        if now < self._due and self._seen and self._seen[0] == seen[0]:
            # Have the panel drawn once more when it is time to look.
            if not bpy.app.background and not bpy.app.timers.is_registered(redrawing.redraw):
                bpy.app.timers.register(redrawing.redraw, first_interval=self._due - now)
            return self._told
        placed = placed_in_scene(scene)
        reading, say = mechanism_from_placed(placed), sayer(scene)
        islands = islands_of(reading.mechanism, contacts=options.contacts)
        faults = faults_of(reading, islands, placed, say)
        told = [
            *worded([one for one in faults if one.severity is Severity.ERROR]),
            *remarks(reading.mechanism, islands, options),
            *narrow(reading.mechanism, say),
            *worded([one for one in faults if one.code in TOLD]),
            *lengths(reading.mechanism, scene),
            *worded([*strayed(joints_in(placed), scene)]),
        ]
        self._told, self._seen = told, seen
        self._due = monotonic() + max(PAUSE, PATIENCE * (monotonic() - now))
        return self._told


outlook = _Outlook().of
