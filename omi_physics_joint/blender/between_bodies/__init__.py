# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies are and touch, which way they face: what places new joints."""
