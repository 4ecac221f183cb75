# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed between two mechanisms, in words: all that means something and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from math import radians
from typing import Any

import pytest
from hypothesis import given
from omi_documents import door
from omi_mechanisms import Sample, over, samples

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.body import Collider
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.joint import Breaking
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Plane

Edit = Callable[[dict[str, Any]], object]
MANY = over(30)
FRAME, ATTACHMENT, DOOR, HINGE = range(4)
BODY, JOINT, SHAPE = "OMI_physics_body", "OMI_physics_joint", "OMI_physics_shape"
GRAVITY = "OMI_physics_gravity"


def lines(edit: Edit, first: Edit = lambda gltf: None) -> list[str]:
    """Return what is said of an edit of the door, after a first edit of both."""
    before = door()
    first(before)
    after = deepcopy(before)
    edit(after)
    return [str(change) for change in changes(read(before).mechanism, read(after).mechanism)]


def joint_of(gltf: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the hinge."""
    found: dict[str, Any] = gltf["extensions"][JOINT]["physicsJoints"][0]
    return found


def body_of(gltf: dict[str, Any], node: int = DOOR) -> dict[str, Any]:
    """Return the body extension of a node."""
    found: dict[str, Any] = gltf["nodes"][node]["extensions"][BODY]
    return found


def motor(**members: Any) -> dict[str, Any]:
    """Return a drive about Z."""
    return {"type": "angular", "mode": "force", "axis": 2, **members}


def pull(gltf: dict[str, Any], kind: str, mesh: int) -> None:
    """Give the door frame a gravity within a mesh."""
    gltf["meshes"] = [{"name": "First"}, {"name": "Second"}]
    shapes = gltf["extensions"][SHAPE]["shapes"]
    shapes.append({"type": kind, kind: {"mesh": mesh}})
    gltf["nodes"][FRAME]["extensions"][GRAVITY] = {
        "type": "shaped",
        "shaped": {"shape": len(shapes) - 1},
    }


EDITS: dict[str, tuple[Edit, list[str]]] = {
    "bound, by little": (
        lambda g: joint_of(g)["limits"][2].update(max=1.5 + 1.2345e-5),
        ["Door Hinge: upper bound 85.94367\u00b0 -> 85.94438\u00b0"],
    ),
    "bound": (
        lambda g: joint_of(g)["limits"][2].update(max=radians(110.0)),
        ["Door Hinge: upper bound 85.94\u00b0 -> 110\u00b0"],
    ),
    "no bound": (
        lambda g: joint_of(g)["limits"][2].pop("max"),
        ["Door Hinge: upper bound 85.94\u00b0 -> none"],
    ),
    "soft": (
        lambda g: joint_of(g)["limits"][2].update(stiffness=40.0),
        ["Door Hinge: stiffness rigid -> 40 N m/rad"],
    ),
    "free": (
        lambda g: joint_of(g)["limits"].pop(1),
        ["Door Hinge: turn about X held -> free", "Door Hinge: turn about Y held -> free"],
    ),
    "spring": (
        lambda g: joint_of(g).update(drives=[motor(positionTarget=radians(90.0), stiffness=3.0)]),
        ["Door Hinge: drive none -> target position 90\u00b0, stiffness 3 N m/rad"],
    ),
    "drive to nothing": (lambda g: joint_of(g).update(drives=[motor(damping=3.0)]), []),
    "collision": (
        lambda g: g["nodes"][HINGE]["extensions"][JOINT].update(enableCollision=True),
        ["Door Hinge: collision of its bodies off -> on"],
    ),
    "mass": (
        lambda g: body_of(g)["motion"].update(mass=2.0),
        ["Door: mass 1 kg -> 2 kg"],
    ),
    "a little mass": (
        lambda g: body_of(g)["motion"].update(mass=1.00001),
        ["Door: mass 1 kg -> 1.00001 kg"],
    ),
    "no mass that counts": (lambda g: body_of(g)["motion"].update(mass=1.0 + 1e-8), []),
    "velocity": (
        lambda g: body_of(g)["motion"].update(angularVelocity=[0, radians(90.0), 0]),
        ["Door: turning velocity (0, 0, 0)\u00b0/s -> (0, 90, 0)\u00b0/s"],
    ),
    "kinematic": (
        lambda g: body_of(g)["motion"].update(type="kinematic"),
        ["Door: body dynamic -> kinematic"],
    ),
    "static": (
        lambda g: body_of(g)["motion"].update(type="static"),
        ["Door: body dynamic -> static"],
    ),
    "shape": (
        lambda g: g["extensions"][SHAPE]["shapes"].__setitem__(
            0, {"type": "sphere", "sphere": {"radius": 2}}
        ),
        ["Door: collider box 1 \u00d7 2 \u00d7 0.1 m -> sphere of radius 2 m"],
    ),
    "gravity volume": (
        lambda g: pull(g, "convex", 1),
        ["Frame: gravity volume none -> convex of Second"],
    ),
    "material": (
        lambda g: (
            g["extensions"].update({BODY: {"physicsMaterials": [{"dynamicFriction": 0.2}]}}),
            body_of(g)["collider"].update(physicsMaterial=0),
        ),
        ["Door: physics material none -> dynamic friction 0.2"],
    ),
    "filter": (
        lambda g: (
            g["extensions"].update({BODY: {"collisionFilters": [{"collisionSystems": ["A"]}]}}),
            body_of(g)["collider"].update(collisionFilter=0),
        ),
        ["Door: collision systems none -> A"],
    ),
    "moved": (
        lambda g: g["nodes"][DOOR].update(translation=[1.0, 0.0, 0.25]),
        ["Door: moved by 0.25 m"],
    ),
    "turned": (
        lambda g: g["nodes"][HINGE].update(rotation=[0.0, 0.0, 0.70710678, 0.70710678]),
        ["Door Hinge: turned by 90\u00b0"],
    ),
    "second frame": (
        lambda g: g["nodes"][ATTACHMENT].update(translation=[0.5, 0.002, 0.0]),
        ["Frame Attachment: moved by 2 mm"],
    ),
    "new": (
        lambda g: g["nodes"].append(
            {"name": "Wall", "extensions": {BODY: {"collider": {"shape": 0}}}}
        ),
        ["Wall: new (collider)"],
    ),
    "joint removed": (
        lambda g: g["nodes"][HINGE].pop("extensions"),
        ["Door Hinge: joint Hinge -> none"],
    ),
    "renamed": (lambda g: g["nodes"][DOOR].update(name="Gate"), ["Door: now called Gate"]),
    "gravity": (
        lambda g: g["extensions"].update(OMI_physics_gravity={"gravity": 1.62}),
        ["Gravity: (0, -9.81, 0) m/s\u00b2 -> (0, -1.62, 0) m/s\u00b2"],
    ),
    "names of what is shared": (lambda g: joint_of(g).update(name="Other"), []),
    "a joint said axis by axis": (
        lambda g: joint_of(g)["limits"].__setitem__(
            slice(1, 2), [{"angularAxes": [axis], "min": 0, "max": 0} for axis in (1, 0)]
        ),
        [],
    ),
    "what is no physics": (lambda g: g["nodes"].append({"name": "Lamp"}), []),
    "a static body that is said": (
        lambda g: g["nodes"][FRAME]["extensions"].pop(BODY),
        [],
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_said_in_words(name: str) -> None:
    """One line for what was edited, with both values in the units that people read."""
    edit, expected = EDITS[name]
    assert lines(edit) == expected


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_as_long_undone(name: str) -> None:
    """What is said the one way is said the other way round too."""
    edit, expected = EDITS[name]
    after = door()
    edit(after)
    back = changes(read(after).mechanism, read(door()).mechanism)
    assert len(back) == len(expected)


def test_axes_are_named_where_several_move() -> None:
    """A joint that turns two ways says about which axis."""

    def free(gltf: dict[str, Any]) -> None:
        joint_of(gltf)["limits"][1] = {"angularAxes": [0], "min": 0, "max": 0}

    found = lines(lambda gltf: joint_of(gltf)["limits"][2].update(max=1.0), free)
    assert found == ["Door Hinge: upper bound about Z 85.94\u00b0 -> 57.3\u00b0"]


def test_nodes_are_matched_by_name_not_by_index() -> None:
    """Whatever else has come into the scene before them."""

    def shifted(gltf: dict[str, Any]) -> None:
        gltf["nodes"] = [{"name": "Lamp"}, *gltf["nodes"]]
        for node in gltf["nodes"]:
            node["children"] = [child + 1 for child in node.get("children", ())]
            if not node["children"]:
                del node["children"]
        gltf["nodes"][HINGE + 1]["extensions"][JOINT]["connectedNode"] += 1
        body_of(gltf, DOOR + 1)["motion"]["mass"] = 3.0

    assert lines(shifted) == ["Door: mass 1 kg -> 3 kg"]


def test_names_that_repeat_are_told_apart() -> None:
    """By their index, and each is held against its own."""

    def twins(gltf: dict[str, Any]) -> None:
        gltf["nodes"] += [
            {"name": "Leaf", "extensions": {BODY: {"motion": {"type": "dynamic", "mass": mass}}}}
            for mass in (1.0, 2.0)
        ]

    found = lines(lambda gltf: body_of(gltf, 5)["motion"].update(mass=5.0), twins)
    assert found == ["Leaf (node 5): mass 2 kg -> 5 kg"]


def test_the_volume_of_a_gravity_is_told_apart() -> None:
    """By its mesh and by what is taken of it; a node that says nothing else is named too."""

    def hull(gltf: dict[str, Any]) -> None:
        pull(gltf, "convex", 1)

    assert lines(lambda g: pull(g, "convex", 0), hull) == [
        "Frame: gravity volume convex of Second -> convex of First"
    ]
    assert lines(lambda g: pull(g, "trimesh", 1), hull) == [
        "Frame: gravity volume convex of Second -> trimesh of Second"
    ]
    assert lines(hull, hull) == []

    def well(gltf: dict[str, Any]) -> None:
        hull(gltf)
        gravity = gltf["nodes"][FRAME]["extensions"].pop(GRAVITY)
        gltf["nodes"].append({"name": "Well", "extensions": {GRAVITY: gravity}})

    assert lines(well) == ["Well: new (gravity volume)"]


def test_keys_are_told_apart() -> None:
    """A number that changes with time, or does so otherwise: to others, at others, or in steps."""
    pointer = f"/extensions/{JOINT}/physicsJoints/0/limits/2/max"
    keys = Keys("", (0.0, 1.0, 2.0), (1.0, 1.5, 1.0))
    odd = {"values": (1.0, 1.25, 1.0)}, {"times": (0.0, 0.5, 2.0)}, {"is_stepped": True}
    several = (keys, *(replace(keys, **one) for one in odd))
    one, *others = (read(door(), {pointer: each}).mechanism for each in several)
    words, which = "Door Hinge: keys of the upper bound", "3 keys at 0 to 2 s"
    assert [str(it) for it in changes(read(door()).mechanism, one)] == [f"{words} none -> {which}"]
    for other in others:
        assert [str(it) for it in changes(one, other)] == [
            f"{words} {which} -> {which} that are others"
        ]
    assert changes(one, one) == ()


def test_what_hangs_on_almost_nothing_has_not_moved() -> None:
    """Below a parent too small to divide by, a node is where it was."""

    def shrunk(gltf: dict[str, Any]) -> None:
        gltf["nodes"][DOOR]["scale"] = [2.0, 1e-157, 1e-160]

    assert lines(lambda gltf: None, shrunk) == []


def test_a_change_of_scale_belongs_to_the_place() -> None:
    """What asks for the part of a change is not told that it was gravity."""
    after = door()
    after["nodes"][DOOR]["scale"] = [2.0, 2.0, 2.0]
    found = changes(read(door()).mechanism, read(after).mechanism)
    assert {change.fact.part for change in found if change.fact.what == "scale"} == {"place"}


def test_another_body_is_named() -> None:
    """A joint that is moved to another body says which, and not where its frame is in it."""

    def other(gltf: dict[str, Any]) -> None:
        gltf["nodes"].append(
            {"name": "Cart", "extensions": {BODY: {"motion": {"type": "dynamic"}}}}
        )

    found = lines(
        lambda gltf: gltf["nodes"][HINGE]["extensions"][JOINT].update(connectedNode=4), other
    )
    assert found == ["Door Hinge: second body Frame -> Cart"]


@pytest.mark.long
@MANY
@given(samples())
def test_a_mechanism_is_the_same_in_both_dialects(sample: Sample) -> None:
    """But for what only OMI can say, each of which is a change that names it."""
    numbering = sample.same_numbers()
    spelled = {
        choice: read(
            json.loads(
                json.dumps(patched(sample.gltf, spell(sample.mechanism, numbering, spoken=spoken)))
            )
        ).mechanism
        for choice, spoken in (
            ("omi", (Spoken.OMI,)),
            ("khr", (Spoken.KHR,)),
            ("both", tuple(Spoken)),
        )
    }
    assert changes(spelled["omi"], spelled["omi"]) == ()
    assert changes(spelled["omi"], spelled["both"]) == ()
    named = {
        ("collider", "compound"),
        ("trigger", "compound"),
        ("body", "static"),
    }
    for change in changes(spelled["omi"], spelled["khr"]):
        fact = change.fact
        if fact.what in ("first body", "second body"):  # what is not static moves with another
            assert "(static" in _above(spelled["omi"], change.nodes[0])
        else:
            assert (fact.what, fact.before) in named


def _above(mechanism: Mechanism, index: int | None) -> str:
    """Return how the bodies move that a joint's frames are on or below."""
    node = mechanism.nodes[index or 0]
    assert node.joint is not None
    ends = (index, node.joint.connected_node)
    above = [one for end in ends for one in mechanism.ancestry(end)]
    motions = [mechanism.nodes[one].motion for one in above]
    return " ".join(f"({motion.type}" for motion in motions if motion is not None)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"breaking": Breaking(20.0, 1.5)}, "what breaks it nothing -> 20 N or 1.5 N m"),
        ({"enabled": False}, "whether it holds yes -> muted"),
    ],
)
def test_what_no_gltf_can_say_of_a_joint_is_said(other: dict[str, Any], said: str) -> None:
    """Mechanisms of other formats alone differ in it."""
    before = read(door()).mechanism
    nodes = list(before.nodes)
    joint = nodes[HINGE].joint
    assert joint is not None
    nodes[HINGE] = replace(nodes[HINGE], joint=replace(joint, **other))
    after = replace(before, nodes=tuple(nodes))
    assert [str(change) for change in changes(before, after)] == [f"Door Hinge: {said}"]


def test_a_plane_that_is_solid_on_both_sides_is_another() -> None:
    """Its sizes are the same."""
    node = Node("Floor", collider=Collider(0))
    one, other = (Mechanism((node,), shapes=(Plane(double_sided=both),)) for both in (False, True))
    assert len(list(changes(one, other))) == 1
    assert not list(changes(one, one))


def test_a_body_that_starts_asleep_is_said() -> None:
    """Likewise of bodies."""
    before = read(door()).mechanism
    nodes = tuple(
        node
        if node.motion is None
        else replace(node, motion=replace(node.motion, starts_asleep=node.name == "Door"))
        for node in before.nodes
    )
    after = replace(before, nodes=nodes)
    assert [str(change) for change in changes(before, after)] == ["Door: start awake -> asleep"]


def test_the_other_sign_of_a_quaternion_is_the_same_turn() -> None:
    """Axes of inertia that are turned by -q are those that are turned by q."""
    both = (door(), door())
    for gltf, q in zip(both, ([0, 0, 0.6, 0.8], [0, 0, -0.6, -0.8]), strict=True):
        body_of(gltf)["motion"].update(inertiaDiagonal=[1, 2, 2.5], inertiaOrientation=q)
    assert not list(changes(*(read(gltf).mechanism for gltf in both)))
