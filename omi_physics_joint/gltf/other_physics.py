# SPDX-License-Identifier: GPL-3.0-or-later
"""Physics of a file in extensions that are not read: named, so that nobody takes it for none."""

from __future__ import annotations

from ..model.wording.words import one_line
from .document.json_text import items_of, object_of
from .document.members import Members
from .khr.names import EXTENSIONS as KHR_EXTENSIONS
from .omi.names import EXTENSIONS as OMI_EXTENSIONS
from .parts.kept import GRAVITY

OURS = (*OMI_EXTENSIONS, *KHR_EXTENSIONS, GRAVITY)
WORDS = ("physics", "rigid", "collider", "collision", "implicit_shapes")
"""What names of such extensions hold."""


def note_other_physics(root: Members) -> None:
    """Note extensions with physics that is not read."""
    nodes = [object_of(node, "extensions") for node in items_of(root.json, "nodes")]
    used = (name for name in items_of(root.json, "extensionsUsed") if isinstance(name, str))
    found = {*used, *object_of(root.json, "extensions")}.union(*nodes).difference(OURS)
    others = sorted(name for name in found if any(word in name.lower() for word in WORDS))
    if others:
        names = ", ".join(one_line(name) for name in others)
        root.warn(
            "physics-not-read",
            f"The file has physics in {names}, which is not read.",
            "Write it with OMI_physics_body and OMI_physics_joint.",
        )
    local = sum(GRAVITY in extensions for extensions in nodes)
    if local:
        root.warn(
            "gravity-of-nodes",
            f"The file has {local} node{'' if local == 1 else 's'} with a gravity of "
            f"{'its' if local == 1 else 'their'} own, which is not played.",
            "Set the gravity of the scene, or the gravity factors of bodies, to play it.",
        )
