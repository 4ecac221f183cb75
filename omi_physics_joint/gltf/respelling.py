# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics of a document in other dialects, and the rest of the document as it is.

What is written is read again: whatever means something else then is an issue that names it, so
nothing that a dialect cannot say is lost in silence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass

from ..model.changes.changes import changes
from ..model.changes.fact import Change
from ..model.issue import Issue, Severity
from ..model.keys import Keys
from ..model.mechanism import Mechanism
from ..model.shape import Plane
from ..model.target import Target
from ..model.validate import check
from .animated.animation_pointers import repoint, strayed_pointers
from .dialects import DIALECTS, Spoken
from .document.files import DocumentError
from .document.json_text import Json, JsonObject
from .document.members import NO_CHANNELS, Place
from .document.new_nodes import own_nodes, with_nodes
from .document.numbering import Numbering, holders_of
from .parts.kept import GRAVITY
from .parts.kept_members import members_left_out
from .patching import patched
from .read import Reading, read
from .write import spell

OF_OMI = ("limit-together", "plane-as-box")
"""What Check says of OMI's extensions, and explains a change by."""
FOR_GODOT = (
    "The file is written for Godot, and other readers take it otherwise: "
    "export it anew, or write it with OMI's extensions alone."
)


@dataclass(frozen=True, slots=True)
class Respelled:
    """A document in other dialects.

    Attributes:
        json: the document.
        issues: what was wrong with the first, and what the dialects cannot say.
    """

    json: JsonObject
    issues: tuple[Issue, ...]


def respelled(
    gltf: Mapping[str, Json], spoken: Collection[Spoken], channels: Mapping[str, Keys] = NO_CHANNELS
) -> Respelled:
    """Return a document with its physics in these dialects.

    Args:
        gltf: the document.
        spoken: the dialects.
        channels: what its animations do with joint settings, as ``keyed.read_channels`` has it.

    Raises:
        DocumentError: it cannot be written so.
    """
    reading = read(gltf, channels)
    if not reading.dialects:
        return Respelled(deepcopy(dict(gltf)), (*reading.issues, _nothing()))
    if reading.target is Target.GODOT:
        if set(spoken) != {Spoken.OMI} or len(reading.dialects) > 1:
            raise DocumentError(FOR_GODOT)
        return Respelled(deepcopy(dict(gltf)), reading.issues)
    mechanism, issues = reading.mechanism, list(reading.issues)
    if Spoken.OMI in spoken:
        mechanism, moved = own_nodes(gltf, mechanism)
        issues += moved
    document, numbers = with_nodes(gltf, mechanism)
    nodes = document.get("nodes")
    holders = (
        [node if isinstance(node, dict) else {} for node in nodes or ()]
        if isinstance(nodes, list)
        else []
    )
    numbering = Numbering(
        numbers, {index: index for index in range(len(mechanism.meshes))}, holders_of(holders)
    )
    spelling = spell(mechanism, numbering, spoken=spoken)
    result = patched(document, spelling)
    _keep_gravity(gltf, result)
    led, strayed = repoint(result, channels, spelling.channels)
    issues += _lost(mechanism, read(result, led), reading, spoken)
    issues += strayed
    issues += strayed_pointers(gltf, result, channels)
    return Respelled(result, tuple(issues))


def _lost(
    mechanism: Mechanism, again: Reading, before: Reading, spoken: Collection[Spoken]
) -> Iterator[Issue]:
    """Yield what means something else in the file that was written."""
    if Spoken.OMI in spoken:
        for issue in check(mechanism):
            if issue.code in OF_OMI:
                yield issue
    names = " and ".join(dialect.extensions[0] for dialect in DIALECTS if dialect.spoken in spoken)
    for change in changes(mechanism, again.mechanism):
        if not _is_explained(mechanism, change, spoken):
            yield _not_said(mechanism, change, names)
    yield from members_left_out(mechanism, again.mechanism)
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
    part = {"collider": node.collider, "trigger": node.trigger}.get(change.fact.part)
    return (
        part is not None
        and part.shape is not None
        and isinstance(mechanism.shapes[part.shape], Plane)
    )


def _not_said(mechanism: Mechanism, change: Change, names: str) -> Issue:
    index = next((one for one in change.nodes if one is not None), None)
    known = index is not None and index < len(mechanism.nodes)
    name = mechanism.nodes[index].name if index is not None and known else ""
    place = Place() if index is None else Place(f"/nodes/{index}", name, index)
    return Issue(
        Severity.WARNING,
        f"{change.fact.part or 'gravity'}-not-said",
        str(place),
        f"{names} cannot say it: {change.fact}.",
        "Write the file in both dialects.",
        index,
    )


def _nothing() -> Issue:
    return Issue(
        Severity.HINT,
        "no-physics",
        str(Place()),
        "The file has no bodies and no joints that are read, so there is nothing to spell.",
    )


def _keep_gravity(before: Mapping[str, Json], after: JsonObject) -> None:
    """Put back the gravity that the file had: no dialect spells it another way."""
    extensions = before.get("extensions")
    own = extensions.get(GRAVITY) if isinstance(extensions, dict) else None
    if own is None:
        return
    now = after.setdefault("extensions", {})
    if isinstance(now, dict):
        now[GRAVITY] = deepcopy(own)
