# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver as one would write it from the book: dense, one island at a time, in small steps."""
