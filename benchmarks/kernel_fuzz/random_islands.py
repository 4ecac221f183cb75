# SPDX-License-Identifier: GPL-3.0-or-later
"""Random islands by number, as the arrays of the kernel: from sound to nonsense, always finite."""

from __future__ import annotations

from math import inf, pi
from typing import Any

import numpy as np

from .elimination_plan import elimination_plan
from .harness_input import Case

Random = np.random.Generator


def random_case(seed: int) -> Case:
    """Return the island of a number: some have wild numbers, some are fallen apart."""
    random = np.random.default_rng(seed)
    wild, apart = random.random() < 0.2, random.random() < 0.15
    spread = 6.0 if wild else 1.0
    bodies = int(random.integers(1, 7)) if random.random() < 0.9 else int(random.integers(7, 15))
    others = int(random.integers(1, 3))
    size = float(10.0 ** random.uniform(-2, 2)) if wild else 1.0
    position = random.normal(size=(bodies + others, 3)) * size
    rotation = np.stack([random_rotation(random) for _ in range(bodies + others)])
    ends, closed = random_ends(random, bodies, others)
    island = joined(random, ends, position, rotation, size if apart else 0.0)
    island |= random_rows(random, len(ends), wild)
    island |= random_elements(random, island["locked"], spread)
    mass = 10.0 ** random.uniform(-spread, spread, bodies)
    arm = size * 10.0 ** random.uniform(-0.5 * spread, 0.0, (bodies, 3))
    roots = np.sqrt(np.concatenate([np.repeat(mass[:, None], 3, 1), mass[:, None] * arm**2], 1))
    weight = np.zeros((bodies, 6))
    weight[:, 1] = -9.81 * roots[:, 1]
    plan = elimination_plan(bodies, ends.tolist())
    island |= {"bodies": bodies, "others": others, "joints": len(ends), "closed": int(closed)}
    island |= {"rows": len(island["locked"]), "elements": len(island["stiffness"]), "size": size}
    island |= {"roots": roots, "weight": weight, "ends": ends, **plan}
    rate = 10.0 ** random.uniform(-1, 3 if wild else 1)
    state = {
        "position": position,
        "rotation": rotation,
        "velocity": random.normal(size=(bodies, 6)) * rate * roots,
        "value": np.zeros(island["rows"]),
        "guess": np.zeros((3, bodies, 6)),
        "span": np.zeros(2),
        "side": np.zeros(island["rows"], np.int32),
        "mode": 1 - island["one_sided"],
    }
    other = random.normal(size=(others, 6)) * (rate if random.random() < 0.3 else 0.0)
    dt = float(random.choice([1 / 24, 1 / 60, 1 / 240, 1 / 1920]))
    return Case(seed, island, state, other, dt)


def random_rotation(random: Random, angle: float = pi) -> np.ndarray:
    """Return a rotation matrix by at most an angle about any axis."""
    axis = random.normal(size=3)
    axis *= random.uniform(-angle, angle) / np.linalg.norm(axis)
    turn = np.linalg.norm(axis)
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    part = (1 - np.cos(turn)) / turn**2
    matrix: np.ndarray = np.eye(3) + np.sin(turn) / turn * skew + part * skew @ skew
    return matrix


def random_ends(random: Random, bodies: int, others: int) -> tuple[np.ndarray, bool]:
    """Return which bodies each joint joins, one of them moving, and whether there are loops."""
    ends = []
    for body in range(bodies):  # a tree
        partner = int(random.integers(0, body)) if body and random.random() < 0.8 else bodies
        ends.append((body, partner))
    loops = int(random.integers(1, 4)) if random.random() < 0.4 else 0
    for _ in range(loops):
        first = int(random.integers(0, bodies))
        second = int(random.integers(0, bodies + others))
        ends.append((first, second if second != first else bodies))
    turned = [pair[:: random.choice((1, -1))] for pair in ends]
    return np.array(turned, np.int32), loops > 0


def joined(
    random: Random, ends: np.ndarray, position: np.ndarray, rotation: np.ndarray, apart: float
) -> dict[str, Any]:
    """Return anchors and axes of joints whose frames coincide, or are about so far apart, in m."""
    anchors, axes = np.zeros((len(ends), 2, 3)), np.zeros((len(ends), 2, 9))
    for joint, pair in enumerate(ends):
        point = position[pair].mean(0)
        frame = random_rotation(random)
        for side, body in enumerate(pair):
            turn = rotation[body]
            off = random.normal(size=3) * 0.3 * apart * side
            twist = random_rotation(random, 2.0) if apart and side else np.eye(3)
            anchors[joint, side] = turn.T @ (point + off - position[body])
            axes[joint, side] = (turn.T @ frame @ twist).ravel()
    return {"anchors": anchors, "axes": axes}


def random_rows(random: Random, joints: int, wild: bool) -> dict[str, Any]:
    """Return the rows of joints of any kind: locks, bounds, and rows that only springs are at."""
    start, rows = [0], []
    for _ in range(joints):
        for coordinate in range(6):
            kind = random.choice(["lock", "bounds", "free", "none"], p=(0.55, 0.2, 0.1, 0.15))
            low, high = sorted(random.normal(size=2)) if kind == "bounds" else (-inf, inf)
            if kind == "bounds" and not wild:
                low, high = min(low, 0.0), max(high, 0.0)
            if kind != "none":
                at = random.uniform(-3, 3) if wild and coordinate > 2 else 0.0
                rows.append((coordinate, kind == "lock", at, low, high))
        start.append(len(rows))
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * 5
    numbers = [np.array(column, np.float64) for column in columns[2:]]
    return {
        "row_start": np.array(start, np.int32),
        "coordinate": np.array(columns[0], np.int32),
        "locked": np.array(columns[1], np.int32),
        **dict(zip(("lock_angle", "low", "high"), numbers, strict=True)),
    }


def random_elements(random: Random, locked: np.ndarray, spread: float) -> dict[str, Any]:
    """Return springs, soft limits and drives at some of the rows."""
    at = [row for row in range(len(locked)) if random.random() < (0.05 if locked[row] else 0.2)]
    count = len(at)
    bounds = np.sort(random.normal(size=(2, count)), 0)
    bounds[0, random.random(count) < 0.2] = -inf
    limited = random.random(count) < 0.5
    return {
        "element_row": np.array(at, np.int32),
        "one_sided": random.integers(0, 2, count).astype(np.int32),
        "stiffness": 10.0 ** random.uniform(-2, 3 + spread, count) * (random.random(count) < 0.8),
        "damping": 10.0 ** random.uniform(-3, 1 + spread, count) * (random.random(count) < 0.6),
        "soft_low": bounds[0],
        "soft_high": bounds[1],
        "target": random.normal(size=count),
        "speed": random.normal(size=count) * 3.0,
        "max_force": np.where(limited, 10.0 ** random.uniform(-1, 3, count), inf),
    }
