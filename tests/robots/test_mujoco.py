# SPDX-License-Identifier: GPL-3.0-or-later
"""MuJoCo stands and moves what is written as our solver does, where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from robot_models import ARM, LEG, read, tetrahedron

from benchmarks.robots.cases import CASES
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed in this Python")

from benchmarks.robots.kinematics import apart  # noqa: E402 - it needs MuJoCo
from benchmarks.robots.moving import beside, moved_apart, put  # noqa: E402 - likewise

STACKS = """<mujoco><worldbody>
  <body name="u"><joint axis="1 0 0"/><joint axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0.3 0.4 -0.2" size="0.03"/>
    <body name="v" pos="0.3 0.4 -0.2"><joint axis="0 1 0"/><joint axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 -0.1 -0.2" size="0.03"/>
    </body>
  </body>
</worldbody></mujoco>"""


def test_a_model_stands_where_mujoco_has_it(tmp_path: Path) -> None:
    """Every body of a model is where MuJoCo puts it at the same key frame."""
    read(LEG, tmp_path)
    assert apart(tmp_path / "model.xml") < 1e-9


def test_a_robot_of_ros_stands_where_mujoco_has_it(tmp_path: Path) -> None:
    """Every moving link of a robot is where MuJoCo puts it at zero."""
    (tmp_path / "arm/meshes").mkdir(parents=True)
    (tmp_path / "arm/meshes/upper.stl").write_bytes(tetrahedron())
    text = ARM.replace("package://arm/", "")
    read(text, tmp_path / "arm", "arm.urdf")
    assert apart(tmp_path / "arm/arm.urdf") < 1e-9


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in CASES])
def test_mujoco_moves_a_tree_as_our_solver_does(name: str, tmp_path: Path) -> None:
    """After a second of small steps no body is turned otherwise by more than 0.1 degrees."""
    metres, degrees = moved_apart(CASES[name], tmp_path)
    assert degrees < 0.1
    assert metres < 0.005


def test_flat_meshes_and_impossible_inertias_are_written_so_that_mujoco_takes_them(
    tmp_path: Path,
) -> None:
    """A sheet that is shown, one that collides, a rod's inertia: none of them is an error there."""
    points = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0))
    sheet = Triangles(points, ((0, 1, 2), (1, 3, 2)))
    dynamic = Motion(MotionType.DYNAMIC, inertia_diagonal=(1.0, 0.2, 2.0))
    nodes = (
        Node("sheet", motion=dynamic),
        Node("seen", 0),
        Node("solid", 0, collider=Collider(0)),
        Node("corner", 0),
    )
    mechanism = Mechanism(nodes, shapes=(Convex(0),), meshes=("sheet", "corner"))
    corner = Triangles(points[:3], ((0, 1, 2),))
    contents = Contents(mechanism, (sheet, corner), {1: 0, 3: 1})
    package, _ = write_mjcf(contents, tmp_path / "sheet.xml")
    put(package, tmp_path / "sheet.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "sheet.xml"))
    assert (model.nbody, model.ngeom) == (2, 3)


@pytest.mark.long
def test_hinges_of_one_body_move_as_in_mujoco(tmp_path: Path) -> None:
    """Two bodies of two hinges each: light links in between change less than 0.1 degrees in 1 s."""
    path = tmp_path / "stacks.xml"
    path.write_text(STACKS)
    contents, _ = read_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    _, degrees = beside(contents, model, 1.0)
    assert degrees < 0.1
