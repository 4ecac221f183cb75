# SPDX-License-Identifier: GPL-3.0-or-later
"""Random joints and mechanisms for property tests, from sound ones to hopeless ones."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan, pi

from hypothesis import strategies as st

from omi_physics_joint.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.geometry.transform import Matrix, compose
from omi_physics_joint.model.joint import (
    AXES,
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Sphere, Trimesh

finite = st.floats(-100.0, 100.0)
positive = st.floats(0.01, 100.0)
wild = st.one_of(
    st.sampled_from((0.0, -0.0, 1.0, -1.0, 0.5, pi, inf, -inf, nan, 1e308, -1e-308, 5e-324)),
    st.floats(),
)
axes = st.sets(st.sampled_from(AXES)).map(lambda chosen: tuple(sorted(chosen)))
odd_axes = st.lists(st.integers(-1, 4), max_size=4).map(tuple)
names = st.sampled_from(("", "Joint", "Door", "Joint"))


@st.composite
def sound_limits(draw: st.DrawFn) -> Limit:
    """Return a limit with bounds in order, one-sided or not, rigid or soft."""
    low, high = sorted((draw(finite), draw(finite)))
    sides = draw(st.sampled_from(("both", "low", "high", "fixed")))
    if sides == "fixed":
        low = high = 0.0
    return Limit(
        linear_axes=draw(axes),
        angular_axes=draw(axes),
        min=-inf if sides == "high" else low,
        max=inf if sides == "low" else high,
        stiffness=draw(st.one_of(st.just(inf), positive)),
        damping=draw(st.one_of(st.just(0.0), positive)),
    )


def sound_drives() -> st.SearchStrategy[Drive]:
    """Return drives with one axis, with or without targets."""
    target = st.one_of(st.none(), finite)
    return st.builds(
        Drive,
        type=st.sampled_from(Freedom),
        mode=st.sampled_from(DriveMode),
        axis=st.sampled_from(AXES),
        max_force=st.one_of(st.just(inf), positive),
        position_target=target,
        velocity_target=target,
        stiffness=st.one_of(st.just(0.0), positive),
        damping=st.one_of(st.just(0.0), positive),
    )


def any_settings() -> st.SearchStrategy[JointSettings]:
    """Return settings that the specification allows."""
    return st.builds(
        JointSettings,
        name=names,
        limits=st.lists(sound_limits(), max_size=5).map(tuple),
        drives=st.lists(sound_drives(), max_size=3).map(tuple),
    )


def wild_settings() -> st.SearchStrategy[JointSettings]:
    """Return settings with any numbers and any axes."""
    limit = st.builds(Limit, odd_axes, odd_axes, wild, wild, wild, wild)
    drive = st.builds(
        Drive,
        st.sampled_from(Freedom),
        st.sampled_from(DriveMode),
        st.integers(-1, 4),
        wild,
        st.one_of(st.none(), wild),
        st.one_of(st.none(), wild),
        wild,
        wild,
    )
    return st.builds(
        JointSettings,
        name=names,
        limits=st.lists(limit, max_size=4).map(tuple),
        drives=st.lists(drive, max_size=3).map(tuple),
        foreign_drives=st.sampled_from(((), ("{}",))),
    )


@st.composite
def worlds(draw: st.DrawFn) -> Matrix:
    """Return world matrices: plain, turned and scaled, or twelve arbitrary numbers."""
    kind = draw(st.sampled_from(("plain", "node", "any")))
    if kind == "plain":
        return compose()
    if kind == "any":
        rows = tuple(tuple(draw(wild) for _ in range(4)) for _ in range(3))
        return (*rows, (0.0, 0.0, 0.0, 1.0))
    x, y, z = (draw(st.sampled_from((1.0, -1.0, 0.0, 2.0, 1e-200, 1e200))) for _ in range(3))
    turn = draw(st.sampled_from(((0.0, 0.0, 0.0, 1.0), (0.1, 0.7, 0.5, 0.2), (1.0, 0.0, 0.0, 0.0))))
    return compose((draw(finite), draw(finite), draw(finite)), turn, (x, y, z))


def wild_motions() -> st.SearchStrategy[Motion]:
    """Return motions with any numbers."""
    triple = st.tuples(wild, wild, wild)
    return st.builds(
        Motion,
        st.sampled_from(MotionType),
        wild,
        triple,
        triple,
        st.tuples(wild, wild, wild, wild),
        triple,
        triple,
        wild,
    )


shapes = st.one_of(
    st.builds(Box, st.tuples(wild, wild, wild)),
    st.builds(Sphere, wild),
    st.builds(Capsule, wild, wild, wild),
    st.builds(Cylinder, wild, wild, wild),
    st.just(Convex(0)),
    st.just(Trimesh(0)),
)
systems = st.one_of(st.none(), st.just(("Walls",)))


@st.composite
def wild_mechanisms(draw: st.DrawFn) -> Mechanism:
    """Return mechanisms whose indices are in range and that may be nonsense in all else."""
    settings = draw(st.lists(wild_settings() | any_settings(), min_size=1, max_size=3))
    count = draw(st.integers(1, 7))
    index = st.integers(0, count - 1)
    nodes = []
    for _ in range(count):
        node = Node(draw(names), draw(st.one_of(st.none(), index)), draw(worlds()))
        if draw(st.booleans()):
            node = replace(node, motion=draw(wild_motions()))
        if draw(st.booleans()):
            joint = JointNode(draw(st.integers(0, len(settings) - 1)), draw(index))
            node = replace(node, joint=joint)
        if draw(st.booleans()):
            part = st.one_of(st.none(), st.just(0))
            node = replace(node, collider=Collider(draw(part), draw(part), draw(part)))
        if draw(st.booleans()):
            parts = tuple(draw(st.lists(index, max_size=3)))
            trigger = Trigger(draw(st.one_of(st.none(), st.just(0))), parts)
            node = replace(node, trigger=trigger)
        nodes.append(node)
    return Mechanism(
        nodes=tuple(nodes),
        settings=tuple(settings),
        shapes=(draw(shapes),),
        physics_materials=(draw(st.builds(PhysicsMaterial, names, wild, wild, wild)),),
        collision_filters=(draw(st.builds(CollisionFilter, names, st.just(()), systems, systems)),),
        meshes=("Mesh",),
    )
