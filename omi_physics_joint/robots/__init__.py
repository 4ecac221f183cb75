# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF and URDF in and out: standard library, model and weighing."""
