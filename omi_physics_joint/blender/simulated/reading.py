# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a scene plays: its mechanism, the objects that move, and those that lead them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from bpy.types import Object, Scene

from ...model.body import MotionType
from ...model.geometry.axes import Y_UP_FROM_Z_UP
from ...model.geometry.frames import is_sound
from ...model.issue import Issue, Severity, has_errors
from ...model.joint import JointSettings
from ...model.mechanism import Mechanism
from ...model.validate.joints import joint_issues
from ...model.validate.settings import settings_issues
from ...model.validate.survey import survey_of
from ...model.wording.describe import BLENDER_AXES
from ...model.wording.words import Say, counted, some
from ...solver.engines.kernel import kernel
from ..between_bodies.remembered import cleared_from
from ..bridge.gravity import has_keys
from ..bridge.keyed import keyed_blocks
from ..bridge.placed import (
    PlacedObject,
    body_of,
    missing_as,
    objects_in,
    placed_in_scene,
)
from ..bridge.poses.moving import MovedBodies
from ..bridge.poses.second_frames import below
from ..bridge.read_nodes import SceneReading, mechanism_from_placed
from ..bridge.read_settings import settings_from_block
from ..bridge.solids import measured_mechanism
from ..data.joint import OmiJointSettings
from ..data.units import sayer
from .choice import Islands, held_along, islands_of, loose, playing, solids, usual_loads
from .following import is_moved_by_animation

HOLDING_NOTHING = {
    "joint-without-body",
    "connected-without-body",
    "connected-to-itself",
    "same-body",
    "limit-reversed",
}
"""Errors that leave a joint, or a limit of it, without any effect."""
TWINS = {
    "limit-empty": ("limit-reversed",),
    "joint-within-body": ("same-body", "connected-to-itself"),
}
"""What the solver says, by code, of a joint of which it is said already what is wrong."""
TOLD = {"body-stays", "dynamic-animated", "dynamic-baked", "begins-inside", "joint-overlaps"}
"""What else is told wherever a scene is played, before and meanwhile."""
STOPPING = {"joint-muted", "instance-not-moved"}
"""What is no error, and stops a joint."""
NAMED = 2
"""So many names stand in one issue."""


class PlayError(Exception):
    """Playing cannot begin, or not go on; the text tells the user why and what to do."""


class SimulatedScene:
    """A scene as it was read when its play began.

    Attributes:
        mechanism: node i is placed object i; what does not play stands still.
        islands: what hangs together.
        usual: how large the mechanism of each joint is and what it bears, by node.
        moving: the objects that are moved.
        followers: nodes of kinematic bodies that Blender's animation moves.
        is_animated: whether these, settings of joints or gravity change with the frame.
        issues: what cannot be read or shown as it is.
    """

    def __init__(
        self, scene: Scene, which: str, chosen: Sequence[Object], *, contacts: bool = False
    ) -> None:
        """Read a scene as it stands: ALL of it, or what hangs together with chosen objects.

        With contacts, what has a collider moves without a joint too.

        Raises:
            PlayError: nothing can be played.
        """
        self.placed, self._contacts = placed_in_scene(scene), contacts
        reading = mechanism_from_placed(self.placed)
        self.islands = islands_of(reading.mechanism, contacts=contacts)
        objects = set(chosen)
        nodes = [i for i, placed in enumerate(self.placed) if placed.object in objects]
        only = None if which == "ALL" else nodes
        mechanism = measured_mechanism(reading, self.placed, touching=contacts)
        self.mechanism = playing(mechanism, self.islands, only)
        self.usual = usual_loads(self.mechanism, self.islands)
        self.followers = [
            index
            for index, motion in self.mechanism.motions()
            if motion.type is MotionType.KINEMATIC
            and self.placed[index].instance is None
            and is_moved_by_animation(self.placed[index].owner)
        ]
        self._keyed = self._keyed_settings()
        self.is_animated = bool(self.followers or self._keyed or has_keys(scene))
        joints = [index for index, _, _ in self.mechanism.joints()]
        self._joint_nodes: dict[Object | None, int] = {
            self.placed[index].owner: index for index in reversed(joints)
        }
        along = held_along(self.mechanism, self.islands, self.followers)
        self.moving = MovedBodies(self.placed, self.mechanism, along)
        faults = faults_of(reading, self.islands, self.placed, sayer(scene))
        self.issues = [*faults, *self.moving.issues]
        if not any(self.mechanism.is_dynamic(node) for node in self.moving.nodes):
            if only is not None and self.islands.of:
                raise PlayError("No selected object has a joint: select a body, or play all joints")
            raise PlayError(self._why_still(scene.omi_physics_preview.steps))

    def _why_still(self, steps: str) -> str:
        """Say why nothing moves, and what to do: the first that stops a joint, where one does."""
        for issue in self.issues:
            if issue.severity is Severity.ERROR or issue.code in STOPPING:
                return f"Nothing can move here. {issue.where}: {issue.message} {issue.fix}".strip()
        nodes = [self.mechanism.nodes[index] for index, _ in self.mechanism.motions()]
        flat = [one.name for one in nodes if not is_sound(one.world)]
        if flat:
            return f"Nothing can move here: give {some(flat, NAMED)} a scale other than zero"
        if self.islands.ends:
            return "No joint holds a dynamic body here: make one dynamic in Properties > Physics"
        falls = any(issue.code == "body-stays" for issue in self.issues)
        can_touch = falls and steps == "exact" and kernel().library is not None
        touch = ", or switch Contacts on for what has a collider" if can_touch else ""
        touch = ", or give a dynamic body a collider" if self._contacts else touch
        return f"Nothing can move here: join two objects first{touch}"

    def settings_now(self) -> tuple[JointSettings, ...]:
        """Return the settings of the mechanism in the frame that is current."""
        settings = list(self.mechanism.settings)
        for index, block in self._keyed.items():
            settings[index] = Y_UP_FROM_Z_UP.settings(settings_from_block(block))
        return tuple(settings)

    def _keyed_settings(self) -> dict[int, OmiJointSettings]:
        """Return the blocks of animated settings, by the index of the settings."""
        keyed = set(keyed_blocks(self.placed))
        return {
            joint.settings: block
            for index, _, joint in self.mechanism.joints()
            if (block := self.placed[index].owner.omi_physics_joint.settings) in keyed
        }

    def unsaid(self, found: Sequence[Issue]) -> list[Issue]:
        """Return those of what the solver says that are not in ``issues`` in other words.

        A fault of settings is said there of the first joint that uses them.
        """
        if not any(one.code in TWINS for one in found):
            return [one for one in found if one not in self.issues]
        blocks: dict[int | None, int] = {
            index: joint.settings for index, _, joint in self.mechanism.joints()
        }
        said = {(one.code, blocks.get(one.node, -1)) for one in self.issues if one.node is not None}
        return [
            one
            for one in found
            if one not in self.issues
            and said.isdisjoint((code, blocks.get(one.node)) for code in TWINS.get(one.code, ()))
        ]

    def node_of(self, obj: Object | None) -> int | None:
        """Return the node of the playing body that an object belongs to."""
        owner = body_of(obj)
        found = (body.node for body in self.moving.bodies if body.object == owner)
        return next(filter(self.mechanism.is_dynamic, found), None)

    def joint_node(self, obj: Object | None) -> int | None:
        """Return the node of a joint by its empty, the first where it is instanced."""
        return self._joint_nodes.get(obj)

    @cached_property
    def hidden(self) -> str:
        """How many bodies move or touch though nothing of them is shown, as Blender's own do."""
        nodes = {*self.moving.nodes, *(solids(self.mechanism) if self._contacts else ())} - {None}
        bodies = [self.placed[node] for node in nodes]
        shown = {body_of(obj) for _, obj in objects_in(self.placed) if obj.visible_get()}
        count = sum(one.instance is None and one.object not in shown for one in bodies)
        return f"{counted(count, 'hidden body')} play{'s' * (count == 1)} too" if count else ""

    def name(self, node: int) -> str:
        """Return what the object of a node is called."""
        return self.mechanism.nodes[node].name


def faults_of(
    reading: SceneReading, islands: Islands, placed: Sequence[PlacedObject], say: Say
) -> list[Issue]:
    """Return what could not be read, which joints or limits have no effect, and what stays."""
    survey = survey_of(reading.mechanism, BLENDER_AXES.saying(say))
    found = [*joint_issues(survey), *settings_issues(survey)]
    bare = of_objects(
        (one for one in found if one.code in HOLDING_NOTHING), placed, exports=reading.exports
    )
    faults = [*reading.issues, *bare]
    if not has_errors(faults):  # else what is wrong says why nothing holds
        faults += _staying(reading.mechanism, loose(reading.mechanism, islands))
    return faults


def _staying(mechanism: Mechanism, bodies: Sequence[int]) -> Iterator[Issue]:
    """Yield one hint for all bodies that only forces would move here, and that no joint holds."""
    if bodies:
        them, stay = ("it", "it stays") if len(bodies) == 1 else ("them", "they stay")
        names = some([mechanism.nodes[body].name for body in bodies], NAMED)
        what = f"No joint holds {them}, so {stay} in place here."
        fix = "Without Contacts only what joints hold is moved; with them, what has a collider too."
        yield Issue(Severity.HINT, "body-stays", names, what, fix, bodies[0])


def of_objects(
    found: Iterable[Issue], placed: Sequence[PlacedObject], *, exports: bool = False
) -> Iterator[Issue]:
    """Yield issues; those about ends of joints say what is so of objects.

    Of a joint below nothing it is what may have become of its body. Where its second frame is no
    object, nothing can be done with that one, but with the second body.
    """
    for issue in found:
        obj = None if issue.node is None else placed[issue.node].object
        if obj is None or not obj.omi_physics_joint.is_joint:
            yield issue
        elif issue.code == "joint-without-body":
            yield _bereft(issue, obj, exports=exports)
        elif obj.omi_physics_joint.connected_node is not None:
            yield issue
        elif issue.code == "connected-without-body":
            yield _held_by_none(issue, obj, exports=exports)
        elif issue.code == "same-body":
            yield replace(issue, fix="Choose another second body.")
        else:
            yield issue


def _held_by_none(issue: Issue, joint: Object, *, exports: bool) -> Issue:
    """Return an issue about a second body that is none, or none that is exported."""
    other = below(joint)
    body = body_of(other)
    if other is None:
        return issue
    if body is None:
        what = f"Its second body {other.name!r} is no physics body."
        fix = "Make it one, static to hold to the world, or choose another second body."
    else:
        why, fix = missing_as(body, joint, exports=exports)
        what = f"Its second body {body.name!r} {why}."
        fix = f"{fix or 'Link that too'}, or mute the joint."
    return replace(issue, message=what, fix=fix)


def _bereft(issue: Issue, joint: Object, *, exports: bool) -> Issue:
    """Return an issue about a joint below no body: what may have become of that."""
    above, own = joint.parent, cleared_from(joint)
    what = "Its parent was cleared, or its body was deleted or joined into another object."
    fix = "Select what is its body now and press Fix in Check, or remove the joint."
    body = body_of(above)
    if own is not None:
        why = "its parent was cleared" if above is None else f"it is below {above.name}"
        what = f"It is not parented to {own.name} any more: {why}."
        fix = f"Parent it to {own.name} again, which Fix in Check does, or to another body."
    elif above is not None and above.users_collection and body is None:
        return issue
    elif above is not None:
        body = body or above
        why, todo = missing_as(body, joint, exports=exports)
        what = f"Its body {body.name!r} {why}."
        if todo:
            fix = f"{todo}, or mute the joint."
        elif body.library or body.users_scene:
            fix = "Link that too, or the collection that both are in."
    return replace(issue, message=what, fix=fix)
