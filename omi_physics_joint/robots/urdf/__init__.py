# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF, the robots of ROS, in and out."""
