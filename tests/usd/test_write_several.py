# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stage cannot say is told of those that it is true of, of several by all their names."""

from __future__ import annotations

from dataclasses import replace
from math import degrees, inf
from typing import Any

import pytest
from model.building import DYNAMIC, STATIC, turned

from omi_physics_joint.model.body import (
    Collider,
    Combine,
    Motion,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_physics_joint.model.contents import Contents, PoseKeys
from omi_physics_joint.model.geometry.transform import IDENTITY, compose
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import (
    AXES,
    Breaking,
    Drive,
    DriveMode,
    Freedom,
    JointNode,
    JointSettings,
    Limit,
)
from omi_physics_joint.model.keys import Keys
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.settings.recipes import hinge, pin
from omi_physics_joint.model.shape import Box
from omi_physics_joint.usd import table
from omi_physics_joint.usd.prim import Prim, Stage
from omi_physics_joint.usd.writing.write import written, written_over

NAMES = ("A", "B", "C")
CHOICES = [(0,), (1,), (2,), (0, 2), (0, 1, 2)]
"""Which of three things something is said of."""
MOTOR = Drive(Freedom.ANGULAR, DriveMode.FORCE, 2, 9.0, None, 2.0, 0.0, 3.0)
PUSH = Drive(Freedom.LINEAR, DriveMode.FORCE, 0, 9.0, None, 2.0, 0.0, 3.0)
SLIDE = Limit((0,), (), -1.0, 1.0)
CONE = Limit((), (0, 2), max=0.5, together=True)
OPEN = (Limit((1, 2), (), 0.0, 0.0), Limit((), AXES, 0.0, 0.0))
KEYED = replace(SLIDE, keys=(Keys("max", (0.0, 1.0), (1.0, 2.0)),))
PLAIN = hinge(2, -1.0, 1.0)

OF_JOINTS: dict[str, tuple[str, JointSettings]] = {
    "two drives on an axis": (
        "usd-several-drives",
        JointSettings("", (*OPEN, SLIDE), (PUSH, replace(PUSH, damping=1.0))),
    ),
    "two soft bounds": (
        "usd-several-limits",
        JointSettings("", (*OPEN, replace(SLIDE, stiffness=9.0), replace(SLIDE, stiffness=8.0))),
    ),
    "a soft and a rigid bound": (
        "usd-several-limits",
        JointSettings("", (*OPEN, SLIDE, replace(SLIDE, stiffness=9.0))),
    ),
    "two bounds of which one changes": (
        "usd-several-limits",
        JointSettings("", (*OPEN, SLIDE, KEYED)),
    ),
    "a round bound": (
        "usd-round-limit",
        JointSettings("", (Limit((0, 1), max=0.5, together=True),)),
    ),
    "a soft bound": ("usd-soft-limit", JointSettings("", (*OPEN, replace(SLIDE, stiffness=9.0)))),
    "a soft distance": (
        "usd-soft-limit",
        JointSettings("", (Limit(AXES, (), max=0.5, together=True, stiffness=9.0),)),
    ),
    "a drive of accelerations": (
        "usd-acceleration",
        replace(hinge(2), drives=(replace(MOTOR, mode=DriveMode.ACCELERATION),)),
    ),
}
OF_BODIES: dict[str, tuple[str, Motion]] = {
    "endless mass": ("usd-infinite-mass", replace(DYNAMIC, mass=inf)),
    "endless moment": ("usd-infinite-mass", replace(DYNAMIC, inertia_diagonal=(1.0, inf, 1.0))),
    "endless last moment": (
        "usd-infinite-mass",
        replace(DYNAMIC, inertia_diagonal=(1.0, 1.0, inf)),
    ),
    "factor of gravity": ("usd-gravity-factor", replace(DYNAMIC, gravity_factor=0.5)),
}
SAID_OF_NONE = {
    "led": replace(DYNAMIC, type=MotionType.KINEMATIC, gravity_factor=0.5),
    "without gravity": replace(DYNAMIC, gravity_factor=0.0),
}


def jointed(chosen: tuple[int, ...], settings: JointSettings, **joint: Any) -> Mechanism:
    """Return three doors on a wall, of which those that are chosen have other settings."""
    nodes = [Node("Wall", motion=STATIC, collider=Collider(shape=0))]
    for at, name in enumerate(NAMES):
        body = len(nodes)
        mine = joint if at in chosen else {}
        nodes += [
            Node(f"Door {name}", motion=DYNAMIC, collider=Collider(shape=0)),
            Node(
                name,
                body,
                turned(0.1, 0.2, 0.3),
                joint=JointNode(int(at in chosen), body + 2, **mine),
            ),
            Node(f"Anchor {name}", 0, turned(0.1, 0.2, 0.3)),
        ]
    return Mechanism(tuple(nodes), settings=(PLAIN, settings), shapes=(Box(),))


def told(issues: tuple[Issue, ...], code: str) -> tuple[str, int | None]:
    """Return of what a code is said, and which node it points at."""
    (issue,) = [one for one in issues if one.code == code]
    return issue.where, issue.node


def listed(chosen: tuple[int, ...]) -> str:
    """Return the names of those that are chosen, in words."""
    names = [NAMES[at] for at in chosen]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


@pytest.mark.parametrize("chosen", CHOICES, ids=listed)
@pytest.mark.parametrize("what", OF_JOINTS)
def test_joints_are_named(what: str, chosen: tuple[int, ...]) -> None:
    """Those that have it, and no others; one alone is pointed at."""
    code, settings = OF_JOINTS[what]
    mechanism = jointed(chosen, settings)
    node = mechanism.nodes.index(
        next(one for one in mechanism.nodes if one.name == NAMES[chosen[0]])
    )
    _, issues = written(Contents(mechanism))
    assert told(issues, code) == (listed(chosen), node if len(chosen) == 1 else None)
    _, issues = written(Contents(jointed((), settings)))
    assert code not in {one.code for one in issues}


@pytest.mark.parametrize("chosen", CHOICES, ids=listed)
@pytest.mark.parametrize("what", OF_BODIES)
def test_bodies_are_named(what: str, chosen: tuple[int, ...]) -> None:
    """As joints are."""
    code, motion = OF_BODIES[what]
    nodes = [
        Node(name, motion=motion if at in chosen else DYNAMIC) for at, name in enumerate(NAMES)
    ]
    _, issues = written(Contents(Mechanism(tuple(nodes))))
    assert told(issues, code) == (listed(chosen), chosen[0] if len(chosen) == 1 else None)


@pytest.mark.parametrize("what", SAID_OF_NONE)
def test_of_bodies_that_it_is_nothing_to_nothing_is_said(what: str) -> None:
    """A body that is led has no gravity; a factor of zero has a word."""
    _, issues = written(Contents(Mechanism((Node("A", motion=SAID_OF_NONE[what]),))))
    assert issues == ()


def prims(mechanism: Mechanism, **words: Any) -> dict[str, Prim]:
    """Return the prims of a mechanism by the names of their nodes."""
    record, _ = written(Contents(mechanism), **words)
    return {prim.label: prim for prim in record if prim.label}


@pytest.mark.parametrize("chosen", CHOICES, ids=listed)
@pytest.mark.parametrize(
    ("joint", "attributes"),
    [
        ({"breaking": Breaking(3.0, 4.0)}, {"physics:breakForce": 3.0, "physics:breakTorque": 4.0}),
        ({"enabled": False}, {"physics:jointEnabled": False}),
        ({"enable_collision": True}, {"physics:collisionEnabled": True}),
    ],
    ids=["breaks", "off", "collides"],
)
def test_each_joint_has_its_own(
    joint: dict[str, Any], attributes: dict[str, Any], chosen: tuple[int, ...]
) -> None:
    """And those that are not chosen say nothing of it."""
    found = prims(jointed(chosen, PLAIN, **joint))
    for at, name in enumerate(NAMES):
        said = {key: found[name].attributes.get(key) for key in attributes}
        assert said == (attributes if at in chosen else dict.fromkeys(attributes))


def test_both_angles_of_a_cone_are_said() -> None:
    """They are one bound here, and two there."""
    found = prims(jointed((1,), JointSettings("", (*pin().limits, CONE))))["B"].attributes
    angles = [value for name, value in found.items() if name.startswith("physics:coneAngle")]
    assert angles == pytest.approx([degrees(CONE.max)] * 2)


@pytest.mark.parametrize("restitution", [Combine.AVERAGE, Combine.MAXIMUM])
@pytest.mark.parametrize("friction", [Combine.AVERAGE, Combine.MINIMUM])
def test_each_way_to_combine_is_said(friction: Combine, restitution: Combine) -> None:
    """That of friction and that of restitution, where it is none of everybody's."""
    material = PhysicsMaterial("M", friction_combine=friction, restitution_combine=restitution)
    node = Node("A", motion=DYNAMIC, collider=Collider(shape=0, physics_material=0))
    mechanism = Mechanism((node,), shapes=(Box(),), physics_materials=(material,))
    record, issues = written(Contents(mechanism))
    (prim,) = [one for one in record if one.label == "M"]
    said = {name for name in prim.attributes if "CombineMode" in name}
    wanted = {
        f"physxMaterial:{name}CombineMode"
        for name, mode in (("friction", friction), ("restitution", restitution))
        if mode is not Combine.AVERAGE
    }
    assert said == wanted
    assert ("usd-combine" in {one.code for one in issues}) is bool(wanted)


@pytest.mark.parametrize("chosen", CHOICES, ids=listed)
def test_triggers_are_named(chosen: tuple[int, ...]) -> None:
    """Each that is one."""
    part = {"trigger": Trigger(shape=0)}
    nodes = [Node(name, **(part if at in chosen else {})) for at, name in enumerate(NAMES)]
    _, issues = written(Contents(Mechanism(tuple(nodes), shapes=(Box(),))))
    assert told(issues, "usd-trigger")[0] == listed(chosen)


@pytest.mark.parametrize("chosen", CHOICES, ids=listed)
def test_each_centre_that_is_elsewhere_has_an_inertia(chosen: tuple[int, ...]) -> None:
    """That of the colliders about it; who says no centre leaves it to the reader."""
    pytest.importorskip("numpy")
    centred = replace(DYNAMIC, mass=2.0, center_of_mass=(0.5, 0.0, 0.0))
    nodes = [
        Node(name, motion=centred if at in chosen else DYNAMIC, collider=Collider(shape=0))
        for at, name in enumerate(NAMES)
    ]
    found = prims(Mechanism(tuple(nodes), shapes=(Box(),)))
    for at, name in enumerate(NAMES):
        said = found[name].attributes.get("physics:diagonalInertia")
        third = 2.0 / 6.0
        wanted = sorted((third, third + 0.5, third + 0.5))
        assert (said and sorted(said)) == (pytest.approx(wanted) if at in chosen else None)


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0])
def test_what_is_led_goes_by_the_time_of_the_stage(rate: float) -> None:
    """A second has as many codes as the stage below has it, of poses as of settings."""
    there = compose((1.0, 0.0, 0.0))
    led = PoseKeys((0.0, 0.5, 2.0), (IDENTITY, there, IDENTITY))
    changing = replace(SLIDE, keys=(Keys("max", (0.0, 0.5), (1.0, 2.0)),))
    mechanism = jointed((0,), JointSettings("", (*OPEN, changing)))
    kinematic = replace(STATIC, type=MotionType.KINEMATIC)
    nodes = (replace(mechanism.nodes[0], motion=kinematic), *mechanism.nodes[1:])
    contents = Contents(replace(mechanism, nodes=nodes), led={0: led})
    for begin, first in ((0.0, 0.0), (1001.0, 1001.0), (1.0, 0.0)):  # a film, and Blender
        base = Stage(time_codes_per_second=rate, times=(begin, begin + 99.0))
        layer, _ = written_over(contents, base)
        found = {prim.label: prim for prim in layer}
        codes = [first, first + 0.5 * rate, first + 2.0 * rate]
        assert [code for code, _ in found["Wall"].poses] == codes
        (samples,) = found["A"].samples.values()
        assert [code for code, _ in samples] == codes[:2]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_new_bodies_say_their_scene_where_there_are_several(count: int) -> None:
    """It is the first one, and has the gravity; of one alone nobody needs to say it."""
    scenes = tuple(Prim(f"/World/Scene{at}", type=table.SCENE) for at in range(count))
    base = Stage((Prim("/World", type="Xform"), *scenes), default_prim="World")
    layer, _ = written_over(Contents(jointed((), PLAIN)), base)
    owners = {prim.label: prim.targets.get(table.OWNER) for prim in layer if prim.label}
    wanted = ("/World/Scene0",) if count > 1 else None
    assert [owners[f"Door {name}"] for name in NAMES] == [wanted] * 3
    assert owners["A"] is None
    assert sum(prim.type == table.SCENE for prim in layer) == 1
