# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of triangles beside a robot's file."""
