# SPDX-License-Identifier: GPL-3.0-or-later
"""Where things are and how fast: the coordinates of joints, their rates and their Jacobian."""
