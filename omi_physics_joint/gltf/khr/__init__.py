# SPDX-License-Identifier: GPL-3.0-or-later
"""KHR_physics_rigid_bodies and KHR_implicit_shapes, as JSON."""
