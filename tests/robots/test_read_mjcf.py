# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of MuJoCo are read as what they mean: poses, joints, classes, masses, contacts."""

from __future__ import annotations

from math import inf, pi, radians
from pathlib import Path

import pytest
from robot_models import LEG, body, named, read, tetrahedron, z_up

from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.contents import Contents, ContentsError
from omi_physics_joint.model.geometry.transform import multiply, rotation_about, translation_of
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import Freedom, JointSettings
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.settings.spans import span_on, spans_of
from omi_physics_joint.model.shape import Box, Capsule, Convex, Cylinder, Plane, Sphere
from omi_physics_joint.robots.importing.bases import RootBase
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.turning import pose


def codes(issues: list[Issue]) -> set[str]:
    """Return the codes of issues."""
    return {issue.code for issue in issues}


def settings_of(mechanism: Mechanism, joint: str) -> JointSettings:
    """Return the settings of a joint by its name."""
    node = named(mechanism, joint, is_body=False)
    assert node.joint is not None
    return mechanism.settings_of(node.joint)


@pytest.fixture(scope="module")
def leg(tmp_path_factory: pytest.TempPathFactory) -> tuple[Contents, list[Issue]]:
    """A leg with defaults, a stack of joints, a servo and key frames."""
    return read(LEG, tmp_path_factory.mktemp("leg"))


def test_bodies_stand_where_the_key_frame_home_has_them(leg: tuple[Contents, list[Issue]]) -> None:
    """Poses follow joints in their order, about their anchors, from their ref."""
    mechanism = z_up(leg[0])
    hip = pose(rotation_about((1, 0, 0), 0.0), (0, 0, 1.1))
    thigh = multiply(hip, pose(rotation_about((0, 0, 1), pi / 2), (0, 0.1, 0)))
    thigh = multiply(thigh, pose(rotation_about((0, 1, 0), 0.2)))
    thigh = multiply(thigh, pose(rotation_about((1, 0, 0), -0.3)))
    down = multiply(thigh, pose(rotation_about((0, 0, 1), 0), (0, 0, -0.4 + 0.02)))
    shin = multiply(down, pose(rotation_about((0, -1, 0), -0.5 + radians(10))))
    shin = multiply(shin, pose(rotation_about((0, 0, 1), 0), (0, 0, -0.02)))
    for name, expected in (("hip", hip), ("thigh", thigh), ("shin", shin)):
        world = named(mechanism, name).world
        for row, other in zip(world, expected, strict=True):
            assert row == pytest.approx(other, abs=1e-12)
    foot = named(mechanism, "foot", is_body=False)
    assert translation_of(foot.world) == pytest.approx(
        translation_of(multiply(shin, pose(rotation_about((0, 0, 1), 0), (0, 0, -0.4))))
    )


def test_two_hinges_go_through_a_light_body(leg: tuple[Contents, list[Issue]]) -> None:
    """Two hinges of a link are two joints of ours; what is in between is taken from the parent."""
    mechanism = z_up(leg[0])
    light, thigh = named(mechanism, "thigh (swing)"), named(mechanism, "thigh")
    assert light.motion is not None
    assert thigh.motion is not None
    volume = pi * 0.05**2 * 0.4 + 4 / 3 * pi * 0.05**3
    assert light.motion.mass == pytest.approx(0.01 * 500 * volume)
    assert thigh.motion.mass == pytest.approx(500 * volume)
    hip = named(mechanism, "hip").motion
    assert hip is not None
    assert light.motion.mass + hip.mass == pytest.approx(500 * 0.2 * 0.4 * 0.1)
    assert "mjcf-light" in codes(leg[1])


def test_classes_say_what_joints_do_not(leg: tuple[Contents, list[Issue]]) -> None:
    """Attributes come from the class, from those around it, and from childclass."""
    mechanism = leg[0].mechanism
    bend = settings_of(mechanism, "bend")
    spans = spans_of(bend.limits)
    axis = next(drive.axis for drive in bend.drives)
    span = span_on(spans, Freedom.ANGULAR, axis)
    assert (span.low, span.high) == pytest.approx((radians(-120), radians(5)))
    passive, servo = bend.drives
    assert (passive.stiffness, passive.damping) == (3.0, 0.2)
    assert passive.position_target == pytest.approx(radians(-20))
    assert settings_of(mechanism, "lift").drives == ()
    assert (servo.stiffness, servo.damping, servo.max_force) == (160.0, 8.0, 18.0)
    assert servo.position_target == pytest.approx(-0.5)


def test_joints_stand_at_the_values_of_the_key_frame(leg: tuple[Contents, list[Issue]]) -> None:
    """The connected frame in the joint frame is the joint's value, as limits count it."""
    mechanism = leg[0].mechanism
    for joint, value in (("swing", 0.2), ("spread", -0.3), ("bend", -0.5)):
        node = named(mechanism, joint, is_body=False)
        assert node.joint is not None
        other = mechanism.nodes[node.joint.connected_node]
        free = [s for s in spans_of(settings_of(mechanism, joint).limits) if not s.is_locked]
        from omi_physics_joint.model.settings.coordinates import coordinates

        found = coordinates(spans_of(settings_of(mechanism, joint).limits), node.world, other.world)
        assert len(free) == 1
        assert found[3 + free[0].axis] == pytest.approx(value, abs=1e-9)


def test_shapes_masses_and_the_world(leg: tuple[Contents, list[Issue]]) -> None:
    """Geoms are shapes below their links; fixed links are nodes, and weigh in their body."""
    mechanism = leg[0].mechanism
    bone, shin = Capsule(0.4, 0.05, 0.05), Cylinder(0.4, 0.04, 0.04)
    box = Box((0.2, 0.1, 0.4))  # Y is up
    assert mechanism.shapes == (Plane(inf, inf), box, bone, shin, Sphere(0.06))
    assert mechanism.gravity == (0.0, -3.7, 0.0)
    world, shin = named(mechanism, "world"), named(mechanism, "shin")
    assert world.motion is not None
    assert world.motion.type is MotionType.STATIC
    assert shin.motion is not None
    tube, ball = 500 * pi * 0.04**2 * 0.4, 500 * 4 / 3 * pi * 0.06**3
    assert shin.motion.mass == pytest.approx(tube + ball)
    assert shin.motion.center_of_mass[1] == pytest.approx(
        -(0.2 * tube + 0.4 * ball) / (tube + ball)
    )
    assert mechanism.physics_materials[0].dynamic_friction == 0.7


@pytest.mark.parametrize(
    ("words", "turn"),
    [
        ("quat='0.6 0 0.8 0'", rotation_about((0, 1, 0), 2 * 0.9272952180016122)),
        ("axisangle='0 0 2 1.2'", rotation_about((0, 0, 1), 1.2)),
        ("zaxis='0 1 0'", rotation_about((1, 0, 0), -pi / 2)),
        ("xyaxes='0 1 0 -1 0.3 0'", rotation_about((0, 0, 1), pi / 2)),
        ("euler='0 0 0.4'", rotation_about((0, 0, 1), 0.4)),
    ],
)
def test_turns_are_read_in_every_spelling(
    words: str, turn: tuple[tuple[float, ...], ...], tmp_path: Path
) -> None:
    """The same turn may be written in five ways."""
    text = (
        "<mujoco><compiler angle='radian'/><worldbody>"
        f"<body name='b' {words}/></worldbody></mujoco>"
    )
    contents, _ = read(text, tmp_path)
    world = named(z_up(contents), "b").world
    for row, other in zip(world, turn, strict=False):
        assert row[:3] == pytest.approx(other, abs=1e-12)


def test_an_order_of_turns_is_kept(tmp_path: Path) -> None:
    """Small letters turn about turned axes, capital ones about fixed axes."""
    worlds = []
    for order in ("xyz", "ZYX"):
        text = (
            f"<mujoco><compiler eulerseq='{order}'/><worldbody>"
            "<body name='b' euler='{}'/></worldbody></mujoco>"
        )
        angles = "10 20 30" if order == "xyz" else "30 20 10"
        contents, _ = read(text.format(angles), tmp_path)
        worlds.append(named(z_up(contents), "b").world)
    for row, other in zip(*worlds, strict=True):
        assert row == pytest.approx(other, abs=1e-12)


def test_slides_and_a_hinge_are_one_joint(tmp_path: Path) -> None:
    """Slides square to each other and a hinge after them are one joint below the world."""
    text = body(
        "<joint name='x' type='slide' axis='1 0 0'/><joint name='z' type='slide' axis='0 0 1'/>"
        "<joint name='turn' axis='0 1 0' range='-20 40'/>"
    )
    contents, issues = read(text, tmp_path)
    joints = list(contents.mechanism.joints())
    assert len(joints) == 1
    spans = spans_of(contents.mechanism.settings[0].limits)
    assert sum(span.is_free for span in spans) == 2
    assert [(s.low, s.high) for s in spans if s.is_bounded] == [
        pytest.approx((radians(-20), radians(40)))
    ]
    assert "mjcf-planar" in codes(issues)


def test_equalities_close_loops(tmp_path: Path) -> None:
    """Connect is a pin, weld a weld, both where the bodies are at rest; others are named."""
    text = """<mujoco><worldbody>
      <body name="a"><joint name="ja"/><geom size="0.1"/></body>
      <body name="b" pos="1 0 0"><joint name="jb"/><geom size="0.1"/></body>
    </worldbody><equality>
      <connect name="pin" body1="a" body2="b" anchor="0.5 0 0"/>
      <weld name="glue" body1="b"/>
      <joint name="follow" joint1="ja" joint2="jb"/>
      <connect name="off" active="false" body1="a" anchor="0 0 0"/>
      <connect name="lost" body1="nobody" anchor="0 0 0"/>
    </equality></mujoco>"""
    contents, issues = read(text, tmp_path)
    mechanism = contents.mechanism
    pin = named(mechanism, "pin", is_body=False)
    assert pin.joint is not None
    assert translation_of(pin.world) == pytest.approx((0.5, 0, 0))
    assert translation_of(mechanism.nodes[pin.joint.connected_node].world) == pytest.approx(
        (0.5, 0, 0)
    )
    assert len(list(mechanism.joints())) == 4
    assert {"mjcf-mimic", "mjcf-inactive", "mjcf-equality"} <= codes(issues)


def test_the_world_alone_may_be_held_to_itself(tmp_path: Path) -> None:
    """A model without bodies is read, whatever its sites are joined to."""
    text = """<mujoco><worldbody><site name="a"/><site name="b"/></worldbody>
      <equality><weld name="w" site1="a" site2="b"/></equality></mujoco>"""
    contents, _ = read(text, tmp_path)
    assert [node.name for node in contents.mechanism.nodes if node.motion] == ["world"]


def test_kinds_of_contact_become_filters(tmp_path: Path) -> None:
    """Geoms meet where contype and conaffinity say so, and bodies that are excluded do not."""
    text = """<mujoco><worldbody>
      <geom name="floor" type="plane" size="1 1 1" conaffinity="3"/>
      <body name="a"><freejoint/><geom name="ga" size="0.1" contype="2" conaffinity="0"/></body>
      <body name="b"><freejoint/><geom name="gb" size="0.1" contype="2" conaffinity="0"/></body>
      <body name="c"><freejoint/><geom name="gc" size="0.1" contype="0" conaffinity="0"/></body>
    </worldbody><contact><exclude body1="world" body2="b"/></contact></mujoco>"""
    contents, _ = read(text, tmp_path)
    mechanism = contents.mechanism

    def met(one: str, other: str) -> bool:
        found = []
        for name in (one, other):
            collider = named(mechanism, name, is_body=False).collider
            assert collider is not None
            assert collider.collision_filter is not None
            found.append(mechanism.collision_filters[collider.collision_filter])
        first, second = found
        meets = first.collide_with_systems or ()
        return bool(set(meets) & set(second.collision_systems))

    assert met("floor", "ga")
    assert not met("ga", "gb")
    assert not met("floor", "gb")
    assert named(mechanism, "gc", is_body=False).collider is None


def test_faces_name_points_that_are_there(tmp_path: Path) -> None:
    """A mesh with another face is left out and said: numbers below zero count from no end."""
    text = """<mujoco><asset>
      <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="FACE 1 2"/></asset><worldbody>
      <body name="b"><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
    for face in ("-1", "4"):
        contents, issues = read(text.replace("FACE", face), tmp_path)
        assert contents.meshes == ()
        assert [issue.code for issue in issues if issue.code == "mjcf-mesh"]


def test_meshes_are_read_scaled_and_weighed(tmp_path: Path) -> None:
    """A mesh beside the model is a hull with its points, and weighs what it encloses."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/tip.stl").write_bytes(tetrahedron())
    text = """<mujoco><compiler meshdir="meshes"/><asset>
      <mesh file="tip.stl" scale="2 1 1"/><mesh name="gone" file="gone.obj"/>
    </asset><worldbody><body name="b"><freejoint/>
      <geom type="mesh" mesh="tip"/><geom type="mesh" mesh="gone"/></body></worldbody></mujoco>"""
    contents, issues = read(text, tmp_path)
    mechanism = contents.mechanism
    assert mechanism.shapes == (Convex(0, "tip"),)
    assert contents.meshes[0] is not None
    assert (2.0, 0.0, 0.0) in contents.meshes[0].points
    assert (0.0, 0.0, -1.0) in contents.meshes[0].points  # what was Y
    motion = named(mechanism, "b").motion
    assert motion is not None
    assert motion.mass == pytest.approx(1000 * 2 / 6)
    assert motion.center_of_mass == pytest.approx((0.5, 0.25, -0.25))
    assert [issue.where for issue in issues if issue.code == "mjcf-mesh"] == ["gone.obj"]


def test_inertia_is_turned_to_its_principal_axes(tmp_path: Path) -> None:
    """A full inertia is three moments and a rotation that make the same tensor."""
    text = (
        "<mujoco><worldbody><body name='b'><freejoint/><inertial pos='1 2 3' mass='2' "
        "fullinertia='3 4 5 0.5 -0.25 0.125'/></body></worldbody></mujoco>"
    )
    contents, _ = read(text, tmp_path)
    motion = named(z_up(contents), "b").motion
    assert motion is not None
    from omi_physics_joint.robots.masses import mass_of

    rows = mass_of(motion).inertia
    expected = ((3, 0.5, -0.25), (0.5, 4, 0.125), (-0.25, 0.125, 5))
    for row, other in zip(rows, expected, strict=True):
        assert row == pytest.approx(other, abs=1e-6)
    assert motion.center_of_mass == (1, 2, 3)


def test_a_free_body_starts_as_the_key_frame_says(tmp_path: Path) -> None:
    """Places, turns and speeds of a free joint and of a hinge below it are those of the start."""
    text = """<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/>
      <body name="b" pos="1 0 0"><joint axis="0 0 1"/><geom size="0.1"/></body></body></worldbody>
      <keyframe><key qpos="1 2 3 0.5 0.5 0.5 0.5 0"
                     qvel="4 5 6 0.5 -1 2 3"/></keyframe></mujoco>"""
    contents, _ = read(text, tmp_path)
    mechanism = z_up(contents)
    one, other = named(mechanism, "a"), named(mechanism, "b")
    assert translation_of(one.world) == pytest.approx((1, 2, 3))
    assert translation_of(other.world) == pytest.approx((1, 3, 3))
    assert one.motion is not None
    assert other.motion is not None
    assert one.motion.linear_velocity == pytest.approx((5, 6, 4))  # in its own axes
    assert one.motion.angular_velocity == pytest.approx((0.5, -1, 2))
    assert other.motion.angular_velocity == pytest.approx((0.5, -1, 5))
    # w x r of the first alone, over a metre along its own X
    assert other.motion.linear_velocity == pytest.approx((5, 6 + 2, 4 + 1))


@pytest.mark.parametrize(
    ("around", "code"),
    [
        ("<worldbody><replicate count='3'><geom size='1'/></replicate></worldbody>", "mjcf-made"),
        ("<tendon><spatial name='t'/></tendon>", "mjcf-tendon"),
        ("<sensor/>", "mjcf-left-out"),
        (
            "<worldbody><body name='f'><joint type='free' damping='1'/></body></worldbody>",
            "mjcf-free-resists",
        ),
        ("<option density='1.2' wind='1 0 0'/>", "mjcf-fluid"),
        ("<option><flag limit='disable'/></option>", "mjcf-flag"),
        ("<actuator><position joint='j' kp='1' timeconst='1'/></actuator>", "mjcf-filter-time"),
        ("<actuator><general joint='j' dyntype='filter'/></actuator>", "mjcf-filter-time"),
        ("<contact><pair geom1='a' geom2='b'/></contact>", "mjcf-pair"),
        ("<keyframe><key qpos='1 2 3'/></keyframe>", "mjcf-key-frame"),
        ("<actuator><muscle name='m' joint='j'/></actuator>", "mjcf-not-played"),
        ("<actuator><motor name='m' tendon='t'/></actuator>", "mjcf-actuator"),
        ("<actuator><motor name='m' joint='j'/></actuator>", "mjcf-motor"),
    ],
)
def test_what_is_not_read_is_named(around: str, code: str, tmp_path: Path) -> None:
    """Nothing of a model gets lost in silence."""
    text = body(
        "<joint name='j' armature='0.1' frictionloss='1'/><geom type='hfield'/>", around=around
    )
    _, issues = read(text, tmp_path)
    assert {code, "mjcf-kept", "mjcf-geom"} <= codes(issues)


@pytest.mark.parametrize("actuator", ["motor", "position kp='7'", "velocity kv='3'"])
def test_a_gear_the_other_way_round_is_as_strong(actuator: str, tmp_path: Path) -> None:
    """An actuator pushes with its force times the gear, whichever sign that has."""
    for gear in (2.0, -2.0):
        around = f"<actuator><{actuator} joint='j' gear='{gear}' forcerange='-5 5'/></actuator>"
        contents, _ = read(body("<joint name='j'/>", around=around), tmp_path)
        (drive,) = settings_of(contents.mechanism, "j").drives
        assert drive.max_force == 10.0


def test_global_coordinates_and_other_files_are_refused(tmp_path: Path) -> None:
    """What cannot be understood as a whole is an error that says what to do."""
    with pytest.raises(ContentsError, match="Global coordinates"):
        read("<mujoco><compiler coordinate='global'/></mujoco>", tmp_path)
    with pytest.raises(ContentsError, match="no MJCF"):
        read("<robot/>", tmp_path)


def test_a_capsule_between_two_points_lies_there(tmp_path: Path) -> None:
    """Fromto is the middle, the length and the direction."""
    text = body("<freejoint/><geom name='g' type='capsule' fromto='0 0 0 3 4 0' size='0.1'/>")
    contents, _ = read(text, tmp_path)
    geom = named(z_up(contents), "g", is_body=False)
    assert translation_of(geom.world) == pytest.approx((1.5, 2, 0))
    along = [row[2] for row in geom.world[:3]]
    assert [abs(x) for x in along] == pytest.approx([0.6, 0.8, 0])
    assert contents.mechanism.shapes[0] == Capsule(5.0, 0.1, 0.1)


@pytest.mark.parametrize("base", ["file", "fixed", "floating"])
def test_bases_of_models_are_as_they_are_wanted(base: str, tmp_path: Path) -> None:
    """A free body may be held and a fixed one let go, and it is said which is which."""
    arm = (
        "<body name='x'><inertial pos='0 0 0' mass='1'/>{}<body name='y{}'><joint/>{}</body></body>"
    )
    geom = "<geom size='0.1'/>"
    bodies = arm.format("<freejoint/>", 1, geom) + arm.replace("'x'", "'z'").format("", 2, geom)
    path = tmp_path / "m.xml"
    path.write_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>", "utf-8")
    contents, issues = read_mjcf(path, RootBase(base))
    moving = {node.name for node in contents.mechanism.nodes if node.moves}
    assert moving & {"x", "z"} == {"file": {"x"}, "fixed": set(), "floating": {"x", "z"}}[base]
    said = {one.code for one in issues} & {"mjcf-standing", "mjcf-floating"}
    both = {"mjcf-standing", "mjcf-floating"}
    assert said == {"file": both, "fixed": {"mjcf-standing"}, "floating": {"mjcf-floating"}}[base]


def test_an_ellipsoid_weighs_what_it_is(tmp_path: Path) -> None:
    """Mass and inertia are those of the ellipsoid, not of the triangles that show it."""
    geom = "<geom type='ellipsoid' size='0.1 0.2 0.3' density='1000'/>"
    text = f"<mujoco><worldbody><body name='b'><freejoint/>{geom}</body></worldbody></mujoco>"
    motion = named(read(text, tmp_path)[0].mechanism, "b").motion
    assert motion is not None
    mass = 1000 * 4 / 3 * pi * 0.1 * 0.2 * 0.3
    assert motion.mass == pytest.approx(mass, rel=1e-12)
    wanted = [mass / 5 * (x * x + y * y) for x, y in ((0.2, 0.3), (0.1, 0.3), (0.1, 0.2))]
    assert sorted(motion.inertia_diagonal) == pytest.approx(sorted(wanted), rel=1e-9)
