# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps as Godot takes them with Jolt, on the same rows."""
