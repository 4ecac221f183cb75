# SPDX-License-Identifier: GPL-3.0-or-later
"""What play adds: forces, contacts, a floor, pins, a ghost."""
