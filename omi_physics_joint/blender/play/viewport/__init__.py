# SPDX-License-Identifier: GPL-3.0-or-later
"""The window while joints play: events, the mouse, status bar and header."""
