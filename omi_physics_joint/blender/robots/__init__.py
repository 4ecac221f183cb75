# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF and URDF in Blender: File > Import and File > Export."""
