# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models of robots, written for the tests."""

from __future__ import annotations

import struct
from pathlib import Path

from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.robots.mjcf.read import read_mjcf
from omi_physics_joint.robots.urdf.read import read_urdf

LEG = """<mujoco model="leg">
  <compiler angle="degree"/>
  <option gravity="0 0 -3.7"/>
  <default>
    <geom density="500" friction="0.7"/>
    <default class="soft">
      <joint damping="0.2" stiffness="3"/>
      <default class="knee"><joint range="-120 5"/></default>
    </default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="hip" pos="0 0 1" childclass="soft">
      <joint name="lift" type="slide" axis="0 0 1" class="main"/>
      <geom type="box" size="0.1 0.2 0.05"/>
      <body name="thigh" pos="0 0.1 0" euler="0 0 90">
        <joint name="swing" axis="0 1 0" range="-60 30"/>
        <joint name="spread" axis="1 0 0"/>
        <geom name="bone" type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05"/>
        <body name="shin" pos="0 0 -0.4">
          <joint name="bend" class="knee" axis="0 -1 0" pos="0 0 0.02" ref="-10" springref="-20"/>
          <geom type="cylinder" size="0.04 0.2" pos="0 0 -0.2"/>
          <body name="foot" pos="0 0 -0.4"><geom type="sphere" size="0.06"/></body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="bender" joint="bend" kp="40" kv="2" forcerange="-9 9" gear="2"/>
  </actuator>
  <keyframe>
    <key name="other" qpos="0 0 0 0"/>
    <key name="home" qpos="0.1 0.2 -0.3 -0.5" ctrl="-1"/>
  </keyframe>
</mujoco>
"""

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.2" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.01"/>
    </inertial>
    <visual><geometry>
      <mesh filename="package://arm/meshes/upper.stl" scale="2 2 2"/>
    </geometry></visual>
    <collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision>
  </link>
  <link name="hand">
    <inertial>
      <mass value="1"/><inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/>
    </inertial>
    <collision><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.5" rpy="0 0.5 0"/><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="10" velocity="3"/>
    <dynamics damping="0.4" friction="0.1"/>
  </joint>
  <joint name="reach" type="prismatic">
    <origin xyz="0 0 0.4"/><parent link="upper"/><child link="hand"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="0.3" effort="5" velocity="1"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="0 0 0.1"/><parent link="hand"/><child link="tool"/>
  </joint>
</robot>
"""


def read(text: str, folder: Path, name: str = "model.xml") -> tuple[Contents, list[Issue]]:
    """Return what a model holds that is written to a folder first."""
    path = folder / name
    path.write_text(text, "utf-8")
    contents, issues = (read_urdf if name.endswith(".urdf") else read_mjcf)(path)
    return contents, list(issues)


def z_up(contents: Contents) -> Mechanism:
    """Return a mechanism in the axes of its model."""
    return Z_UP_FROM_Y_UP.mechanism(contents.mechanism)


def named(mechanism: Mechanism, name: str, *, is_body: bool = True) -> Node:
    """Return a node by its name."""
    return next(
        node
        for node in mechanism.nodes
        if node.name == name and (node.motion is not None) is is_body
    )


def body(inside: str, *, around: str = "") -> str:
    """Return a model with one body that has something inside."""
    return (
        f"<mujoco>{around}<worldbody><body name='b'>{inside}"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>"
    )


def tetrahedron() -> bytes:
    """Return a binary STL of a tetrahedron of sides 1 along the axes."""
    corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    content = b"\0" * 80 + struct.pack("<I", len(faces))
    for face in faces:
        content += struct.pack("<3f", 0, 0, 0)
        content += b"".join(struct.pack("<3f", *corners[corner]) for corner in face) + b"\0\0"
    return content
