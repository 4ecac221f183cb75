# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``simulate`` says of a motion."""
