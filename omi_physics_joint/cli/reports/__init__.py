# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mechanism holds, as JSON and as lines."""
