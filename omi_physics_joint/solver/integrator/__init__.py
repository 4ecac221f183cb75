# SPDX-License-Identifier: GPL-3.0-or-later
"""From now to a little later: collocation, events inside of steps, and a step that always ends."""
