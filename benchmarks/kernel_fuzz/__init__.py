# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms through the compiled kernel under sanitizers: `make fuzz`."""
