# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the extensions of this dialect."""

BODY = "OMI_physics_body"
JOINT = "OMI_physics_joint"
SHAPE = "OMI_physics_shape"
EXTENSIONS = (BODY, JOINT, SHAPE)
"""In the order in which they are declared."""
