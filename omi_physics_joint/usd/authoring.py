# SPDX-License-Identifier: GPL-3.0-or-later
"""The door to ``pxr``, outwards: records written into a layer, one opinion after the other."""

from __future__ import annotations

from typing import Any

from ..model.body import IDENTITY_QUATERNION, ZERO
from ..model.geometry.frames import placements
from ..model.geometry.transform import IDENTITY, ONE
from .prim import DEF, OVER, Prim, Stage, Value
from .table import attribute_of

POSE, ORDER = "xformOp", "xformOpOrder"


def author(stage: Stage, layer: Any) -> None:  # noqa: ANN401
    """Write the prims of a stage into a ``Sdf.Layer``, and what it says of its numbers.

    What the layer says already and the stage does not, stays.
    """
    from pxr import Sdf

    root = layer.pseudoRoot
    root.SetInfo("metersPerUnit", stage.meters_per_unit)
    root.SetInfo("kilogramsPerUnit", stage.kilograms_per_unit)
    root.SetInfo("upAxis", stage.up_axis)
    layer.timeCodesPerSecond = stage.time_codes_per_second
    if stage.default_prim:
        layer.defaultPrim = stage.default_prim
    tracks = [track for prim in stage for track in (*prim.samples.values(), prim.poses)]
    times = [code for track in tracks for code, _ in track]
    times += stage.times or ([0.0] if times else [])  # so that zero is where it was
    if times:
        layer.startTimeCode, layer.endTimeCode = min(times), max(times)
    with Sdf.ChangeBlock():
        for prim in stage:
            _author_prim(prim, layer)


def _author_prim(prim: Prim, layer: Any) -> None:  # noqa: ANN401
    from pxr import Sdf

    spec = Sdf.CreatePrimInLayer(layer, prim.path)
    if prim.specifier == DEF:
        spec.specifier = Sdf.SpecifierDef
    if prim.type:
        spec.typeName = prim.type
    if not prim.is_active:
        spec.active = False
    if prim.label and prim.label != prim.name:
        spec.SetInfo("displayName", prim.label)
    if prim.schemas or prim.removed_schemas:
        schemas = Sdf.TokenListOp()
        given = spec.GetInfo("apiSchemas") if spec.HasInfo("apiSchemas") else schemas
        first = [one for one in given.prependedItems if one not in prim.schemas]
        schemas.prependedItems = [*first, *prim.schemas]
        schemas.deletedItems = list(prim.removed_schemas)
        spec.SetInfo("apiSchemas", schemas)
    if prim.local is not None:
        _author_pose(spec, prim)
    for name, value in prim.attributes.items():
        attribute, kind = _attribute(spec, name)
        attribute.default = Sdf.ValueBlock() if value is None else _told(value, kind)
    for name, samples in prim.samples.items():
        attribute, kind = _attribute(spec, name)
        for code, value in samples:
            layer.SetTimeSample(attribute.path, code, _told(value, kind))
    for name, paths in prim.targets.items():
        relationship = spec.relationships.get(name)
        if relationship is None:
            relationship = Sdf.RelationshipSpec(spec, name, custom=False)
        relationship.targetPathList.explicitItems = [Sdf.Path(path) for path in paths]


def _attribute(spec: Any, name: str, kind: str = "") -> tuple[Any, str]:  # noqa: ANN401
    """Return the attribute of a prim in a layer, made where it is not there, and its type."""
    from pxr import Sdf

    known = attribute_of(name)
    kind = kind or (known.type if known is not None else "token")
    attribute = spec.attributes.get(name)
    if attribute is None:
        is_uniform = known is not None and known.is_uniform
        varies = Sdf.VariabilityUniform if is_uniform else Sdf.VariabilityVarying
        attribute = Sdf.AttributeSpec(spec, name, Sdf.ValueTypeNames.Find(kind), varies)
    return attribute, kind


def _author_pose(spec: Any, prim: Prim) -> None:  # noqa: ANN401
    """Write a pose as translation, rotation and scale, or as a matrix where it has shear."""
    from pxr import Sdf

    local = prim.local or IDENTITY
    ops: list[tuple[str, str, Value]] = [("transform", "matrix4d", local)]
    try:
        steps = placements(IDENTITY, local)
    except ZeroDivisionError:
        steps = ()
    if len(steps) == 1 and not prim.poses:
        one = steps[0]
        plain: dict[str, Value] = {"translate": ZERO, "orient": IDENTITY_QUATERNION, "scale": ONE}
        ops = [
            ("translate", "double3", one.translation),
            ("orient", "quatd", one.rotation),
            ("scale", "double3", one.scale),
        ]
        ops = [op for op in ops if op[2] != plain[op[0]]]
    for name, kind, value in ops:
        attribute, _ = _attribute(spec, f"{POSE}:{name}", kind)
        attribute.default = _told(value, kind)
        for code, pose in prim.poses:
            spec.layer.SetTimeSample(attribute.path, code, _told(pose, kind))
    order = [f"{POSE}:{name}" for name, _, _ in ops]
    if prim.resets:
        order.insert(0, "!resetXformStack!")
    if order or prim.specifier == OVER:
        attribute = spec.attributes.get(ORDER) or Sdf.AttributeSpec(
            spec, ORDER, Sdf.ValueTypeNames.TokenArray, Sdf.VariabilityUniform
        )
        attribute.default = order


def _told(value: Value, kind: str) -> Any:  # noqa: ANN401
    """Return a plain value as ``pxr`` has it in an attribute of a type."""
    from pxr import Gf, Vt

    if kind in ("quatf", "quatd"):
        x, y, z, w = value
        return (Gf.Quatf if kind == "quatf" else Gf.Quatd)(w, x, y, z)
    if kind == "matrix4d":
        return Gf.Matrix4d(*(value[j][i] for i in range(4) for j in range(4)))
    if kind.endswith("3f[]") or kind == "float3[]":
        return Vt.Vec3fArray([Gf.Vec3f(*one) for one in value])
    if kind in ("int[]", "double[]"):
        return (Vt.IntArray if kind == "int[]" else Vt.DoubleArray)(list(value))
    if kind == "double3":
        return Gf.Vec3d(*value)
    return Gf.Vec3f(*value) if isinstance(value, tuple) else value
