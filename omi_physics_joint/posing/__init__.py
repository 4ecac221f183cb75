# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses a mechanism by its joints, without time, mass or force.

One value of a joint is set, or one point of a body is dragged; all other bodies follow through
their joints. Soft limits count as rigid here: nobody poses a thing where it would not stay.
"""

from .posing import Posed, Posing

__all__ = ["Posed", "Posing"]
