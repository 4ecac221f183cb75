# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps what the exporter would drop from our extensions: empty objects and arrays, and null.

The exporter cleans the whole document of them, at any depth, and with them marks such as
``"extensions": {"X_breakable": {}}`` that another add-on put into a file. It leaves one member
alone wherever it stands, ``extras``; Blender 5.2 has an official way, older ones have not.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....gltf.document.json_text import Json


class KeptKey(str):
    """Name of a member that the exporter takes for ``extras`` and writes under its own name."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Return whether this is that name, or the one that the exporter asks for."""
        return other == "extras" or str.__eq__(self, other)

    __hash__ = str.__hash__


def kept(members: Mapping[str, Json]) -> dict[str, Json]:
    """Return the members of an extension so that the exporter writes them as they are."""
    return {KeptKey(key): value for key, value in members.items()}
