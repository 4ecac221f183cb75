# SPDX-License-Identifier: GPL-3.0-or-later
"""A mechanism as the extension objects of a glTF document and of its nodes, in some dialects.

Shared resources are written once per value, in the order in which nodes first use them; what no
node uses is not written. Nothing here judges: whoever calls has reported what cannot be written.
``patched`` puts it into a document in place of what that said before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass, field

from ..model.mechanism import Mechanism
from .animated.keyed import Channel, has_keys, taken_channels
from .dialects import DIALECTS, Spoken
from .document.json_text import Json, JsonObject, items_of, object_of
from .document.new_nodes import Numbering
from .omi.names import SHAPE
from .shared.gravity import spell_gravity, spell_node_gravity
from .shared.kept import GRAVITY

OMI = frozenset((Spoken.OMI,))
KEY = "physics_target"
"""Member of the ``extras`` of a document: for whom it is, see ``for_whom``."""


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
    mechanism: Mechanism, numbering: Numbering, *, spoken: Collection[Spoken] = OMI
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


EXTENSIONS = tuple(name for dialect in DIALECTS for name in dialect.extensions)


def patched(gltf: Mapping[str, Json], spelling: Spelling) -> JsonObject:
    """Return a copy of a document whose physics is what the spelling says, and nothing else.

    Nodes that the spelling names and the document lacks are not made.
    """
    result: JsonObject = deepcopy(dict(gltf))
    _replace(result, spelling.document, (*EXTENSIONS, GRAVITY))
    for index, node in enumerate(items_of(result, "nodes")):
        if isinstance(node, dict):
            _replace(node, spelling.nodes.get(index, {}), EXTENSIONS)
    before = object_of(result, "extras")
    extras = {key: value for key, value in before.items() if key != KEY} | spelling.extras
    if extras:
        result["extras"] = extras
    elif before:
        del result["extras"]
    _declare(result, "extensionsUsed", spelling.extensions_used, add=True)
    _declare(result, "extensionsRequired", spelling.extensions_used, add=False)
    return result


def _replace(owner: JsonObject, ours: Mapping[str, JsonObject], names: tuple[str, ...]) -> None:
    """Replace our extensions of a document or node, and drop an object that is left empty."""
    before = owner.get("extensions")
    others = {k: v for k, v in object_of(before).items() if k not in (*names, *ours)}
    extensions: JsonObject = {**others, **deepcopy(dict(ours))}
    if extensions:
        owner["extensions"] = extensions
    elif not isinstance(before, dict) or before:
        owner.pop("extensions", None)


def _declare(document: JsonObject, key: str, used: tuple[str, ...], *, add: bool) -> None:
    """Take our unused extensions off a list of names, and add the used ones."""
    names = [name for name in items_of(document, key) if name not in EXTENSIONS or name in used]
    if add:
        names += [name for name in used if name not in names]
    if names:
        document[key] = names
    else:
        document.pop(key, None)
