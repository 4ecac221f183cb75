# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves together, what it weighs, and what sags."""
