# SPDX-License-Identifier: GPL-3.0-or-later
"""What computes: the compiled kernel where there is one for this machine, else the textbook."""

from __future__ import annotations

from functools import lru_cache

from .compiled import compiled_engine
from .engine import Engine
from .kernel import kernel


@lru_cache(maxsize=1)
def engine() -> Engine:
    """Return what computes in this process."""
    library = kernel().library
    if library is not None:
        return compiled_engine(library)
    from .textbook import TEXTBOOK  # nobody else waits for it to be loaded

    return TEXTBOOK
