# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of a stage: what they are made of."""
