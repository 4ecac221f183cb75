# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that touch: scenes as plain data, engines on them, closed forms."""
