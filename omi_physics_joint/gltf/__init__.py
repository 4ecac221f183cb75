# SPDX-License-Identifier: GPL-3.0-or-later
"""OMI_physics_joint, _body and _shape as glTF JSON, in and out. Standard library and model only."""
