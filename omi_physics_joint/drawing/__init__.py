# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that show what joints allow: NumPy and the model, no Blender and no graphics card."""
