# SPDX-License-Identifier: GPL-3.0-or-later
"""From the mouse to numbers: rays, handles, drags."""
