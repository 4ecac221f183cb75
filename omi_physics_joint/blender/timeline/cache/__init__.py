# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated motion in the file, and what it depends on."""
