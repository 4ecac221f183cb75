# SPDX-License-Identifier: GPL-3.0-or-later
"""Small mechanisms in Blender, exported by its own exporter, and what the file then says."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, pi
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from omi_physics_joint.blender.bridge.write import new_settings
from omi_physics_joint.blender.joints.authoring import add_frame
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import Reading, read
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.joint import Freedom, JointSettings, Limit
from omi_physics_joint.model.settings.recipes import hinge, pin, weld

JOINT, BODY, SHAPE = "OMI_physics_joint", "OMI_physics_body", "OMI_physics_shape"
Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], float)
"""glTF from Blender: X is X, Y is Blender's Z, Z is Blender's -Y."""


def export(path: Path, **options: object) -> dict[str, Any]:
    """Export the scene, and return the JSON of the file."""
    kind = "GLB" if path.suffix == ".glb" else "GLTF_SEPARATE"
    given = {"filepath": str(path), "export_format": kind, **options}
    assert bpy.ops.export_scene.gltf(**given) == {"FINISHED"}
    return load(path).json


def import_file(path: Path) -> dict[str, list[str]]:
    """Import a file into an empty scene, and return the issues as ``issues`` does."""
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.import_scene.gltf(filepath=str(path)) == {"FINISHED"}
    bpy.context.view_layer.update()
    return issues()


def issues() -> dict[str, list[str]]:
    """Return where each code was found by the last export or import."""
    found: dict[str, list[str]] = {}
    for line in bpy.context.window_manager.omi_physics_joint.issues:
        found.setdefault(line.code, []).append(line.where)
    return found


def errors() -> dict[str, list[str]]:
    """Return the objects with errors of the last export or import, sorted, by code."""
    found: dict[str, list[str]] = {}
    for line in bpy.context.window_manager.omi_physics_joint.issues:
        if line.severity == "error":
            found.setdefault(line.code, []).append(line.where)
    return {code: sorted(names) for code, names in found.items()}


def add(
    name: str,
    parent: bpy.types.Object | None = None,
    *,
    data: bpy.types.ID | None = None,
    at: Sequence[float] = (0.0, 0.0, 0.0),
    turned: Sequence[float] = (0.0, 0.0, 0.0),
    scale: Sequence[float] = (1.0, 1.0, 1.0),
    collection: bpy.types.Collection | None = None,
) -> bpy.types.Object:
    """Add an object; its place is relative to its parent."""
    obj = bpy.data.objects.new(name, data)
    (collection or bpy.context.scene.collection).objects.link(obj)
    obj.parent = parent
    obj.location, obj.rotation_euler, obj.scale = at, turned, scale
    bpy.context.view_layer.update()
    return obj


def add_body(name: str, motion: str = "dynamic", **place: Any) -> bpy.types.Object:
    """Add an object that is a body; an empty unless data is given."""
    obj = add(name, **place)
    obj.omi_physics_body.is_body = True
    obj.omi_physics_body.type = motion
    return obj


def box_mesh(name: str = "Box", size: float = 1.0) -> bpy.types.Mesh:
    """Return the mesh of a cube about the origin."""
    mesh = bpy.data.meshes.new(name)
    half = size / 2.0
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    return mesh


def connect(
    first: bpy.types.Object,
    second: bpy.types.Object,
    settings: JointSettings | None = None,
    world: Matrix | None = None,
    name: str = "Joint",
) -> bpy.types.Object:
    """Join two bodies by frames at a place, and return the joint; a weld without settings."""
    frame = Matrix() if world is None else world
    joint = add_frame(name, first, frame, 0.1)
    partner = add_frame(f"{name} Second Frame", second, frame, 0.1)
    joint.omi_physics_joint.is_joint = True
    joint.omi_physics_joint.settings = new_settings(settings or weld())
    joint.omi_physics_joint.connected_node = partner
    bpy.context.view_layer.update()
    return joint


def two_bodies() -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """Return a static body, a dynamic one a metre along X, and the weld under the second."""
    still = add_body("Still", "static", data=box_mesh("Still"))
    moving = add_body("Moving", data=box_mesh("Moving"), at=(1.0, 0.0, 0.0))
    joint = connect(moving, still, world=Matrix.Translation((0.5, 0.0, 0.0)), name="Weld")
    return still, moving, joint


def door(settings: JointSettings | None = None) -> None:
    """Make a wall, a door and a hinge, or a joint with other settings."""
    wall = add_body("Wall", "static", data=box_mesh("Wall"))
    leaf = add_body("Leaf", data=box_mesh("Leaf"), at=(2.0, 0.0, 0.0))
    for body in (wall, leaf):
        body.omi_physics_body.use_collider = True
        body.omi_physics_body.collider.shape.type = "box"
    connect(leaf, wall, settings or hinge(2, 0.0, 0.5 * pi), name="Hinge")


def break_joint(joint: bpy.types.Object) -> None:
    """Give a scene an error: the joint holds nothing."""
    joint.omi_physics_joint.settings = None


def bounded(freedom: Freedom, axis: int, low: float = -inf, high: float = inf) -> JointSettings:
    """Return settings, in Blender's axes, with one bounded axis and all others locked."""
    limits = []
    for kind in Freedom:
        for other in range(3):
            axes = (
                {"linear_axes": (other,)} if kind is Freedom.LINEAR else {"angular_axes": (other,)}
            )
            is_it = kind is freedom and other == axis
            limits.append(Limit(**axes, min=low if is_it else 0.0, max=high if is_it else 0.0))
    return JointSettings("Bounded", tuple(limits))


def reading(gltf: dict[str, Any]) -> Reading:
    """Return what our own reader finds in a file, which must be sound."""
    found = read(gltf)
    assert not [issue for issue in found.issues if issue.severity == "error"], found.issues
    return found


def index_of(gltf: dict[str, Any], name: str) -> int:
    """Return the only node of a name."""
    found = [i for i, node in enumerate(gltf["nodes"]) if node.get("name") == name]
    assert len(found) == 1, (name, found)
    return found[0]


def extension(gltf: dict[str, Any], name: str, extension_name: str = JOINT) -> dict[str, Any]:
    """Return an extension of the only node of a name; empty where it has none."""
    found: dict[str, Any] = (
        gltf["nodes"][index_of(gltf, name)].get("extensions", {}).get(extension_name, {})
    )
    return found


def worlds(gltf: dict[str, Any]) -> list[np.ndarray]:
    """Return the world matrix of each node, composed here in double precision."""
    nodes = gltf["nodes"]
    parents = {child: i for i, node in enumerate(nodes) for child in node.get("children", ())}
    found: dict[int, np.ndarray] = {}

    def world(index: int) -> np.ndarray:
        if index not in found:
            above = world(parents[index]) if index in parents else np.eye(4)
            found[index] = above @ local(nodes[index])
        return found[index]

    return [world(index) for index in range(len(nodes))]


def local(node: dict[str, Any]) -> np.ndarray:
    """Return parent from node."""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)), float)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn = np.eye(3) + 2.0 * (w * cross + cross @ cross) / (x * x + y * y + z * z + w * w)
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", (1.0, 1.0, 1.0)), float)
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix


def in_gltf_axes(world: Matrix | np.ndarray) -> np.ndarray:
    """Return a world matrix of Blender in the axes of the file."""
    return Y_UP @ np.array(world, float) @ Y_UP.T


def shown_frame(
    obj: bpy.types.Object, settings: JointSettings | None = None, base: Matrix | None = None
) -> np.ndarray:
    """Return the rigid frame that Blender shows, in the axes of the file.

    Args:
        obj: the frame.
        settings: of its joint, in the axes of the file: they decide how a mirrored frame flips.
        base: where the instance is that shows the object.
    """
    world = in_gltf_axes(obj.matrix_world if base is None else base @ obj.matrix_world)
    return np.array(rigid_frame(tuple(tuple(row) for row in world.tolist()), settings))


def turn_between(a: np.ndarray, b: np.ndarray) -> float:
    """Return the angle in rad between the rotations of two frames."""
    difference = a[:3, :3].T @ b[:3, :3]
    skew = difference - difference.T
    sine = np.linalg.norm([skew[2, 1], skew[0, 2], skew[1, 0]]) / 2.0
    return float(np.arctan2(sine, (np.trace(difference) - 1.0) / 2.0))


def assert_same_frame(file: np.ndarray, shown: np.ndarray) -> None:
    """Hold a frame in a file against the one that Blender shows."""
    linear = file[:3, :3]
    assert np.abs(linear.T @ linear - np.eye(3)).max() <= 1e-5, "the frame is not orthonormal"
    assert np.linalg.det(linear) > 0.0, "the frame is left-handed"
    largest = max(1.0, float(np.abs(shown[:3, 3]).max()))
    assert float(np.abs(file[:3, 3] - shown[:3, 3]).max()) <= 1e-6 * largest
    assert turn_between(file, shown) <= 1e-5


def translation(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Matrix:
    """Return a Blender matrix that only moves."""
    return Matrix.Translation(Vector((x, y, z)))


def new_collection(name: str) -> bpy.types.Collection:
    """Return a new collection in the scene."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    return collection


def pair(
    name: str, collection: bpy.types.Collection | None = None, x: float = 0.0
) -> bpy.types.Object:
    """Return a pin between two bodies of these names, an uneven one among them."""
    still = add_body(f"{name} Still", "static", collection=collection, at=(x, 0.0, 0.0))
    moving = add_body(
        f"{name} Moving",
        collection=collection,
        at=(x + 1.0, 0.0, 0.0),
        turned=(0.4, 0.2, 0.9),
        scale=(1.0, 3.0, 0.5),
    )
    return connect(moving, still, pin(), translation(x + 0.5), name=name)


def joints(gltf: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the indices of each joint node and of its connected node."""
    return [
        (index, node["extensions"][JOINT]["connectedNode"])
        for index, node in enumerate(gltf["nodes"])
        if JOINT in node.get("extensions", {})
    ]


def textured(obj: bpy.types.Object, image: bpy.types.Image | None = None) -> None:
    """Give an object a material with a picture."""
    if image is None:
        image = bpy.data.images.new("Picture", 4, 4)
        image.pack()
    material = bpy.data.materials.new("Paint")
    if material.node_tree is None:
        material.use_nodes = True
    nodes = material.node_tree.nodes
    picture = nodes.new("ShaderNodeTexImage")
    picture.image = image
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    obj.data.materials.append(material)
