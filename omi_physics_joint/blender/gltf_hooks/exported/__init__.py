# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export adds to the file that the exporter writes."""
