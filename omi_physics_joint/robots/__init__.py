# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF and URDF in and out. Standard library and model only."""
