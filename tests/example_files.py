# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the kind of the official examples, so that a plain clone tests what those test.

They have the same names and the same habits, and sizes and places of their own: Godot's exporter
puts shapes and meshes on nodes below a body, rounds to single precision, lists attachments before
the bodies that they belong to, and has numbers of softness where N/m are meant.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from math import pi
from pathlib import Path
from typing import Any

import numpy as np

Node = dict[str, Any]
PIN = {"linearAxes": [0, 1, 2], "min": 0, "max": 0, "stiffness": 0.3, "damping": 1}


def locked(kind: str, axes: Sequence[int], **softness: float) -> dict[str, Any]:
    """Return a limit that holds some axes, softly if that is said."""
    return {f"{kind}Axes": list(axes), "min": 0, "max": 0, **softness}


class Exported:
    """A document, made node by node in the plane of X and Y."""

    def __init__(self, name: str, joint: Sequence[dict[str, Any]] = ()) -> None:
        self.nodes: list[Node] = [{"name": name, "children": []}]
        self.places = [np.eye(3)]
        self.shapes: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.bytes = b""
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.joint = list(joint)

    def node(self, name: str, below: int, place: np.ndarray | None = None, **members: Any) -> int:
        """Add a node at a place of the world (3 x 3, in the plane); return its index."""
        world = self.places[below] if place is None else place
        x, y, cosine, sine = (self._from(below) @ world)[[0, 1, 0, 1], [2, 2, 0, 0]]
        node: Node = {"name": name, **members}
        if abs(x) + abs(y) > 1e-9:
            node["translation"] = [float(np.float32(x)), float(np.float32(y)), 0]
        if abs(sine) > 1e-9:
            half = 0.5 * np.arctan2(sine, cosine)
            node["rotation"] = [
                0,
                0,
                *(float(np.float32(one)) for one in (np.sin(half), np.cos(half))),
            ]
        self.nodes.append(node)
        self.places.append(world)
        self.nodes[below].setdefault("children", []).append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def body(self, name: str, place: np.ndarray | None = None, below: int = 0, **says: Any) -> int:
        """Add a body: its motion, collider or trigger."""
        return self.node(name, below, place, extensions={"OMI_physics_body": says})

    def solid(self, body: int, name: str, kind: str, turned: float = 0.0, **numbers: Any) -> int:
        """Add a collider to a body, on a node of its own, and what is seen of it."""
        shape: dict[str, Any] = {"type": kind, kind: numbers}
        if shape not in self.shapes:
            self.shapes.append(shape)
        place = self.places[body] @ at(0.0, 0.0, turned)
        index = self.body(name, place, body, collider={"shape": self.shapes.index(shape)})
        self.node(f"{name}Mesh", index, mesh=self.mesh(f"{name}Mesh"))
        return index

    def mesh(self, name: str, *, more: bool = True) -> int:
        """Add a mesh, a tetrahedron; with normals unless it is for a shape alone."""
        corners = np.array([(0, 0.5, 0), (0.4, -0.3, 0.3), (-0.4, -0.3, 0.3), (0, -0.3, -0.4)])
        faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.uint16)
        attributes = {"POSITION": self._accessor(corners, "VEC3", bounds=True)}
        if more:
            length = np.linalg.norm(corners, axis=1, keepdims=True)
            attributes["NORMAL"] = self._accessor(corners / length, "VEC3")
        indices = self._accessor(faces.ravel(), "SCALAR")
        self.meshes.append(
            {"name": name, "primitives": [{"attributes": attributes, "indices": indices}]}
        )
        return len(self.meshes) - 1

    def joined(
        self, name: str, holder: int, other: int, attachment: str, place: np.ndarray
    ) -> None:
        """Add a joint below one body and its attachment below another, both at one place."""
        connected = self.node(attachment, other, place)
        extension = {"joint": 0, "connectedNode": connected}
        self.node(name, holder, place, extensions={"OMI_physics_joint": extension})

    def document(self) -> dict[str, Any]:
        """Return the document, attachments and joints listed before the bodies they are below."""
        used = [name for name in ("body", "shape") if name == "body" or self.shapes]
        extensions: dict[str, Any] = {}
        if self.shapes:
            extensions["OMI_physics_shape"] = {"shapes": self.shapes}
        if self.joint:
            used.append("joint")
            extensions["OMI_physics_joint"] = {"physicsJoints": [{"limits": self.joint}]}
        gltf: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "a script of the tests"},
            "extensions": extensions,
            "extensionsUsed": [f"OMI_physics_{name}" for name in used],
            "nodes": self._with_attachments_first(),
            "scene": 0,
            "scenes": [{"nodes": [0]}],
        }
        if self.meshes:
            data = base64.b64encode(self.bytes).decode()
            uri = f"data:application/octet-stream;base64,{data}"
            gltf |= {"meshes": self.meshes, "accessors": self.accessors, "bufferViews": self.views}
            gltf["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
        return gltf

    def _from(self, below: int) -> np.ndarray:
        return np.linalg.inv(self.places[below])

    def _accessor(self, values: np.ndarray, kind: str, *, bounds: bool = False) -> int:
        wanted = values.astype(np.uint16 if values.dtype == np.uint16 else np.float32)
        data = wanted.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data + bytes(-len(data) % 4)
        accessor: dict[str, Any] = {
            "bufferView": len(self.views) - 1,
            "componentType": 5123 if wanted.dtype == np.uint16 else 5126,
            "count": len(wanted),
            "type": kind,
        }
        if bounds:
            accessor |= {"min": wanted.min(0).tolist(), "max": wanted.max(0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def _with_attachments_first(self) -> list[Node]:
        """Number nodes anew: each body after what its joints hang on."""
        is_end = [
            "OMI_physics_joint" in node.get("extensions", {}) or "Attachment" in node["name"]
            for node in self.nodes
        ]
        order = [0, *(i for i in range(1, len(is_end)) if is_end[i])]
        order += [i for i in range(1, len(is_end)) if not is_end[i]]
        new = {old: place for place, old in enumerate(order)}
        for node in self.nodes:
            if "children" in node:
                node["children"] = [new[child] for child in node["children"]]
            joint = node.get("extensions", {}).get("OMI_physics_joint")
            if joint:
                joint["connectedNode"] = new[joint["connectedNode"]]
            parts = node.get("extensions", {}).get("OMI_physics_body", {}).get("trigger", {})
            if "nodes" in parts:
                parts["nodes"] = [new[part] for part in parts["nodes"]]
        return [self.nodes[old] for old in order]


def at(x: float, y: float, turned: float = 0.0) -> np.ndarray:
    """Return a place in the plane: m, and rad about Z."""
    cosine, sine = np.cos(turned), np.sin(turned)
    return np.array([(cosine, -sine, x), (sine, cosine, y), (0.0, 0.0, 1.0)])


def moving(kind: str = "dynamic", **velocities: list[float]) -> dict[str, Any]:
    """Return the motion of a body."""
    return {"type": kind, **velocities}


def _rope(made: Exported, first: int, start: np.ndarray, turns: Sequence[float], name: str) -> int:
    """Hang links on a body, end to end, each turned by so much (rad); return the last one."""
    before, end = first, start
    for number, turn in enumerate(turns, 1):
        middle = at(end[0, 2], end[1, 2], turn) @ at(0.28, 0.0)
        link = made.body(f"{name}{number}", middle, motion=moving())
        made.solid(link, f"{name}Collider{number}", "capsule", pi / 2, height=0.55, radius=0.06)
        joint = at(end[0, 2], end[1, 2], turn)
        made.joined(f"PinJoint{number}", link, before, f"{name}Attachment{number}", joint)
        before, end = link, middle @ at(0.28, 0.0)
    return before


def hanging_rope() -> Exported:
    """Three links below a ceiling."""
    made = Exported("Rope", [PIN])
    ceiling = made.body("Ceiling", at(0.0, 2.0), motion=moving("static"))
    made.solid(ceiling, "CeilingCollider", "box", size=[0.4, 0.4, 0.6])
    _rope(made, ceiling, at(0.0, 1.8), (-2.2, -1.9, -2.5), "Link")
    return made


def rope_railing() -> Exported:
    """Five links between two poles; the last joint is below a static body."""
    made = Exported("Railing", [PIN])
    left, right = (
        made.body(name, at(x, 0.6), motion=moving("static"))
        for name, x in (("PoleLeft", -1.5), ("PoleRight", 1.2))
    )
    for pole, name in ((left, "LeftCollider"), (right, "RightCollider")):
        made.solid(pole, name, "box", size=[0.2, 1.2, 0.2])
    last = _rope(made, left, at(-1.4, 1.1), (-0.5, -0.3, 0.0, 0.3, 0.5), "Segment")
    end = made.places[last] @ at(0.28, 0.0)
    made.joined("PinJoint6", right, last, "LastAttachment", end)
    return made


def pendulum_balls() -> Exported:
    """Three balls on strings below a beam, which holds the joints."""
    hinge = [
        {**PIN, "damping": 0},
        locked("angular", (0, 1), stiffness=0.3, damping=1),
    ]
    made = Exported("Pendulums", hinge)
    beam = made.body("Beam", at(0.0, 1.25), motion=moving("static"))
    made.solid(beam, "BeamCollider", "box", size=[2.4, 0.2, 0.3])
    for number, (x, turn) in enumerate(((0.0, 0.0), (-0.5, -0.7), (0.5, 0.9)), 1):
        hang = at(x, 1.1, turn)
        ball = made.body(f"Ball{number}", hang @ at(0.0, -1.35), motion=moving())
        made.solid(ball, f"BallCollider{number}", "sphere", radius=0.2)
        made.joined(f"HingeJoint{number}", beam, ball, f"BallAttachment{number}", hang)
    return made


def simple_joint(limits: Sequence[dict[str, Any]] = (PIN,)) -> Exported:
    """Two links that are joined to each other and to nothing else, and a floor."""
    made = Exported("Pair", list(limits))
    first = made.body("BodyA", at(-0.5, 0.8, -0.3), motion=moving())
    second = made.body(
        "BodyB", at(-0.5, 0.8, -0.3) @ at(0.28, 0.0) @ at(0.28, 0.0), motion=moving()
    )
    for body, name in ((first, "ColliderA"), (second, "ColliderB")):
        made.solid(body, name, "capsule", pi / 2, height=0.55, radius=0.06)
    made.joined("Joint", first, second, "BodyBAttachment", made.places[first] @ at(0.28, 0.0))
    floor = made.body("Floor", at(0.2, 0.0), motion=moving("static"))
    made.solid(floor, "FloorCollider", "box", size=[1.2, 0.2, 0.8])
    return made


def weld_joint() -> Exported:
    """The same, held in all directions by one limit."""
    return simple_joint([{"linearAxes": [0, 1, 2], "angularAxes": [0, 1, 2], "min": 0, "max": 0}])


def slider_ball() -> Exported:
    """A ball that slides along a line and is pushed; it holds the joint."""
    limits = [
        {"linearAxes": [0], "min": -1.75, "max": 0.25, "stiffness": 1, "damping": 0.5},
        locked("linear", (1, 2), stiffness=1, damping=1),
        locked("angular", (0,), stiffness=1),
        locked("angular", (1, 2), stiffness=1, damping=1),
    ]
    made = Exported("Slider", limits)
    line = made.body("Line", motion=moving("static"))
    made.solid(line, "LineCollider", "box", size=[2.2, 0.1, 0.1])
    pushed = moving(linearVelocity=[1.2, 0, 0], angularVelocity=[0.02, 0.02, 0.02])
    ball = made.body("Ball", at(-0.7, 0.0), motion=pushed)
    made.solid(ball, "BallCollider", "sphere", radius=0.3)
    made.joined("SliderJoint", ball, line, "LineAttachment", at(-0.7, 0.0))
    return made


def swing_and_slide() -> Exported:
    """A ball on a string that slides along a beam, which holds the joint."""
    limits = [
        {"linearAxes": [0], "min": -0.25, "max": 1.75, "stiffness": 0.7, "damping": 1},
        locked("linear", (1, 2), stiffness=0.7, damping=1),
        locked("angular", (0, 1), stiffness=0.5, damping=1),
    ]
    made = Exported("Swing", limits)
    beam = made.body("Beam", at(0.0, 1.2), motion=moving("static"))
    made.solid(beam, "BeamCollider", "box", size=[2.2, 0.1, 0.1])
    hang = at(-0.7, 1.2)
    ball = made.body("Ball", hang @ at(0.0, 0.0, -0.8) @ at(0.0, -1.3), motion=moving())
    made.solid(ball, "BallCollider", "sphere", radius=0.2)
    made.joined("CustomJoint", beam, ball, "BallAttachment", hang)
    return made


def bodies(kind: str) -> Exported:
    """Return an example of bodies: solid, moving, triggers of one and of several parts."""
    made = Exported(kind)
    if kind == "compound_trigger":
        whole = made.body("Whole", trigger={"nodes": [2, 3]})
        made.shapes = [
            {"type": "box", "box": {"size": [2, 1, 1]}},
            {"type": "box", "box": {"size": [1, 2, 1]}},
        ]
        for index, place in enumerate((at(0.5, 0.0), at(0.0, 1.5))):
            made.body(f"Part{index}", place, whole, trigger={"shape": index})
    elif kind == "ball_pit":
        pit = made.body("Pit", motion=moving("static"))
        for name, size in (("Floor", [6, 0.2, 6]), ("Wall", [0.2, 1, 6])):
            made.solid(pit, name, "box", size=size)
        for number in range(4):
            ball = made.body(f"Ball{number}", at(number - 1.5, 2.0), motion=moving())
            made.solid(ball, f"BallShape{number}", "sphere", radius=0.4)
    elif kind == "indirect_children":
        made.shapes = [{"type": "box", "box": {"size": [1, 1, 1]}}]
        for name, says, part in (
            ("Led", {"motion": moving("kinematic")}, "collider"),
            ("Noticing", {"trigger": {}}, "trigger"),
        ):
            between = made.node(f"{name}Between", made.body(name, **says))
            made.body(f"{name}Shape", None, between, **{part: {"shape": 0}})
    else:
        says: dict[str, dict[str, Any]] = {
            "dynamic_box": {"motion": moving()},
            "dynamic_with_velocity": {
                "motion": moving(linearVelocity=[1, 2, 3], angularVelocity=[3, 2, 1])
            },
            "static_body_motion": {"motion": moving("static")},
            "static_compound_collider": {"collider": {}},
            "static_with_trigger": {"motion": moving("static")},
            "two_boxes": {"motion": moving("static")},
            "trigger_box": {"trigger": {}},
        }
        part = "trigger" if kind == "trigger_box" else "collider"
        made.shapes = [{"type": "box", "box": {"size": [2, 1, 3]}}]
        body = made.body("Body", **says[kind])
        made.body("BodyShape", None, body, **{part: {"shape": 0}})
        if kind == "static_with_trigger":
            made.shapes.append({"type": "sphere", "sphere": {"radius": 1.5}})
            made.body("Zone", None, body, trigger={"shape": 1})
        if kind == "two_boxes":
            zone = made.body("Zone", at(3.0, 0.0), trigger={})
            made.body("ZoneShape", None, zone, trigger={"shape": 0})
    return made


def shape(kind: str, *, seen: bool = True) -> Exported:
    """Return an example of one shape; a mesh is also seen, or is there for the shape alone."""
    made = Exported(f"{kind}Example")
    numbers: dict[str, Any] = {
        "sphere": {"radius": 0.4},
        "box": {"size": [1, 2, 1]},
        "capsule": {"height": 1.2, "radiusBottom": 0.3, "radiusTop": 0.3},
        "cylinder": {"height": 1.5, "radiusBottom": 0.6, "radiusTop": 0.6},
    }.get(kind, {})
    if kind in {"convex", "trimesh"}:
        numbers = {"mesh": made.mesh("Shape", more=kind == "trimesh" and seen)}
    made.shapes = [{"type": kind, **({kind: numbers} if numbers else {})}]
    index = made.body(f"{kind}Shape", collider={"shape": 0})
    if kind in {"convex", "trimesh"} and seen:
        made.node("Seen", index, mesh=0 if kind == "trimesh" else made.mesh("Seen"))
    return made


def default_box() -> Exported:
    """A box that says nothing of its size."""
    made = shape("box")
    made.shapes = [{"type": "box"}]
    return made


EXAMPLES: dict[str, Callable[[], Exported]] = {
    **{
        f"examples/{one.__name__}": one
        for one in (
            *(hanging_rope, pendulum_balls, rope_railing, simple_joint),
            *(slider_ball, swing_and_slide, weld_joint),
        )
    },
    **{
        f"examples_body/{folder}/{kind}": lambda kind=kind: bodies(kind)
        for folder, kinds in {
            "basic": ("compound_trigger", "dynamic_box", "trigger_box"),
            "complex": (
                *("ball_pit", "dynamic_with_velocity", "indirect_children", "static_body_motion"),
                *("static_compound_collider", "static_with_trigger", "two_boxes"),
            ),
        }.items()
        for kind in kinds
    },
    **{
        f"examples_shape/{kind}_collider": lambda kind=kind: shape(kind)
        for kind in ("box", "capsule", "cylinder", "sphere")
    },
    "examples_shape/default_box": default_box,
    "examples_shape/convex/convex_hull": lambda: shape("convex"),
    "examples_shape/convex/convex_hull_only": lambda: shape("convex", seen=False),
    "examples_shape/trimesh/concave_trimesh": lambda: shape("trimesh"),
    "examples_shape/trimesh/concave_trimesh_only": lambda: shape("trimesh", seen=False),
}
"""Path of each file without its ending -> what makes it."""


def write_examples(folder: Path) -> Path:
    """Write all of them below a folder, and return that."""
    for name, made in EXAMPLES.items():
        path = folder / f"{name}.gltf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(made().document(), indent=1), "utf-8")
    return folder
