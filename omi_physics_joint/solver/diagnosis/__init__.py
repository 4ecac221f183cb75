# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said of a mechanism without moving it."""
