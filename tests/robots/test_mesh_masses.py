# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of MJCF weigh what they do in MuJoCo: meshes by its four rules, all as compilers say."""

from __future__ import annotations

from pathlib import Path

import pytest
from robot_models import named, read

CORNERS = ((0.0, 0.0), (0.3, 0.0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.3), (0.0, 0.3))
"""m: an L, which is 0.2 m thick and not convex."""
CAP = ((0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4))
ROUND = [(i, (i + 1) % 6) for i in range(6)]
SIDES = [face for i, j in ROUND for face in ((i, j, j + 6), (i, j + 6, i + 6))]
FACES = [*CAP, *((a + 6, c + 6, b + 6) for a, b, c in CAP), *SIDES]


@pytest.mark.parametrize(
    ("rule", "mass", "along", "moments"),
    [
        ("", 10.65426, 0.11226738, (0.07285008, 0.14559225, 0.14915862)),
        ("inertia='legacy'", 10.65426, 0.11226738, (0.07285008, 0.14559225, 0.14915862)),
        ("inertia='exact'", 10.0, 0.11, (0.06966667, 0.14166667, 0.14466667)),
        ("inertia='convex'", 14.0, 0.12619048, (0.10579366, 0.16833333, 0.18079368)),
        ("inertia='shell'", 340.0, 0.11470589, (3.63627489, 6.48333413, 6.51960871)),
    ],
)
def test_a_folded_mesh_weighs_what_it_does_in_mujoco(
    rule: str, mass: float, along: float, moments: tuple[float, ...], tmp_path: Path
) -> None:
    """Mass, centre and moments of inertia are those of MuJoCo 4.0.0, within single precision."""
    points = [(x, y, z) for z in (0.0, 0.2) for x, y in CORNERS]
    lists = (" ".join(str(one) for row in rows for one in row) for rows in (points, FACES))
    text = (
        f"<mujoco><asset><mesh name='m' {rule} vertex='{next(lists)}' face='{next(lists)}'/>"
        "</asset><worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m'/></body>"
        "</worldbody></mujoco>"
    )
    motion = named(read(text, tmp_path)[0].mechanism, "b").motion
    assert motion is not None
    assert motion.mass == pytest.approx(mass, rel=1e-6)
    assert motion.center == pytest.approx((along, 0.1, -along), rel=1e-6)
    assert sorted(motion.inertia_diagonal) == pytest.approx(sorted(moments), rel=1e-6)


def test_geoms_weigh_whose_group_the_last_compiler_names(tmp_path: Path) -> None:
    """The first and the last group of its range weigh too, and no other."""
    masses = {0: 1.0, 1: 2.0, 2: 4.0, 3: 8.0}
    geoms = (f"<geom size='1' group='{group}' mass='{mass}'/>" for group, mass in masses.items())
    ranges = ("0 3", "1 2")
    text = (
        f"<mujoco>{''.join(f'<compiler inertiagrouprange={one!r}/>' for one in ranges)}"
        f"<worldbody><body name='b'><freejoint/>{''.join(geoms)}</body></worldbody></mujoco>"
    )
    motion = named(read(text, tmp_path)[0].mechanism, "b").motion
    assert motion is not None
    assert motion.mass == pytest.approx(2.0 + 4.0)


@pytest.mark.parametrize(
    ("said", "moments", "wanted"),
    [("true", "1 2 6", (3, 3, 3)), ("true", "1 2 3", (1, 2, 3)), ("false", "1 2 6", (1, 2, 6))],
)
def test_moments_no_body_has_are_balanced_where_the_compiler_says_so(
    said: str, moments: str, wanted: tuple[float, ...], tmp_path: Path
) -> None:
    """Each is the mean of the three where two together are less than the third."""
    text = (
        f"<mujoco><compiler balanceinertia='{said}'/><worldbody><body name='b'><freejoint/>"
        f"<inertial pos='0 0 0' mass='1' diaginertia='{moments}'/></body></worldbody></mujoco>"
    )
    motion = named(read(text, tmp_path)[0].mechanism, "b").motion
    assert motion is not None
    assert sorted(motion.inertia_diagonal) == pytest.approx(wanted)
