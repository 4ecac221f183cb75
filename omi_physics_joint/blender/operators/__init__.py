# SPDX-License-Identifier: GPL-3.0-or-later
"""What buttons do: each operator polls, collects, calls one function and reports."""

from __future__ import annotations

from ..registration import in_order
from . import (
    body,
    body_mass,
    check,
    create,
    drag,
    edit,
    help,
    mechanism,
    play,
    pose,
    retype,
    robots,
    run,
    settings,
    timeline,
)

PARTS = (
    create,
    edit,
    help,
    retype,
    settings,
    body,
    body_mass,
    check,
    run,
    robots,
    drag,
    play,
    pose,
    mechanism,
    timeline,
)

register, unregister = in_order(PARTS)
