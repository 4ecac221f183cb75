# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``simulate`` says of a motion."""

STEPS = ("exact", "godot")
SOFT_LOCKS = ("automatic", "literal", "rigid")
MOST_FRAMES = 1_000_000
"""Of one run; beyond this it would not fit into memory."""
