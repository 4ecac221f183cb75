# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of bodies that are animated and are not kinematic, in files and in scenes."""

from __future__ import annotations

ANIMATED_BODIES = {
    "static-animated": (
        "This static body is animated, so it counts as kinematic: it moves, and what is joined to "
        "it follows.",
        "Make it kinematic, or take out what animates it.",
    ),
    "dynamic-animated": (
        "This dynamic body is animated too: forces move it here, and some readers animate it.",
        "Make it kinematic, or take out what animates it.",
    ),
}
"""By code of the issue: what is so, and what to do."""
