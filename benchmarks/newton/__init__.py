# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations as Newton has them: the same coordinates, the same poses."""
