# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to the truth that share nothing with the solver nor with each other."""
