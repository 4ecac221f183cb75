# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of a command line as argparse understands them."""

from __future__ import annotations

from decimal import Decimal
from math import isfinite


def plain_number(word: str) -> str:
    """Return a negative number without its exponent, and any other word as it is.

    argparse takes ``-1e1`` for an option, and ``-10`` for a number. Only what double precision
    holds is spelled out: the digits of ``-1e-999999999`` would fill the memory.
    """
    if not word.startswith("-") or "e" not in word.lower():
        return word
    try:
        value = float(word)
    except ValueError:
        return word
    return format(Decimal(repr(value)), "f") if isfinite(value) else word
