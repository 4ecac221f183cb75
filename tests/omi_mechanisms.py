# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mechanisms, and the plain glTF documents whose nodes they have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import hypothesis
from hypothesis import strategies as st

from omi_physics_joint.gltf.document.json_text import text_of
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.shared.kept import both
from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.geometry.transform import compose, multiply
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh

MESHES = ("Hull", "", "Floor")


def over(examples: int) -> hypothesis.settings:
    """Return how a test goes over random mechanisms.

    They are the same in every run, and a failure shows the one that was found: to look for a
    smaller one takes minutes.
    """
    return hypothesis.settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=[
            hypothesis.HealthCheck.too_slow,
            hypothesis.HealthCheck.data_too_large,
        ],
    )


numbers = st.floats(-1e6, 1e6) | st.integers(-3, 3).map(float)
lengths = st.floats(1e-3, 1e3)
strengths = st.just(0.0) | st.floats(1e-3, 1e6)
vectors = st.tuples(numbers, numbers, numbers)
quaternions = st.tuples(*[st.floats(-1.0, 1.0)] * 3, st.floats(0.1, 1.0))
names = st.sampled_from(
    ("", "Door", "door", "\u00e9t\u00e9 \U0001f6aa", 'a "b"\n', "/~")
) | st.text(max_size=3)
SHAPED = '{"OMI_physics_gravity":{"gravity":2.5,"shaped":{"shape":null},"type":"shaped"}}'
"""What is kept of a gravity that is shaped by a volume."""
axes = st.lists(st.sampled_from((0, 1, 2)), unique=True, max_size=3).map(tuple)
unknowns = st.just("") | st.sampled_from(
    [
        text_of(members)
        for members in (
            {"X_flag": True},
            {"extras": {"note": "\u00e9", "list": [1, 2.5, None]}},
            {"extensions": {"X_other": {"deep": [{"er": -1e-3}]}}, "X_empty": {}},
        )
    ]
)


@st.composite
def bounds(draw: st.DrawFn) -> tuple[float, float]:
    """Return bounds that may be one-sided, equal, or none."""
    low, high = sorted((draw(numbers), draw(numbers)))
    kind = draw(st.sampled_from(("both", "low", "high", "none", "equal", "fixed")))
    return {
        "both": (low, high),
        "low": (low, inf),
        "high": (-inf, high),
        "none": (-inf, inf),
        "equal": (low, low),
        "fixed": (0.0, 0.0),
    }[kind]


@st.composite
def limits(draw: st.DrawFn) -> Limit:
    """Return a sound limit, mixed axes and useless ones included."""
    low, high = draw(bounds())
    stiffness = draw(st.just(inf) | strengths)
    damping, unknown = draw(strengths), draw(unknowns)
    return Limit(draw(axes), draw(axes), low, high, stiffness, damping, unknown=unknown)


@st.composite
def limits_together(draw: st.DrawFn) -> Limit:
    """Return a limit over several axes of a kind together."""
    several = st.lists(st.sampled_from((0, 1, 2)), unique=True, min_size=2, max_size=3)
    held, most = tuple(draw(several)), draw(st.floats(0.01, 3.0))
    freedom = draw(st.sampled_from(Freedom))
    linear, angular = (held, ()) if freedom is Freedom.LINEAR else ((), held)
    low = draw(st.just(-inf) | st.just(0.5 * most) | st.just(most))
    return Limit(linear, angular, low, most, together=True)


drives = st.builds(
    Drive,
    st.sampled_from(Freedom),
    st.sampled_from(DriveMode),
    st.sampled_from((0, 1, 2)),
    st.just(inf) | strengths,
    st.none() | numbers,
    st.none() | numbers,
    strengths,
    strengths,
    unknowns,
)
foreign_drives = st.sampled_from(
    [
        text_of({"type": "X_muscle", "mode": "force", "axis": 1, "X_length": [0.5, {}]}),
        text_of({"type": "linear", "mode": "X_sleep", "axis": 0}),
    ]
)
settings = st.builds(
    JointSettings,
    names,
    st.lists(limits(), max_size=4).map(tuple),
    st.lists(drives, max_size=3).map(tuple),
    st.lists(foreign_drives, max_size=1).map(tuple),
    unknowns,
)
motions = st.builds(
    Motion,
    st.sampled_from(MotionType),
    lengths | st.just(1.0),
    vectors,
    st.tuples(lengths, lengths, lengths) | st.just((0.0, 0.0, 0.0)),
    quaternions,
    vectors,
    vectors,
    numbers,
    unknowns,
)
materials = st.builds(
    PhysicsMaterial,
    names,
    strengths,
    strengths,
    strengths,
    st.sampled_from(Combine),
    st.sampled_from(Combine),
    unknowns,
)
systems = st.lists(names, min_size=1, max_size=2).map(tuple)
filters = st.builds(
    CollisionFilter, names, systems | st.just(()), systems, st.none(), unknowns
) | st.builds(CollisionFilter, names, systems | st.just(()), st.none(), st.none() | systems)


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Return any shape, with unknown members beside its block and inside it."""
    mesh = draw(st.integers(0, len(MESHES) - 1))
    shape: Shape = draw(
        st.sampled_from(
            (
                Box((draw(lengths), draw(lengths), draw(lengths))),
                Sphere(draw(lengths)),
                Capsule(draw(lengths), draw(lengths), draw(lengths)),
                Cylinder(draw(lengths), draw(lengths), draw(lengths)),
                Convex(mesh),
                Trimesh(mesh),
            )
        )
    )
    inner = draw(st.sampled_from(("", '{"X_inner":[1,2.5]}', '{"X_outer":{},"X_z":0}')))
    kind = type(shape).__name__.lower()
    unknown = f'{{"{kind}":{inner}}}' if inner else draw(unknowns)
    return replace(shape, name=draw(names), unknown=unknown)


@dataclass(frozen=True, slots=True)
class Sample:
    """A mechanism, and the document with its nodes and meshes but without its physics."""

    mechanism: Mechanism
    gltf: dict[str, Any]

    def same_numbers(self) -> Numbering:
        """Return where everything is in a file that is numbered like the mechanism."""
        nodes, meshes = (range(len(each)) for each in (self.mechanism.nodes, self.mechanism.meshes))
        return Numbering({i: i for i in nodes}, {i: i for i in meshes})


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Return a random mechanism whose every value a file can hold, with its document."""
    count = draw(st.integers(1, 6))
    order = draw(st.permutations(range(count)))
    parents: list[int | None] = [None] * count
    for at, index in enumerate(order):
        parents[index] = draw(st.none() | st.sampled_from(order[:at])) if at else None
    nodes: list[dict[str, Any]] = []
    for _ in range(count):
        scale = draw(st.tuples(*[st.floats(-2.0, 2.0)] * 3))
        nodes.append(
            {
                "name": draw(names),
                "translation": list(draw(vectors)),
                "rotation": list(draw(quaternions)),
                "scale": list(scale),
            }
        )
    for index, parent in enumerate(parents):
        if parent is not None:
            nodes[parent].setdefault("children", []).append(index)
    resources = {
        "settings": draw(st.lists(settings, max_size=3).map(tuple)),
        "shapes": draw(st.lists(shapes(), max_size=3).map(tuple)),
        "physics_materials": draw(st.lists(materials, max_size=2).map(tuple)),
        "collision_filters": draw(st.lists(filters, max_size=2).map(tuple)),
    }
    worlds: dict[int, Any] = {}
    for index in order:
        node, parent = nodes[index], parents[index]
        local = compose(tuple(node["translation"]), tuple(node["rotation"]), tuple(node["scale"]))
        worlds[index] = local if parent is None else multiply(worlds[parent], local)
    made = tuple(
        draw(_physics(Node(nodes[i]["name"], parents[i], worlds[i]), i, count, resources))
        for i in range(count)
    )
    document_unknown = draw(
        st.dictionaries(
            st.sampled_from(("OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape")),
            unknowns.filter(bool),
            max_size=1,
        )
    )
    mechanism = Mechanism(made, **resources, meshes=MESHES, unknown=document_unknown)
    meshes = [{"name": name} if name else {} for name in MESHES]
    return Sample(mechanism, {"asset": {"version": "2.0"}, "nodes": nodes, "meshes": meshes})


@st.composite
def _physics(
    draw: st.DrawFn, node: Node, index: int, count: int, resources: dict[str, tuple[Any, ...]]
) -> Node:
    """Return the node with random physics."""
    pick = {
        key: st.none() | (st.sampled_from(range(len(items))) if items else st.none())
        for key, items in resources.items()
    }
    others = [other for other in range(count) if other != index]
    joint = None
    if others and resources["settings"] and draw(st.booleans()):
        joint = JointNode(
            draw(st.sampled_from(range(len(resources["settings"])))),
            draw(st.sampled_from(others)),
            draw(st.booleans()),
            draw(unknowns),
        )
    trigger = st.builds(
        Trigger, pick["shapes"], st.just(()), pick["collision_filters"], unknowns
    ) | st.builds(
        Trigger,
        st.none(),
        st.lists(st.sampled_from(range(count)), unique=True, min_size=1, max_size=2).map(tuple),
        st.none(),
        unknowns,
    )
    collider = st.builds(
        Collider, pick["shapes"], pick["physics_materials"], pick["collision_filters"], unknowns
    )
    unknown, volume = draw(unknowns), draw(pick["shapes"])
    return replace(
        node,
        motion=draw(st.none() | motions),
        collider=draw(st.none() | collider),
        trigger=draw(st.none() | trigger),
        joint=joint,
        unknown=unknown if volume is None else both(unknown, SHAPED),
        gravity_shape=volume,
    )


def resolved(mechanism: Mechanism) -> list[tuple[Any, ...]]:
    """Return every node with what it shares put in place, names of shared things left out.

    Two mechanisms that differ only in the order, number and names of shared resources, and in the
    spelling of joint settings, come out equal.
    """

    def at(items: tuple[Any, ...], index: int | None) -> object:
        return None if index is None else replace(items[index], name="")

    return [
        (
            replace(node, joint=None, collider=None, trigger=None, gravity_shape=None),
            node.joint
            and (
                replace(node.joint, settings=-1),
                canonical(at(mechanism.settings, node.joint.settings)),
            ),
            node.collider
            and (
                node.collider.unknown,
                at(mechanism.shapes, node.collider.shape),
                at(mechanism.physics_materials, node.collider.physics_material),
                at(mechanism.collision_filters, node.collider.collision_filter),
            ),
            node.trigger
            and (
                node.trigger.unknown,
                node.trigger.nodes,
                at(mechanism.shapes, node.trigger.shape),
                at(mechanism.collision_filters, node.trigger.collision_filter),
            ),
            at(mechanism.shapes, node.gravity_shape),
        )
        for node in mechanism.nodes
    ]
