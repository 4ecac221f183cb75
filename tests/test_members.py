# SPDX-License-Identifier: GPL-3.0-or-later
"""Each member of the model, changed alone: what `diff` says, and what formats make of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.shape import SIZES
from tests.approved import approved
from tests.one_of_each import MEMBERS, PLAIN, changed, members_of_the_model
from tests.through import THROUGH

PARTS = {
    *("Mechanism.nodes", "Mechanism.settings", "Mechanism.shapes"),
    *("Mechanism.physics_materials", "Mechanism.collision_filters"),
    *("Breaking.force", "Breaking.torque", "Plane.size_z"),
    *(f"{kind}.{name}" for kind in ("Capsule", "Cylinder") for name in ("height", "radius_bottom")),
    *(f"{kind.__name__}.{name}" for kind in SIZES for name in ("name", "unknown")),
}
"""Members that others of the list are parts of, and those that all shapes have."""


def said(before: Contents, after: Contents) -> list[str]:
    """Return what `diff` says of two contents."""
    return [str(one) for one in changes(*with_same_names((before, after)))]


@cache
def plain_through(name: str) -> tuple[Contents, frozenset[str]]:
    """Return what comes back of the plain contents through a format, and what is said then."""
    contents, issues = THROUGH[name](PLAIN)
    return contents, frozenset(one.message for one in issues)


def fate(name: str, member: str) -> tuple[list[str], list[str]]:
    """Return what `diff` says of a change after its way through a format, and codes said of it."""
    plain, usual = plain_through(name)
    contents, issues = THROUGH[name](changed(member))
    codes = {one.code.removeprefix(f"{name}-") for one in issues if one.message not in usual}
    return said(plain, contents), sorted(codes)


def lines(member: str) -> Iterator[str]:
    """Yield what `diff` says of the change of a member, and what becomes of it in the formats."""
    told = said(PLAIN, changed(member))
    yield f"{member}: {'; '.join(told) or 'no changes'}"
    fates: dict[tuple[str, ...], list[str]] = {}
    for name in THROUGH:
        came, codes = fate(name, member)
        words = "kept" if came == told else "; ".join(came) or "nothing comes back"
        fates.setdefault((words, *codes), []).append(name)
    for (words, *codes), names in fates.items():
        yield f"    {', '.join(names)}: {words}{' | ' if codes else ''}{', '.join(codes)}"


def sections(*kinds: str) -> dict[str, list[str]]:
    """Return what becomes of the members of some classes."""
    return {
        f"{kind}: what diff says of each change, and what comes of it in each format.": [
            line for name in MEMBERS if re.split(r"\W", name)[0] == kind for line in lines(name)
        ]
        for kind in kinds
    }


def test_each_member_is_changed_by_something() -> None:
    """A new member of the model takes a line of the list."""
    listed = {one.partition(",")[0] for one in MEMBERS} | PARTS
    assert members_of_the_model() <= listed


def test_each_change_is_seen() -> None:
    """No change of the list leaves the mechanism as it is."""
    assert not [name for name in MEMBERS if changed(name) == PLAIN]


@pytest.mark.long
def test_members_of_bodies_are_as_approved() -> None:
    """Of nodes, bodies, colliders and triggers nothing is lost in silence."""
    approved(
        "members_of_bodies.txt", sections("Mechanism", "Node", "Motion", "Collider", "Trigger")
    )


@pytest.mark.long
def test_members_of_joints_are_as_approved() -> None:
    """Of joints, their settings, limits and drives nothing is lost in silence."""
    approved("members_of_joints.txt", sections("JointNode", "JointSettings", "Limit", "Drive"))


@pytest.mark.long
def test_members_of_what_is_shared_are_as_approved() -> None:
    """Of shapes, materials and filters nothing is lost in silence."""
    kinds = ("Box", "Sphere", "Shape", "Capsule", "Cylinder", "Plane")
    approved("members_of_shapes.txt", sections(*kinds, "PhysicsMaterial", "CollisionFilter"))
