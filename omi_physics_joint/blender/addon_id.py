# SPDX-License-Identifier: GPL-3.0-or-later
"""Under which name Blender knows this add-on, and where its files are."""

from __future__ import annotations

from pathlib import Path

PACKAGE = __name__.removesuffix(".blender.addon_id")
"""The package itself: ``omi_physics_joint``, or that name below ``bl_ext.REPOSITORY.`` twice."""

MODULE = PACKAGE.removesuffix(".omi_physics_joint") if PACKAGE.startswith("bl_ext.") else PACKAGE
"""The add-on as the preferences list it."""

_BESIDE = Path(__file__).resolve().parents[2]
_INSIDE = Path(__file__).resolve().parents[1]
ROOT = _BESIDE if (_BESIDE / "blender_manifest.toml").is_file() else _INSIDE
"""The folder of the manifest, with ``presets`` in it; where it is no add-on, the package itself."""
