# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender's glTF add-on calls: the only place that knows its internals.

The hooks are found when a file is exported or imported, not when Blender starts.
"""

from typing import Any

PARTS = ("panels",)

Untyped = Any
"""An object of the glTF add-on, whose classes have no types."""
ExportSettings = dict[str, Any]
"""The exporter's own settings: 136 keys without types, read nowhere but in this package."""
