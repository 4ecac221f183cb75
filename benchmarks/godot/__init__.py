# SPDX-License-Identifier: GPL-3.0-or-later
"""Files for Godot measured in Godot itself, beside our solver."""
