# SPDX-License-Identifier: GPL-3.0-or-later
"""What shows a joint: what it leaves, where it stands, where it is driven."""
