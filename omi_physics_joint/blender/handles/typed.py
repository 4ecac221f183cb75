# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed while a handle is dragged, key by key; ``units`` reads it."""

from __future__ import annotations

TYPED = frozenset("0123456789.,+-*/()\N{DEGREE SIGN}'\" abcdefghijklmnopqrstuvwxyz")
"""Characters that go on with a number."""
OPENING = frozenset("0123456789.,-(")
"""Characters that begin one."""
LONGEST = 40


def after_key(text: str, character: str) -> str | None:
    """Return what is typed after one more character; None where it does not belong to a number."""
    allowed = TYPED if text else OPENING
    if len(character) != 1 or character.lower() not in allowed or len(text) >= LONGEST:
        return None
    return text + character.lower()
