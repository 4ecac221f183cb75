# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics of a file in extensions that are not read: named, so that nobody takes it for none."""

from __future__ import annotations

from ..model.wording.words import one_line
from .document.json_text import Json
from .document.members import Members
from .khr.names import EXTENSIONS as KHR_EXTENSIONS
from .omi.names import EXTENSIONS as OMI_EXTENSIONS
from .parts.kept import GRAVITY

WORDS = ("physics", "rigid", "collider", "collision", "implicit_shapes")
"""What names of such extensions hold."""


def note_other_physics(root: Members) -> None:
    """Note extensions with physics that is not read."""
    items = root.json.get("nodes")
    nodes = items if isinstance(items, list) else []
    found = {*_listed(root.json.get("extensionsUsed")), *_named(dict(root.json))}
    others = sorted(name for name in found.union(*map(_named, nodes)) if _is_other(name))
    if others:
        names = ", ".join(one_line(name) for name in others)
        root.warn(
            "physics-not-read",
            f"The file has physics in {names}, which is not read.",
            "Write it with OMI_physics_body and OMI_physics_joint.",
        )
    local = sum(GRAVITY in _named(node) for node in nodes)
    if local:
        root.warn(
            "gravity-of-nodes",
            f"The file has {local} node{'' if local == 1 else 's'} with a gravity of "
            f"{'its' if local == 1 else 'their'} own, which is not played.",
            "Set the gravity of the scene, or the gravity factors of bodies, to play it.",
        )


def _is_other(name: str) -> bool:
    ours = (*OMI_EXTENSIONS, *KHR_EXTENSIONS, GRAVITY)
    return name not in ours and any(word in name.lower() for word in WORDS)


def _listed(value: Json) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _named(owner: Json) -> list[str]:
    """Return the names of the extensions of the document or of a node."""
    extensions = owner.get("extensions") if isinstance(owner, dict) else None
    return list(extensions) if isinstance(extensions, dict) else []
