# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrices, frames, axes, and sizes."""
