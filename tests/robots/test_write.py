# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees are written as MJCF and URDF, and read again they are the same trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, pi
from pathlib import Path

import pytest
from robot_models import ARM, LEG, named, read, tetrahedron

from omi_physics_joint.model.body import Collider, Motion, MotionType, Trigger
from omi_physics_joint.model.contents import Contents, ContentsError, Package
from omi_physics_joint.model.geometry.axes import Y_UP_FROM_Z_UP
from omi_physics_joint.model.geometry.transform import compose, determinant, difference
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointNode, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin, slider
from omi_physics_joint.model.shape import Box, Capsule, Plane, Shape, Sphere, Trimesh
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.robots.element import Element, parsed
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.turning import by_euler, pose
from omi_physics_joint.robots.urdf.write import write_urdf

Write = Callable[[Contents, Path], tuple[Package, tuple[Issue, ...]]]
BOTH = pytest.mark.parametrize(("write", "suffix"), [(write_mjcf, ".xml"), (write_urdf, ".urdf")])


def door(settings: JointSettings, shape: Shape | None = None, **joint: object) -> Contents:
    """Return a door on a static frame; its hinge is below the door, away from its origin."""
    dynamic = Motion(MotionType.DYNAMIC, mass=2.0, inertia_diagonal=(1.0, 2.0, 1.5))
    nodes = (
        Node("frame", motion=Motion(MotionType.STATIC)),
        Node("door", None, compose((0.5, 1.0, 0.0)), dynamic),
        Node("post", 0, compose((0.0, 1.0, 0.0))),
        Node("hinge", 1, compose((0.0, 1.0, 0.0)), joint=JointNode(0, 2, **joint)),  # type: ignore[arg-type]
        Node("leaf", 1, compose((0.5, 1.0, 0.1)), collider=Collider(0)),
    )
    return Contents(Mechanism(nodes, (settings,), (shape or Box((1.0, 2.0, 0.1)),)))


def again(contents: Contents, write: Write, suffix: str, folder: Path) -> tuple[Contents, Element]:
    """Return what is read of what was written, and its root element."""
    path = folder / f"again{suffix}"
    package, _ = write(contents, path)
    for name, content in package.sides.items():
        (folder / name).parent.mkdir(exist_ok=True)
        assert isinstance(content, bytes)
        (folder / name).write_bytes(content)
    found, issues = read(package.main.decode(), folder, path.name)
    assert [one for one in issues if one.severity.value == "error"] == []
    return found, parsed(package.main, path.name)


def volume(mesh: Triangles) -> float:
    """Return the volume in m^3 within triangles; of those that face inwards below zero."""
    corners = (tuple(mesh.points[i] for i in one) for one in mesh.triangles)
    return sum(determinant(one) for one in corners) / 6.0


def bodies(contents: Contents) -> dict[str, Node]:
    """Return the bodies of a mechanism by name."""
    return {node.name: node for node in contents.mechanism.nodes if node.motion is not None}


def assert_same_bodies(one: Contents, other: Contents) -> None:
    """Every body has its place and mass."""
    first, second = bodies(one), bodies(other)
    assert set(first) == set(second)
    for name, node in first.items():
        if "(" in name:  # in between: how it is turned depends on where zero is
            continue
        assert difference(node.world, second[name].world) < 1e-9
        assert node.motion is not None
        found = second[name].motion
        assert found is not None
        assert found.type is node.motion.type
        if node.motion.type is MotionType.DYNAMIC:
            assert found.mass == pytest.approx(node.motion.mass)
            assert found.center_of_mass == pytest.approx(node.motion.center_of_mass, abs=1e-9)
            assert sorted(found.inertia_diagonal) == pytest.approx(
                sorted(node.motion.inertia_diagonal), rel=1e-6
            )


def free_spans(settings: JointSettings) -> list[tuple[str, float, float]]:
    """Return what a joint leaves, whichever axes it is about."""
    from omi_physics_joint.model.settings.spans import spans_of

    return sorted(
        (span.freedom.value, round(span.low, 9), round(span.high, 9))
        for span in spans_of(settings.limits)
        if not span.is_locked
    )


def test_a_model_of_mujoco_comes_back_as_it_was(tmp_path: Path) -> None:
    """Poses, masses, ranges, springs, servos, key frame: all through the mechanism and back."""
    contents, _ = read(LEG, tmp_path)
    found, _ = again(contents, write_mjcf, ".xml", tmp_path)
    assert_same_bodies(contents, found)
    before = {one.name: one for one in contents.mechanism.settings}
    after = {one.name: one for one in found.mechanism.settings}
    assert set(before) == set(after)
    for name, one in before.items():
        assert free_spans(one) == free_spans(after[name])
        assert [
            (drive.stiffness, drive.damping, drive.max_force, drive.position_target)
            for drive in after[name].drives
        ] == [
            (
                pytest.approx(drive.stiffness),
                pytest.approx(drive.damping),
                drive.max_force,
                None if drive.position_target is None else pytest.approx(drive.position_target),
            )
            for drive in one.drives
        ]
    assert found.mechanism.gravity == contents.mechanism.gravity
    assert len(found.mechanism.shapes) == len(contents.mechanism.shapes)


def test_a_robot_of_ros_comes_back_as_it_was(tmp_path: Path) -> None:
    """Links, fixed ones too, with names, meshes, masses and ranges."""
    package = tmp_path / "arm"
    (package / "meshes").mkdir(parents=True)
    (package / "meshes/upper.stl").write_bytes(tetrahedron())
    contents, _ = read(ARM, package, "arm.urdf")
    found, root = again(contents, write_urdf, ".urdf", tmp_path)
    assert_same_bodies(contents, found)
    assert {link.text("name") for link in root.all("link")} == {"base", "upper", "hand", "tool"}
    for one, other in zip(contents.mechanism.settings, found.mechanism.settings, strict=True):
        assert (one.name, free_spans(one)) == (other.name, free_spans(other))
    assert (tmp_path / "again_meshes/upper.stl").is_file()


@BOTH
def test_a_hinge_away_from_the_origin_of_its_link(
    write: Write, suffix: str, tmp_path: Path
) -> None:
    """The axis goes through the joint's frame, wherever the body has its origin."""
    contents = door(hinge(1, -0.5, 1.25))
    found, _ = again(contents, write, suffix, tmp_path)
    joint = named(found.mechanism, "hinge", is_body=False)
    assert (
        difference(compose((joint.world[0][3], 0.0, joint.world[2][3])), compose((0.0, 0.0, 0.0)))
        < 1e-9
    )
    assert joint.joint is not None
    # The value counts the frame in the door: the sense in which it is stored is kept.
    (span,) = free_spans(found.mechanism.settings_of(joint.joint))
    assert span == ("angular", -0.5, 1.25)


@BOTH
@pytest.mark.parametrize("away", [0.0, 1e-7, 1e-4, 0.3])
@pytest.mark.parametrize("pitch", [-0.5 * pi, 0.5 * pi])
def test_a_link_that_looks_straight_up_or_down_is_turned_as_it_was(
    write: Write, suffix: str, pitch: float, away: float, tmp_path: Path
) -> None:
    """At a pitch of 90 degrees two turns of URDF are about one axis, and near it nearly."""
    contents = door(hinge(1))
    turned = pose(by_euler((0.7, pitch - away, -1.9), "XYZ"), (0.0, 0.0, 0.1))
    nodes = contents.mechanism.nodes
    leaf = replace(nodes[-1], world=Y_UP_FROM_Z_UP.matrix(turned))
    made = replace(contents, mechanism=replace(contents.mechanism, nodes=(*nodes[:-1], leaf)))
    found, _ = again(made, write, suffix, tmp_path)
    (other,) = (node for node in found.mechanism.nodes if node.collider is not None)
    assert difference(other.world, leaf.world) < 1e-6


@BOTH
@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (JointSettings("", (*pin().limits, Limit(angular_axes=(0, 1), max=0.5, together=True))),
         "together"),
        (JointSettings("", (*pin().limits, Limit(angular_axes=(0,), min=-1, max=1))),
         "ball-bounds"),
        (JointSettings("", (*pin().limits, Limit(angular_axes=(0,), min=0, max=0))), "two-turns"),
        (replace(hinge(1), limits=(*hinge(1).limits, Limit((), (1,), -1, 1, stiffness=5.0))),
         "soft"),
        (replace(hinge(1), drives=(
            Drive(Freedom.ANGULAR, DriveMode.ACCELERATION, 1, velocity_target=1.0, damping=2.0),)),
         "acceleration"),
        (replace(pin(), drives=(
            Drive(Freedom.ANGULAR, DriveMode.FORCE, 1, velocity_target=1.0, damping=2.0),)),
         "ball-drive"),
        (JointSettings("", (Limit((0, 1, 2), max=1.0, together=True),)), "free"),
    ],
)  # fmt: skip
def test_what_cannot_be_said_is_named(
    settings: JointSettings, code: str, write: Write, suffix: str, tmp_path: Path
) -> None:
    """Every joint that is written otherwise than it is has an issue, and a file comes of it."""
    package, issues = write(door(settings), tmp_path / f"x{suffix}")
    form = "mjcf" if suffix == ".xml" else "urdf"
    assert f"{form}-{code}" in {issue.code for issue in issues}
    assert parsed(package.main, "x").children


@pytest.mark.parametrize(("spin", "is_said"), [(3.0, True), (0.3, False)])
def test_what_mujoco_gives_back_at_a_bound_is_said_where_it_is_noticed(
    spin: float, is_said: bool, tmp_path: Path
) -> None:
    """A door that comes to its bound at 3 rad/s goes back by degrees in two seconds."""
    still = door(hinge(1, -0.5, 0.5)).mechanism
    nodes = [*still.nodes]
    assert nodes[1].motion is not None
    nodes[1] = replace(nodes[1], motion=replace(nodes[1].motion, angular_velocity=(0.0, spin, 0.0)))
    thrown = Contents(replace(still, nodes=tuple(nodes)))
    _, issues = write_mjcf(thrown, tmp_path / "x.xml")
    assert ("mjcf-stops" in {issue.code for issue in issues}) is is_said


@BOTH
def test_meshes_planes_triggers_and_scaled_nodes(write: Write, suffix: str, tmp_path: Path) -> None:
    """Shapes that a format lacks are written as the nearest one, with an issue each."""
    base = door(hinge(1))
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    shapes = (Trimesh(0), Plane(2.0, 3.0), Capsule(1.0, 0.1, 0.2), Sphere(0.1))
    scaled = compose((0.5, 1.0, 0.0), scale=(2.0, 1.0, 1.0))
    nodes = (
        *base.mechanism.nodes[:4],
        Node("rough", 1, scaled, collider=Collider(0)),
        Node("flat", 1, compose((0.0, 0.0, 0.0)), collider=Collider(1)),
        Node("ground", 0, compose((0.0, 0.0, 0.0)), collider=Collider(1)),
        Node("taper", 1, compose((0.0, 0.0, 0.0)), collider=Collider(2)),
        Node("area", 1, compose((0.0, 0.0, 0.0)), trigger=Trigger(3)),
    )
    mechanism = replace(base.mechanism, nodes=nodes, shapes=shapes, meshes=("rough",))
    contents = Contents(mechanism, (Triangles(corners, faces),))
    package, issues = write(contents, tmp_path / f"x{suffix}")
    form = "mjcf" if suffix == ".xml" else "urdf"
    found = {issue.code for issue in issues}
    assert {f"{form}-{code}" for code in ("surface", "plane", "tapered", "trigger")} <= found
    assert len(package.sides) == 2
    again_, _ = again(contents, write, suffix, tmp_path)
    planes = [one for one in again_.mechanism.shapes if isinstance(one, Plane)]
    assert planes == ([Plane(2.0, 3.0)] if form == "mjcf" else [])
    rough = next(
        mesh
        for name, mesh in zip(again_.mechanism.meshes, again_.meshes, strict=True)
        if name == "rough"
    )
    assert rough is not None
    assert max(point[0] for point in rough.points) == pytest.approx(2.0)


def test_rates_of_a_stack_stay_with_their_joints(tmp_path: Path) -> None:
    """Of two hinges of one body only the second turns at the start: so it does when written."""
    text = """<mujoco><worldbody><body name="a"><geom size="0.1"/>
      <joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/>
    </body></worldbody><keyframe><key qpos="0 0" qvel="0 2"/></keyframe></mujoco>"""
    contents, _ = read(text, tmp_path)
    package, _ = write_mjcf(contents, tmp_path / "x.xml")
    root = parsed(package.main, "x")
    (key,) = root.inside("keyframe", "key")
    _, second = root.inner("worldbody").inner("body").all("joint")
    still, rate = key.floats("qvel")
    assert still == 0.0
    assert rate * second.vector("axis")[1] == pytest.approx(2.0)


@BOTH
def test_a_mirrored_mesh_still_faces_outwards(write: Write, suffix: str, tmp_path: Path) -> None:
    """A node that mirrors its mesh does not turn it inside out in the file of the mesh."""
    nodes = (
        Node("body", motion=Motion(MotionType.DYNAMIC, inertia_diagonal=(1.0, 1.0, 1.0))),
        Node("wing", 0, compose((1.0, 0.0, 0.0), scale=(-2.0, 1.0, 1.0))),
    )
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    wing = Triangles(corners, ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)))
    found, _ = again(
        Contents(Mechanism(nodes, meshes=("wing",)), (wing,), {1: 0}), write, suffix, tmp_path
    )
    (mesh,) = found.meshes
    assert mesh is not None
    assert volume(mesh) == pytest.approx(2.0 * volume(wing))


@BOTH
def test_a_mesh_without_triangles_is_left_out(write: Write, suffix: str, tmp_path: Path) -> None:
    """Points without faces show nothing and have no hull: neither reader takes such a mesh.

    What had it is named, as it is of meshes that could not be read.
    """
    nodes = (
        Node("body", motion=Motion(MotionType.DYNAMIC)),
        Node("cloud", 0, collider=Collider(0)),
        Node("shown", 0),
    )
    mechanism = Mechanism(nodes, shapes=(Trimesh(0),), meshes=("cloud",))
    contents = Contents(mechanism, (Triangles(((0.0, 0.0, 0.0),), ()),), {2: 0})
    package, issues = write(contents, tmp_path / f"x{suffix}")
    assert package.sides == {}
    (left_out,) = (one for one in issues if one.code.endswith("-mesh"))
    assert left_out.loss
    assert left_out.message.startswith("2 nodes (cloud and shown) have a mesh without triangles")


@BOTH
def test_a_mesh_beyond_single_precision_is_refused(
    write: Write, suffix: str, tmp_path: Path
) -> None:
    """No STL holds it: one sentence says which mesh."""
    far = Triangles(((0.0, 0.0, 0.0), (1e39, 0.0, 0.0), (0.0, 1.0, 0.0)), ((0, 1, 2),))
    nodes = (Node("body", motion=Motion(MotionType.DYNAMIC)), Node("shown", 0))
    contents = Contents(Mechanism(nodes, meshes=("wing",)), (far,), {1: 0})
    with pytest.raises(ContentsError, match=r"The mesh 'wing.*' has points farther away"):
        write(contents, tmp_path / f"x{suffix}")


def test_loops_are_equalities_in_mjcf_and_named_in_urdf(tmp_path: Path) -> None:
    """A second hinge to the frame closes a loop: two points that stay together."""
    base = door(hinge(1))
    nodes = (
        *base.mechanism.nodes,
        Node("post 2", 0, compose((0.0, 2.0, 0.0))),
        Node("hinge 2", 1, compose((0.0, 2.0, 0.0)), joint=JointNode(0, 5)),
    )
    contents = replace(base, mechanism=replace(base.mechanism, nodes=nodes))
    package, _ = write_mjcf(contents, tmp_path / "x.xml")
    root = parsed(package.main, "x")
    equality = root.one("equality")
    assert equality is not None
    assert [one.tag for one in equality.children] == ["connect", "connect"]
    _, issues = write_urdf(contents, tmp_path / "x.urdf")
    assert "urdf-loop" in {issue.code for issue in issues}


def test_a_joint_that_starts_elsewhere_than_zero(tmp_path: Path) -> None:
    """MJCF has the value in ref, so the model opens as it stands; URDF stands at zero."""
    base = door(slider(0, -1.0, 1.0))
    nodes = list(base.mechanism.nodes)
    nodes[2] = replace(nodes[2], world=compose((0.25, 1.0, 0.0)))
    contents = replace(base, mechanism=replace(base.mechanism, nodes=tuple(nodes)))
    found, root = again(contents, write_mjcf, ".xml", tmp_path)
    assert difference(bodies(found)["door"].world, bodies(contents)["door"].world) < 1e-9
    assert next(iter(root.children)).tag == "compiler"
    joint = named(found.mechanism, "hinge", is_body=False)
    assert joint.joint is not None
    other = found.mechanism.nodes[joint.joint.connected_node]
    moved = [b[3] - a[3] for a, b in zip(joint.world[:3], other.world[:3], strict=True)]
    assert sum(x * x for x in moved) ** 0.5 == pytest.approx(0.25)
    _, issues = write_urdf(contents, tmp_path / "x.urdf")
    assert "urdf-start" in {issue.code for issue in issues}


def test_what_forces_do_not_move(tmp_path: Path) -> None:
    """Kinematic bodies are mocap bodies, static ones are fixed, loose ones free."""
    nodes = (
        Node("led", motion=Motion(MotionType.KINEMATIC)),
        Node("still", None, compose((1.0, 0.0, 0.0)), Motion(MotionType.STATIC)),
        Node("loose", None, compose((2.0, 0.0, 0.0)), Motion(MotionType.DYNAMIC, mass=inf)),
        Node("thrown", None, compose((3.0, 0.0, 0.0)),
             Motion(MotionType.DYNAMIC, linear_velocity=(1.0, 2.0, 3.0))),
    )  # fmt: skip
    contents = Contents(Mechanism(nodes))
    package, _ = write_mjcf(contents, tmp_path / "x.xml")
    world = parsed(package.main, "x").one("worldbody")
    assert world is not None
    kinds = {body.text("name"): body for body in world.all("body")}
    assert kinds["led"].text("mocap") == "true"
    assert kinds["still"].children == []
    assert kinds["thrown"].one("freejoint") is not None
    found, _ = again(contents, write_mjcf, ".xml", tmp_path)
    thrown = bodies(found)["thrown"].motion
    assert thrown is not None
    assert thrown.linear_velocity == pytest.approx((1.0, 2.0, 3.0))


@BOTH
def test_bodies_that_are_joined_and_collide_are_named(
    write: Write, suffix: str, tmp_path: Path
) -> None:
    """Where both move: no robot's file can say it."""
    nodes = (
        Node("Upper", None, compose((0.0, 1.0, 0.0)), Motion(MotionType.DYNAMIC)),
        Node("Lower", None, compose((0.0, 0.0, 0.0)), Motion(MotionType.DYNAMIC)),
        Node("Knee", 0, compose((0.0, 0.5, 0.0)), joint=JointNode(0, 3, enable_collision=True)),
        Node("Knee end", 1, compose((0.0, 0.5, 0.0))),
    )
    _, issues = write(Contents(Mechanism(nodes, (hinge(2),))), tmp_path / f"x{suffix}")
    code = f"{'mjcf' if suffix == '.xml' else 'urdf'}-meets"
    assert ["Knee" in issue.message for issue in issues if issue.code == code] == [True]


def test_meshes_are_named_by_their_package(tmp_path: Path) -> None:
    """ROS finds meshes by package, so their names begin as the user says."""
    (tmp_path / "upper.stl").write_bytes(tetrahedron())
    contents, _ = read(ARM.replace("package://arm/meshes/", ""), tmp_path, "arm.urdf")
    package, _ = write_urdf(contents, Path("out.urdf"), "package://my_arm/meshes/")
    assert b'filename="package://my_arm/meshes/upper.stl"' in package.main
    assert [*package.sides] == ["out_meshes/upper.stl"]
