# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes things accelerate: weights, springs, and the forces of joints."""
