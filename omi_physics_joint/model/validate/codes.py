# SPDX-License-Identifier: GPL-3.0-or-later
"""Every finding that validation knows, by its stable name, with how bad it is."""

from __future__ import annotations

from ..issue import Severity

_ERRORS = (
    # A joint and its two ends.
    "joint-without-body",
    "connected-without-body",
    "connected-to-itself",
    "same-body",
    "nothing-dynamic",
    "joint-not-alone",
    # Limits and drives.
    "limit-without-axes",
    "limit-axis",
    "limit-reversed",
    "limit-number",
    "limit-negative",
    "drive-axis",
    "drive-number",
    "drive-negative",
    # Bodies and what they are made of.
    "mass-not-positive",
    "body-number",
    "inertia-negative",
    "inertia-orientation-zero",
    "material-negative",
    "filter-both-lists",
    "shape-size",
    "trigger-both",
    "trigger-empty",
    "trigger-filter",
    "trigger-node-elsewhere",
    "trigger-node-without-trigger",
    # Poses.
    "parent-cycle",
    "pose-number",
    "frame-flat",
    "frame-sheared",
    "body-flat",
    "body-sheared",
    "collider-flat",
    "collider-sheared",
)
_WARNINGS = (
    "joint-under-static",
    "settings-idle",
    "limit-without-bound",
    "limit-shared-range",
    "limits-contradict",
    "several-drives",
    "drive-on-lock",
    "y-angle-wide",
    "infinite-mass",
    "frames-apart",
    "frame-mirrored",
    "rest-outside-limits",
    "collider-scaled",
    "trimesh-moves",
    "godot-turn-about-x",
    "godot-one-bound",
    "godot-hinge-drive",
    "godot-acceleration",
    "godot-position-and-velocity",
    "godot-last-limit-wins",
    "godot-angular-sign",
)
_HINTS = (
    "godot-hard-limits",
    "soft-lock-sags",
    "limit-powerless",
    "limit-twice",
    "velocity-without-damping",
    "position-without-stiffness",
    "drive-without-target",
    "drive-beyond-bound",
    "body-without-collider",
    "trigger-parts-unnamed",
    "mass-ratio",
    "center-on-hinge",
    "joint-twice",
)

SEVERITIES: dict[str, Severity] = {
    **dict.fromkeys(_ERRORS, Severity.ERROR),
    **dict.fromkeys(_WARNINGS, Severity.WARNING),
    **dict.fromkeys(_HINTS, Severity.HINT),
}
"""Severity by code. A code never changes its meaning; new ones are added."""
