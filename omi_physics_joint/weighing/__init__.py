# SPDX-License-Identifier: GPL-3.0-or-later
"""What bodies weigh where they do not say it: volume, centre and inertia of shapes and meshes."""
