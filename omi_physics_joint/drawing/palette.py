# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours by emphasis and role. They only repeat what shapes say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .strokes import Role

RGB = tuple[float, float, float]

MUTED = 3
OPACITY = (0.55, 0.95, 1.0, 0.25)
"""By emphasis: 0 dimmed, 1 selected, 2 active, 3 switched off."""
GREYING = (0.35, 0.0, 0.0, 1.0)
"""How much of a colour is taken out of what is dimmed; of what is off, all of it."""
WARNINGS = (
    *(Role.VIOLATED, Role.BROKEN, Role.FORCE, Role.TORQUE),
    *(Role.PULL, Role.PIN, Role.GHOST, Role.CONTACT),
)
"""What is never dimmed."""


@dataclass(frozen=True, slots=True)
class Theme:
    """What the user's theme says, each component 0 to 1."""

    axes: tuple[RGB, RGB, RGB] = ((0.96, 0.26, 0.33), (0.53, 0.80, 0.13), (0.20, 0.55, 0.95))
    selected: RGB = (0.93, 0.34, 0.0)
    active: RGB = (1.0, 0.63, 0.16)


FIXED: dict[int, RGB] = {
    Role.VALUE: (0.98, 0.98, 0.98),
    Role.DRIVE: (0.85, 0.45, 1.0),
    Role.VIOLATED: (1.0, 0.08, 0.08),
    Role.BROKEN: (1.0, 0.20, 0.10),
    Role.FORCE: (1.0, 0.85, 0.10),
    Role.TORQUE: (0.20, 0.90, 0.90),
    Role.PULL: (1.0, 1.0, 1.0),
    Role.PIN: (1.0, 0.30, 0.65),
    Role.GHOST: (0.45, 0.85, 1.0),
    Role.CONTACT: (0.55, 1.0, 0.30),
    Role.FLOOR: (0.60, 0.75, 0.90),
    Role.SOLE: (0.93, 0.78, 0.50),
}
BODY_DIMMED: RGB = (0.70, 0.70, 0.70)


@lru_cache(maxsize=4)
def palette(theme: Theme) -> NDArray[np.float32]:
    """Return RGBA by emphasis and role, shape (4, roles, 4)."""
    colours = np.ones((len(OPACITY), len(Role), 4), np.float32)
    bodies = (BODY_DIMMED, theme.selected, theme.active, BODY_DIMMED)
    for emphasis, (opacity, share) in enumerate(zip(OPACITY, GREYING, strict=True)):
        own = FIXED | dict(enumerate(theme.axes)) | {Role.BODY: bodies[emphasis]}
        for role, colour in own.items():
            colours[emphasis, role, :3] = colour
            if role not in WARNINGS or emphasis == MUTED:
                grey = sum(colour) / len(colour)
                greyed = [(1.0 - share) * c + share * grey for c in colour]
                colours[emphasis, role] = (*greyed, opacity)
    return colours
