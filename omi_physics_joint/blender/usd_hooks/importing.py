# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads physics from a stage onto the objects that Blender's importer has made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from typing import Any

import bpy
from bpy.types import ID, Mesh, Object
from mathutils import Matrix

from ...model.contents import Contents
from ...model.geometry.axes import Z_UP_FROM_Y_UP
from ...model.geometry.scale import in_unit, with_scaled_nodes
from ...model.mechanism import Mechanism
from ...usd import stage as usd_stage
from ...usd.prim import Stage, turned_stage
from ...usd.reading.read import contents_and_prims
from ..bridge.absorbing import absorb
from ..bridge.gravity import take_gravity
from ..bridge.keyed import insert_collision
from ..bridge.placed import plain
from ..bridge.write import apply_mechanism
from ..check.report import IMPORT, publish
from ..imported import in_scene, link_beside, settle
from ..simulated.running import played_rigidly
from .prims import safe_name

Objects = dict[str, Object]
"""By the paths of their prims."""
SIZE = 0.1
"""m: of empties that are made for what is no object yet."""


def import_physics(context: Any) -> None:  # noqa: ANN401 - Blender's class, which has no stubs
    """Read the physics of a stage.

    Args:
        context: what Blender hands to hooks, with the stage and what prims have become.
    """
    stage = usd_stage.record(context.get_stage())
    made, data = _made(context.get_prim_map())
    bpy.context.view_layer.update()
    turn, scale = _laid(stage, made)
    contents, issues, paths = contents_and_prims(turned_stage(stage, turn, "Z"))
    mechanism = contents.mechanism
    if not any(node.is_physical for node in mechanism.nodes) and not issues:
        return
    scene = bpy.context.scene
    unit = scale / stage.meters_per_unit
    objects = _objects(mechanism, paths, made, unit)
    fitted = with_scaled_nodes(in_unit(mechanism, unit), scale)
    meshes = _Meshes(contents, paths, data, scale / unit)
    apply_mechanism(fitted, objects, meshes.find, fps=stage.time_codes_per_second)
    for index, _, joint in mechanism.all_joints():
        insert_collision(objects[index], joint.keys, stage.time_codes_per_second)
    pulled = take_gravity(scene, in_unit(mechanism, unit).gravity)
    joints = [objects[index] for index, _, _ in mechanism.all_joints()]
    bpy.context.view_layer.update()
    gone = absorb(joints)
    held = played_rigidly(mechanism)
    left = [None if obj in gone else obj for obj in objects]
    publish([*issues, *held, *pulled], IMPORT, objects=left)
    settle(joints, gone)


def _made(prim_map: Mapping[Any, Sequence[ID]]) -> tuple[Objects, dict[str, Mesh]]:
    """Return the objects and the meshes that prims have become, by path."""
    objects: Objects = {}
    meshes: dict[str, Mesh] = {}
    for path, blocks in prim_map.items():
        for block in blocks:
            if isinstance(block, Object):
                objects.setdefault(str(path), block)
                block_data = block.data
            else:
                block_data = block
            if isinstance(block_data, Mesh):
                meshes.setdefault(str(path), block_data)
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
    return plain(turn), stage.meters_per_unit


def _objects(
    mechanism: Mechanism, paths: Mapping[int, str], made: Objects, unit: float
) -> list[Object]:
    """Return the object of each node: the importer's, or an empty of our own.

    Joints stand nowhere by themselves, so what the importer makes of them has to be placed.
    """
    objects: dict[int, Object] = {}
    worlds: dict[int, Matrix] = {}
    for index, node in enumerate(mechanism.nodes):
        obj = made.get(paths.get(index, ""))
        if obj is not None and node.joint is None:
            objects[index], worlds[index] = obj, obj.matrix_world.copy()
            if safe_name(obj.name.split(".")[0]) != paths[index].rpartition("/")[2]:
                obj.name = node.name  # the importer has made one object of it and what is below it
            continue
        is_new = obj is None
        if obj is None:
            obj = bpy.data.objects.new(node.name, None)
        else:
            obj.name = node.name
        obj.empty_display_size = SIZE * unit
        world = in_scene(node.world, unit)
        parent = None if node.parent is None else objects.get(node.parent)
        if parent is not None and node.parent is not None:
            obj.parent = parent  # whose inverse can take out shear, which a transform cannot
            obj.matrix_parent_inverse = worlds[node.parent].inverted_safe()
        obj.matrix_basis = worlds[index] = world
        if is_new:
            link_beside(obj, parent)
        objects[index] = obj
    return [objects[index] for index in range(len(mechanism.nodes))]


class _Meshes:
    """Blender's meshes for those of contents: the importer's where a node shows it, else new."""

    def __init__(
        self, contents: Contents, paths: Mapping[int, str], data: Mapping[str, Mesh], metre: float
    ) -> None:
        self._contents = contents
        self._metre = 1.0 / metre
        self._found: dict[int, Mesh] = {}
        for node, mesh in contents.shown.items():
            path = paths.get(node, "")
            below = [one for one in data if one == path or one.rpartition("/")[0] == path]
            if len(below) == 1:
                self._found.setdefault(mesh, data[below[0]])

    def find(self, index: int) -> Mesh | None:
        """Return a mesh; None where it could not be read."""
        if index not in self._found:
            triangles = self._contents.meshes[index]
            if triangles is None:
                return None
            mesh = bpy.data.meshes.new(self._contents.mechanism.meshes[index])
            points = [
                tuple(x * self._metre for x in Z_UP_FROM_Y_UP.vector(point))
                for point in triangles.points
            ]
            mesh.from_pydata(points, [], list(triangles.triangles))
            self._found[index] = mesh
        return self._found[index]
