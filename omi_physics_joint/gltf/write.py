# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as the extension objects of a glTF document and of its nodes, in some dialects.

Shared resources are written once per value, in the order in which nodes first use them; what no
node uses is not written. Nothing here judges: whoever calls has reported what cannot be written.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ..model.mechanism import Mechanism
from .animated.keyed import Channel, has_keys, taken_channels
from .dialects import DIALECTS, Spoken
from .document.json_text import JsonObject
from .document.new_nodes import Numbering
from .omi.names import SHAPE
from .shared.gravity import spell_gravity, spell_node_gravity
from .shared.kept import GRAVITY

OMI = frozenset((Spoken.OMI,))


@dataclass(frozen=True, slots=True)
class Spelling:
    """What goes into a glTF document."""

    document: dict[str, JsonObject]
    """Extension objects of the document, by name of the extension."""
    nodes: dict[int, dict[str, JsonObject]]
    """Extension objects of nodes, by index of the node in the file, then by name."""
    extensions_used: tuple[str, ...]
    extras: JsonObject = field(default_factory=dict)
    """What is said beside extensions, at the root of the document."""
    channels: tuple[Channel, ...] = ()
    """What animations have to do with the numbers of the extensions."""


def spell(
    mechanism: Mechanism,
    numbering: Numbering,
    *,
    spoken: Collection[Spoken] = OMI,
) -> Spelling:
    """Return the extension objects that say a mechanism in glTF axes (Y up), SI units."""
    document: dict[str, JsonObject] = {}
    nodes: dict[int, dict[str, JsonObject]] = {}
    names: list[str] = []
    channels: list[Channel] = []
    keyed = has_keys(mechanism)
    for dialect in DIALECTS:
        if dialect.spoken not in spoken:
            continue
        of_document, of_nodes = dialect.spell(mechanism, numbering)
        if keyed:
            channels += taken_channels(of_document, of_nodes)
        document |= of_document
        for index, extensions in of_nodes.items():
            nodes.setdefault(index, {}).update(extensions)
        used = set(of_document).union(*of_nodes.values())
        names += [name for name in dialect.extensions if name in used]
    pull = spell_gravity(mechanism.gravity, mechanism.unknown.get(GRAVITY, ""))
    if pull and nodes:
        document[GRAVITY] = pull
    for at, index in numbering.nodes.items():
        volume = spell_node_gravity(mechanism, at, document, numbering)
        if volume:
            nodes.setdefault(index, {})[GRAVITY] = volume
    if GRAVITY in document or any(GRAVITY in extensions for extensions in nodes.values()):
        names.append(GRAVITY)
    if SHAPE in document and SHAPE not in names:
        names.append(SHAPE)
    return Spelling(document, nodes, tuple(names), channels=tuple(channels))
