# SPDX-License-Identifier: GPL-3.0-or-later
"""Example mechanisms, built in Blender by scripts."""
