# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of objects: kept, put back, and given by a mechanism."""
