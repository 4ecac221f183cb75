# SPDX-License-Identifier: GPL-3.0-or-later
"""New joints between selected objects, and joints of another type."""

PARTS = ("operators", "panels")
