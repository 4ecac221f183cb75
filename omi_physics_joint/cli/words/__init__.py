# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of each command; what they mean is loaded when they are said."""
