# SPDX-License-Identifier: GPL-3.0-or-later
"""The door to ``pxr``: stages read into records, and records written into layers.

``pxr`` is in ``usd-core`` and inside of Blender. Nothing else in the package imports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..model.body import IDENTITY_QUATERNION, ZERO
from ..model.contents import ContentsError
from ..model.frames import placements
from ..model.transform import IDENTITY, ONE, Matrix
from .prim import DEF, OVER, Prim, Samples, Stage, Value
from .table import GROUP, SCENE, attribute_of

SUFFIXES = (".usda", ".usdc", ".usd", ".usdz")
SHARED = (SCENE, GROUP, "Material")
"""Types of prims that many others share."""
WITHOUT = "USD cannot be read or written here: the module pxr is missing."
GET_IT = "Install it: pip install usd-core."
_LOOKS = ("primvars:", "inputs:", "outputs:", "userProperties:", "ui:")
"""Beginnings of names of attributes that say nothing of physics."""
_POSE, _ORDER = "xformOp", "xformOpOrder"
_QUOTED = re.compile(r" : '(.*?)'\s*(?:\n|\Z)", re.DOTALL)
"""What an error says, behind where it was raised."""


class StageError(ContentsError):
    """A stage cannot be read or written; its text is one sentence for the user."""


def is_available() -> bool:
    """Return whether ``pxr`` is here."""
    return find_spec("pxr") is not None


def read(path: Path, below: str = "") -> Stage:
    """Return what a file composes to.

    Args:
        path: of a .usda, .usdc, .usd or .usdz.
        below: path of the prim to read, with what is below it; empty is all.

    Raises:
        StageError: there is no ``pxr``, no such prim, or the file cannot be opened.
    """
    _check_here()
    from pxr import Tf, Usd

    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException as error:
        message = f"{path.name} cannot be opened as USD: {_reason(error)}"
        raise StageError(message) from error
    return record(stage, below)


def record(stage: Any, below: str = "") -> Stage:  # noqa: ANN401 - pxr has no types
    """Return what an open stage composes to: active, defined prims, also those of instances.

    Prototypes of point instancers are left out: they stand nowhere.

    Args:
        stage: a ``Usd.Stage``.
        below: path of the prim to read, with what is below it; empty is all. Scenes, materials
            and groups come along, which it may share with others, and joints that join it alone.

    Raises:
        StageError: there is no such prim.
    """
    _check_here()
    from pxr import Sdf, Usd, UsdGeom, UsdPhysics

    if below and not (Sdf.Path.IsValidPathString(below) and stage.GetPrimAtPath(below)):
        message = f"There is no prim {below} on the stage."
        raise StageError(message)
    walk = _walked(stage.GetPseudoRoot())
    if below:
        walk = (prim for prim in walk if _concerns(prim, Sdf.Path(below)))
    cache = UsdGeom.XformCache(Usd.TimeCode.EarliestTime())
    default = stage.GetDefaultPrim()
    times = (stage.GetStartTimeCode(), stage.GetEndTimeCode())
    return Stage(
        prims=tuple(_prim(prim, cache) for prim in walk),
        meters_per_unit=UsdGeom.GetStageMetersPerUnit(stage),
        kilograms_per_unit=UsdPhysics.GetStageKilogramsPerUnit(stage),
        up_axis=str(UsdGeom.GetStageUpAxis(stage)),
        time_codes_per_second=stage.GetTimeCodesPerSecond(),
        times=times if stage.HasAuthoredTimeCodeRange() else None,
        default_prim=default.GetName() if default else "",
        is_partial=bool(below),
    )


def texts(stage: Any, ending: str) -> dict[str, str]:  # noqa: ANN401 - pxr has no types
    """Return the texts of attributes whose names end so, by the paths of their prims."""
    found: dict[str, str] = {}
    for prim in stage.Traverse():
        for attribute in prim.GetAuthoredAttributes():
            value = attribute.Get() if attribute.GetName().endswith(ending) else None
            if isinstance(value, str):
                found[str(prim.GetPath())] = value
    return found


def encoded(stage: Stage, suffix: str, over: str = "") -> bytes:
    """Return the bytes of a file that holds a stage; always the same for the same stage.

    Args:
        stage: what to write.
        suffix: one of ``SUFFIXES``; .usd is binary, as .usdc is.
        over: path of the stage that its opinions are above, as the file is to name it.

    Raises:
        StageError: there is no ``pxr``, or it refuses.
    """
    _check_here()
    from pxr import Sdf, Tf, UsdUtils

    if over and suffix == ".usdz":
        message = "A .usdz holds all that it shows, so it cannot lie over a stage: write a .usda."
        raise StageError(message)
    layer = Sdf.Layer.CreateAnonymous(".usda")
    try:
        author(stage, layer)
        if over:
            layer.subLayerPaths.append(over)
        if suffix == ".usda":
            return str(layer.ExportToString()).encode()
        with TemporaryDirectory(prefix="omi_usd_") as folder:
            file = Path(folder) / f"stage{'.usdc' if suffix == '.usdz' else suffix}"
            layer.Export(str(file))
            if suffix == ".usdz":
                inside, file = file, file.with_suffix(suffix)
                UsdUtils.CreateNewUsdzPackage(str(inside), str(file))
            return file.read_bytes()
    except Tf.ErrorException as error:
        message = f"The stage cannot be written: {_reason(error)}"
        raise StageError(message) from error


def author(stage: Stage, layer: Any) -> None:  # noqa: ANN401
    """Write the prims of a stage into a layer, and what it says of its numbers.

    Args:
        stage: what to write.
        layer: a ``Sdf.Layer``; what it says already and the stage does not, stays.
    """
    from pxr import Sdf

    root = layer.pseudoRoot
    root.SetInfo("metersPerUnit", stage.meters_per_unit)
    root.SetInfo("kilogramsPerUnit", stage.kilograms_per_unit)
    root.SetInfo("upAxis", stage.up_axis)
    layer.timeCodesPerSecond = stage.time_codes_per_second
    if stage.default_prim:
        layer.defaultPrim = stage.default_prim
    times = [code for prim in stage for track in prim.samples.values() for code, _ in track]
    times += stage.times or ()
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
        _author_value(spec, name, value)
    for name, samples in prim.samples.items():
        attribute, kind = _attribute(spec, name)
        for code, value in samples:
            layer.SetTimeSample(attribute.path, code, _told(value, kind))
    for name, paths in prim.targets.items():
        relationship = spec.relationships.get(name)
        if relationship is None:
            relationship = Sdf.RelationshipSpec(spec, name, custom=False)
        relationship.targetPathList.explicitItems = [Sdf.Path(path) for path in paths]


def _author_value(spec: Any, name: str, value: Value) -> None:  # noqa: ANN401
    from pxr import Sdf

    attribute, kind = _attribute(spec, name)
    attribute.default = Sdf.ValueBlock() if value is None else _told(value, kind)


def _attribute(spec: Any, name: str, kind: str = "") -> tuple[Any, str]:  # noqa: ANN401
    """Return the attribute of a prim in a layer, made where it is not there, and its type."""
    from pxr import Sdf

    known = attribute_of(name)
    kind = kind or (known.type if known is not None else "token")
    attribute = spec.attributes.get(name)
    if attribute is None:
        uniform = known is not None and known.is_uniform
        attribute = Sdf.AttributeSpec(
            spec,
            name,
            Sdf.ValueTypeNames.Find(kind),
            Sdf.VariabilityUniform if uniform else Sdf.VariabilityVarying,
        )
    return attribute, kind


def _author_pose(spec: Any, prim: Prim) -> None:  # noqa: ANN401
    """Write a pose as translation, rotation and scale, or as a matrix where it has shear."""
    from pxr import Sdf

    ops: list[tuple[str, str, Value]] = []
    local = prim.local or IDENTITY
    try:
        steps = placements(IDENTITY, local)
    except ZeroDivisionError:
        steps = ()
    if len(steps) == 1:
        one = steps[0]
        parts: tuple[tuple[str, str, Value, Value], ...] = (
            ("translate", "double3", one.translation, ZERO),
            ("orient", "quatd", one.rotation, IDENTITY_QUATERNION),
            ("scale", "double3", one.scale, ONE),
        )
        ops = [(name, kind, value) for name, kind, value, plain in parts if value != plain]
    else:
        ops = [("transform", "matrix4d", local)]
    for name, kind, value in ops:
        attribute, _ = _attribute(spec, f"{_POSE}:{name}", kind)
        attribute.default = _told(value, kind)
    order = [f"{_POSE}:{name}" for name, _, _ in ops]
    if prim.resets:
        order.insert(0, "!resetXformStack!")
    if order or prim.specifier == OVER:
        attribute = spec.attributes.get(_ORDER) or Sdf.AttributeSpec(
            spec, _ORDER, Sdf.ValueTypeNames.TokenArray, Sdf.VariabilityUniform
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
    if kind == "int[]":
        return Vt.IntArray(list(value))
    if kind == "double3":
        return Gf.Vec3d(*value)
    return Gf.Vec3f(*value) if isinstance(value, tuple) else value


def _reason(error: Exception) -> str:
    """Return what an error of ``pxr`` says first, without where in its sources it says so."""
    said = _QUOTED.search(str(error))
    return " ".join((said[1] if said else str(error)).split()).rstrip(".") + "."


def _check_here() -> None:
    if not is_available():
        message = f"{WITHOUT} {GET_IT}"
        raise StageError(message)


def _walked(root: Any) -> Iterator[Any]:  # noqa: ANN401
    from pxr import Usd, UsdGeom

    walk = iter(Usd.PrimRange(root, Usd.TraverseInstanceProxies()))
    for prim in walk:
        if prim.IsPseudoRoot():
            continue
        if prim.IsA(UsdGeom.PointInstancer):
            walk.PruneChildren()
        yield prim


def _concerns(prim: Any, below: Any) -> bool:  # noqa: ANN401
    """Return whether a prim is below another one, or one that this shares or is joined by."""
    from pxr import UsdPhysics

    if prim.GetPath().HasPrefix(below) or str(prim.GetTypeName()) in SHARED:
        return True
    joint = UsdPhysics.Joint(prim)
    if not joint:
        return False
    ends = [joint.GetBody0Rel().GetForwardedTargets(), joint.GetBody1Rel().GetForwardedTargets()]
    paths = [path for end in ends for path in end]
    return bool(paths) and all(path.HasPrefix(below) for path in paths)


def _prim(prim: Any, cache: Any) -> Prim:  # noqa: ANN401
    from pxr import Usd, UsdGeom, UsdShade

    local, resets = None, False
    posed = UsdGeom.Xformable(prim)
    if posed:
        pose, resets = cache.GetLocalTransformation(prim)
        local = _matrix(pose)
    attributes: dict[str, Value] = {}
    samples: dict[str, Samples] = {}
    for attribute in prim.GetAuthoredAttributes():
        name = attribute.GetName()
        if name.startswith((*_LOOKS, _POSE)) or not attribute.HasAuthoredValue():
            continue
        value = attribute.Get(Usd.TimeCode.EarliestTime())
        if value is None:
            continue
        attributes[name] = _plain(value)
        if attribute.ValueMightBeTimeVarying():
            times = attribute.GetTimeSamples()
            samples[name] = tuple((time, _plain(attribute.Get(time))) for time in times)
    targets = {
        one.GetName(): tuple(str(path) for path in one.GetForwardedTargets())
        for one in prim.GetAuthoredRelationships()
    }
    bound, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
    kind = str(prim.GetTypeName())
    return Prim(
        path=str(prim.GetPath()),
        type=kind,
        schemas=_schemas(prim),
        attributes=attributes,
        targets={name: paths for name, paths in targets.items() if paths},
        samples=samples,
        local=local,
        world=_matrix(cache.GetLocalToWorldTransform(prim)),
        resets=resets,
        is_animated=bool(posed) and posed.TransformMightBeTimeVarying(),
        physics_material=str(bound.GetPath()) if bound else "",
        members=_members(prim) if kind == GROUP else (),
        kinds=_kinds(prim),
        label=prim.GetDisplayName(),
        is_shared=prim.IsInstanceProxy(),
    )


def _schemas(prim: Any) -> tuple[str, ...]:  # noqa: ANN401
    """Return the schemas of a prim, with those that ``pxr`` has no definition of: PhysX's."""
    own = prim.GetPrimTypeInfo().GetAppliedAPISchemas()
    return tuple(dict.fromkeys(map(str, (*prim.GetAppliedSchemas(), *own))))


def _members(prim: Any) -> tuple[str, ...]:  # noqa: ANN401
    from pxr import Usd

    collection = Usd.CollectionAPI.Get(prim, "colliders")
    if not collection:
        return ()
    query = collection.ComputeMembershipQuery()
    found = Usd.CollectionAPI.ComputeIncludedPaths(
        query, prim.GetStage(), Usd.TraverseInstanceProxies()
    )
    return tuple(sorted(map(str, found)))


def _kinds(prim: Any) -> tuple[str, ...]:  # noqa: ANN401
    from pxr import UsdGeom, UsdPhysics

    kinds = {
        "PhysicsJoint": UsdPhysics.Joint,
        "Gprim": UsdGeom.Gprim,
        "Xformable": UsdGeom.Xformable,
    }
    return tuple(name for name, kind in kinds.items() if prim.IsA(kind))


def _matrix(pose: Any) -> Matrix:  # noqa: ANN401
    """Return a matrix of ``pxr``, which maps rows, as ours, which maps columns."""
    rows = [tuple(pose[j][i] for j in range(4)) for i in range(3)]
    return (*rows, IDENTITY[3])


def _plain(value: Any) -> Value:  # noqa: ANN401
    """Return a value of ``pxr`` as a plain one."""
    if isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "imaginary") or hasattr(value, "GetImaginary"):
        return (*map(float, value.GetImaginary()), float(value.GetReal()))
    if hasattr(value, "__len__") and hasattr(value, "__getitem__"):
        return tuple(_plain(one) for one in value)
    return str(value)
