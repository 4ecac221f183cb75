# SPDX-License-Identifier: GPL-3.0-or-later
"""Linear algebra of rows: the matrix E E^T, dense or by blocks of joints."""
