# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies, joints, limits, drives and mechanisms are. Standard library only."""
