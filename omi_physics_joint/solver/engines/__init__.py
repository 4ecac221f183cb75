# SPDX-License-Identifier: GPL-3.0-or-later
"""What steps islands: the compiled kernel, or NumPy."""
