# SPDX-License-Identifier: GPL-3.0-or-later
"""Units and up axes of a stage that nobody says, that are none, or that its layers say otherwise.

USD brings in a layer as it stands: what is 1 long there is 1 long on the stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..model.geometry.transform import determinant, linear_part
from ..model.issue import Issue, Severity
from ..model.joint import AXES
from ..model.wording.words import some
from .prim import Prim, is_sensible

METRE, UP = "metersPerUnit", "upAxis"
NEAR = 0.1
"""By which part a scale, or an axis, may be off that makes up for what a layer says."""


def measures(stage: Any, prims: Sequence[Prim]) -> Iterator[Issue]:  # noqa: ANN401 - pxr's
    """Yield what of a ``Usd.Stage`` may be of another size, or lie on its side."""
    name = stage.GetRootLayer().GetDisplayName()
    metre, up = (stage.GetMetadata(one) for one in (METRE, UP))
    unsaid = [one for one in (METRE, UP) if not stage.HasAuthoredMetadata(one)]
    if unsaid:
        text = f"It does not say {' and '.join(unsaid)}: 1 counts as {metre:g} m, and {up} is up."
        fix = f'Where that is not meant say it at its head, such as {METRE} = 1 or {UP} = "Z".'
        yield Issue(Severity.HINT, "usd-measures-unsaid", name, text, fix)
    wrong = [f"{METRE} is {metre:g} and counts as 1."] * (not is_sensible(metre))
    wrong += [f'{UP} is "{up}" and counts as "Y".'] * (up not in ("Y", "Z"))
    for text in wrong:
        fix = f'Write how many m 1 is, and "Y" or "Z", such as {METRE} = 0.01 and {UP} = "Z".'
        yield Issue(Severity.WARNING, "usd-measures-wrong", name, text, fix)
    if not wrong:
        for layer in sorted(stage.GetUsedLayers(), key=lambda one: one.identifier):
            yield from _unlike(stage, prims, layer, metre, up)


def _unlike(
    stage: Any,  # noqa: ANN401
    prims: Sequence[Prim],
    layer: Any,  # noqa: ANN401
    metre: float,
    up: str,
) -> Iterator[Issue]:
    """Yield where a layer that says other measures is brought in as it stands."""
    head, name = layer.pseudoRoot, layer.GetDisplayName()
    size = head.GetInfo(METRE) / metre if head.HasInfo(METRE) else 1.0
    is_other, is_other_up = abs(size - 1.0) > NEAR, head.HasInfo(UP) and head.GetInfo(UP) != up
    if not is_other and not is_other_up:
        return
    sites = [prim for prim in prims if prim.local is not None and _brings(stage, prim, layer)]
    is_whole = layer in stage.GetLayerStack()
    if is_other and (at := _left(sites, lambda one: abs(_size(one) / size - 1.0) < NEAR, is_whole)):
        text = f"It counts in {size * metre:g} m and the stage in {metre:g} m, and USD converts "
        text += f"nothing: it is {1.0 / size:g} times as large here."
        fix = f"Scale by {size:g} what brings it in: {at}."
        yield Issue(Severity.WARNING, "usd-measures-differ", name, text, fix)
    if is_other_up and (at := _left(sites, _is_turned, is_whole)):
        text = "Another axis is up in it than on the stage, so it lies on its side."
        fix = f"Turn by 90\N{DEGREE SIGN} about X what brings it in: {at}."
        yield Issue(Severity.WARNING, "usd-measures-differ", name, text, fix)


def _left(sites: Sequence[Prim], makes_up: Callable[[Prim], bool], is_whole: bool) -> str:
    """Say which prims bring in a layer as it stands, or that it is a sublayer; "" of none."""
    left = [one.path for one in sites if not makes_up(one)]
    left += ["all of it, a sublayer"] * is_whole
    return some(left) if left else ""


def _brings(stage: Any, prim: Prim, layer: Any) -> bool:  # noqa: ANN401
    """Return whether a prim has a reference or payload that holds a layer."""
    here = stage.GetPrimAtPath(prim.path)
    is_arc = here.HasAuthoredReferences() or here.HasAuthoredPayloads()
    return is_arc and any(spec.layer == layer for spec in here.GetPrimStack())


def _size(prim: Prim) -> float:
    return float(abs(determinant(linear_part(prim.world))) ** (1.0 / 3.0))


def _is_turned(prim: Prim) -> bool:
    rows = linear_part(prim.world)
    return any(abs(rows[i][i]) < (1.0 - NEAR) * _size(prim) for i in AXES)
