# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender loads: forwards to the package beside it, which is imported when first asked."""

from importlib import import_module


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module(".omi_physics_joint", __package__), name)
