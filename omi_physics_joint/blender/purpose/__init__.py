# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom the files of a scene are, how they are spelled, and what they leave out."""

PARTS = ("chosen", "panels")
