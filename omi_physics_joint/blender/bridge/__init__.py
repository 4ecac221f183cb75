# SPDX-License-Identifier: GPL-3.0-or-later
"""The one seam between Blender's data and the model.

``placed`` says which objects are where, ``read_settings`` and ``read_nodes`` turn them into a
mechanism, ``write`` turns a mechanism into properties of objects. Blender's data is in Blender's
axes (Z up); the mechanism that leaves here is in glTF axes (Y up).
"""
