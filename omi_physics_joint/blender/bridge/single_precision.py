# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as the artist typed them: Blender keeps single precision, the model double."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=4096)  # most values are zero, one, or the same in a whole scene
def typed(value: float) -> float:
    """Return the shortest decimal that Blender would store as this value: 0.3, not 0.30000001."""
    return float(str(np.float32(value)))


def typed_vector(values: Iterable[float]) -> tuple[float, float, float]:
    """Return three numbers as they were typed."""
    x, y, z = (typed(value) for value in values)
    return (x, y, z)
