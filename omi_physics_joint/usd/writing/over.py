# SPDX-License-Identifier: GPL-3.0-or-later
"""Opinions above a stage that others own: which of its prims the nodes are, and what is gone.

A node is the prim of its name below the prim of the node above it, the nearest one where there are
several. Prims that no node is stay as they are, but for joints of prims that nodes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist

from ...model.contents import Contents
from ...model.geometry.scale import with_scaled_nodes
from ...model.geometry.transform import (
    Matrix,
    apply,
    determinant,
    difference,
    inverse,
    linear_part,
    multiply,
    translation_of,
)
from ...model.mechanism import GRAVITY, Mechanism
from ...model.solid import Triangles
from .. import table
from ..prim import OVER, Prim, Stage, Value, above, identifier
from ..units import has_space

ELSEWHERE = 1e-3
"""m, and of axes of length one: from here on a prim stands elsewhere than its node."""
SAME = 1e-6
"""Parts of the gravity of the Earth that do not count."""
DIGITS = 4
"""To which scales that are alike are."""
_AIMS = (table.BODY0, table.BODY1, table.BINDING, table.FILTERED_GROUPS, table.INCLUDES)


@dataclass(frozen=True, slots=True)
class Matches:
    """Prims of a stage by the nodes that they are."""

    prims: Mapping[int, Prim]
    stage: Stage
    by_path: Mapping[str, Prim]
    """All prims of the stage."""
    meshes: Mapping[str, Sequence[str]]
    """Paths of meshes that prims are or hold, by the paths of these."""

    def mesh_below(self, index: int) -> str:
        """Return the path of the mesh that the prim of a node is or holds; empty if not one."""
        own = self.meshes.get(self.prims[index].path, ())
        return own[0] if len(own) == 1 else ""


def known(paths: Mapping[int, str], stage: Stage) -> Matches:
    """Return which prims nodes are, where somebody knows it: paths by node."""
    by_path = {prim.path: prim for prim in stage}
    meshes: dict[str, list[str]] = {}
    for prim in stage:
        if prim.type == "Mesh" and not prim.is_shared:
            for path in (prim.path, prim.parent):
                meshes.setdefault(path, []).append(prim.path)
    return Matches({index: by_path[path] for index, path in paths.items()}, stage, by_path, meshes)


def as_laid(contents: Contents, matches: Matches) -> Contents:
    """Return contents turned and scaled as a whole as the stage is that was made of them.

    Exporters do so for another axis that is up and for another unit of length. Lengths within
    nodes are those of the stage then.
    """
    mechanism = contents.mechanism
    whole = next(_laid(mechanism, matches), None)
    if whole is None:
        return contents
    scale = round(abs(determinant(linear_part(whole))) ** (1.0 / 3.0), DIGITS)
    if scale <= 0.0:
        return contents
    meshes = contents.meshes
    if scale != 1.0:
        meshes = tuple(mesh and _shrunk(mesh, scale) for mesh in meshes)
    earth = (0.0, 0.0, -GRAVITY)  # Blender's, where a stage may have another way down, or none
    x, y, z = (one / scale for one in apply(linear_part(whole), mechanism.gravity or earth))
    down = {"Y": -y, "Z": -z}.get(matches.stage.up_axis, 0.0)
    if mechanism.gravity is not None or down < GRAVITY * (1.0 - SAME):
        mechanism = replace(mechanism, gravity=(x, y, z))
    return Contents(with_scaled_nodes(mechanism, scale), meshes, contents.shown)


def _laid(mechanism: Mechanism, matches: Matches) -> Iterator[Matrix]:
    """Yield how the prims of nodes stand on the stage, by where the nodes stand."""
    for index, prim in matches.prims.items():
        world = mechanism.nodes[index].world
        if "Xformable" in prim.kinds and has_space(world):
            yield multiply(prim.world, inverse(world))


def _shrunk(mesh: Triangles, scale: float) -> Triangles:
    points = ((x / scale, y / scale, z / scale) for x, y, z in mesh.points)
    return replace(mesh, points=tuple(points))


def matched(contents: Contents, stage: Stage) -> Matches:
    """Return which prims nodes are by their names; nodes that have none are missing."""
    mechanism, units = contents.mechanism, stage.units
    by_name: dict[str, list[Prim]] = {}
    for prim in stage:
        if not prim.is_shared:
            for name in {prim.name, identifier(prim.label, prim.name)}:
                by_name.setdefault(name, []).append(prim)
    found: dict[int, Prim] = {}
    taken: set[str] = set()
    for index in _downwards(mechanism):
        node = mechanism.nodes[index]
        over = next((found[one] for one in mechanism.ancestry(node.parent) if one in found), None)
        kind = table.JOINT if node.joint is not None and node.motion is None else "Xformable"
        place = translation_of(node.world)
        candidates = [
            (prim.path.count("/"), dist(place, translation_of(units.pose_meant(prim.world))), prim)
            for prim in by_name.get(identifier(node.name, ""), ())
            if kind in prim.kinds
            and prim.path not in taken
            and (over is None or over.path in above(prim.parent))
        ]
        if candidates:
            best = min(candidates, key=lambda one: (one[0], one[1]))[2]
            found[index] = best
            taken.add(best.path)
    return known({index: prim.path for index, prim in found.items()}, stage)


def placed(mechanism: Mechanism, matches: Matches) -> tuple[Mechanism, list[int]]:
    """Return a mechanism whose nodes stand where their prims do, and those that stood elsewhere.

    What is no prim itself goes along with the node above it.
    """
    units = matches.stage.units
    elsewhere: list[int] = []
    frames = _frames(mechanism)
    nodes = list(mechanism.nodes)
    for index in _downwards(mechanism):
        node, prim = mechanism.nodes[index], matches.prims.get(index)
        world, over = node.world, node.parent
        if prim is not None and "Xformable" in prim.kinds and index not in frames:
            world = units.pose_meant(prim.world)
            if difference(world, node.world) > ELSEWHERE:
                elsewhere.append(index)
        elif over is not None and has_space(mechanism.nodes[over].world):
            step = inverse(mechanism.nodes[over].world)
            world = multiply(nodes[over].world, multiply(step, world))
        nodes[index] = replace(node, world=world)
    return replace(mechanism, nodes=tuple(nodes)), elsewhere


def _frames(mechanism: Mechanism) -> set[int]:
    """Return nodes that are nothing but frames of bodies: prims may not hold them, with shear."""
    ends = {end for at, _, joint in mechanism.all_joints() for end in (at, joint.connected_node)}
    return {
        index
        for index, node in enumerate(mechanism.nodes)
        if index in ends and not replace(node, joint=None).is_physical
    }


def opinions(prims: Iterable[Prim], matches: Matches) -> Iterator[Prim]:
    """Yield prims with what takes away the physics of the stage that they do not have.

    Prims that would say nothing are left out. Joints and collision groups of prims that nodes are,
    and that are gone, are made inactive; shapes in these prims are no colliders any longer.
    """
    known = {prim.path for prim in matches.prims.values()}
    said: set[str] = set()
    for prim in prims:
        said.add(prim.path)
        base = matches.by_path.get(prim.path)
        one = prim if base is None else _above(prim, base)
        if one.specifier != OVER or _says_something(one):
            yield one
    for prim in matches.stage:
        if prim.path in said or prim.is_shared:
            continue
        ends = {prim.first(table.BODY0), prim.first(table.BODY1)}
        is_joint = table.JOINT in prim.kinds and bool(ends & known)
        holds = any(not known.isdisjoint(above(member)) for member in prim.members)
        if is_joint or (prim.type == table.GROUP and holds):
            yield Prim(prim.path, specifier=OVER, is_active=False)
        elif (prim.parent in known or is_beside(prim)) and any(map(_is_ours, prim.schemas)):
            yield _above(Prim(prim.path), prim)


def is_beside(prim: Prim) -> bool:
    """Return whether a prim is a material or group of ours, or what they stand in."""
    scopes = (table.MATERIALS, table.GROUPS)
    return prim.name in scopes or prim.parent.rpartition("/")[2] in scopes


def _above(prim: Prim, base: Prim) -> Prim:
    gone = [name for name in base.schemas if _is_ours(name) and name not in prim.schemas]
    # What the model could say and does not takes its default: pxr has none for a value taken away.
    said = {*prim.attributes, *prim.samples, *table.UNKNOWN_TO_US}
    unsaid: dict[str, Value] = {}
    for name in base.attributes:
        known = table.attribute_of(name)
        if ":" in name and known is not None and name not in said:
            is_collider = name == table.COLLISION_ENABLED.name and table.JOINT not in base.kinds
            unsaid[name] = table.COLLISION_ENABLED.default if is_collider else known.default
    unaimed: dict[str, tuple[str, ...]] = {
        name: () for name in base.targets if name in _AIMS and name not in prim.targets
    }
    return replace(
        prim,
        specifier=OVER,
        removed_schemas=tuple(gone),
        attributes={**prim.attributes, **unsaid},
        targets={**prim.targets, **unaimed},
    )


def _is_ours(schema: str) -> bool:
    return schema.partition(":")[0] in table.WRITTEN


def _says_something(prim: Prim) -> bool:
    said = (prim.schemas, prim.removed_schemas, prim.attributes, prim.targets, prim.samples)
    return bool(prim.type) or prim.local is not None or any(said)


def _downwards(mechanism: Mechanism) -> list[int]:
    depth = [sum(1 for _ in mechanism.ancestry(i)) for i in range(len(mechanism.nodes))]
    return sorted(range(len(mechanism.nodes)), key=lambda index: depth[index])
