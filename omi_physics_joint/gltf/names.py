# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the extensions that this project reads and writes."""

from __future__ import annotations

BODY = "OMI_physics_body"
JOINT = "OMI_physics_joint"
SHAPE = "OMI_physics_shape"
GRAVITY = "OMI_physics_gravity"
"""Of the document only; nodes may have it too, which is not read."""
EXTENSIONS = (BODY, JOINT, SHAPE)
"""In the order in which they are declared."""
