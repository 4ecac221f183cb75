# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies in files for Godot: nested ones side by side, scaled ones without a scale."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.geometry.transform import compose
from omi_physics_joint.model.godot.written import written
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Box

DYNAMIC = Motion(MotionType.DYNAMIC)


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("root", [None, 0])
def test_bodies_one_in_another_are_all_beside_the_first(count: int, root: int | None) -> None:
    """However deep: Godot moves a child along with its parent, and then once more."""
    first = 0 if root is None else 1
    above = () if root is None else (Node("Root", world=compose((20.0, 1.0, -3.0))),)
    bodies = tuple(
        Node(
            f"Body {i}",
            root if i == 0 else first + i - 1,
            compose((float(i), 1.0, 0.0)),
            motion=DYNAMIC,
            collider=Collider(0),
        )
        for i in range(count)
    )
    made = written(Mechanism((*above, *bodies), shapes=(Box((1.0, 1.0, 1.0)),)))
    nodes = {node.name: node for node in made.nodes}
    for i in range(count):
        body = nodes[f"Body {i}"]
        above_it = [made.nodes[one] for one in made.ancestry(body.parent)]
        assert not any(node.motion is not None for node in above_it)
        assert body.world == bodies[i].world


@pytest.mark.parametrize("motion", [DYNAMIC, replace(DYNAMIC, type=MotionType.STATIC), None])
def test_a_gravity_volume_is_as_large_without_the_scale_of_its_body(motion: Motion | None) -> None:
    """What the scale made of it stands in its shape, as of colliders."""
    node = Node(
        "Body",
        world=compose((20.0, 1.0, -3.0), (0.0, 0.0, 0.0, 1.0), (2.0, 2.0, 2.0)),
        motion=motion,
        collider=Collider(0) if motion is not None else None,
        gravity_shape=1,
    )
    shapes = (Box((1.0, 1.0, 1.0)), Box((3.0, 1.0, 2.0)))
    made = written(Mechanism((node,), shapes=shapes))
    (body,) = (one for one in made.nodes if one.gravity_shape is not None)
    scale = 1.0 if motion is not None else 2.0
    assert [row[i] for i, row in enumerate(body.world[:3])] == pytest.approx([scale] * 3)
    assert made.shapes[body.gravity_shape or 0].size == pytest.approx(
        (6.0 / scale, 2.0 / scale, 4.0 / scale)
    )
