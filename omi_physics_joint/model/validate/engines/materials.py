# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines make of two materials that touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ...body import GRIP, Combine, PhysicsMaterial, mixed
from ...issue import Issue
from ..survey import Survey

SAME = 1e-3
"""Friction or restitution that does not count."""
PHYSX_ORDER = (Combine.MAXIMUM, Combine.MULTIPLY, Combine.MINIMUM, Combine.AVERAGE)
Mixed = tuple[float, float, float]


def _in_godot(a: PhysicsMaterial, b: PhysicsMaterial) -> Mixed:
    """Return what Jolt makes of what our add-on says: half of each bounce, which it adds."""
    rubs = abs(min(map(_signed, (a, b))))
    return rubs, rubs, 0.5 * (min(a.restitution, 1.0) + min(b.restitution, 1.0))


def _signed(one: PhysicsMaterial) -> float:
    """Return friction, below zero if it counts whatever the other one is."""
    is_rough = one.friction_combine is Combine.MAXIMUM
    return -one.dynamic_friction if is_rough else one.dynamic_friction


MIXES: dict[str, Callable[[PhysicsMaterial, PhysicsMaterial], Mixed]] = {
    "godot-combine": _in_godot,
    "physx-combine": partial(mixed, order=PHYSX_ORDER),
}


def material_issues(survey: Survey) -> Iterator[Issue]:
    """Yield the colliders whose materials an engine makes something else of where they touch."""
    mechanism = survey.mechanism
    found = {
        index: mechanism.material_of(node.collider)
        for index, node in enumerate(mechanism.nodes)
        if node.collider is not None
    }
    moving = {one for at, one in found.items() if mechanism.is_dynamic(mechanism.body_of(at))}
    for code, made in MIXES.items():
        pairs = [(a, b) for a in moving for b in {*found.values()}]
        off = {one for pair in pairs if _differ(made(*pair), mixed(*pair)) for one in pair}
        said = [at for at, one in found.items() if one in off and one is not GRIP]
        yield from survey.of_nodes(code, said)


def _differ(one: Mixed, other: Mixed) -> bool:
    return any(abs(a - b) > SAME for a, b in zip(one, other, strict=True))
