# SPDX-License-Identifier: GPL-3.0-or-later
"""One island at a time from the book (Featherstone 2008: 3, 8, 11), dense and in small steps."""
