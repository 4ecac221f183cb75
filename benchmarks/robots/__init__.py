# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots' files beside MuJoCo: where models stand, and how written mechanisms move."""
