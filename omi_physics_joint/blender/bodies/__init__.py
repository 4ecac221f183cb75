# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, colliders and triggers: made, weighed, taken over, and their panels."""

from . import first_body, mass_operators, operators, panels

PARTS = (first_body, operators, mass_operators, panels)
