# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the extensions of this dialect."""

BODY = "KHR_physics_rigid_bodies"
SHAPE = "KHR_implicit_shapes"
EXTENSIONS = (BODY, SHAPE)
"""In the order in which they are declared."""
