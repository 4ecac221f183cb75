# SPDX-License-Identifier: GPL-3.0-or-later
"""What play and timeline share: what of a scene moves, and one run of it."""

PARTS = ("properties",)
