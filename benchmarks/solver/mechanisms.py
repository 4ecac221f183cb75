# SPDX-License-Identifier: GPL-3.0-or-later
"""The mechanisms that are measured. Random ones are seeded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .linkages import four_bar, spatial_loop
from .ragdoll import ragdoll
from .rotations import about, from_x_to, product, turned
from .scene import WORLD, Joint, Kind, Scene, point

LINK = 0.2
THICK = LINK / 10.0
SEED = 3


def chain(count: int) -> Scene:
    """Return a horizontal chain of rods of 1 kg on ball joints, let go."""
    positions = np.zeros((count, 3))
    positions[:, 0] = LINK * (np.arange(count) + 0.5)
    return Scene(
        f"chain{count}",
        f"chain of {count} ball joints, links of {LINK} m",
        positions,
        np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)),
        np.ones(count),
        np.tile([LINK, THICK, THICK], (count, 1)),
        tuple(Joint(Kind.BALL, i - 1, i, (LINK * i, 0.0, 0.0)) for i in range(count)),
        LINK * count,
        tip=(LINK / 2.0, 0.0, 0.0),
    )


def pendulum() -> Scene:
    """Return one horizontal rod on a hinge, let go."""
    joint = Joint(Kind.HINGE, WORLD, 0, (0.0, 0.0, 0.0))
    return replace(chain(1), name="pendulum", title="pendulum", joints=(joint,))


def heavy_chain() -> Scene:
    """Return ten rods of which the last weighs, and resists turning, 1000 times as much."""
    masses = np.ones(10)
    masses[-1] = 1000.0
    title = "chain of 10 with a 1:1000 weight"
    return replace(chain(10), name="heavy", title=title, masses=masses)


def tree(depth: int = 10) -> Scene:
    """Return a binary tree of rods on ball joints, in random directions, let go.

    Branches spread from their parent's direction by about 35 degrees, so the tree is open and
    hangs from one end: 2^depth - 1 bodies and as many joints.
    """
    generator = np.random.default_rng(SEED)
    positions, directions, joints = [], [], []
    ends = [(np.zeros(3), np.array([1.0, 0.0, 0.0]), WORLD)]
    for _ in range(depth):
        following = []
        for start, along, parent in ends:
            spread = generator.normal(size=3)
            spread -= along * (spread @ along)
            spread /= np.linalg.norm(spread)
            for side in (0.0,) if parent == WORLD else (1.0, -1.0):
                direction = along + 0.7 * side * spread
                direction /= np.linalg.norm(direction)
                index = len(joints)
                joints.append(Joint(Kind.BALL, parent, index, point(start)))
                positions.append(start + direction * LINK / 2.0)
                directions.append(direction)
                following.append((start + direction * LINK, direction, index))
        ends = following
    count = len(joints)
    return Scene(
        "tree",
        f"binary tree of {count} ball joints",
        np.array(positions),
        from_x_to(np.array(directions)),
        np.ones(count),
        np.tile([LINK, THICK, THICK], (count, 1)),
        tuple(joints),
        LINK * depth,
        fps=24,
    )


def slider() -> Scene:
    """Return 1 kg on a vertical slider with a damped spring (10 rad/s), let go at its rest."""
    joint = Joint(
        Kind.SLIDER, WORLD, 0, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), stiffness=100.0, damping=2.0
    )
    return Scene(
        "slider",
        "sprung slider",
        np.zeros((1, 3)),
        np.array([[0.0, 0.0, 0.0, 1.0]]),
        np.ones(1),
        np.full((1, 3), 0.1),
        (joint,),
        9.81 / 100.0,
        seconds=2.0,
    )


def doors(count: int = 1000) -> Scene:
    """Return doors on hinges that lean up to 30 degrees, ajar and let go."""
    generator = np.random.default_rng(SEED)
    width = 0.9
    heading, lean, ajar = generator.uniform(-1.0, 1.0, (3, count))
    horizontal = np.stack([np.cos(np.pi * heading), 0.0 * heading, np.sin(np.pi * heading)], -1)
    tilt = about(horizontal, np.radians(30.0) * lean)
    axes = turned(tilt, np.tile([0.0, 1.0, 0.0], (count, 1)))
    from_door = product(about(axes, np.pi * ajar), tilt)
    rows = np.arange(count)
    anchors = 3.0 * np.stack([rows % 32, 0.0 * rows, rows // 32], -1)
    arms = turned(from_door, np.tile([width / 2.0, 0.0, 0.0], (count, 1)))
    joints = [Joint(Kind.HINGE, WORLD, i, point(anchors[i]), point(axes[i])) for i in range(count)]
    return Scene(
        f"doors{count}",
        f"{count} doors",
        anchors + arms,
        from_door,
        np.full(count, 20.0),
        np.tile([width, 2.0, 0.04], (count, 1)),
        tuple(joints),
        width,
    )


SCENES: dict[str, Callable[[], Scene]] = {
    "pendulum": pendulum,
    "chain10": lambda: chain(10),
    "chain100": lambda: chain(100),
    "chain1000": lambda: chain(1000),
    "tree": tree,
    "ragdoll": lambda: ragdoll(limited=False),
    "ragdoll_limits": lambda: ragdoll(limited=True),
    "four_bar": four_bar,
    "spatial_loop": spatial_loop,
    "slider": slider,
    "heavy": heavy_chain,
    "doors1000": doors,
}
"""By name, in the order of the report."""
QUICK = ("pendulum", "chain10", "four_bar", "slider", "heavy")
