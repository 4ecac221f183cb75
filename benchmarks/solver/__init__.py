# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver measured beside its peers: ``python -m benchmarks.solver.run``."""
