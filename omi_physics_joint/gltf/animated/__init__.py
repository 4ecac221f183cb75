# SPDX-License-Identifier: GPL-3.0-or-later
"""Animations of nodes, and of physics."""
