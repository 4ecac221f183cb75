# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints on the timeline: simulated into a cache, shown frame by frame, baked to keys."""

PARTS = ("properties", "handlers", "operators", "panels")
