# SPDX-License-Identifier: GPL-3.0-or-later
"""One file for each engine; one that is not installed is named in the report and left out."""
