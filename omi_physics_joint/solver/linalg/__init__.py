# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear algebra of rows: what bodies and joints are eliminated in, and what is solved with it."""
