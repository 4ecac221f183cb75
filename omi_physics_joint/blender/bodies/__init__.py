# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, colliders and triggers: made, weighed, taken over, and their panels."""

PARTS = ("first_body", "operators", "panels")
