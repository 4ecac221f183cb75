# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing mechanisms by hand: an edit of transforms, with every joint kept."""

PARTS = ("properties", "operators", "panels")
