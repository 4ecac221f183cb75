# SPDX-License-Identifier: GPL-3.0-or-later
"""What limits and drives leave of the six degrees of freedom."""
