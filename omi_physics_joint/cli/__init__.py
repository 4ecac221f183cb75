# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: ``command.main`` is the one entry, inside and outside Blender."""
