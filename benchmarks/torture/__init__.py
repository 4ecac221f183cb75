# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged files, odd scenes, random operators and kills: what must not crash, lose or half-do."""
