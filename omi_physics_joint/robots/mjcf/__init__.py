# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF, the models of MuJoCo, in and out."""
