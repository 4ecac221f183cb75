# SPDX-License-Identifier: GPL-3.0-or-later
"""What all panels and operators share: text, words, redraws, the manual, what plays just now."""

PARTS = ("manual", "signals")
