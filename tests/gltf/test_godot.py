# SPDX-License-Identifier: GPL-3.0-or-later
"""Files for Godot: what they say, and that they mean what the mechanism means.

Godot itself is not here. What it makes of each spelling was measured once; ``seen`` says it.
"""

from __future__ import annotations

from dataclasses import replace
from math import degrees, inf, pi

import numpy as np
import pytest
from omi_documents import document_of
from scipy.spatial.transform import Rotation

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix, compose, multiply
from omi_physics_joint.model.godot.layout import GodotJoint, godot_joint
from omi_physics_joint.model.godot.written import written
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider, weld
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import check
from omi_physics_joint.solver import Options, Simulation
from tests.model.building import turn

LINEAR, ANGULAR = Freedom
STATIC, DYNAMIC = Motion(MotionType.STATIC), Motion(MotionType.DYNAMIC)
LEVEL = (turn(1, -pi / 2.0), turn(0, pi / 2.0), IDENTITY)
"""Frames whose X, Y or Z lies level, so that gravity turns an arm about it."""
ASKEW = multiply(multiply(turn(0, 0.4), turn(1, 0.5)), turn(2, 0.7))


def arm(
    settings: JointSettings,
    frame: Matrix = IDENTITY,
    connected: Matrix | None = None,
    motion: Motion = DYNAMIC,
    place: Matrix = compose((0.5, 0.0, 0.0)),  # noqa: B008 - a constant
) -> Mechanism:
    """Return a bar that a joint at the origin holds to a wall."""
    return Mechanism(
        (
            Node("Wall", motion=STATIC),
            Node("Arm", None, place, motion=motion, collider=Collider(0)),
            Node("Joint", 1, frame, joint=JointNode(0, 3)),
            Node("Anchor", 0, frame if connected is None else connected),
        ),
        (settings,),
        (Box((1.0, 0.1, 0.2)),),
    )


def with_drive(
    settings: JointSettings, freedom: Freedom, axis: int, **values: float
) -> JointSettings:
    """Return settings with one drive."""
    drive = replace(Drive(freedom, DriveMode.FORCE, axis), **values)
    return replace(settings, drives=(drive,))


def bounded(*bounds: tuple[Freedom, int, float, float]) -> JointSettings:
    """Return a pin with further bounds; none along an axis that has one."""
    free = {axis for freedom, axis, _, _ in bounds if freedom is LINEAR}
    limits = [Limit(tuple(axis for axis in range(3) if axis not in free), (), 0.0, 0.0)]
    for freedom, axis, low, high in bounds:
        axes = ((axis,), ()) if freedom is LINEAR else ((), (axis,))
        limits.append(Limit(*axes, low, high))
    return JointSettings("Bounded", tuple(limits))


def moved(mechanism: Mechanism, frames: int = 30) -> dict[str, tuple[np.ndarray, Rotation]]:
    """Return where each body is after half a second."""
    simulation = Simulation(mechanism, Options(gravity=(0.0, -9.81, 0.0)))
    for _ in range(frames):
        simulation.step(1.0 / 60.0)
    names = [node.name for node in mechanism.nodes if node.motion is not None]
    turned = Rotation.from_quat(simulation.rotations)
    return {
        name: (place, turned[i])
        for i, (name, place) in enumerate(zip(names, simulation.positions, strict=True))
    }


SPIN = replace(DYNAMIC, angular_velocity=(0.5, 1.0, 0.3), inertia_diagonal=(0.1, 0.1, 0.1))
SLID = compose((0.0, 0.15, 0.0))
CASES: dict[str, Mechanism] = {
    **{f"hinge {i}": arm(hinge(i, -0.6, 0.35), LEVEL[i]) for i in range(3)},
    **{f"free hinge {i}": arm(hinge(i), LEVEL[i]) for i in range(3)},
    **{f"one bound {i}": arm(hinge(i, -0.7), LEVEL[i]) for i in range(3)},
    **{f"slider {i}": arm(slider(i, -0.3, 0.4), multiply(ASKEW, LEVEL[i])) for i in range(3)},
    **{
        f"spring {i}": arm(
            with_drive(hinge(i), ANGULAR, i, position_target=0.3, stiffness=20.0, damping=1.0),
            LEVEL[i],
        )
        for i in range(3)
    },
    **{
        f"posed hinge {i}": arm(hinge(i, -0.6, 0.35), LEVEL[i], multiply(LEVEL[i], turn(i, 0.2)))
        for i in range(3)
    },
    **{
        f"two turns without {i}": arm(
            bounded(
                (ANGULAR, i, 0.0, 0.0),
                (ANGULAR, (i + 1) % 3, -0.5, 0.3),
                (ANGULAR, (i + 2) % 3, -0.4, 0.6),
            ),
            ASKEW,
            motion=SPIN,
        )
        for i in range(3)
    },
    **{
        f"slide along and turn about {i}": arm(
            bounded(
                (LINEAR, i, -0.3, 0.4),
                (ANGULAR, i, -0.5, 0.8),
                (ANGULAR, (i + 1) % 3, 0.0, 0.0),
                (ANGULAR, (i + 2) % 3, 0.0, 0.0),
            ),
            multiply(ASKEW, LEVEL[i]),
        )
        for i in range(3)
    },
    **{
        f"slide along {i}, two turns": arm(
            bounded(
                (LINEAR, i, -0.2, 0.2),
                (ANGULAR, i, 0.0, 0.0),
                (ANGULAR, (i + 1) % 3, -0.5, 0.3),
                (ANGULAR, (i + 2) % 3, -0.4, 0.6),
            ),
            ASKEW,
        )
        for i in range(3)
    },
    "ball": arm(
        bounded(*((ANGULAR, i, -0.3, 0.2 + 0.1 * i) for i in range(3))), ASKEW, motion=SPIN
    ),
    **{
        f"posed about {i}, {held} held": arm(
            bounded((ANGULAR, i, -0.5, 0.9), *((ANGULAR, (i + 2) % 3, 0.0, 0.0),) * held),
            ASKEW,
            multiply(ASKEW, turn(i, 0.3)),
            motion=SPIN,
        )
        for i in range(3)
        for held in (0, 1)
    },
    "posed slider": arm(slider(1, -0.3, 0.4), IDENTITY, SLID),
    "pin": arm(pin(), motion=SPIN),
    "weld": arm(weld()),
    "damper": arm(with_drive(hinge(2), ANGULAR, 2, velocity_target=0.0, damping=0.8)),
    "slow motor": arm(with_drive(slider(1), LINEAR, 1, velocity_target=2.0, damping=5.0)),
    "rubber": arm(
        JointSettings("Rubber", (*slider(1).limits, Limit((1,), (), 0.0, 0.0, 200.0, 4.0)))
    ),
    "turned, moving": arm(
        pin(),
        motion=replace(SPIN, center_of_mass=(0.1, 0.0, 0.2)),
        place=multiply(compose((0.5, 0.0, 0.0)), ASKEW),
    ),
}
MIRRORS = {
    "one axis": multiply(compose((0.5, 0.0, 0.0)), compose(scale=(-1.0, 1.0, 1.0))),
    "turned, all axes": multiply(ASKEW, compose((0.5, 0.1, 0.0), scale=(-1.0, -1.0, -1.0))),
}
LOPSIDED = replace(SPIN, center_of_mass=(0.2, 0.1, 0.15), linear_velocity=(0.1, 0.2, 0.3))
CASES |= {
    f"mirrored, {name}": arm(hinge(2, -0.6, 0.8), ASKEW, motion=LOPSIDED, place=place)
    for name, place in MIRRORS.items()
}
SCALES = {
    "even": compose((0.5, 0.0, 0.0), scale=(2.0, 2.0, 2.0)),
    "uneven, turned": multiply(ASKEW, compose((0.5, 0.1, 0.0), scale=(2.0, 1.0, 0.5))),
    "mirrored": multiply(compose((0.5, 0.0, 0.0)), compose(scale=(-0.7, 0.7, 0.7))),
}
CASES |= {
    f"scaled, {name}": arm(hinge(2, -0.6, 0.8), ASKEW, motion=LOPSIDED, place=place)
    for name, place in SCALES.items()
}
CASES["below each other"] = Mechanism(
    (
        *CASES["free hinge 2"].nodes,
        Node("Hand", 1, compose((1.5, 0.0, 0.0)), motion=DYNAMIC, collider=Collider(0)),
        Node("Wrist", 4, compose((1.0, 0.0, 0.0)), joint=JointNode(0, 1)),
    ),
    CASES["free hinge 2"].settings,
    CASES["free hinge 2"].shapes,
)


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_a_file_for_godot_moves_as_it_was_meant(name: str) -> None:
    """Written for Godot and read back, every kind of joint moves its bodies as before."""
    document = document_of(written(CASES[name]), Target.GODOT)
    reading = read(document)
    assert reading.issues == ()
    assert reading.audience.target is Target.GODOT
    before, after = moved(CASES[name]), moved(reading.mechanism)
    for body, (place, turned) in before.items():
        other, other_turned = after[body]
        assert np.abs(place - other).max() < 2e-5, body
        assert degrees((turned.inv() * other_turned).magnitude()) < 1e-3, body


BALL = bounded(*((ANGULAR, i, -0.6, 0.7) for i in range(3)))
CROOKED = {
    "ball": (BALL, multiply(multiply(turn(0, 0.3), turn(1, 0.2)), turn(2, 0.4))),
    "two turns": (
        bounded(*((ANGULAR, i, -0.5 * i, 0.9 * i) for i in range(3))),
        compose(rotation=(0.0, 0.15, -0.2, 1.0)),
    ),
    "slides across its turn": (
        bounded(
            (LINEAR, 0, -0.3, 0.4),
            *((ANGULAR, i, 0.0, 0.0) for i in (0, 1)),
            (ANGULAR, 2, -0.5, 0.8),
        ),
        multiply(compose((0.1, 0.0, 0.0)), turn(2, 0.3)),
    ),
}


@pytest.mark.parametrize(("settings", "pose"), CROOKED.values(), ids=CROOKED)
def test_a_rest_pose_that_godot_cannot_count_stays_in_the_file(
    settings: JointSettings, pose: Matrix
) -> None:
    """Godot is off there; who reads the file still sees the pose, moves it so, and says so."""
    meant = arm(settings, ASKEW, multiply(ASKEW, pose), motion=SPIN)
    reading = read(document_of(written(meant), Target.GODOT))
    before, after = moved(meant), moved(reading.mechanism)
    for body, (place, turned) in before.items():
        other, other_turned = after[body]
        assert np.abs(place - other).max() < 2e-5, body
        assert degrees((turned.inv() * other_turned).magnitude()) < 1e-3, body
    for mechanism in (meant, reading.mechanism):
        assert "godot-pose" in {one.code for one in check(mechanism, target=Target.GODOT)}


@pytest.mark.parametrize("name", CASES)
def test_frames_coincide_in_a_file_for_godot(name: str) -> None:
    """Godot ignores where the connected node is, so nothing hangs on it."""
    mechanism = written(CASES[name])
    for index, _, joint in mechanism.joints():
        frames = (mechanism.nodes[index].world, mechanism.nodes[joint.connected_node].world)
        assert np.allclose(*frames, atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        *((hinge(i, -1.0, 1.0), GodotJoint.GENERIC) for i in range(3)),
        *((hinge(i), GodotJoint.HINGE) for i in range(3)),
        *((slider(i, -1.0, 1.0), GodotJoint.GENERIC) for i in range(3)),
        *((slider(i), GodotJoint.GENERIC) for i in range(3)),
        (hinge(2, low=-1.0), GodotJoint.GENERIC),
        (with_drive(hinge(0), ANGULAR, 0, velocity_target=1.0, damping=1e6), GodotJoint.HINGE),
        (
            with_drive(hinge(0), ANGULAR, 0, velocity_target=1.0, damping=9.0, max_force=2.0),
            GodotJoint.GENERIC,
        ),
        (with_drive(hinge(2), ANGULAR, 2, position_target=0.0, stiffness=1.0), GodotJoint.GENERIC),
        (pin(), GodotJoint.PIN),
        (weld(), GodotJoint.GENERIC),
    ],
)
def test_godot_makes_the_node_that_holds_the_settings(
    settings: JointSettings, kind: GodotJoint
) -> None:
    """Axes are called so that Godot makes a node that does not jam, vanish or ignore a force."""
    (made,) = written(arm(settings)).settings
    assert godot_joint(made, spans_of(made.limits)) is kind


def test_only_files_for_godot_say_so() -> None:
    """The word stands in files for Godot and in no other, also where a file is written anew."""
    assert "extras" not in document_of(CASES["weld"])
    assert document_of(written(CASES["weld"]), Target.GODOT)["extras"] == {
        "physics_target": "godot"
    }


def test_round_shapes_have_the_radius_that_godot_reads() -> None:
    """Godot reads one radius, and the whole height of a capsule, also of one that narrows."""
    shapes = (Capsule(0.5, 0.1, 0.3), Cylinder(0.4, 0.3, 0.3))
    nodes = tuple(Node("", motion=DYNAMIC, collider=Collider(shape)) for shape in range(2))
    document = document_of(Mechanism(nodes, (), shapes), Target.GODOT)
    capsule, cylinder = document["extensions"]["OMI_physics_shape"]["shapes"]
    assert (capsule["capsule"]["radius"], capsule["capsule"]["height"]) == (0.2, 0.9)
    assert (cylinder["cylinder"]["radius"], cylinder["cylinder"]["height"]) == (0.3, 0.4)
    assert cylinder["cylinder"]["radiusTop"] == 0.3
    found = read(document).mechanism.shapes
    assert found[0].height == pytest.approx(0.5)
    assert found[1] == shapes[1]


def test_a_drive_that_godot_would_make_a_lock_is_a_spring() -> None:
    """A drive to velocity zero is a damper; a motor of Godot to zero is a brake that locks."""
    (made,) = written(CASES["damper"]).settings
    assert made.drives[0].velocity_target is None
    assert made.drives[0].damping == 0.8
    assert 0.0 < made.drives[0].stiffness < 1e-3
    assert made.drives[0].max_force == inf


def test_bodies_below_bodies_are_beside_them() -> None:
    """Godot moves what is below a moving body twice, so it is not below one."""
    mechanism = written(CASES["below each other"])
    assert mechanism.nodes[4].parent is None
    assert mechanism.nodes[4].world == CASES["below each other"].nodes[4].world


@pytest.mark.parametrize("place", MIRRORS.values(), ids=MIRRORS)
@pytest.mark.parametrize("shape", [Box((1.0, 0.1, 0.2)), Convex(0)], ids=["box", "hull"])
@pytest.mark.parametrize("kind", [MotionType.STATIC, MotionType.DYNAMIC])
def test_a_mirrored_body_keeps_its_mirror_below_it(
    place: Matrix, shape: Box | Convex, kind: MotionType
) -> None:
    """Godot takes mirrors away from bodies; hulls and children lie where they lay all the same."""
    mechanism = arm(hinge(2), motion=Motion(kind), place=place)
    badge = Node("Badge", 1, multiply(place, ASKEW), collider=Collider(0))
    mechanism = replace(mechanism, nodes=(*mechanism.nodes, badge), shapes=(shape,))
    made = written(mechanism)
    mirror = made.nodes[made.nodes[4].parent or 0]
    assert (mirror.name, mirror.parent, mirror.world) == ("Arm mirrored", 1, place)
    assert (made.nodes[4].world, made.nodes[4].collider) == (badge.world, None)
    assert np.linalg.det(np.array(made.nodes[1].world)) > 0.0
    assert np.allclose(rigid_frame(made.nodes[1].world), rigid_frame(place))
    holder = mirror if isinstance(shape, Convex) else made.nodes[1]
    solid = {node.name: node for node in made.nodes if node.collider}
    part = solid.pop("Badge shape")
    assert (part.parent, part.collider) == (1, Collider(0))
    assert np.allclose(rigid_frame(part.world), rigid_frame(badge.world))
    assert list(solid.values()) == [holder]
    frames = [node for node in made.nodes if node.joint is not None]
    assert [frame.parent for frame in frames] == [1]


def test_what_is_animated_keeps_its_mirror() -> None:
    """The turns of an animation are those of the node as it was."""
    mechanism = arm(hinge(2), motion=Motion(MotionType.KINEMATIC), place=MIRRORS["one axis"])
    assert written(mechanism).nodes[1].world == MIRRORS["one axis"]


@pytest.mark.parametrize("place", SCALES.values(), ids=SCALES)
@pytest.mark.parametrize("shape", [Box((1.0, 0.1, 0.2)), Convex(0)], ids=["box", "hull"])
def test_a_body_has_no_scale_for_godot(place: Matrix, shape: Box | Convex) -> None:
    """Godot drops round shapes that are scaled unevenly, so sizes take their scale in."""
    mechanism = replace(arm(hinge(2), place=place), shapes=(shape,))
    made = written(mechanism)
    assert np.allclose(made.nodes[1].world, rigid_frame(place), atol=1e-12)
    (owner,) = (node for node in made.nodes if node.collider)
    if isinstance(shape, Box):
        assert owner is made.nodes[1]
    else:
        assert (owner.parent, owner.world) == (1, place)
    assert not [node for node in made.nodes if node.joint and node.parent != 1]
    codes = {issue.code for issue in check(mechanism, target=Target.GODOT)}
    assert "collider-scaled" not in codes
    assert "collider-scaled" in {issue.code for issue in check(mechanism)}


@pytest.mark.parametrize("part", [ASKEW, *SCALES.values()], ids=["turned", *SCALES])
@pytest.mark.parametrize("shape", [Box((1.0, 0.1, 0.2)), Convex(0)], ids=["box", "hull"])
def test_shapes_of_a_compound_are_directly_below_their_body(
    part: Matrix, shape: Box | Convex
) -> None:
    """Godot loses a shape that has an empty above it; sizes take their scale in."""
    mechanism = arm(hinge(2))
    nodes = list(mechanism.nodes)
    nodes[1] = replace(nodes[1], collider=None)
    nodes += [Node("Empty", 1, ASKEW), Node("Part", 4, part, collider=Collider(0))]
    made = written(replace(mechanism, nodes=tuple(nodes), shapes=(shape,)))
    assert (made.nodes[5].parent, made.nodes[5].world, made.nodes[5].collider) == (4, part, None)
    (owner,) = (node for node in made.nodes if node.collider)
    assert owner.parent == 1
    assert np.allclose(owner.world, part if isinstance(shape, Convex) else rigid_frame(part))


@pytest.mark.parametrize("tagged", [False, True], ids=["alone", "with a child"])
def test_joints_are_directly_below_their_bodies(tagged: bool) -> None:
    """The add-on finds no body for a joint that has an empty above it."""
    nodes = list(arm(hinge(2)).nodes)
    nodes += [Node("Empty", 1, ASKEW), Node("Other", 0, ASKEW)]
    nodes[2], nodes[3] = replace(nodes[2], parent=4), replace(nodes[3], parent=5)
    if tagged:
        nodes += [Node("Tag", 2, ASKEW), Node("Tag", 3, ASKEW)]
    made = written(replace(arm(hinge(2)), nodes=tuple(nodes)))
    ((_, joint, ends),) = made.joints()
    assert (joint.parent, made.nodes[ends.connected_node].parent) == (1, 0)
