# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots of ROS are read as what they mean: trees, joints, masses, meshes of packages."""

from __future__ import annotations

from itertools import pairwise
from math import cos, inf, sin
from pathlib import Path
from xml.etree import ElementTree

import pytest
from robot_models import ARM, named, read, tetrahedron, z_up

from omi_physics_joint.model.articulation.joints import Base
from omi_physics_joint.model.articulation.trees import articulations_of
from omi_physics_joint.model.body import MotionType
from omi_physics_joint.model.contents import Contents, ContentsError
from omi_physics_joint.model.geometry.transform import translation_of
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.model.shape import Box, Capsule, Cylinder, Shape, Sphere
from omi_physics_joint.model.validate import check
from omi_physics_joint.robots.importing.bases import RootBase
from omi_physics_joint.robots.urdf.read import read_urdf
from omi_physics_joint.robots.urdf.write import write_urdf

LINKS = "<link name='a'><inertial><mass value='1'/></inertial></link><link name='b'/>"


def robot(joint: str, links: str = LINKS) -> str:
    """Return a robot with some links and joints."""
    return f"<robot name='r'>{links}{joint}</robot>"


def joint(kind: str, inside: str = "", *, parent: str = "a", child: str = "b") -> str:
    """Return a joint between two links."""
    ends = f"<parent link='{parent}'/><child link='{child}'/>"
    return f"<joint name='j' type='{kind}'>{ends}{inside}</joint>"


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Contents, list[Issue]]:
    """An arm whose mesh is in a package around it."""
    package = tmp_path_factory.mktemp("ws") / "arm"
    (package / "meshes").mkdir(parents=True)
    (package / "urdf").mkdir()
    (package / "meshes/upper.stl").write_bytes(tetrahedron())
    return read(ARM, package / "urdf", "arm.urdf")


def test_links_stand_where_joints_put_them(arm: tuple[Contents, list[Issue]]) -> None:
    """Origins are taken one after the other, turns about fixed axes; a fixed link is a node."""
    mechanism = z_up(arm[0])
    assert translation_of(named(mechanism, "upper").world) == pytest.approx((0, 0, 0.5))
    hand = (0.4 * sin(0.5), 0, 0.5 + 0.4 * cos(0.5))
    assert translation_of(named(mechanism, "hand").world) == pytest.approx(hand)
    tool = named(mechanism, "tool", is_body=False)
    assert translation_of(tool.world) == pytest.approx(
        (hand[0] + 0.1 * sin(0.5), 0, hand[2] + 0.1 * cos(0.5))
    )


def test_a_root_without_mass_stands_still(arm: tuple[Contents, list[Issue]]) -> None:
    """A base that weighs nothing is static; one that weighs something floats, and that is said."""
    base = named(arm[0].mechanism, "base").motion
    assert base is not None
    assert base.type is MotionType.STATIC


HEAVY = "<inertial><mass value='2'/></inertial>"


@pytest.mark.parametrize("between", range(3))
@pytest.mark.parametrize(
    ("base", "trunk", "name", "wanted", "floats"),
    [
        ("file", "", "base", "standing", False),
        ("file", HEAVY, "base", "floating", True),
        ("fixed", HEAVY, "base", "standing", False),
        ("floating", "", "base", "floating", True),
        ("file", HEAVY, "world", "standing", False),
        ("floating", HEAVY, "world", "floating", True),
    ],
)
def test_it_is_said_what_stands_and_what_floats(
    base: str, trunk: str, name: str, wanted: str, between: int, tmp_path: Path, *, floats: bool
) -> None:
    """A root weighs what fixed joints hold to it, as with ROS's empty base_link; users decide."""
    path = tmp_path / "r.urdf"
    fixed = [name, *(f"plate {number}" for number in range(between)), "trunk"]
    links = "".join(f"<link name='{one}'/>" for one in fixed[:-1])
    links += f"<link name='trunk'>{trunk}</link><link name='leg'>{HEAVY}</link>"
    joints = "".join(joint("fixed", parent=one, child=other) for one, other in pairwise(fixed))
    joints += joint("continuous", parent="trunk", child="leg")
    path.write_text(robot(joints, links), "utf-8")
    contents, issues = read_urdf(path, RootBase(base))
    said = [one.code for one in issues if one.code in ("urdf-standing", "urdf-floating")]
    assert said == [f"urdf-{wanted}"]
    (tree,) = articulations_of(contents.mechanism)
    assert (tree.base is Base.FLOATING) is floats


def test_packages_may_be_named(tmp_path: Path) -> None:
    """A mesh of a package that lies elsewhere is found where the user says that it is."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "m.stl").write_bytes(tetrahedron())
    (tmp_path / "ws").mkdir()
    path = tmp_path / "ws/r.urdf"
    mesh = "<visual><geometry><mesh filename='package://my_arm/m.stl'/></geometry></visual>"
    path.write_text(robot("", f"<link name='a'>{mesh}</link>"), "utf-8")
    contents, issues = read_urdf(path, packages={"my_arm": elsewhere})
    assert "urdf-mesh" not in {one.code for one in issues}
    assert len(contents.meshes) == 1
    (missing,) = [one for one in read_urdf(path)[1] if one.code == "urdf-mesh"]
    assert "--package my_arm=FOLDER" in missing.message


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("", "urdf-boundless"),
        ("<limit lower='1' upper='-1'/>", "urdf-boundless"),
        ("<limit effort='3'/>", "urdf-held"),
    ],
)
def test_bounds_that_are_none_are_named(limit: str, code: str, tmp_path: Path) -> None:
    """A revolute joint without bounds moves freely, one of one value is held; both by name."""
    _, issues = read(robot(joint("revolute", limit)), tmp_path, "r.urdf")
    (issue,) = [one for one in issues if one.code == code]
    assert "(j)" in issue.message


def test_joints_have_their_ranges_and_damping(arm: tuple[Contents, list[Issue]]) -> None:
    """Revolute and prismatic joints keep their bounds and signs; what is lost is named."""
    contents, issues = arm
    settings = {one.name: one for one in contents.mechanism.settings}
    turning = [s for s in spans_of(settings["shoulder"].limits) if not s.is_locked]
    assert [(s.freedom, s.low, s.high) for s in turning] == [(Freedom.ANGULAR, -1.0, 2.0)]
    sliding = [s for s in spans_of(settings["reach"].limits) if not s.is_locked]
    assert [(s.freedom, s.low, s.high) for s in sliding] == [(Freedom.LINEAR, 0.0, 0.3)]
    assert settings["shoulder"].drives[0].damping == 0.4
    assert settings["shoulder"].drives[1].max_force == 0.1  # dry friction
    assert {"urdf-standing", "urdf-kept"} == {one.code for one in issues}


def test_masses_are_turned_with_their_origin(arm: tuple[Contents, list[Issue]]) -> None:
    """An inertial has a pose of its own in its link."""
    motion = named(z_up(arm[0]), "upper").motion
    assert motion is not None
    assert (motion.mass, motion.center_of_mass) == (2.0, pytest.approx((0, 0, 0.2)))
    assert motion.inertia_diagonal == pytest.approx((0.03, 0.02, 0.01))


def test_a_mesh_of_a_package_is_shown(arm: tuple[Contents, list[Issue]]) -> None:
    """package:// is a folder of that name above the file; the mesh has its scale."""
    contents = arm[0]
    node = next(i for i, n in enumerate(contents.mechanism.nodes) if n.name == "upper visual")
    mesh = contents.meshes[contents.shown[node]]
    assert mesh is not None
    assert (2.0, 0.0, 0.0) in mesh.points


def test_a_package_may_lie_in_a_folder_of_another_name(tmp_path: Path) -> None:
    """As an archive of it does: its meshes are beside the folder that its robot is in."""
    for name in ("meshes", "urdf"):
        (tmp_path / "arm-main" / name).mkdir(parents=True)
    (tmp_path / "arm-main/meshes/a.stl").write_bytes(tetrahedron())
    mesh = "<visual><geometry><mesh filename='package://arm/meshes/a.stl'/></geometry></visual>"
    folder = tmp_path / "arm-main/urdf"
    contents, issues = read(robot("", f"<link name='a'>{mesh}</link>"), folder, "r.urdf")
    assert "urdf-mesh" not in {one.code for one in issues}
    assert len(contents.meshes) == 1


@pytest.mark.parametrize(
    ("inside", "shape"),
    [
        ("<box size='1 2 3'/>", Box((1.0, 2.0, 3.0))),
        ("<sphere radius='2'/>", Sphere(2.0)),
        ("<cylinder radius='2' length='5'/>", Cylinder(5.0, 2.0, 2.0)),
        ("<capsule radius='2' length='5'/>", Capsule(5.0, 2.0, 2.0)),
        ("<torus radius='2' length='5'/>", None),
    ],
)
def test_solids_have_their_sizes(inside: str, shape: Shape | None, tmp_path: Path) -> None:
    """A solid that is no shape of ours is left out and named."""
    link = f"<link name='a'><collision><geometry>{inside}</geometry></collision></link>"
    contents, issues = read(robot("", link), tmp_path, "r.urdf")
    found = list(z_up(contents).shapes)
    assert found == ([] if shape is None else [shape])
    assert ("urdf-geometry" in {one.code for one in issues}) is (shape is None)


@pytest.mark.parametrize(
    ("scale", "size"),
    [("", (1.0, 1.0, 1.0)), ("2", (2.0, 2.0, 2.0)), ("2 3 4", (2.0, 3.0, 4.0))],
)
def test_a_mesh_is_scaled_along_all_axes_or_each(
    scale: str, size: tuple[float, ...], tmp_path: Path
) -> None:
    """One number alone is that of all axes."""
    (tmp_path / "x.stl").write_bytes(tetrahedron())
    mesh = f"<mesh filename='x.stl' scale='{scale}'/>" if scale else "<mesh filename='x.stl'/>"
    link = f"<link name='a'><visual><geometry>{mesh}</geometry></visual></link>"
    contents, _ = read(robot("", link), tmp_path, "r.urdf")
    (points,) = [one.points for one in contents.meshes if one is not None]
    assert (max(x for x, _, _ in points), max(-z for _, _, z in points)) == size[:2]
    assert max(y for _, y, _ in points) == size[2]  # which is up


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("package://nowhere/x.stl", "no such file"),
        ("package://../../etc/x.stl", "leads out"),
        ("/etc/x.stl", "root of a disk"),
        ("C:/x.stl", "root of a disk"),
        ("file:///etc/x.stl", "root of a disk"),
        ("http://localhost/x.stl", "not followed"),
        ("x.stl", "no such file"),
        ("x.docx", "not read"),
    ],
)
def test_a_mesh_that_is_not_read_is_named(name: str, words: str, tmp_path: Path) -> None:
    """Meshes come from beside and above the file, and from nowhere else."""
    link = f"<visual><geometry><mesh filename='{name}'/></geometry></visual>"
    _, issues = read(robot("", f"<link name='a'>{link}</link>"), tmp_path, "r.urdf")
    (issue,) = [one for one in issues if one.code == "urdf-mesh"]
    assert issue.where == name
    assert words in issue.message


@pytest.mark.parametrize(
    ("kind", "free"),
    [
        ("fixed", 0),
        ("revolute", 1),
        ("continuous", 1),
        ("prismatic", 1),
        ("planar", 3),
        ("floating", None),
        ("spherical", 0),
    ],
)
def test_every_kind_of_joint(kind: str, free: int | None, tmp_path: Path) -> None:
    """A joint leaves what its kind says; a fixed link is part of its parent."""
    links = (
        "<link name='a'><inertial><mass value='1'/></inertial></link>"
        "<link name='b'><inertial><mass value='2'/></inertial></link>"
    )
    limit = "<axis xyz='0 0 1'/><limit lower='-1' upper='1'/>"
    contents, issues = read(robot(joint(kind, limit), links), tmp_path, "r.urdf")
    joints = list(contents.mechanism.joints())
    if not free:
        assert joints == []
        bodies = [node for node in contents.mechanism.nodes if node.motion is not None]
        assert len(bodies) == (2 if free is None else 1)
        assert ("urdf-joint" in {one.code for one in issues}) is (kind == "spherical")
        return
    spans = spans_of(contents.mechanism.settings[0].limits)
    assert sum(not span.is_locked for span in spans) == free
    assert [node.name for _, node, _ in joints] == ["j"]
    assert {one.code for one in check(contents.mechanism)}.isdisjoint({"joint-under-static"})
    bounded = [(s.low, s.high) for s in spans if s.is_bounded]
    assert bounded == ([(-1.0, 1.0)] if kind in ("revolute", "prismatic") else [])


def test_bounds_of_a_continuous_joint_are_not_looked_at(tmp_path: Path) -> None:
    """A joint without end may say endless bounds, which are no numbers elsewhere."""
    endless = '<limit effort="5" velocity="2" lower="-inf" upper="inf"/>'
    contents, _ = read(robot(joint("continuous", endless)), tmp_path, "r.urdf")
    (settings,) = contents.mechanism.settings
    spans = spans_of(settings.limits)
    assert [(span.low, span.high) for span in spans if span.is_free] == [(-inf, inf)]


@pytest.mark.parametrize(
    ("joints", "links"),
    [
        (joint("fixed", parent="nobody"), LINKS),
        (joint("fixed", parent="b", child="b"), LINKS),
        (joint("fixed") + joint("fixed"), LINKS),
    ],
    ids=["no such link", "to itself", "moved twice"],
)
def test_what_is_no_tree_is_named(joints: str, links: str, tmp_path: Path) -> None:
    """A joint that does not fit into a tree is left out with an error, and the rest is read."""
    contents, issues = read(robot(joints, links), tmp_path, "r.urdf")
    assert "urdf-tree" in {one.code for one in issues}
    assert any(node.name == "a" for node in contents.mechanism.nodes)


def test_joints_come_back_in_their_order(tmp_path: Path) -> None:
    """Also where a file names a joint before the one that its parent hangs on."""
    names = "abcd"
    links = "".join(
        f"<link name='{one}'><inertial><mass value='1'/></inertial></link>" for one in names
    )
    ends = (("c", "d"), ("a", "b"), ("b", "c"))
    joints = [
        joint("continuous", parent=parent, child=child).replace("name='j'", f"name='{child}'")
        for parent, child in ends
    ]
    contents, _ = read(robot("".join(joints), links), tmp_path, "r.urdf")
    package, _ = write_urdf(contents, tmp_path / "again.urdf")
    root = ElementTree.fromstring(package.main)
    order = [one.get("name") for one in root.iter("joint")]
    assert [one for one in order if one in names] == ["d", "b", "c"]


def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    """Links that are above themselves have no place anywhere."""
    circle = joint("fixed") + joint("fixed", parent="b", child="a")
    with pytest.raises(ContentsError, match="above itself"):
        read(robot(circle), tmp_path, "r.urdf")


def test_a_link_that_moves_without_mass_gets_a_little(tmp_path: Path) -> None:
    """A body needs a mass; that it had none is said."""
    contents, issues = read(robot(joint("continuous")), tmp_path, "r.urdf")
    motion = named(contents.mechanism, "b").motion
    assert motion is not None
    assert 0.0 < motion.mass < inf
    assert "urdf-massless" in {one.code for one in issues}


@pytest.mark.parametrize("inside", ["<xacro:macro name='m'/>", "<link name='${prefix}arm'/>"])
def test_xacro_is_named_with_what_to_do(inside: str, tmp_path: Path) -> None:
    """A file that xacro has still to make a robot of is refused with the command."""
    with pytest.raises(ContentsError, match="Run: xacro"):
        read(robot("", inside), tmp_path, "r.urdf")


def test_an_origin_may_turn_by_a_quaternion(tmp_path: Path) -> None:
    """As URDF has it since 1.2; it counts before angles."""
    ways = ("rpy='0 1.5707963267949 0'", "rpy='1 0 0' quat_xyzw='0 0.5 0 0.5'")
    worlds = []
    for way in ways:
        text = robot(joint("fixed", f"<origin xyz='1 2 3' {way}/>"))
        contents, _ = read(text, tmp_path, "r.urdf")
        worlds.append([x for one in contents.mechanism.nodes for row in one.world for x in row])
    assert worlds[0] == pytest.approx(worlds[1])
