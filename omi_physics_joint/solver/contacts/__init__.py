# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes as the kernel knows them, and what it finds of two of them."""
