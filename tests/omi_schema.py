# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds glTF JSON against the project's own schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

SCHEMAS = Path(__file__).parents[1] / "omi_physics_joint" / "gltf" / "schema"


@cache
def validators() -> dict[str, jsonschema.Draft202012Validator]:
    """Return a validator for every schema, by its name such as "node.OMI_physics_joint"."""
    found = {}
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        found[path.name.removesuffix(".schema.json")] = jsonschema.Draft202012Validator(schema)
    return found


def schema_errors(gltf: dict[str, Any]) -> list[str]:
    """Return one line for everything in our extensions that the schemas reject."""
    return [
        f"{where}/{'/'.join(map(str, error.absolute_path))}: {error.message}"
        for where, name, extension in _extensions(gltf)
        for error in validators()[name].iter_errors(extension)
    ]


def _extensions(gltf: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    owners = [("", "document", gltf)]
    owners += [(f"/nodes/{i}", "node", node) for i, node in enumerate(gltf.get("nodes", []))]
    for where, level, owner in owners:
        for name, extension in owner.get("extensions", {}).items():
            if f"{level}.{name}" in validators():
                yield f"{where}/extensions/{name}", f"{level}.{name}", extension
