# SPDX-License-Identifier: GPL-3.0-or-later
"""Files on disk: written aside and put in their places at once, and folders for one run alone."""
