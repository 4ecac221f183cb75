# SPDX-License-Identifier: GPL-3.0-or-later
"""From the record of a stage to contents."""
