# SPDX-License-Identifier: GPL-3.0-or-later
"""Each thing of the model as prims."""
