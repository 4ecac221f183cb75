# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms as Godot 4 with the OMI add-on and Jolt reads them, measured in Godot 4.6.3.

Godot differs from the specification: angles are measured the other way round, both frames of a
joint are taken from its own node, velocities are in world axes, some settings are dropped.
``written`` spells a mechanism so that Godot moves it as specified; ``seen`` is its inverse.
"""
