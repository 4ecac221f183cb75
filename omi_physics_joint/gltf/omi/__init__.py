# SPDX-License-Identifier: GPL-3.0-or-later
"""OMI_physics_body, OMI_physics_shape and OMI_physics_joint, as JSON."""
