# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms written as stages, for engines that load them: Newton and PhysX."""
