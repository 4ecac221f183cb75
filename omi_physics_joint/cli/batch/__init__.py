# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files in one run: a supervisor outside Blender, and workers that do file after file."""
