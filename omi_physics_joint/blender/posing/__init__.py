# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing mechanisms by hand: an edit of transforms, with every joint kept."""

from __future__ import annotations

PARTS = ("properties", "operators", "panels")
