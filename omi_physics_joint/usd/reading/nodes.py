# SPDX-License-Identifier: GPL-3.0-or-later
"""The nodes of a stage: prims that stand somewhere and matter.

A shape that stands alone in the place of the prim above it is no node of its own: it is what that
prim shows, or what makes it solid. So exporters write it, who keep an object and its data apart.
Neither is the prim "World" that only holds all others together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from ...model.geometry.transform import (
    IDENTITY,
    compose,
    difference,
    dot,
    linear_part,
    multiply,
    transpose,
)
from ..prim import Prim, Stage, above
from ..table import BODY0, BODY1, BODY_API, COLLISION_API, COLLISION_ENABLED, PURPOSE
from .reading import StageReading

PLAIN_TYPES = ("Xform", "SkelRoot")
INSTANCER = "PointInstancer"
ROUND = ("Sphere", "Capsule", "Capsule_1", "Cylinder", "Cylinder_1", "Cone")
SHOWN_TYPES = ("Mesh", "Cube", "Plane", *ROUND)
DRAWN = ("default", "render")
"""Purposes of what a picture shows; "guide" and "proxy" are for those who work on it."""
HOLDER = "World"
NEAR = 1e-6
"""Of poses that count as one: single precision leaves as much."""


def started(stage: Stage) -> StageReading:
    """Return what is read of a stage: its nodes, and no physics yet."""
    reading = StageReading(stage)
    needed = set(_needed(stage)) - set(_mere_holders(reading))
    folded = _folded(reading)
    for prim in stage:
        if prim.type == INSTANCER:
            reading.findings.note("usd-point-instancer", prim.path)
        if prim.path not in needed:
            continue
        parent = reading.node_at_or_above(prim.parent)
        if prim.path in folded and prim.parent in reading.node_of:
            reading.node_of[prim.path] = reading.node_of[prim.parent]
            continue
        world = reading.values.units.pose_meant(prim.world)
        if not isfinite(sum(map(sum, world))):
            reading.findings.note("usd-pose", prim.path)
            world = IDENTITY if parent is None else reading.nodes[parent].world
        if prim.is_animated:
            reading.findings.note("usd-animated-pose", prim.path)
        name = prim.label or prim.name
        reading.node_of[prim.path] = reading.add(name, parent, world, prim)
    return reading


def is_drawn(prims: Mapping[str, Prim], prim: Prim) -> bool:
    """Return whether a prim and all above it are visible, and the purpose that is said nearest."""
    chain = [prims[path] for path in above(prim.path) if path in prims]
    if any(one.attributes.get("visibility") == "invisible" for one in chain):
        return False
    purposes = (one.attributes.get(PURPOSE.name) for one in chain)
    return next((word for word in purposes if word is not None), PURPOSE.default) in DRAWN


def _needed(stage: Stage) -> Iterable[str]:
    """Yield the paths of prims that become nodes: what has a pose and matters, and what is above.

    Cameras and lights stay behind, unless a body or a shape is below them.
    """
    posed = {prim.path for prim in stage if "Xformable" in prim.kinds and prim.type != INSTANCER}
    for prim in stage:
        is_physical = BODY_API in prim.schemas or COLLISION_API in prim.schemas
        if prim.path not in posed and not is_physical:
            continue
        if is_physical or prim.type in PLAIN_TYPES or "Gprim" in prim.kinds:
            yield prim.path
            yield from (one for one in above(prim.parent) if one in posed)


def _mere_holders(reading: StageReading) -> Iterable[str]:
    """Yield the prim at the top that only holds all others together."""
    stage = reading.stage
    tops = [prim for prim in stage if prim.parent == "/" and "Xformable" in prim.kinds]
    for prim in tops:
        is_bare = not prim.schemas and prim.type == "Xform" and not prim.is_animated
        plain = difference(prim.world, IDENTITY) == 0.0
        if prim.name == HOLDER == stage.default_prim and len(tops) == 1 and is_bare and plain:
            yield prim.path


def _folded(reading: StageReading) -> set[str]:
    """Return shapes that are no nodes of their own, but what the prim above shows or is made of."""
    stage, prims = reading.stage, reading.values.prims
    holders = {prim.parent for prim in stage}
    named = {path for prim in stage for end in (BODY0, BODY1) for path in prim.targets.get(end, ())}
    wanted: dict[tuple[str, str], list[str]] = {}
    found: set[str] = set()
    for prim in stage:
        roles = _roles(reading, prim) if prim.parent in prims else ()
        for role in roles:
            wanted.setdefault((prim.parent, role), []).append(prim.path)
        holder = prims.get(prim.parent)
        is_leaf = prim.path not in holders and prim.path not in named and not prim.is_animated
        if holder is None or not roles or not is_leaf or BODY_API in prim.schemas:
            continue
        if holder.type in PLAIN_TYPES and _is_in_place(prim, needs_size="shown" in roles):
            found.add(prim.path)
    shared = {path for paths in wanted.values() if len(paths) > 1 for path in paths}
    return found - shared


def _roles(reading: StageReading, prim: Prim) -> tuple[str, ...]:
    """Return whether a prim is shown, solid, both or neither."""
    is_solid = COLLISION_API in prim.schemas and reading.values.flag(prim, COLLISION_ENABLED)
    is_shown = prim.type in SHOWN_TYPES and is_drawn(reading.values.prims, prim)
    return ("shown",) * is_shown + ("solid",) * is_solid


def _is_in_place(prim: Prim, *, needs_size: bool) -> bool:
    """Return whether a shape stands where the prim above it does, perhaps of another size."""
    local = prim.local or IDENTITY
    if prim.resets:
        return False
    if needs_size or prim.type not in ("Cube", *ROUND):
        return difference(local, IDENTITY) <= NEAR
    sizes = [dot(column, column) ** 0.5 for column in transpose(linear_part(local))]
    if min(sizes) <= 0.0:
        return False
    plain = multiply(local, compose(scale=(1.0 / sizes[0], 1.0 / sizes[1], 1.0 / sizes[2])))
    return difference(plain, IDENTITY) <= NEAR
