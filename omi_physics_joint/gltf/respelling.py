# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics of a document in other dialects, and the rest of the document as it is.

What is written is read again: whatever means something else then is an issue that names it, so
nothing that a dialect cannot say is lost in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from ..model.changes.changes import changes
from ..model.changes.fact import Change
from ..model.changes.parts import motion_of
from ..model.issue import Issue, Severity
from ..model.keys import Keys
from ..model.losses import OF_OMI
from ..model.mechanism import Mechanism, Node
from ..model.shape import Plane
from ..model.unknown import records_of
from ..model.validate import check
from ..model.wording.words import counted, listed, one_line, some
from .animated.animation_pointers import repoint, strayed_pointers
from .dialects import DIALECTS, Spoken
from .document.json_text import Json, JsonObject, items_of, member_of, members_of, object_of
from .document.members import NO_CHANNELS, Place
from .document.new_nodes import Numbering, holders_of, own_nodes, with_nodes
from .read import Reading, read
from .shared.kept import GRAVITY, UNDER_THEIR_NAME
from .write import patched, spell

NO_PHYSICS = Issue(
    Severity.HINT,
    "no-physics",
    str(Place()),
    "The file has no bodies and no joints that are read, so none are written.",
)


def none_written(mechanism: Mechanism) -> tuple[Issue, ...]:
    """Return a hint where a mechanism has nothing to be written of."""
    return () if any(node.is_physical for node in mechanism.nodes) else (NO_PHYSICS,)


@dataclass(frozen=True, slots=True)
class Respelled:
    """A document in other dialects."""

    json: JsonObject
    mechanism: Mechanism
    """Of the first."""
    issues: tuple[Issue, ...]
    """What was wrong with the first, and what the dialects cannot say."""


def respelled(
    gltf: Mapping[str, Json],
    spoken: Collection[Spoken],
    channels: Mapping[str, Keys] = NO_CHANNELS,
    weigh: Callable[[Mechanism], Mechanism] | None = None,
) -> Respelled:
    """Return a document with its physics in these dialects.

    Its channels are what animations do with joint settings, as ``keyed.read_channels`` has it.
    OMI's extensions need centres of mass that a file leaves open: ``weigh`` finds them.

    Raises:
        DocumentError: it cannot be written so.
    """
    reading = read(gltf, channels)
    if not reading.dialects:
        issues = [*reading.issues, NO_PHYSICS]
        return Respelled(deepcopy(dict(gltf)), reading.mechanism, tuple(issues))
    if reading.audience.is_written(spoken):
        return Respelled(deepcopy(dict(gltf)), reading.mechanism, reading.issues)
    mechanism, issues = reading.mechanism, list(reading.issues)
    if Spoken.OMI in spoken:
        centres = ((own.center_of_mass, own.found_center) for _, own in mechanism.motions())
        if weigh is not None and (None, None) in centres:
            mechanism = weigh(mechanism)
        mechanism, moved = own_nodes(gltf, mechanism)
        issues += moved
    document, numbers = with_nodes(gltf, mechanism)
    meshes = {index: index for index in range(len(mechanism.meshes))}
    numbering = Numbering(numbers, meshes, holders_of(items_of(document, "nodes")))
    spelling = spell(mechanism, numbering, spoken=spoken)
    result = patched(document, spelling)
    gravity = member_of(gltf, "extensions", GRAVITY)
    if gravity is not None:  # as the file had it: no dialect spells it another way
        result["extensions"] = {**object_of(result, "extensions"), GRAVITY: deepcopy(gravity)}
    led, strayed = repoint(result, channels, spelling.channels)
    issues += _lost(mechanism, read(result, led), reading, spoken)
    issues += strayed
    issues += strayed_pointers(gltf, result, channels)
    return Respelled(result, reading.mechanism, tuple(issues))


def _lost(
    mechanism: Mechanism, again: Reading, before: Reading, spoken: Collection[Spoken]
) -> Iterator[Issue]:
    """Yield what means something else in the file that was written."""
    if Spoken.OMI in spoken:
        for issue in check(mechanism, spoken=frozenset(spoken)):
            if issue.code in OF_OMI:
                yield issue
    names = " and ".join(dialect.extensions[0] for dialect in DIALECTS if dialect.spoken in spoken)
    for change in changes(mechanism, again.mechanism):
        if not _is_explained(mechanism, change, spoken):
            yield _not_said(mechanism, change, names)
    yield from _left_out(mechanism, again.mechanism)
    yield from _no_bodies(mechanism, again.mechanism, names)
    known = {(issue.code, issue.where) for issue in before.issues}
    for issue in again.issues:
        if issue.severity is Severity.ERROR and (issue.code, issue.where) not in known:
            yield issue


def _is_explained(mechanism: Mechanism, change: Change, spoken: Collection[Spoken]) -> bool:
    """Return whether Check has said why OMI says something else."""
    index = change.nodes[0]
    if index is None or Spoken.OMI not in spoken:
        return False
    node = mechanism.nodes[index]
    if change.fact.part == "joint" and node.joint is not None:
        return any(limit.together for limit in mechanism.settings_of(node.joint).limits)
    shape = getattr(getattr(node, change.fact.part, None), "shape", None)
    return shape is not None and isinstance(mechanism.shapes[shape], Plane)


def _not_said(mechanism: Mechanism, change: Change, names: str) -> Issue:
    index = next((one for one in change.nodes if one is not None), None)
    called = dict(enumerate(node.name for node in mechanism.nodes))
    place = Place() if index is None else Place(f"/nodes/{index}", called.get(index, ""), index)
    code, fix = f"{change.fact.part or 'gravity'}-not-said", "Write the file in both dialects."
    return place.warning(code, f"{names} cannot say it: {change.fact}.", fix)


def _no_bodies(before: Mechanism, after: Mechanism, names: str) -> Iterator[Issue]:
    """Yield a hint that names static bodies which stand still as plain nodes."""
    pairs = enumerate(zip(before.nodes, after.nodes, strict=False))
    gone = [i for i, (one, other) in pairs if one.motion is not None and other.motion is None]
    static = [i for i in gone if motion_of(before, i) is None]  # others are changes
    if static:
        called = [one_line(before.name_of(i)) for i in static]
        message = f"{names} has no word for {counted(len(static), 'static body')} without a joint"
        place = Place(f"/nodes/{static[0]}", called[0], static[0])
        text = f"{message} ({some(called)}): they stand still as plain nodes."
        yield Issue(Severity.HINT, "static-not-said", str(place), text, node=static[0])


def _left_out(before: Mechanism, after: Mechanism) -> Iterator[Issue]:
    """Yield a warning for each node, and for the document, whose unknown members are gone."""
    texts = ((name, text) for name, text in before.unknown.items() if name not in after.unknown)
    gone = [f"{one} of {name}" for name, text in texts for one in members_of(text)]
    if gone:
        yield _members_gone(Place(), gone)
    for index, (one, other) in enumerate(zip(before.nodes, after.nodes, strict=False)):
        ours, theirs = _names(before, one), _names(after, other)
        lost = [name for name in ours if name not in theirs]
        if lost:
            yield _members_gone(Place(f"/nodes/{index}", one.name, index), lost)


def _members_gone(place: Place, names: Sequence[str]) -> Issue:
    said = listed([one_line(name) for name in dict.fromkeys(names)])
    message = f"Members that are not understood stand in the other dialect only: {said}."
    fix = "Write the file in both dialects to keep them."
    return place.warning("members-left-out", message, fix)


def _names(mechanism: Mechanism, node: Node) -> list[str]:
    """Return the unknown members of a node, its parts, and what they share."""
    texts = (getattr(record, "unknown", "") for record in records_of(mechanism, node))
    return [name for text in texts for name in _in(text)]


def _in(text: str) -> Iterator[str]:
    """Yield the names of members that are kept, whichever dialect they are of."""
    for name, value in members_of(text).items():
        if name in UNDER_THEIR_NAME and isinstance(value, dict):
            yield from value
        else:
            yield name
