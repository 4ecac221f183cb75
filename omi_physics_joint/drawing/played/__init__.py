# SPDX-License-Identifier: GPL-3.0-or-later
"""What play adds: forces, pins, a ghost."""
