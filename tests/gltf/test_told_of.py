# SPDX-License-Identifier: GPL-3.0-or-later
"""What other programs leave in files that is read in another way than it was meant is told."""

from __future__ import annotations

import pytest
from omi_documents import codes, door

from omi_physics_joint.gltf.read import read


@pytest.mark.parametrize(
    ("capsule", "is_told"),
    [
        ({"radius": 0.25, "height": 2.0}, False),
        ({"radius": 0.1, "height": 0.2}, False),  # a ball that is meant
        ({"radius": 0.30000001192092896, "height": 0.6}, False),  # in single precision
        ({"radius": 0.25, "height": 0.4}, True),
        ({"radius": 0.25, "height": -1.0}, True),
        ({"radiusBottom": 0.25, "radiusTop": 0.25, "height": 0.1}, False),  # between its ends
        ({"radius": 0.25, "radiusBottom": 0.25, "height": 0.4}, False),
        ({"radius": 0.25, "radiusTop": 0.25, "height": 0.4}, False),
    ],
)
def test_a_capsule_that_is_lower_than_its_ends_is_told(
    capsule: dict[str, float], *, is_told: bool
) -> None:
    """It became a ball of another size than was asked for."""
    gltf = door()
    gltf["extensions"]["OMI_physics_shape"]["shapes"] = [{"type": "capsule", "capsule": capsule}]
    assert codes(read(gltf)) == ["capsule-height"] * is_told


@pytest.mark.parametrize(
    ("scenes", "shown", "is_told"),
    [
        ([[], [0, 2]], 0, True),
        ([[], [0, 2]], 1, False),
        ([[0, 2], []], 1, True),
        ([[0, 2], [0, 2]], 1, False),
        ([[0], [2]], 1, False),
        ([[], [0, 2]], None, False),
        ([[], [0, 2]], 7, False),
    ],
)
def test_physics_in_another_scene_than_that_shown_is_told_of(
    scenes: list[list[int]], shown: int | None, *, is_told: bool
) -> None:
    """Readers show the one that the file names; a file that names none leaves it to them."""
    gltf = door()
    gltf |= {"scenes": [{"nodes": nodes} for nodes in scenes], "scene": shown}
    if shown is None:
        del gltf["scene"]
    found = [one for one in read(gltf).issues if one.code == "node-in-no-scene"]
    assert len(found) == is_told
    assert all(f"Scene {shown} " in one.message for one in found)
