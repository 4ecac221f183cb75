# SPDX-License-Identifier: GPL-3.0-or-later
"""What other Python calls, and our own commands: the package itself exports it (``OFFERED``)."""
