# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in one mechanism than in another, in words."""
