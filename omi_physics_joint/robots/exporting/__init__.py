# SPDX-License-Identifier: GPL-3.0-or-later
"""From contents to a robot."""
