# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that needs Blender. The order of ``MODULES`` is the order of dependence."""

from __future__ import annotations

from . import (
    gizmos,
    gltf_hooks,
    handlers,
    operators,
    overlay,
    posing,
    presets,
    preview,
    properties,
    timeline,
    ui,
)
from .registration import in_order

MODULES = (
    properties,
    presets,
    gltf_hooks,
    overlay,
    posing,
    timeline,
    operators,
    ui,
    gizmos,
    handlers,
    preview,
)

register, unregister = in_order(MODULES)
