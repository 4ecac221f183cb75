# SPDX-License-Identifier: GPL-3.0-or-later
"""Which body is the root, which joints are in the tree, which close loops, how all is numbered."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random

from benchmarks.newton.scenes import DYNAMIC, KINEMATIC, SCENES, STATIC, Making
from omi_physics_joint.model.articulation.joints import Articulation, Base, JointType, views_of
from omi_physics_joint.model.articulation.trees import articulations_of
from omi_physics_joint.model.body import Motion
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.joint import JointNode, JointSettings
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld


def names(mechanism: Mechanism, nodes: tuple[int, ...]) -> list[str]:
    """Return the names of nodes."""
    return [mechanism.nodes[node].name for node in nodes]


def only(making: Making) -> Articulation:
    """Return the one articulation of a mechanism."""
    (one,) = articulations_of(making.mechanism())
    return one


def test_a_joint_to_a_static_body_is_the_base() -> None:
    """The static body is the world, and which end of the joint it is does not matter."""
    for is_reversed in (False, True):
        making = Making(0)
        floor, arm = making.body("floor", STATIC), making.body("arm")
        ends = (arm, floor) if is_reversed else (floor, arm)
        joint = making.joint(hinge(0), *ends)
        one = only(making)
        base = one.joints[0]
        assert one.base is Base.FIXED
        assert (base.node, base.parent, base.child, base.static_parent) == (joint, None, arm, floor)
        assert base.is_reversed is is_reversed


def test_a_joint_to_no_body_is_the_base() -> None:
    """What has no body above it is the world."""
    making = Making(0)
    making.joint(hinge(0), making.body("arm"), None)
    base = only(making).joints[0]
    assert (base.parent, base.static_parent, base.type) == (None, None, JointType.REVOLUTE)


def test_a_joint_that_holds_nothing_leaves_the_base_floating() -> None:
    """It is the joint of the root all the same: its coordinates count from the wall."""
    making = Making(0)
    joint = making.joint(JointSettings(), making.body("ship"), making.body("quay", STATIC))
    one = only(making)
    assert (one.base, one.joints[0].node) == (Base.FLOATING, joint)


def test_what_is_bolted_on_is_the_base() -> None:
    """Of several joints to the world the one with the fewest degrees of freedom, then the first."""
    making = Making(0)
    wall, hand, base = making.body("wall", STATIC), making.body("hand"), making.body("base")
    pinned = making.joint(pin(), wall, hand)
    bolted = making.joint(weld(), wall, base)
    elbow = making.joint(hinge(0), base, hand)
    one = only(making)
    assert [joint.node for joint in one.joints] == [bolted, elbow]
    assert [joint.node for joint in one.loops] == [pinned]
    assert (one.loops[0].parent, one.loops[0].child) == (None, hand)


def test_the_heaviest_body_floats() -> None:
    """A body of infinite mass would be moved, not float; of equals the one with more joints."""
    making = Making(0)
    first, second, third = making.body("a"), making.body("b"), making.body("c")
    making.joint(hinge(0), first, second)
    making.joint(hinge(0), second, third)
    assert only(making).root == second
    making.nodes[third] = replace(making.nodes[third], motion=Motion(DYNAMIC, 2.0))
    one = only(making)
    assert one.root == third
    assert one.base is Base.FLOATING
    assert one.joints[0].type is JointType.FREE
    assert one.joints[0].node is None
    turning = Motion(DYNAMIC, inf, inertia_diagonal=(1.0, 1.0, 1.0))
    making.nodes[first] = replace(making.nodes[first], motion=turning)
    assert only(making).root == third


def test_the_topmost_body_floats() -> None:
    """Where bodies lie below one another, the author has said what hangs on what."""
    making = Making(0)
    hips, chest = making.body("hips"), making.body("chest", mass=30.0)
    making.nodes[chest] = replace(making.nodes[chest], parent=hips)
    making.joint(pin(), hips, chest)
    assert only(making).root == hips


def test_a_kinematic_body_is_the_root_of_all_that_hangs_on_it() -> None:
    """It has a FREE joint, and two towers on a turntable are one articulation."""
    making = Making(0)
    table = making.body("table", KINEMATIC)
    towers = [making.body(name) for name in ("one", "two")]
    for tower in towers:
        making.joint(hinge(1), tower, table)
    one = only(making)
    assert one.bodies == (table, *towers)
    assert [joint.parent for joint in one.joints] == [None, table, table]
    assert (one.base, one.joints[0].type) == (Base.KINEMATIC, JointType.FREE)


def test_a_body_of_infinite_mass_counts_as_kinematic() -> None:
    """No force moves it."""
    making = Making(0)
    heavy, light = making.body("heavy"), making.body("light")
    making.nodes[heavy] = replace(making.nodes[heavy], motion=Motion(DYNAMIC, inf))
    making.joint(hinge(0), light, heavy)
    assert only(making).bodies == (heavy, light)


def test_the_world_is_held_to_before_what_moves() -> None:
    """A kinematic body at the far end closes a loop, and has its own articulation."""
    making = Making(0)
    pusher, wall, link = (
        making.body("pusher", KINEMATIC),
        making.body("wall", STATIC),
        making.body("link"),
    )
    pushed = making.joint(weld(), link, pusher)
    held = making.joint(pin(), wall, link)
    chain, alone = articulations_of(making.mechanism())
    assert [joint.node for joint in chain.joints] == [held]
    assert [joint.node for joint in chain.loops] == [pushed]
    assert (alone.bodies, [joint.type for joint in alone.joints]) == ((pusher,), [JointType.FREE])


def test_what_moves_nothing_is_in_no_articulation() -> None:
    """Bodies without joints, joints between walls, within a body, to nowhere, in a flat frame."""
    making = Making(0)
    making.body("alone")
    wall, floor, door = (
        making.body("wall", STATIC),
        making.body("floor", STATIC),
        making.body("door"),
    )
    making.joint(weld(), wall, floor)
    making.joint(weld(), door, door)
    broken = making.joint(weld(), door, wall)
    making.nodes[broken] = replace(making.nodes[broken], joint=JointNode(99, 99))
    flat = making.joint(weld(), door, wall)
    making.nodes[flat] = replace(making.nodes[flat], world=compose(scale=(1.0, 0.0, 1.0)))
    assert articulations_of(making.mechanism()) == ()
    assert articulations_of(Mechanism()) == ()


def test_a_loop_is_cut_far_from_the_root() -> None:
    """Both arms of a ring are as short as can be."""
    making = Making(0)
    ring = [making.body(f"{number}", mass=1.0 + (number == 0)) for number in range(5)]
    joints = [making.joint(pin(), ring[i], ring[(i + 1) % 5]) for i in range(5)]
    one = only(making)
    assert one.bodies == (ring[0], ring[1], ring[2], ring[4], ring[3])
    assert [joint.node for joint in one.loops] == [joints[2]]


def test_two_joints_between_two_bodies_close_a_loop() -> None:
    """A door on two hinges."""
    making = Making(0)
    frame, door = making.body("frame", STATIC), making.body("door")
    upper, lower = making.joint(hinge(1), door, frame), making.joint(hinge(1), door, frame)
    one = only(making)
    assert ([joint.node for joint in one.joints], [joint.node for joint in one.loops]) == (
        [upper],
        [lower],
    )


def test_limbs_are_listed_one_after_the_other() -> None:
    """Parents before children, and an arm to its end before the next."""
    (one,) = articulations_of(SCENES["ragdoll"])
    assert names(SCENES["ragdoll"], one.bodies) == [
        "chest", "pelvis", "left thigh", "left shin", "right thigh", "right shin",
        "head", "left arm", "left forearm", "right arm", "right forearm",
    ]  # fmt: skip


def test_every_tree_is_a_tree() -> None:
    """Each body has one parent, which came before; one joint leads to the world; none is lost."""
    for mechanism in (*SCENES.values(), *(random_mechanism(seed) for seed in range(40))):
        every: list[int | None] = []
        q = qd = 0
        articulations = articulations_of(mechanism)
        for one in articulations:
            seen: set[int | None] = {None}
            for number, joint in enumerate(one.joints):
                assert joint.parent in seen
                assert joint.child not in seen
                assert (joint.parent is None) == (number == 0)
                assert (joint.q_start, joint.qd_start) == (q, qd)
                q, qd = q + joint.counts.q, qd + joint.counts.qd
                seen.add(joint.child)
                every.append(joint.node)
        for loop in (loop for one in articulations for loop in one.loops):
            assert (loop.q_start, loop.qd_start) == (q, qd)
            q, qd = q + loop.counts.q, qd + loop.counts.qd
            every.append(loop.node)
        joints = [node for node in every if node is not None]
        assert len(joints) == len(set(joints))
        assert set(joints) == {
            index
            for index, _, joint in mechanism.joints()
            if moves(mechanism, mechanism.body_of(index), mechanism.body_of(joint.connected_node))
        }


def moves(mechanism: Mechanism, one: int | None, other: int | None) -> bool:
    """Return whether a joint between two bodies moves any."""
    motions = [mechanism.nodes[body].motion for body in (one, other) if body is not None]
    return one != other and any(motion is not None and motion.is_movable for motion in motions)


def random_mechanism(seed: int) -> Mechanism:
    """Return bodies of all kinds with joints between any two of them, and to the world."""
    making, draw = Making(seed), Random(seed)
    bodies: list[int | None] = [None]
    for number in range(draw.randrange(1, 12)):
        kind = draw.choice((DYNAMIC, DYNAMIC, DYNAMIC, STATIC, KINEMATIC))
        bodies.append(making.body(f"{number}", kind, draw.choice((1.0, 1.0, 5.0))))
    for _ in range(draw.randrange(0, 14)):
        settings = draw.choice((weld(), hinge(0), slider(1), pin()))
        making.joint(settings, draw.choice(bodies), draw.choice(bodies))
    making.nodes.append(Node("scenery"))
    return making.mechanism()


def test_a_name_selects_what_has_it() -> None:
    """Each joint by its own name, of the tree or of a loop, and each body what leads to it."""
    mechanism = SCENES["several"]
    every = articulations_of(mechanism)
    assert any(one.loops for one in every)
    for one in every:
        for joint in (*one.joints, *one.loops):
            for node in {joint.node, joint.child} - {None}:
                found = views_of(mechanism, every, mechanism.name_of(node))
                (view,) = found
                chosen = (*view.joints, *view.loops)
                assert view.articulation is one
                assert joint in chosen
                assert all(node in (other.node, other.child) for other in chosen)
