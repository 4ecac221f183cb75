# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that exist: how they are made and changed, and their panels."""

PARTS = ("operators", "settings_operators", "lists", "panels")
