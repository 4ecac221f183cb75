# SPDX-License-Identifier: GPL-3.0-or-later
"""KHR_physics_rigid_bodies: out, in, and beside OMI's extensions in one file."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from math import inf, pi, radians, tan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omi_documents import door
from omi_mechanisms import Sample, limits_together, over, resolved, samples

from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.new_nodes import Numbering, holders_of
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.joint import Drive, DriveMode, Freedom, JointSettings, Limit
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.shape import Convex, Plane, Sphere

BODY, SHAPE = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
MANY = over(30)


def in_khr(members: dict[str, Any], **document: Any) -> dict[str, Any]:
    """Return a document with one node that says this."""
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [BODY, SHAPE],
        "extensions": document,
        "nodes": [{"name": "Thing", "extensions": {BODY: members}}],
    }


def said(mechanism: Mechanism, *spoken: Spoken) -> dict[str, Any]:
    """Return the file of a mechanism that is numbered like it, in some dialects."""
    gltf: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "nodes": [{"name": node.name} for node in mechanism.nodes],
        "meshes": [{"name": name, "primitives": []} for name in mechanism.meshes],
    }
    spelling = spell(mechanism, same(mechanism), spoken=spoken)
    result: dict[str, Any] = json.loads(json.dumps(patched(gltf, spelling), allow_nan=False))
    return result


def same(mechanism: Mechanism) -> Numbering:
    """Return where everything is in a file that is numbered like the mechanism."""
    nodes, meshes = (range(len(each)) for each in (mechanism.nodes, mechanism.meshes))
    return Numbering({i: i for i in nodes}, {i: i for i in meshes})


def pair(*limits: Limit, drives: tuple[Drive, ...] = ()) -> Mechanism:
    """Return two bodies and a joint with these limits."""
    nodes = (
        Node("Post", motion=Motion(MotionType.STATIC)),
        Node("Arm", motion=Motion(MotionType.DYNAMIC, 2.0)),
        Node("Joint", 1),
        Node("Partner", 0),
    )
    made = door_joint(nodes)
    return Mechanism(made, (JointSettings("Hinge", tuple(limits), drives),))


def door_joint(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return the nodes with a joint of the third to the fourth."""
    joint = read(door()).mechanism.nodes[3].joint
    assert joint is not None
    return (*nodes[:2], replace(nodes[2], joint=replace(joint, connected_node=3)), nodes[3])


def nodes_of(gltf: Any) -> list[dict[str, Any]]:
    """Return the nodes of a document."""
    found: list[dict[str, Any]] = gltf["nodes"]
    return found


def joints_in(gltf: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the joints that a file has in KHR's extension."""
    found: list[dict[str, Any]] = gltf["extensions"][BODY]["physicsJoints"]
    return found


@pytest.mark.long
@MANY
@given(samples())
def test_both_dialects_in_one_file_are_one_mechanism(sample: Sample) -> None:
    """What is said twice is read once: nothing disagrees, and all of OMI's is there."""
    spelling = spell(sample.mechanism, sample.same_numbers(), spoken=tuple(Spoken))
    reading = read(json.loads(json.dumps(patched(sample.gltf, spelling), allow_nan=False)))
    assert {issue.code for issue in reading.issues} <= {"foreign-drive", "gravity-of-nodes"}
    count = len(sample.mechanism.nodes)
    ours = replace(reading.mechanism, nodes=reading.mechanism.nodes[:count])
    assert _without_world(resolved(ours), sample) == resolved(sample.mechanism)


def _without_world(nodes: list[Any], sample: Sample) -> list[Any]:
    """Return resolved nodes without the static bodies that KHR's joints to the world are given."""
    return [
        (replace(one[0], motion=None), *one[1:]) if node.motion is None else one
        for one, node in zip(nodes, sample.mechanism.nodes, strict=True)
    ]


@pytest.mark.long
@MANY
@given(samples())
def test_what_khr_can_say_comes_back(sample: Sample) -> None:
    """A file in KHR alone is a fixed point of reading and writing."""
    first = patched(
        sample.gltf, spell(sample.mechanism, sample.same_numbers(), spoken=[Spoken.KHR])
    )
    mechanism = read(first).mechanism
    numbering = replace(same(mechanism), holders=holders_of(nodes_of(first)))
    again = patched(first, spell(mechanism, numbering, spoken=[Spoken.KHR]))
    assert nodes_of(again) == nodes_of(first)
    assert again.get("extensions") == first.get("extensions")


@pytest.mark.long
@MANY
@given(st.lists(limits_together(), min_size=1, max_size=3))
def test_bounds_over_several_axes_come_back(limits: list[Limit]) -> None:
    """Held together in KHR, and in a file of both; OMI alone cannot say it."""
    mechanism = pair(*limits)
    for spoken in ([Spoken.KHR], list(Spoken)):
        reading = read(said(mechanism, *spoken))
        assert "dialects-disagree" not in {issue.code for issue in reading.issues}
        assert canonical(reading.mechanism.settings[0]) == canonical(mechanism.settings[0])
    (settings_,) = read(said(mechanism, Spoken.OMI)).mechanism.settings
    assert not any(limit.together for limit in settings_.limits)


def test_omi_is_given_what_lies_inside() -> None:
    """A rope of 2 m is a cube in it, a cone of 60 degrees two bounds in it."""
    rope = Limit(linear_axes=(0, 1, 2), max=2.0, together=True)
    cone = Limit(angular_axes=(0, 1), max=radians(60.0), together=True)
    gltf = said(pair(rope, cone), Spoken.OMI)
    limits = gltf["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"]
    assert [limit["max"] for limit in limits[:3]] == pytest.approx([2.0 / 3.0**0.5] * 3)
    corner = tan(limits[3]["max"] / 2.0)  # q_x / w there
    swing = 2.0 * corner**2 / (1.0 + 2.0 * corner**2)  # q_x^2 + q_y^2 where q_z is none
    assert swing == pytest.approx(0.25)  # sin(60 / 2)^2
    assert limits[3]["min"] == -limits[3]["max"]


def test_ranges_over_several_axes_are_split_for_khr() -> None:
    """OMI's range on two axes is two ranges; KHR would take one for a disc."""
    gltf = said(pair(Limit(linear_axes=(0, 2), min=-1.0, max=2.0)), Spoken.KHR)
    (joint,) = joints_in(gltf)
    assert joint["limits"] == [
        {"linearAxes": [0], "min": -1.0, "max": 2.0},
        {"linearAxes": [2], "min": -1.0, "max": 2.0},
    ]


def test_ranges_over_several_axes_are_together_in_khr() -> None:
    """A range on three axes is a distance; a lower bound that is no distance is none."""
    gltf = said(pair(), Spoken.KHR)
    joints_in(gltf)[0]["limits"] = [
        {"linearAxes": [0, 1, 2], "min": -0.5, "max": 0.5},
        {"angularAxes": [1, 0], "min": 0.0, "max": 0.0},
    ]
    (settings_,) = read(gltf).mechanism.settings
    assert settings_.limits == (
        Limit(linear_axes=(0, 1, 2), max=0.5, together=True),
        Limit(angular_axes=(1, 0), min=0.0, max=0.0),
    )


def test_limits_on_several_axes_say_where_they_begin() -> None:
    """Readers that make a range of them lose bodies to a missing end; to ours they are the same."""
    rope = Limit(linear_axes=(0, 1, 2), max=2.0, together=True)
    tube = Limit(linear_axes=(0, 2), max=0.5, together=True)
    cone = Limit(angular_axes=(0, 1), max=radians(60.0), together=True)
    one_sided = Limit(linear_axes=(1,), max=1.0)
    for limit, low in ((rope, 0.0), (tube, -0.5), (cone, -radians(60.0)), (one_sided, None)):
        gltf = said(pair(limit), Spoken.KHR)
        (settings_,) = joints_in(gltf)
        assert settings_["limits"][0].get("min") == (None if low is None else pytest.approx(low))
        assert read(gltf).mechanism.settings[0].limits == (limit,)


def test_zero_is_infinite() -> None:
    """Mass and moments of inertia; what is not said is left to be calculated."""
    motion = {"mass": 0, "inertiaDiagonal": [0, 2, 0]}
    mechanism = read(in_khr({"motion": motion})).mechanism
    assert mechanism.nodes[0].motion == Motion(
        MotionType.DYNAMIC, inf, None, inertia_diagonal=(inf, 2.0, inf)
    )
    written = said(mechanism, Spoken.KHR)["nodes"][0]["extensions"][BODY]["motion"]
    assert (written["mass"], written["inertiaDiagonal"]) == (0.0, [0.0, 2.0, 0.0])
    assert (
        read(in_khr({"motion": {"mass": 1}})).mechanism.nodes[0].motion.inertia_diagonal
        == (0.0,) * 3
    )  # type: ignore[union-attr]


def test_a_mass_that_is_not_said_is_noted() -> None:
    """Every engine takes its own, so the user is told; what forces do not move needs none."""
    reading = read(in_khr({"motion": {}}))
    assert [issue.code for issue in reading.issues] == ["mass-left-open"]
    assert not read(in_khr({"motion": {"isKinematic": True}})).issues


def test_an_open_centre_of_mass_stays_open_and_omi_has_what_was_found() -> None:
    """Khronos' readers compute it; OMI's default is the origin, so there stands a number."""
    mechanism = read(in_khr({"motion": {"mass": 1}})).mechanism
    motion = mechanism.nodes[0].motion
    assert motion is not None
    assert motion.center_of_mass is None
    assert (
        "centerOfMass" not in said(mechanism, Spoken.KHR)["nodes"][0]["extensions"][BODY]["motion"]
    )
    weighed = replace(motion, found_center=(0.25, 0.0, 0.5))
    both = said(replace(mechanism, nodes=(Node("Thing", motion=weighed),)), *Spoken)
    assert both["nodes"][0]["extensions"]["OMI_physics_body"]["motion"]["centerOfMass"] == [
        0.25,
        0.0,
        0.5,
    ]
    again = read(both)
    assert again.issues == ()
    found = again.mechanism.nodes[0].motion
    assert found is not None
    assert (found.center_of_mass, found.found_center) == (None, (0.25, 0.0, 0.5))
    assert said(again.mechanism, *Spoken)["nodes"] == both["nodes"]


def test_kinematic_and_static() -> None:
    """A motion that is kinematic says so; a static body has none."""
    mechanism = Mechanism(
        (
            Node("A", motion=Motion(MotionType.KINEMATIC)),
            Node("B", motion=Motion(MotionType.STATIC)),
        )
    )
    nodes = said(mechanism, Spoken.KHR)["nodes"]
    assert nodes[0]["extensions"][BODY]["motion"]["isKinematic"] is True
    assert "extensions" not in nodes[1]


@pytest.mark.parametrize(("solid", "held"), [((0,), 0), ((3,), 3), ((0, 3), 3), ((), 0)])
def test_a_joint_to_the_world_gets_a_static_body(solid: tuple[int, ...], held: int) -> None:
    """The nearest collider that the partner's node is, or is below, else the node above it."""
    gltf = said(pair(), Spoken.KHR)
    gltf["nodes"][0]["children"], gltf["nodes"][1]["children"] = [3], [2]
    for node in solid:
        gltf["nodes"][node]["extensions"] = {BODY: {"collider": {"geometry": {"shape": 0}}}}
    gltf["extensions"][SHAPE] = {"shapes": [{"type": "sphere"}]}
    gltf["extensionsUsed"] = [BODY, SHAPE]
    reading = read(gltf)
    motions = {node: reading.mechanism.nodes[node].motion for node in (0, 3)}
    assert motions == {held: Motion(MotionType.STATIC), 3 - held: None}
    assert not reading.issues


def test_geometry_by_node() -> None:
    """A hull of a mesh, and the node that has it where there is one, best the collider's own."""
    mechanism = Mechanism(
        (Node("Hull", collider=Collider(0)), Node("Other", collider=Collider(1))),
        shapes=(Convex(0), Convex(1)),
        meshes=("A", "B"),
    )
    nodes = [{"mesh": 0}, {"name": "Other"}]
    numbering = Numbering({0: 0, 1: 1}, {0: 0, 1: 1}, holders_of(nodes))
    spelling = spell(mechanism, numbering, spoken=[Spoken.KHR])
    found = [spelling.nodes[i][BODY]["collider"] for i in (0, 1)]
    assert found == [
        {"geometry": {"node": 0, "mesh": 0, "convexHull": True}},
        {"geometry": {"mesh": 1, "convexHull": True}},
    ]
    gltf = patched({"nodes": nodes, "meshes": [{}, {}]}, spelling)
    again = read(gltf).mechanism
    assert [again.shapes[node.collider.shape] for node in again.nodes[:2]] == [Convex(0), Convex(1)]  # type: ignore[index,union-attr]


@pytest.mark.parametrize("hull", [False, True])
@pytest.mark.parametrize("beside", [{}, {"mesh": 0}, {"node": 0}, {"mesh": 0, "node": 0}])
def test_a_shape_counts_before_any_mesh(beside: dict[str, int], hull: bool) -> None:
    """Whatever else its geometry names, and also where it is to be a hull, which a ball is."""
    geometry = {"shape": 0, "convexHull": hull, **beside}
    gltf = {
        "asset": {"version": "2.0"},
        "extensionsUsed": [BODY, SHAPE],
        "extensions": {SHAPE: {"shapes": [{"type": "sphere"}]}},
        "meshes": [{}],
        "nodes": [{"mesh": 0, "extensions": {BODY: {"collider": {"geometry": geometry}}}}],
    }
    reading = read(gltf)
    assert reading.mechanism.nodes[0].collider == Collider(0)
    assert reading.mechanism.shapes == (Sphere(0.5),)
    assert not reading.issues


def test_geometry_of_a_node_above_its_mesh() -> None:
    """Meshes below count: one is read, of several the first, and the user is told."""
    gltf = in_khr({"collider": {"geometry": {"node": 1, "convexHull": True}}})
    gltf["meshes"] = [{}, {}]
    gltf["nodes"] += [{"children": [2, 3]}, {"mesh": 1}, {}]
    reading = read(gltf)
    assert reading.mechanism.shapes == (Convex(1),)
    assert [issue.code for issue in reading.issues] == ["geometry-below"]
    gltf["nodes"][3]["mesh"] = 0
    assert [issue.code for issue in read(gltf).issues] == ["geometry-of-several"]
    del gltf["nodes"][2]["mesh"], gltf["nodes"][3]["mesh"]
    reading = read(gltf)
    assert reading.mechanism.nodes[0].collider is None
    assert [issue.code for issue in reading.issues] == ["geometry-without-mesh"]


def test_planes_and_defaults_of_shapes() -> None:
    """Shapes have other defaults than OMI's, and planes."""
    shapes = [{"type": "plane", "plane": {"sizeX": 3}}, {"type": "capsule"}, {"type": "cylinder"}]
    gltf = in_khr({}, **{SHAPE: {"shapes": shapes}})
    plane, capsule, cylinder = read(gltf).mechanism.shapes
    assert plane == Plane(3.0, inf)
    assert (capsule.height, capsule.radius_top) == (0.5, 0.25)  # type: ignore[union-attr]
    assert (cylinder.height, cylinder.radius_bottom) == (0.5, 0.25)  # type: ignore[union-attr]


def test_strength_without_target_pulls_to_nothing() -> None:
    """OMI's damping without a target is idle; KHR would brake with it, so it is not written."""
    idle = Drive(
        Freedom.ANGULAR, DriveMode.FORCE, 2, stiffness=3.0, damping=4.0, velocity_target=1.0
    )
    (joint,) = joints_in(said(pair(drives=(idle,)), Spoken.KHR))
    assert joint["drives"] == [
        {"type": "angular", "mode": "force", "axis": 2, "velocityTarget": 1.0, "damping": 4.0}
    ]


def test_damping_of_a_spring_is_written_with_a_speed_of_zero() -> None:
    """A spring without a speed is slowed down by its damping, for every reader."""
    spring = Drive(
        Freedom.ANGULAR, DriveMode.FORCE, 2, position_target=0.5, stiffness=3.0, damping=4.0
    )
    gltf = said(pair(drives=(spring,)), *Spoken)
    (khr,) = joints_in(said(pair(drives=(spring,)), Spoken.KHR))
    (drive,) = khr["drives"]
    assert (drive["damping"], drive["velocityTarget"]) == (4.0, 0.0)
    reading = read(gltf)
    assert reading.mechanism.settings[0].drives == (spring,)
    assert not reading.issues


def test_where_dialects_disagree_omi_counts() -> None:
    """A door of 90 degrees here and 45 there: 90, and the user is told where."""
    swing = Limit(angular_axes=(2,), min=0.0, max=0.5 * pi)
    gltf = said(pair(swing), *Spoken)
    joints_in(gltf)[0]["limits"][0]["max"] = 0.25 * pi
    reading = read(gltf)
    assert reading.mechanism.settings[0].limits == (swing,)
    told = [f"{one.code}: {one.where}: {one.message}"[:64] for one in reading.issues]
    assert told == ['dialects-disagree: /nodes/2 "Joint": The joint is another in KHR']


def test_what_one_dialect_alone_says_is_read() -> None:
    """A collider that only KHR has is there beside OMI's bodies."""
    gltf = door()
    more = in_khr(
        {"collider": {"geometry": {"shape": 0}}}, **{SHAPE: {"shapes": [{"type": "sphere"}]}}
    )
    gltf["extensions"] |= more["extensions"]
    gltf["extensionsUsed"] += [BODY, SHAPE]
    gltf["nodes"][1]["extensions"] = deepcopy(more["nodes"][0]["extensions"])
    reading = read(gltf)
    shape = reading.mechanism.nodes[1].collider
    assert shape is not None
    assert reading.mechanism.shapes[shape.shape or 0] == Sphere()
    assert reading.issues == ()


def test_unknown_members_stay_in_their_dialect() -> None:
    """What a later KHR adds is neither lost nor told to readers of OMI."""
    gltf = said(pair(Limit(angular_axes=(2,), max=1.0)), *Spoken)
    joints_in(gltf)[0]["limits"][0]["X_feel"] = "rough"
    gltf["nodes"][2]["extensions"][BODY]["joint"]["X_colour"] = 3
    again = said(read(gltf).mechanism, *Spoken)
    assert joints_in(again)[0]["limits"][0]["X_feel"] == "rough"
    assert again["nodes"][2]["extensions"][BODY]["joint"]["X_colour"] == 3
    assert "X_" not in json.dumps(again["nodes"][2]["extensions"]["OMI_physics_joint"])
    assert "X_" not in json.dumps(again["extensions"]["OMI_physics_joint"])


@pytest.mark.parametrize("kind", ["collider", "trigger"])
def test_unknown_members_of_a_geometry_are_kept(kind: str) -> None:
    """They come back in it; a mesh that does not count beside a shape does not."""
    part = {kind: {"geometry": {"shape": 0, "mesh": 7, "X_skin": 0.01}}}
    gltf = in_khr(part, **{SHAPE: {"shapes": [{"type": "sphere"}]}})
    again = said(read(gltf).mechanism, Spoken.KHR)
    geometry = again["nodes"][0]["extensions"][BODY][kind]["geometry"]
    assert geometry == {"shape": 0, "X_skin": 0.01}
