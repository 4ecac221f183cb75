# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that needs Blender.

The order of ``MODULES`` is the order of dependence: data is migrated before anybody else looks at a
file that was opened.
"""

from __future__ import annotations

from . import (
    aging,
    first_body,
    gizmos,
    gltf_hooks,
    handlers,
    manual,
    operators,
    overlay,
    posing,
    preferences,
    presets,
    preview,
    properties,
    timeline,
    ui,
    usd_hooks,
)
from .presets import operators as preset_operators
from .redrawing import redraw_after
from .registration import in_order

MODULES = (
    properties,
    preferences,
    handlers,
    aging,
    first_body,
    manual,
    presets,
    gltf_hooks,
    usd_hooks,
    overlay,
    posing,
    timeline,
    operators,
    ui,
    gizmos,
    preview,
)

for part in (*operators.PARTS, preset_operators):
    redraw_after(part.classes)

register, unregister = in_order(MODULES)
