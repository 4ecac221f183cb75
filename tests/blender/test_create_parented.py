# SPDX-License-Identifier: GPL-3.0-or-later
"""New joints of what is parented: who becomes a body, and who is part of another."""

from __future__ import annotations

from itertools import pairwise

import bpy
import pytest
from blender.anyhow import moved
from bpy.types import Object
from mathutils import Euler
from redo import press
from scenes import select, slab

from omi_physics_joint.blender.create.selection import bodies_needed
from omi_physics_joint.blender.joints.authoring import AuthoringError, Pair


def parented(obj: Object, above: Object) -> None:
    """Parent an object where it is."""
    obj.parent = above
    obj.matrix_parent_inverse = above.matrix_world.inverted()


def test_a_part_of_a_body_and_its_part_become_two_bodies() -> None:
    """A handle below a door that is no body yet: both become bodies, and the joint is theirs."""
    leaf, handle = (
        slab("Leaf", (0.0, 0.0, 1.0), (0.9, 0.05, 2.0)),
        slab("Handle", (0.4, 0.1, 1.0), (0.1, 0.1, 0.1)),
    )
    parented(handle, leaf)
    select(leaf, handle)
    assert press("omi_joint.create", kind="HINGE") == {"FINISHED"}
    joint = bpy.context.object
    assert {joint.parent, joint.omi_physics_joint.connected_body} == {leaf, handle}
    with pytest.raises(AuthoringError, match="are one body"):
        bodies_needed([Pair(leaf, leaf)], lambda _: "dynamic")


def test_a_part_of_what_becomes_a_body_is_none_of_its_own() -> None:
    """A post, and a leaf with its handle, selected together: the handle goes with the leaf."""
    leaf, handle = slab("Leaf", (0.6, 0.0, 1.0), (0.9, 0.05, 2.0)), slab("H", (1, 0, 1), (0.1,) * 3)
    parented(handle, leaf)
    post = slab("Post", (0.0, 0.0, 1.0), (0.1, 0.1, 2.0))
    select(leaf, handle, post)
    assert press("omi_joint.create", kind="HINGE") == {"FINISHED"}
    bodies = {obj for obj in bpy.data.objects if obj.omi_physics_body.is_body}
    assert bodies == {leaf, post}


@pytest.mark.parametrize("holder", ["none", "head", "one another", "every second"])
def test_each_link_of_a_chain_is_a_body_whatever_it_is_parented_to(holder: str) -> None:
    """A tail whose bones were parented to the head, or each to the one before."""
    links = [slab("Link", (0.3 * n, 0.0, 1.0), (0.26, 0.1, 0.08)) for n in range(5)]
    for number, link in enumerate(links[1:]):
        if holder in {"head", "one another"} or (holder == "every second" and number % 2):
            parented(link, links[number if holder == "one another" else 0])
    moved(*links, turn=Euler((0.3, 0.4, 2.0)))
    select(*links[::-1])
    press("omi_joint.create", kind="PIN", chain=True)
    assert all(link.omi_physics_body.is_body for link in links)
    made = [obj for obj in bpy.data.objects if obj.omi_physics_joint.is_joint]
    ends = [{joint.parent, joint.omi_physics_joint.connected_body} for joint in made]
    assert len(ends) == len(links) - 1
    assert all(set(pair) in ends for pair in pairwise(links))


def test_what_is_clicked_and_is_not_what_is_joined_is_told(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A forearm that was parented to the torso, and a rig instead of its bone."""
    torso, upper, fore = (
        slab(name, (x, 0.0, 1.4), (0.3, 0.1, 0.1))
        for name, x in (("Torso", 0.0), ("Upper", 0.31), ("Fore", 0.62))
    )
    for arm in (upper, fore):
        parented(arm, torso)
    for pair, is_told in (((torso, upper), False), ((upper, fore), True)):
        select(*pair)
        press("omi_joint.create", kind="PIN")
        said = "Fore is part of Torso, which is joined to Upper already"
        assert (said in capfd.readouterr().out) is is_told
    bpy.ops.object.armature_add(location=(2.0, 0.0, 1.0))
    rig = bpy.context.object
    for is_last in (False, True):
        lantern = slab("Lantern", (2.0, 0.0, 1.5 + 0.5 * is_last), (0.2, 0.2, 0.3))
        select(*((lantern, rig) if is_last else (rig, lantern)))
        press("omi_joint.create", kind="PIN")
        assert f"{rig.name} as a whole holds {lantern.name}" in capfd.readouterr().out
