# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that needs Blender: one folder for each feature.

The order of ``FEATURES`` is the order of dependence: data is there first, and is migrated before
anybody else looks at a file that was opened.
"""

from __future__ import annotations

import sys
from importlib import import_module

import bpy

from .interface.redrawing import redraw_after
from .registration import classes_of, in_order, name_operators, parts_of

ANOTHER = "Add-on not loaded: another copy of it is switched on, {}. Switch one of them off."
"""Of what begins so Blender prints the sentence alone."""
FEATURES = tuple(
    import_module(f".{name}", __name__)
    for name in (
        "data",
        "handlers",
        "interface",
        "purpose",
        "overlay",
        "simulated",
        "joints",
        "articulation",
        "create",
        "bodies",
        "check",
        "presets",
        "handles",
        "play",
        "timeline",
        "posing",
        "articulation.panels",
        "gltf_hooks",
        "usd_hooks",
        "batch.operators",
        "robots.operators",
        "menus",
    )
)

CLASSES = tuple(kind for part in parts_of(FEATURES) for kind in classes_of(part))
"""What Blender knows of ours: operators, panels, menus, lists and groups of properties."""

name_operators(CLASSES)
redraw_after(CLASSES)

_register, unregister = in_order(FEATURES)


def register() -> None:
    """Have Blender know what is ours.

    Raises:
        ImportError: another copy of the add-on is switched on; nothing has changed.
    """
    if "omi_physics_joint" in bpy.types.Object.bl_rna.properties:
        copies = [one for one in sys.modules if one.endswith("omi_physics_joint.blender")]
        others = [name.rpartition(".")[0] for name in copies if name != __name__]
        raise ImportError(ANOTHER.format(", ".join(others)))
    _register()
