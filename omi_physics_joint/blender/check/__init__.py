# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong in a scene, and how it is mended."""

PARTS = ("aging", "operators", "panels")
