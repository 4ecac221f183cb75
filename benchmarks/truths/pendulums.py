# SPDX-License-Identifier: GPL-3.0-or-later
"""Open mechanisms: pendulums, chains, a tree, a figure, gimbals, a top."""

from __future__ import annotations

import numpy as np

from .assembly import EYE, GROUND, HINGE, PIN, WELD, Assembly, about, turned, unit

X, Y, Z = EYE
Bone = tuple[str, str, tuple[float, float, float], tuple[float, float, float], float, str]
TORSO: tuple[Bone, ...] = (
    ("pelvis", "", (0.0, 0.9, 0.0), (0.0, 1.1, 0.0), 11.0, "free"),
    ("chest", "pelvis", (0.0, 1.1, 0.0), (0.0, 1.45, 0.0), 20.0, "pin"),
    ("head", "chest", (0.0, 1.45, 0.0), (0.0, 1.75, 0.05), 5.0, "pin"),
)
"""Name, parent, start and end in m, mass in kg, joint at the start."""
LIMBS: tuple[Bone, ...] = (
    ("upper arm", "chest", (0.2, 1.42, 0.0), (0.48, 1.40, 0.05), 2.2, "pin"),
    ("forearm", "upper arm", (0.48, 1.40, 0.05), (0.72, 1.42, 0.15), 1.4, "Y"),
    ("hand", "forearm", (0.72, 1.42, 0.15), (0.9, 1.42, 0.18), 0.5, "Z"),
    ("thigh", "pelvis", (0.1, 0.9, 0.0), (0.15, 0.5, 0.1), 8.0, "pin"),
    ("shin", "thigh", (0.15, 0.5, 0.1), (0.16, 0.1, 0.0), 3.8, "X"),
    ("foot", "shin", (0.16, 0.1, 0.0), (0.16, 0.05, 0.2), 1.0, "X"),
)


def chain(count: int, locked: tuple[int, ...] = HINGE, link: float = 1.0) -> Assembly:
    """Return a horizontal chain of rods of 1 kg, let go."""
    made = Assembly()
    for i in range(count):
        made.rod((i * link, 0.0, 0.0), ((i + 1) * link, 0.0, 0.0))
        made.joint(i - 1, i, (i * link, 0.0, 0.0), locked)
    return made


def tree() -> Assembly:
    """Return 40 rods on hinges that point anywhere, each on the end of one before it."""
    random = np.random.default_rng(40)
    made, ends = Assembly(), [np.zeros(3)]
    for i in range(40):
        parent = 0 if i == 0 else int(random.integers(max(1, i - 6), i + 1))
        start = ends[parent]
        stop = start + 0.2 * unit(random.normal(size=3) + X)
        made.rod(start, stop, float(random.uniform(0.5, 1.5)))
        made.joint(parent - 1, i, start, HINGE, about(random.normal(size=3)))
        ends.append(stop)
    return made


def figure() -> Assembly:
    """Return a figure of 15 bodies on pins and hinges without limits, thrown and spinning."""
    mirror = np.array([-1.0, 1.0, 1.0])
    bones = [*TORSO]
    for side, factor in (("left", np.ones(3)), ("right", mirror)):
        for name, parent, start, stop, mass, kind in LIMBS:
            above = parent if parent in ("chest", "pelvis") else f"{side} {parent}"
            places = (tuple(start * factor), tuple(stop * factor))
            bones.append((f"{side} {name}", above, *places, mass, kind))
    made, numbers = Assembly(), {"": GROUND}
    spin = np.array([1.5, 0.7, 2.5])
    for name, parent, start, stop, mass, kind in bones:
        velocity = np.array([0.5, 3.0, 0.0]) + np.cross(spin, np.array(start) - (0.0, 1.1, 0.0))
        numbers[name] = number = made.rod(
            start, stop, mass, thick=0.1, velocity=velocity, spin=spin
        )
        locked = {"free": (), "pin": PIN}.get(kind, HINGE)
        frame = about({"X": X, "Y": Y}.get(kind, Z))
        made.joint(numbers[parent], number, start, locked, frame)
    return made


def without_idle_joints(made: Assembly) -> Assembly:
    """Return an assembly without the joints that hold nothing, which only trees need."""
    joints = [joint for joint in made.joints if joint.locked]
    return Assembly(made.bodies, joints, made.gravity)


def gimbals(spin: float = 80.0) -> Assembly:
    """Return a rotor that spins about Z in a ring about X in a ring about Y, off its middle."""
    made = Assembly()
    made.body(1.0, (0.02, 0.01, 0.02), (0.0, 0.0, 0.0), mark=(0.3, 0.0, 0.0))
    made.body(0.5, (0.01, 0.005, 0.008), (0.0, 0.0, 0.0), mark=(0.0, 0.0, 0.3))
    made.body(2.0, (0.01, 0.01, 0.02), (0.0, 0.0, 0.1), spin=(0.0, 0.0, spin), mark=(0.1, 0, 0.1))
    made.joint(GROUND, 0, (0.0, 0.0, 0.0), HINGE, about(Y))
    made.joint(0, 1, (0.0, 0.0, 0.0), HINGE, about(X))
    made.joint(1, 2, (0.0, 0.0, 0.1), HINGE, EYE)
    return made


def top(spin: float = 150.0) -> Assembly:
    """Return a symmetric top on its tip, leaning by 0.3 rad, let go without precession."""
    made = Assembly()
    lean = turned(X, 0.3) @ about(Y)
    axis = lean[:, 2]
    made.body(
        1.0,
        (0.002, 0.002, 0.001),
        0.1 * axis,
        turn=lean,
        spin=spin * axis,
        velocity=np.cross(spin * axis, 0.1 * axis),
        mark=(0.05, 0.0, 0.05),
    )
    made.joint(GROUND, 0, (0.0, 0.0, 0.0), PIN)
    return made


def door(hinges: int) -> Assembly:
    """Return a door of 20 kg on hinges about an axis that leans by 0.4 rad, pushed."""
    made, lean = Assembly(), turned(Z, 0.4)
    spin = 3.0 * lean[:, 1]
    centre = lean @ np.array([0.5, 0.0, 0.0])
    inertia = (20.0 * 4.0 / 12.0, 20.0 / 12.0, 20.0 * 5.0 / 12.0)
    made.body(
        20.0,
        inertia,
        centre,
        turn=lean,
        spin=spin,
        velocity=np.cross(spin, centre),
        mark=(0.5, 1.0, 0.0),
    )
    for height in np.linspace(-0.8, 0.8, hinges):
        made.joint(GROUND, 0, lean @ np.array([0.0, height, 0.0]), HINGE, lean @ about(Y))
    return made


def welded_bar(welds: int = 2) -> Assembly:
    """Return a pendulum of two rods that are joined by welds where they overlap."""
    made = Assembly()
    made.rod((0.0, 0.0, 0.0), (0.6, 0.0, 0.0), 2.0)
    made.rod((0.4, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0)
    made.joint(GROUND, 0, (0.0, 0.0, 0.0), HINGE, about((0.3, 0.0, 1.0)))
    for place in np.linspace(0.4, 0.6, welds):
        made.joint(0, 1, (place, 0.0, 0.0), WELD)
    return made
