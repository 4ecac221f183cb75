# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver measured beside its peers: ``python -m benchmarks.solver.run``."""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before NumPy is imported: one core for everybody
