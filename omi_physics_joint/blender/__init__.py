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


def register() -> None:
    """Register all modules in order."""
    for module in MODULES:
        module.register()


def unregister() -> None:
    """Unregister all modules in reverse order."""
    for module in reversed(MODULES):
        module.unregister()
