# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that needs Blender: one folder for each feature.

The order of ``FEATURES`` is the order of dependence: data is there first, and is migrated before
anybody else looks at a file that was opened.
"""

from __future__ import annotations

from importlib import import_module

from .interface.redrawing import redraw_after
from .registration import classes_of, in_order, parts_of

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
        "gltf_hooks",
        "usd_hooks",
        "batch.operators",
        "robots.operators",
        "menus",
    )
)

CLASSES: tuple[type, ...] = tuple(
    kind
    for part in parts_of(FEATURES)
    for kind in getattr(part, "classes", None) or classes_of(part)
)
"""What Blender knows of ours: operators, panels, menus, lists and groups of properties."""

redraw_after(CLASSES)

register, unregister = in_order(FEATURES)
