# SPDX-License-Identifier: GPL-3.0-or-later
"""What reads and writes each format beside glTF; ``library.formats`` loads what a file takes."""
