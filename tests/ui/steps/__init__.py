# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user does in a window; see docs/developers/testing.md."""

from . import (
    authoring,
    creating,
    exporting,
    ghost,
    handles,
    mechanism,
    one_object,
    playing,
    posing,
    readers,
)

__all__ = [
    "authoring",
    "creating",
    "exporting",
    "ghost",
    "handles",
    "mechanism",
    "one_object",
    "playing",
    "posing",
    "readers",
]
