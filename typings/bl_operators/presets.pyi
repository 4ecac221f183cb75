from typing import Any

import bpy

class AddPresetBase:
    def __getattr__(self, name: str) -> Any: ...
    def execute(self, context: bpy.types.Context) -> set[str]: ...
