# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of joints, and where it is taken hold of, without a graphics card."""
