# SPDX-License-Identifier: GPL-3.0-or-later
"""A spelling, put into the JSON of a glTF document in place of what it said before."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy

from .dialects import DIALECTS
from .document.json_text import Json, JsonObject, items_of, object_of
from .for_whom import KEY
from .shared.kept import GRAVITY
from .write import Spelling

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
