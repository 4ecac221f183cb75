# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads physics from a stage onto the objects that Blender's importer has made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import pi
from typing import Any

import bpy
from bpy.types import ID, Mesh, Object
from mathutils import Matrix

from ...library.guarded import guarded
from ...model.contents import Contents, ContentsError
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.scale import in_unit, with_scaled_nodes
from ...model.issue import Issue, Severity
from ...model.mechanism import Mechanism
from ...usd import stage as usd_stage
from ...usd.prim import Stage, turned_stage
from ...usd.reading.read import contents_and_prims
from ..bridge.absorbed_frames import absorb
from ..bridge.gravity import take_gravity
from ..bridge.keyed import insert_collision
from ..bridge.placed import plain
from ..bridge.write import MeshOf, apply_mechanism
from ..check.report import IMPORT, publish
from ..imported import in_scene, link_beside, settle
from ..simulated.running import played_rigidly
from .exporting import safe_name

Objects = dict[str, Object]
"""By the paths of their prims."""
FIX = "What Blender's own importer has made stays, without its physics."
SIZE = 0.1
"""m: of empties that are made for what is no object yet."""


def import_physics(context: Any) -> None:  # noqa: ANN401 - Blender's class, which has no stubs
    """Read the physics of a stage, of what Blender hands to hooks; a failure is an issue."""
    try:
        with guarded():
            _import(context)
    except ContentsError as error:
        publish([Issue(Severity.ERROR, "import-failed", "stage", str(error), FIX)], IMPORT)


def _import(context: Any) -> None:  # noqa: ANN401
    stage = usd_stage.record(context.get_stage())
    made, data = _made(context.get_prim_map())
    bpy.context.view_layer.update()
    turn, scale = _laid(stage, made)
    stage = replace(stage, times=None)  # frames of Blender are its codes
    contents, issues, paths = contents_and_prims(turned_stage(stage, turn, "Z"))
    mechanism = contents.mechanism
    if not any(node.is_physical for node in mechanism.nodes) and not issues:
        return
    unit = scale / stage.units.meters
    in_units = in_unit(mechanism, unit)
    fitted = with_scaled_nodes(in_units, scale)
    objects = _objects(fitted, mechanism, paths, made, unit)
    apply_mechanism(fitted, objects, _meshes(contents, paths, data, scale / unit), fps=stage.rate)
    joints = []
    for index, _, joint in mechanism.all_joints():
        insert_collision(objects[index], joint.keys, stage.rate)
        joints.append(objects[index])
    pulled = take_gravity(bpy.context.scene, in_units.gravity)
    bpy.context.view_layer.update()
    gone = absorb(joints)
    left = [None if obj in gone else obj for obj in objects]
    publish([*issues, *played_rigidly(mechanism), *pulled], IMPORT, objects=left)
    settle(joints, objects, gone)


def _made(prim_map: Mapping[Any, Sequence[ID]]) -> tuple[Objects, dict[str, Mesh]]:
    """Return the objects and the meshes that prims have become, by path."""
    objects: Objects = {}
    meshes: dict[str, Mesh] = {}
    for path, blocks in prim_map.items():
        for block in blocks:
            if isinstance(block, Object):
                objects.setdefault(str(path), block)
            data = block.data if isinstance(block, Object) else block
            if isinstance(data, Mesh):
                meshes.setdefault(str(path), data)
    return objects, meshes


def _laid(stage: Stage, made: Objects) -> tuple[tuple[tuple[float, ...], ...], float]:
    """Return how the importer has turned and scaled the stage as a whole."""
    for prim in stage:
        obj = made.get(prim.path)
        if obj is None or prim.local is None:
            continue
        whole = obj.matrix_world @ Matrix(prim.world).inverted_safe()
        _, turn, sizes = whole.decompose()
        return plain(turn.to_matrix().to_4x4()), round(sum(sizes) / 3.0, 6)
    turn = Matrix.Rotation(0.0 if stage.up_axis == "Z" else pi / 2.0, 4, "X")
    return plain(turn), stage.units.meters


def _objects(
    fitted: Mechanism, mechanism: Mechanism, paths: Mapping[int, str], made: Objects, unit: float
) -> list[Object]:
    """Return the object of each node: the importer's, or an empty of our own.

    Joints stand nowhere by themselves, so what the importer makes of them has to be placed. Shapes
    are fitted to the scale that the importer gives to all nodes, which joints have not.
    """
    objects: list[Object] = []
    worlds: list[Matrix] = []
    for index, node in enumerate(mechanism.nodes):
        obj = made.get(paths.get(index, ""))
        if obj is not None and node.joint is None:
            objects.append(obj)
            worlds.append(obj.matrix_world.copy())
            if safe_name(obj.name.split(".")[0]) != paths[index].rpartition("/")[2]:
                obj.name = node.name  # the importer has made one object of it and what is below it
            continue
        parent = None if node.parent is None else objects[node.parent]
        if obj is None:
            obj = bpy.data.objects.new(node.name, None)
            link_beside(obj, parent)
        obj.name = node.name
        obj.empty_display_size = SIZE * unit
        if node.parent is not None:
            obj.parent = parent  # whose inverse can take out shear, which a transform cannot
            obj.matrix_parent_inverse = worlds[node.parent].inverted_safe()
        is_solid = node.collider is not None or node.trigger is not None
        world = in_scene((fitted.nodes[index] if is_solid else node).world, unit)
        obj.matrix_basis = world
        objects.append(obj)
        worlds.append(world)
    return objects


def _meshes(
    contents: Contents, paths: Mapping[int, str], data: Mapping[str, Mesh], metre: float
) -> MeshOf:
    """Return what finds meshes of contents: the importer's where a node shows it, else a new one.

    Nothing is found of what could not be read.
    """
    found: dict[int, Mesh] = {}
    for node, mesh in contents.shown.items():
        path = paths.get(node, "")
        below = [one for one in data if one == path or one.rpartition("/")[0] == path]
        if len(below) == 1:
            found.setdefault(mesh, data[below[0]])

    def find(index: int, _obj: Object) -> Mesh | None:
        triangles = contents.meshes[index]
        if index not in found and triangles is not None:
            found[index] = bpy.data.meshes.new(contents.mechanism.meshes[index])
            points = [
                tuple(x / metre for x in Z_UP_FROM_Y_UP.vector(point)) for point in triangles.points
            ]
            found[index].from_pydata(points, [], list(triangles.triangles))
        return found.get(index)

    return find
