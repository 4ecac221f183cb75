# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies in MJCF and URDF weigh and move as the solver has them, however they are turned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest
from robot_models import named, read, z_up

from omi_physics_joint.model.body import Collider, CollisionFilter, Motion, MotionType
from omi_physics_joint.model.contents import Contents, Package
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.geometry.transform import (
    IDENTITY,
    Matrix,
    apply,
    compose,
    difference,
    linear_part,
    multiply,
    translation_of,
)
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import AXES, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanics.inertias import filled_inertia
from omi_physics_joint.model.mechanics.masses import Mass, diagonal
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, weld
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Shape
from omi_physics_joint.model.wording.findings import Findings
from omi_physics_joint.robots.findings import WRITTEN
from omi_physics_joint.robots.importing.bases import RootBase, based
from omi_physics_joint.robots.masses import mass_of, without_light
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.robot import WORLD, Axis, Geom, Link, Robot, Way
from omi_physics_joint.robots.turning import moved
from omi_physics_joint.robots.urdf.write import geoms_on_masses, note_losses, write_urdf

Write = Callable[[Contents, Path], tuple[Package, tuple[Issue, ...]]]
OBLIQUE = compose((0.5, -1.0, 2.0), (0.18, 0.36, -0.54, 0.74))
MIRROR = ((-1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
TURNS = pytest.mark.parametrize("world", [compose(), OBLIQUE, multiply(OBLIQUE, MIRROR)])
DYNAMIC = Motion(MotionType.DYNAMIC, mass=2.0, inertia_diagonal=(1.0, 2.0, 1.5))
STATIC, KINEMATIC = Motion(MotionType.STATIC), Motion(MotionType.KINEMATIC)
STONE = Motion(MotionType.DYNAMIC, mass=inf)


def again(mechanism: Mechanism, folder: Path, write: Write = write_mjcf) -> Mechanism:
    """Return what is read of a file that was written of a mechanism."""
    name = "again.urdf" if write is write_urdf else "again.xml"
    package, _ = write(Contents(mechanism), folder / name)
    return read(package.main.decode(), folder, name)[0].mechanism


@pytest.mark.parametrize("write", [write_mjcf, write_urdf])
@TURNS
@pytest.mark.parametrize("shape", [Capsule(0.6, 0.1, 0.1), Cylinder(0.6, 0.1, 0.1), Box((1, 2, 3))])
def test_a_body_turns_as_its_shape_does(
    shape: Shape, world: Matrix, write: Write, tmp_path: Path
) -> None:
    """Inertia that comes from shapes, and the centre, are where these stand, mirrored or not."""
    local = (0.1, 0.2, -0.3)
    motion = replace(DYNAMIC, center_of_mass=local, inertia_diagonal=(0.0, 0.0, 0.0))
    mechanism = Mechanism((Node("body", None, world, motion, Collider(0)),), shapes=(shape,))
    found = named(again(mechanism, tmp_path, write), "body")
    assert found.motion is not None
    assert found.motion.center == pytest.approx(local, abs=1e-9)
    turn = np.array(linear_part(rigid_frame(world)))
    centre = moved(rigid_frame(world), local)
    wanted = turn.T @ np.array(filled_inertia(mechanism, [0], 2.0, centre)) @ turn
    inertia = np.array(mass_of(found.motion).inertia)
    assert inertia == pytest.approx(wanted, rel=1e-6, abs=1e-9)


@TURNS
def test_a_body_goes_where_it_is_thrown(world: Matrix, tmp_path: Path) -> None:
    """Velocities count in the axes of the body, of a mirrored one too."""
    given = replace(DYNAMIC, linear_velocity=(1, 2, 3), angular_velocity=(3, -1, 2))
    found = named(again(Mechanism((Node("body", None, world, given),)), tmp_path), "body")
    assert found.motion is not None
    for name in ("linear_velocity", "angular_velocity"):
        pairs = ((world, given), (found.world, found.motion))
        one, other = (apply(linear_part(rigid_frame(w)), getattr(m, name)) for w, m in pairs)
        assert one == pytest.approx(other, abs=1e-9)


def test_a_door_that_spins_about_its_centre_starts_as_its_hinge_lets_it(tmp_path: Path) -> None:
    """MuJoCo begins with what is left of the spin, as play does: 2 kg m^2 of 2.5 at the hinge."""
    nodes = (
        Node("frame", motion=Motion(MotionType.STATIC)),
        Node("door", None, compose((0.5, 1.0, 0.0)), replace(DYNAMIC, angular_velocity=(0, 16, 0))),
        Node("post", 0, compose((0.0, 1.0, 0.0))),
        Node("hinge", 1, compose((0.0, 1.0, 0.0)), joint=JointNode(0, 2)),
    )
    found = named(again(Mechanism(nodes, (hinge(1),)), tmp_path), "door")
    assert found.motion is not None
    assert found.motion.angular_velocity == pytest.approx((0.0, 16.0 * 2.0 / 2.5, 0.0))


@pytest.mark.parametrize("cone", [(), (Limit(angular_axes=AXES, max=3.0, together=True),)])
def test_a_ball_that_stands_turned_starts_as_its_pivot_lets_it(
    cone: tuple[Limit, ...], tmp_path: Path
) -> None:
    """About each axis of the body: what is left is by its inertia there over that at the pivot.

    A ball with a bound counts its turn from where both frames are one.
    """
    turn = (0.18, 0.36, -0.54, 0.74)
    place = compose((0.5, 1.0, 0.0))
    nodes = (
        Node("frame", motion=Motion(MotionType.STATIC)),
        Node("body", None, place, replace(DYNAMIC, angular_velocity=(3.0, 16.0, 4.0))),
        Node("post", 0, compose((0.0, 1.0, 0.0))),
        Node("ball", 1, compose((0.0, 1.0, 0.0), turn), joint=JointNode(0, 2)),
    )
    found = named(
        again(Mechanism(nodes, (replace(pin(), limits=(*pin().limits, *cone)),)), tmp_path), "body"
    )
    assert found.motion is not None
    assert np.array(found.world) == pytest.approx(np.array(place), abs=1e-9)
    left = (3.0, 16.0 * 2.0 / 2.5, 4.0 * 1.5 / 2.0)
    assert found.motion.angular_velocity == pytest.approx(left)


def test_a_thrown_body_takes_along_what_is_welded_to_it(tmp_path: Path) -> None:
    """Both have the momentum of the one that was thrown."""
    nodes = (
        Node("one", motion=replace(DYNAMIC, linear_velocity=(0.0, 0.0, 4.0))),
        Node("other", None, compose((1.0, 0.0, 0.0)), replace(DYNAMIC, mass=6.0)),
        Node("end", 0),
        Node("weld", 1, joint=JointNode(0, 2)),
    )
    found = again(Mechanism(nodes, (weld(),)), tmp_path)
    (motion,) = (node.motion for node in found.nodes if node.motion is not None)
    assert motion.mass == pytest.approx(8.0)
    carried = np.add(motion.linear_velocity, np.cross(motion.angular_velocity, motion.center))
    assert 8.0 * carried == pytest.approx(np.array([0.0, 0.0, 8.0]), abs=1e-9)


@pytest.mark.parametrize("write", [write_mjcf, write_urdf])
@pytest.mark.parametrize("other", [STATIC, KINEMATIC, STONE, DYNAMIC, None])
@pytest.mark.parametrize("first", [STONE, DYNAMIC, KINEMATIC])
def test_a_joint_of_an_infinite_mass_is_named_where_nothing_moves_it(
    first: Motion, other: Motion | None, write: Write, tmp_path: Path
) -> None:
    """Such a body stands, and no animation leads it; what moves hangs on it as on the world."""
    nodes = (
        Node("arm", motion=first),
        Node("wall", motion=other),
        Node("hinge", 0, joint=JointNode(0, 3)),
        Node("end", 1),
    )
    package, issues = write(Contents(Mechanism(nodes, (hinge(1),))), tmp_path / "x")
    codes = {issue.code.partition("-")[2] for issue in issues}
    is_lost = DYNAMIC not in (first, other) and STONE in (first, other)
    assert ("infinite" in codes) is is_lost
    assert ("kinematic" in codes) is (write is write_urdf and KINEMATIC in (first, other))
    assert (b'type="hinge"' in package.main or b"continuous" in package.main) is (
        DYNAMIC in (first, other)
    )


def test_what_an_infinite_mass_starts_with_is_named(tmp_path: Path) -> None:
    """It would go on for ever, and stands."""
    nodes = (Node("stone", motion=replace(STONE, angular_velocity=(0.0, 1.0, 0.0))),)
    for write in (write_mjcf, write_urdf):
        issues = write(Contents(Mechanism(nodes)), tmp_path / "x")[1]
        assert any(issue.code.endswith("-velocity") for issue in issues)


@pytest.mark.parametrize("write", [write_mjcf, write_urdf])
@pytest.mark.parametrize("tag", ["weld", "connect"])
@pytest.mark.parametrize("hand", ["<freejoint/>", "mocap"])
@pytest.mark.parametrize("name", ["", "name='float'"])
def test_a_free_joint_that_gives_way_to_another_is_named(
    name: str, hand: str, tag: str, write: Write, tmp_path: Path
) -> None:
    """With its name, or that of its body, and what holds that now; it is no fixed joint."""
    led, free = ("mocap='true'", "") if hand == "mocap" else ("", hand)
    text = f"""<mujoco><worldbody>
      <body name="hand" {led}>{free}<geom size="0.1"/></body>
      <body name="cup" pos="0 0 1"><freejoint {name}/><geom size="0.1"/></body></worldbody>
      <equality><{tag} name="grip" body1="hand" body2="cup" {"anchor='0 0 1'" * (tag != "weld")}/>
      </equality></mujoco>"""
    contents, _ = read(text, tmp_path)
    issues = {issue.code[5:]: issue.message for issue in write(contents, tmp_path / "x")[1]}
    assert f"({'float' if name else 'cup'}, now grip)" in issues["held-now"]
    assert "fixed-joint" not in issues


def test_a_body_that_stays_free_keeps_its_free_joint(tmp_path: Path) -> None:
    """What hangs below it takes nothing away."""
    text = """<mujoco><worldbody><body name="trunk"><freejoint name="float"/><geom size="0.1"/>
      <body name="leg"><joint/><geom size="0.1"/></body></body></worldbody></mujoco>"""
    package, issues = write_mjcf(read(text, tmp_path)[0], tmp_path / "x")
    assert b'<freejoint name="float"' in package.main
    assert "mjcf-held-now" not in {issue.code for issue in issues}


ASIDE = compose((3.0, 0.0, 0.0))
FILTERS = (CollisionFilter("", ("A",), None, ("B",)), CollisionFilter("", ("B",)))


def filtered(*nodes: Node, settings: tuple[JointSettings, ...] = ()) -> Contents:
    """Return contents of nodes with boxes whose first two filters keep each other apart."""
    mechanism = Mechanism(nodes, settings, (Box((1.0, 1.0, 1.0)),), collision_filters=FILTERS)
    return Contents(mechanism)


@pytest.mark.parametrize("some", [False, True])
@pytest.mark.parametrize("other", [DYNAMIC, KINEMATIC, STATIC, None])
def test_links_are_kept_apart_where_filters_keep_all_of_their_shapes_apart(
    other: Motion | None, some: bool, tmp_path: Path
) -> None:
    """From what moves, is led or stands; that another shape meets is said, and that URDF loses."""
    contents = filtered(
        Node("one", motion=DYNAMIC, collider=Collider(0, None, 0)),
        Node("other", world=ASIDE, motion=other, collider=Collider(0, None, 1)),
        *[Node("bare", 0, compose((1.0, 0.0, 0.0)), collider=Collider(0))] * some,
    )
    package, issues = write_mjcf(contents, tmp_path / "two.xml")
    assert (b"<exclude" in package.main) is not some
    assert any(issue.code == "mjcf-filter" for issue in issues) is some
    codes = {issue.code for issue in write_urdf(contents, tmp_path / "two.urdf")[1]}
    assert codes >= {"urdf-filter" if some else "urdf-apart"}


@pytest.mark.parametrize("other", [STATIC, None])
@pytest.mark.parametrize("joined", [False, True])
def test_filters_of_what_never_meets_anyway_are_no_loss(
    joined: bool, other: Motion | None, tmp_path: Path
) -> None:
    """What stands does not meet what stands, and a joint keeps apart what it joins."""
    contents = filtered(
        Node("one", motion=DYNAMIC if joined else STATIC, collider=Collider(0, None, 0)),
        Node("other", world=ASIDE, motion=other, collider=Collider(0, None, 1)),
        Node("end", 1, ASIDE),
        *[Node("hinge", 0, joint=JointNode(0, 2))] * joined,
        settings=(hinge(2),),
    )
    issues = write_urdf(contents, tmp_path / "two.urdf")[1]
    assert "urdf-apart" not in {issue.code for issue in issues}
    package = write_mjcf(contents, tmp_path / "two.xml")[0]
    assert package.main.count(b"<exclude") == joined


@pytest.mark.parametrize(("said", "turned"), [("", True), ('mquat="1 0 0 0"', False)])
def test_a_key_frame_leads_a_body_and_leaves_what_it_does_not_say(
    said: str, turned: bool, tmp_path: Path
) -> None:
    """A place alone leaves it turned as the model has it."""
    text = f"""<mujoco><worldbody><body name="lamp" mocap="true" quat="0.6 0.8 0 0">
      <geom size="0.1"/></body></worldbody>
      <keyframe><key mpos="1 2 3" {said}/></keyframe></mujoco>"""
    world = named(z_up(read(text, tmp_path)[0]), "lamp").world
    assert translation_of(world) == pytest.approx((1.0, 2.0, 3.0))
    turn = apply(linear_part(world), (0.0, 1.0, 0.0))
    assert turn == pytest.approx((0.0, -0.28, 0.96) if turned else (0.0, 1.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("meets", [False, True])
def test_a_link_meets_its_parent_as_the_one_in_between_did(meets: bool) -> None:
    """What hangs on the parent is the light one that stands for a joint of the link."""
    ball = Mass(2.0, (0.0, 0.0, 0.0), diagonal(1.0, 1.0, 1.0))
    turns = (Axis("turn", Way.HINGE, (0.0, 0.0, 1.0)),)
    links = (
        Link("base", mass=ball),
        Link("arm (1)", 0, axes=turns, mass=replace(ball, mass=0.02), meets_parent=meets),
        Link("arm", 1, axes=turns, mass=ball, meets_parent=not meets),
    )
    base, arm = without_light(Robot("robot", links)).links
    assert (base.name, arm.name, arm.meets_parent) == ("base", "arm", meets)


def test_actuators_that_were_read_stand_in_their_order(tmp_path: Path) -> None:
    """Controllers count them by it; joints stand in another one."""
    body = '<body name="{0}"><geom size="0.1" mass="1"/><joint name="{0}"/>'
    text = f"""<mujoco><worldbody>{body.format("one")}{body.format("two")}</body></body></worldbody>
      <actuator><motor name="second" joint="two"/><motor name="first" joint="one"/></actuator>
      </mujoco>"""
    package, _ = write_mjcf(read(text, tmp_path)[0], tmp_path / "again.xml")
    assert 0 < package.main.index(b'"second"') < package.main.index(b'"first"')


@pytest.mark.parametrize("moves", [False, True])
def test_what_is_on_a_link_called_world_floats_unless_that_moves_itself(moves: bool) -> None:
    """Gazebo calls so what stands; one with a joint of its own is a link like others."""
    axes = (Axis("turn", Way.HINGE),) * moves
    robot = Robot("robot", (Link("world", axes=axes), Link("arm", 0)))
    _, arm = based(robot, RootBase.FLOATING, Findings({})).links
    assert (arm.free, arm.parent) == ((False, 0) if moves else (True, WORLD))


@pytest.mark.parametrize("field", ["rates", "velocity", "spin"])
def test_a_start_speed_of_any_kind_is_said_to_be_lost(field: str) -> None:
    """URDF has no words for how fast a link begins: along, about itself, or at its joint."""
    axes = (Axis("turn", Way.HINGE),) if field == "rates" else ()
    speed = (0.5,) if axes else (0.0, 0.0, -0.5)
    findings = Findings(WRITTEN, "r.urdf", "urdf-")
    note_losses(Robot("r", (replace(Link("base", axes=axes), **{field: speed}),)), findings)
    assert "urdf-velocity" in {one.code for one in findings.issues()}


def test_two_transmissions_of_one_joint_are_both_kept(tmp_path: Path) -> None:
    """In their order."""
    motors = "".join(
        f'<transmission name="{name}"><joint name="turn"/></transmission>' for name in ("b", "a")
    )
    text = f"""<robot name="r"><link name="base"/><link name="arm"/>
      <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint>
      {motors}</robot>"""
    package, _ = write_urdf(read(text, tmp_path, "r.urdf")[0], tmp_path / "again.urdf")
    assert 0 < package.main.index(b'name="b"') < package.main.index(b'name="a"')


def test_shapes_of_weightless_frames_go_to_what_has_mass() -> None:
    """However many frames are in between: they are rigid with it, and readers would weigh them."""
    quarter = compose((1.0, 0.0, 0.0), (0.5, 0.5, 0.5, 0.5))
    geoms = [Geom(f"geom {at}", OBLIQUE, Box((1, 2, 3))) for at in range(4)]
    arm = Link("arm", placed=OBLIQUE, axes=(Axis("turn", Way.HINGE),), mass=Mass(2.0))
    frames = (Link(f"frame {at}", at, quarter) for at in range(3))
    links = tuple(
        replace(link, geoms=(one,)) for link, one in zip((arm, *frames), geoms, strict=True)
    )
    found = geoms_on_masses(Robot("robot", links)).links
    assert [len(link.geoms) for link in found] == [4, 0, 0, 0]
    poses = {one.name: one.pose for one in found[0].geoms}
    above = IDENTITY
    for one in geoms:
        assert difference(poses[one.name], multiply(above, OBLIQUE)) < 1e-12
        above = multiply(above, quarter)


@pytest.mark.parametrize("many", [6, 500])
def test_pairs_are_kept_apart_however_many_bodies_have_filters(
    many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more than are looked at it is said."""

    def row(count: int) -> Contents:
        places = [compose((3.0 * number, 0.0, 0.0)) for number in range(count)]
        kinds = [0, 1, 0, 1, *[None] * count]
        colliders = [Collider(0, None, kind) for kind in kinds]
        bodies = zip(places, colliders, strict=False)
        return filtered(*(Node("one", None, at, DYNAMIC, collider) for at, collider in bodies))

    package, issues = write_mjcf(row(many), tmp_path / "row.xml")
    assert (package.main.count(b"<exclude"), issues) == (4, ())
    monkeypatch.setattr("omi_physics_joint.robots.exporting.links.MOST", many - 1)
    package, issues = write_mjcf(row(many), tmp_path / "row.xml")
    assert b"<exclude" not in package.main
    assert [issue.code for issue in issues] == ["mjcf-apart"]
