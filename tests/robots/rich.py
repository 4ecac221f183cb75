# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots that say as much as their formats know, once each."""

from __future__ import annotations

TREE = """<mujoco model="tree">
  <compiler angle="radian" autolimits="true" eulerseq="xyz" boundmass="0.5" boundinertia="0.125"
    balanceinertia="true" inertiafromgeom="auto" inertiagrouprange="0 4"/>
  <option gravity="0 0.5 -3.5" viscosity="0"><flag gravity="enable"/></option>
  <default>
    <geom density="500" friction="0.75"/>
    <joint damping="0.25"/>
    <default class="soft"><joint stiffness="3" armature="0.5" damping="0.125"/></default>
  </default>
  <asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"
    scale="0.5 0.25 1" refpos="0.125 0 0" refquat="0 0 0 1" inertia="shell"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="0 4 1"/>
    <body name="lamp" mocap="true" pos="0 3 1"><geom size="0.125" group="3" mass="2"/></body>
    <body name="hip" pos="0 0 1" childclass="soft">
      <joint name="lift" type="slide" axis="0 0 1" range="-0.5 0.75" frictionloss="0.5"/>
      <geom type="box" size="0.125 0.25 0.5" mass="4"/>
      <frame pos="0 0.25 0" euler="0.25 0 0.5">
        <body name="thigh" gravcomp="0.5">
          <joint name="swing" axis="0 1 0" range="-1 0.5" ref="0.25" springref="0.125"/>
          <geom name="bone" type="capsule" fromto="0 0 0 0 0.5 -0.5" size="0.0625"/>
          <body name="shin" pos="0 0 -0.5" axisangle="0 0 1 0.5">
            <joint name="bend" axis="0 -1 0" pos="0 0 0.125" limited="true" range="-2 0.25"
              actuatorfrcrange="-40 40" class="main"/>
            <inertial pos="0 0 -0.25" mass="3" diaginertia="0.25 0.375 0.5" quat="0.8 0 0 0.6"/>
            <geom type="cylinder" size="0.0625 0.25" pos="0 0 -0.25" shellinertia="false"/>
            <body name="foot" pos="0 0 -0.5" xyaxes="0 1 0 -1 0 0">
              <joint name="ankle" type="ball" range="0 0.5" stiffness="2"/>
              <geom name="sole" type="mesh" mesh="wedge"/>
              <geom name="toe" type="ellipsoid" size="0.5 0.25 0.125" friction="0.5"/>
            </body>
          </body>
        </body>
      </frame>
    </body>
  </worldbody>
  <actuator>
    <position name="bender" joint="bend" kp="40" kv="2" forcerange="-9 9" gear="2"/>
    <general name="lifter" joint="lift" gainprm="6" biastype="affine" biasprm="0.5 -5 -0.25"
      gaintype="fixed" ctrlrange="-2 2"/>
    <motor name="swinger" joint="swing" gear="3" ctrlrange="-1 1" ctrllimited="true"/>
  </actuator>
</mujoco>
"""

LOOPS = """<mujoco model="loops">
  <compiler settotalmass="12"/>
  <option><flag filterparent="enable"/></option>
  <worldbody>
    <body name="ball" pos="0 -3 2"><freejoint name="loose"/><geom size="0.25"/></body>
    <body name="lamp" mocap="true"/>
    <body name="arm" pos="0 0 1">
      <joint name="lift" axis="0 0 1"/><geom size="0.5" contype="1" conaffinity="3"/>
      <site name="grip" pos="0 0.125 0"/>
      <body name="hand" pos="0 1 0">
        <joint name="turn" type="ball"/><geom size="0.25" contype="2"/>
      </body>
    </body>
    <body name="tail" pos="1 0 1" zaxis="0 1 1">
      <joint name="wag" axis="1 0 0" ref="10"/><joint name="nod" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="1" fullinertia="0.5 0.625 0.75 0.125 0 0"/>
      <geom size="0.25"/>
      <site name="tip" pos="0 0 0.5"/>
    </body>
  </worldbody>
  <contact><exclude body1="ball" body2="tail"/></contact>
  <equality>
    <joint name="together" joint1="wag" joint2="nod" polycoef="0.125 2 0 0 0"/>
    <connect name="string" body1="hand" body2="tail" anchor="0.25 0 0" active="true"/>
    <weld name="glue" body1="ball" body2="tail" relpose="0 0 0.5 1 0 0 0" anchor="0 0 0.25"/>
    <connect name="hook" site1="grip" site2="tip"/>
  </equality>
  <actuator>
    <motor name="wagger" joint="wag" gear="3" ctrlrange="-1 1"/>
    <velocity name="nodder" joint="nod" kv="4" forcerange="-7 7"/>
  </actuator>
  <keyframe>
    <key name="other" ctrl="1 1"/>
    <key name="home" qpos="0 -3 2 0.8 0 0.6 0 0.125 0.8 0.6 0 0 0.25 0.5"
      qvel="1 0 0 0 0 1 0.5 0.25 0.125 0 0 0.75" ctrl="-1 0.5" mpos="0 3 1.5"
      mquat="0.8 0 0 0.6"/>
  </keyframe>
</mujoco>
"""

ROBOT = """<robot name="rich">
  <link name="base">
    <collision name="foot"><origin xyz="0 0 0.125" rpy="0 0 0.5"/>
      <geometry><box size="1 0.5 0.25"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.25" rpy="0.5 0.25 0.125"/><mass value="2"/>
      <inertia ixx="0.25" ixy="0.0625" ixz="0.03125" iyy="0.375" iyz="0.015625" izz="0.5"/>
    </inertial>
    <visual><origin xyz="0 0 0.5"/>
      <geometry><cylinder radius="0.0625" length="1"/></geometry></visual>
    <collision><geometry><cylinder radius="0.125" length="0.75"/></geometry></collision>
  </link>
  <link name="hand">
    <inertial><mass value="1"/>
      <inertia ixx="0.25" ixy="0" ixz="0" iyy="0.25" iyz="0" izz="0.25"/></inertial>
    <collision><geometry><sphere radius="0.25"/></geometry></collision>
  </link>
  <link name="tool"/>
  <link name="wheel">
    <inertial><mass value="0.5"/>
      <inertia ixx="0.125" ixy="0" ixz="0" iyy="0.125" iyz="0" izz="0.125"/></inertial>
  </link>
  <link name="puck">
    <inertial><mass value="0.25"/>
      <inertia ixx="0.125" ixy="0" ixz="0" iyy="0.125" iyz="0" izz="0.125"/></inertial>
  </link>
  <link name="drone">
    <inertial><mass value="3"/>
      <inertia ixx="0.5" ixy="0" ixz="0" iyy="0.5" iyz="0" izz="0.5"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0.25 0.5" rpy="0.25 0.5 1"/><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="10" velocity="3"/>
    <dynamics damping="0.5" friction="0.125"/>
    <safety_controller soft_lower_limit="-0.5" soft_upper_limit="1.5" k_position="2"
      k_velocity="3"/>
  </joint>
  <joint name="reach" type="prismatic">
    <origin xyz="0 0 0.5"/><parent link="upper"/><child link="hand"/>
    <axis xyz="0 0 1"/><limit lower="0.125" upper="0.5" effort="5" velocity="1"/>
    <mimic joint="shoulder" multiplier="0.5" offset="0.125"/>
  </joint>
  <joint name="mount" type="fixed">
    <origin xyz="0 0 0.25"/><parent link="hand"/><child link="tool"/>
  </joint>
  <joint name="spin" type="continuous">
    <origin xyz="0.5 0 0"/><parent link="base"/><child link="wheel"/><axis xyz="1 0 0"/>
  </joint>
  <joint name="slide" type="planar">
    <origin xyz="0 0 0.25"/><parent link="base"/><child link="puck"/><axis xyz="0 0 1"/>
    <dynamics damping="0.25"/>
  </joint>
  <joint name="fly" type="floating"><parent link="base"/><child link="drone"/></joint>
  <transmission name="drivetrain"><type>transmission_interface/SimpleTransmission</type>
    <joint name="shoulder"/><actuator name="motor"><mechanicalReduction>50</mechanicalReduction>
    </actuator></transmission>
</robot>
"""
