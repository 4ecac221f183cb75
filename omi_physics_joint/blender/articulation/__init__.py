# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of joints: shown, selected and moved as a whole."""

PARTS = ("operators",)
