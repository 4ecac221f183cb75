# SPDX-License-Identifier: GPL-3.0-or-later
"""The door to ``pxr``: files and stages read into records, and records written into files.

``pxr`` is in ``usd-core`` and inside of Blender. Only this module and ``authoring`` import it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from math import isfinite
from os import utime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..files.inputs import InputError, spend, why_closed
from ..model.contents import ContentsError, moments
from ..model.geometry.transform import IDENTITY, Matrix
from .authoring import POSE, author
from .measures import measures
from .prim import Prim, Samples, Stage, Value
from .table import GROUP, SCENE
from .troubles import not_chosen, not_composed, said, unread

SHARED = (SCENE, GROUP, "Material")
"""Types of prims that many others share."""
WITHOUT = "USD cannot be read or written here: the module pxr is missing."
GET_IT = "Blender from blender.org has it, and the package usd-core."
LONG_AGO = 946_728_000
"""s: noon of the first of January 2000, in UTC."""
_LOOKS = ("primvars:", "inputs:", "outputs:", "userProperties:", "ui:")
"""Beginnings of names of attributes that say nothing of physics."""


class StageError(ContentsError):
    """A stage cannot be read or written; its text is one sentence for the user."""


def is_available() -> bool:
    """Return whether ``pxr`` is here."""
    return find_spec("pxr") is not None


def read(path: Path, below: str = "") -> Stage:
    """Return what a .usda, .usdc, .usd or .usdz composes to: see ``record``.

    Raises:
        StageError: there is no ``pxr``, no such prim, or the file cannot be opened.
    """
    check_here()
    from pxr import Tf, Usd, UsdUtils

    heard = UsdUtils.CoalescingDiagnosticDelegate()  # else all goes to standard error as well
    try:
        layers = _layers_that_may_be_read(path)
        stage = Usd.Stage.Open(str(path))
        found = record(stage, below)
        for layer in (*layers, *stage.GetUsedLayers(includeClipLayers=True)):
            _check_file(layer.realPath, named=layer.realPath == layers[0].realPath)
        return found
    except Tf.ErrorException as error:
        raise StageError(f"{path.name} cannot be opened as USD: {said(error)}") from error
    finally:
        heard.TakeUncoalescedDiagnostics()


def record(stage: Any, below: str = "") -> Stage:  # noqa: ANN401 - pxr has no types
    """Return what an open stage composes to: active, defined prims, also those of instances.

    Prototypes of point instancers are left out: they stand nowhere. Its troubles say what could
    not be composed, and which prims could not be read.

    Args:
        stage: a ``Usd.Stage``.
        below: path of the prim to read, with what is below it; empty is all. Scenes, materials
            and groups come along, which it may share with others, and joints of it.

    Raises:
        StageError: there is no such prim.
    """
    check_here()
    from pxr import Sdf, Usd, UsdGeom, UsdPhysics

    below = f"/{below.strip('/')}" if below.strip("/") else ""
    if below and not (Sdf.Path.IsValidPathString(below) and stage.GetPrimAtPath(below)):
        raise StageError(f"There is no prim {below} on the stage.")
    walk = _walked(stage.GetPseudoRoot())
    if below:
        walk = (prim for prim in walk if _concerns(prim, Sdf.Path(below)))
    cache = UsdGeom.XformCache(Usd.TimeCode.EarliestTime())
    default = stage.GetDefaultPrim()
    times = (stage.GetStartTimeCode(), stage.GetEndTimeCode())
    prims, failed = _prims(walk, cache)
    layer = stage.GetRootLayer()
    folder = layer.realPath.rpartition("/")[0]
    missing = not_composed(_errors(stage, below), layer.GetDisplayName(), folder)
    return Stage(
        prims=prims,
        meters_per_unit=UsdGeom.GetStageMetersPerUnit(stage),
        kilograms_per_unit=UsdPhysics.GetStageKilogramsPerUnit(stage),
        up_axis=str(UsdGeom.GetStageUpAxis(stage)),
        time_codes_per_second=stage.GetTimeCodesPerSecond(),
        times=times if stage.HasAuthoredMetadata("startTimeCode") else None,
        default_prim=default.GetName() if default else "",
        troubles=(
            *missing,
            *not_chosen(_selections(stage, prims)),
            *unread(failed),
            *measures(stage, prims),
        ),
    )


def texts(stage: Any, ending: str) -> dict[str, str]:  # noqa: ANN401 - pxr has no types
    """Return the texts of attributes whose names end so, by the paths of their prims."""
    found: dict[str, str] = {}
    for prim in _walked(stage.GetPseudoRoot()):
        for attribute in prim.GetAuthoredAttributes():
            value = attribute.Get() if attribute.GetName().endswith(ending) else None
            if isinstance(value, str):
                found[str(prim.GetPath())] = value
    return found


def encoded(stage: Stage, suffix: str, over: str = "") -> bytes:
    """Return the bytes of a file that holds a stage; always the same for the same stage.

    .usd is binary, as .usdc is. Where it has opinions over a stage, it is to name that by this
    path.

    Raises:
        StageError: there is no ``pxr``, or it refuses.
    """
    check_here()
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
                utime(file, (LONG_AGO, LONG_AGO))  # a package keeps when a file was written
                inside, file = file, file.with_suffix(suffix)
                UsdUtils.CreateNewUsdzPackage(str(inside), str(file))
            return file.read_bytes()
    except Tf.ErrorException as error:
        raise StageError(f"The stage cannot be written: {said(error)}") from error


def check_here() -> None:
    """Raise StageError where there is no ``pxr``."""
    if not is_available():
        raise StageError(f"{WITHOUT} {GET_IT}")


def _layers_that_may_be_read(path: Path) -> list[Any]:
    """Return the layers of a file and of all that it names, opened one by one.

    So nothing is opened that is no regular file, or outside of the fence.

    Raises:
        StageError: something of it is.
    """
    from pxr import Sdf, Tf

    found: list[Any] = []
    waiting, seen = [str(path)], {""}
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        _check_file(name, named=not found)
        try:
            layer = Sdf.Layer.FindOrOpen(name)
        except Tf.ErrorException:  # who opens the stage says it
            continue
        if layer:
            spend("prims", 0)
            found.append(layer)
            assets = filter(None, layer.GetCompositionAssetDependencies())  # "" is within it
            waiting += (Sdf.ComputeAssetPathRelativeToLayer(layer, asset) for asset in assets)
    return found


def _check_file(name: str, *, named: bool) -> None:
    """Refuse a layer that must not be read; one in a package by the file that this is.

    Raises:
        StageError: it must not.
    """
    from pxr import Ar

    file = Ar.SplitPackageRelativePathOuter(name)[0]
    why = why_closed(Path(file), named=named) if file else ""
    if why:
        raise StageError(f"{file} is not read: {why}.")


def _errors(stage: Any, below: str) -> list[tuple[str, str]]:  # noqa: ANN401
    """Return what of a stage, or of a part of it, was not composed, with the paths of prims.

    What a prim names that is switched off is missed by nobody.
    """
    from pxr import Sdf

    part = Sdf.Path(below or "/")
    found: list[tuple[str, str]] = []
    for error in stage.GetCompositionErrors():
        path = error.rootSite.path
        prim = stage.GetPrimAtPath(path)
        is_near = path.HasPrefix(part) or part.HasPrefix(path)
        if prim and not prim.IsActive():
            continue
        if is_near or prim.IsInstanceProxy():  # of equal instances one is named for all
            found.append((str(path), str(error)))
    # USD composes in threads, so their order is left to chance; what concerns a layer comes last.
    return sorted(found, key=lambda one: (one[0] == "/", one))


def _prims(walk: Iterator[Any], cache: Any) -> tuple[tuple[Prim, ...], dict[str, list[str]]]:  # noqa: ANN401
    """Return prims as records, and by reasons the paths of those that USD cannot read."""
    found: list[Prim] = []
    failed: dict[str, list[str]] = {}
    for prim in walk:
        spend("prims")
        try:
            found.append(_prim(prim, cache))
        except (MemoryError, InputError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever pxr raises on damaged files
            failed.setdefault(said(error), []).append(str(prim.GetPath()))
    return tuple(found), failed


def _selections(stage: Any, prims: Sequence[Prim]) -> Iterator[tuple[str, str, str, list[str]]]:  # noqa: ANN401
    """Yield which variants prims choose, of which they have: path, set, choice, names."""
    for one in prims:
        sets = stage.GetPrimAtPath(one.path).GetVariantSets()
        for name, chosen in sorted(sets.GetAllVariantSelections().items()):
            yield one.path, name, chosen, sets.GetVariantSet(name).GetVariantNames()


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
    return any(path.HasPrefix(below) for path in paths)


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
        if name.startswith((*_LOOKS, POSE)) or not attribute.HasAuthoredValue():
            continue
        value = attribute.Get(Usd.TimeCode.EarliestTime())
        if value is None:
            continue
        spend("numbers", _size(value))
        attributes[name] = _plain(value)
        if attribute.ValueMightBeTimeVarying():
            times = attribute.GetTimeSamples()
            spend("numbers", _size(value) * len(times))
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
        poses=_poses(posed) if posed and posed.TransformMightBeTimeVarying() else (),
        physics_material=str(bound.GetPath()) if bound else "",
        members=_members(prim) if kind == GROUP else (),
        kinds=_kinds(prim),
        label=prim.GetDisplayName(),
        is_shared=prim.IsInstanceProxy(),
    )


def _poses(posed: Any) -> Samples:  # noqa: ANN401
    """Return the local poses of a prim at its time samples, and often enough in between."""
    keys = [time for time in posed.GetTimeSamples() if isfinite(time)]
    rate = posed.GetPrim().GetStage().GetTimeCodesPerSecond()
    times = moments(keys, rate) if len(keys) > 1 and rate > 0.0 else ()
    return tuple((time, _matrix(posed.GetLocalTransformation(time))) for time in times)


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
    return (*map(tuple, list(pose.GetTranspose())[:3]), IDENTITY[3])


def _size(value: Any) -> int:  # noqa: ANN401
    """Return how many numbers a value has, if all of its parts are like the first."""
    if not hasattr(value, "__len__") or not len(value):
        return 1
    return len(value) * (1 if isinstance(value, str) else _size(value[0]))


def _plain(value: Any) -> Value:  # noqa: ANN401
    if isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "imaginary") or hasattr(value, "GetImaginary"):
        return (*map(float, value.GetImaginary()), float(value.GetReal()))
    if hasattr(value, "__len__") and hasattr(value, "__getitem__"):
        return tuple(_plain(one) for one in value)
    return str(value)
