# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in the motion, the collider and the trigger of a node.

What is static and what is part of the world is one: a static motion counts only below a body that
moves, where it makes a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import degrees, isinf
from typing import TypeVar

from ..body import ZERO, Collider, CollisionFilter, Motion, MotionType, PhysicsMaterial, Trigger
from ..mechanism import Mechanism
from ..shape import Box, Convex, Plane, Shape, Sphere, Trimesh, type_of
from ..wording.words import listed
from .fact import Fact, all_near, apart, compared
from .pairing import Pairing
from .settings import fine

Item = TypeVar("Item")
Say = Callable[[Sequence[float], int], str]

TURNING = "\N{DEGREE SIGN}/s"
VECTORS = (
    ("center of mass", "center_of_mass", "m", 1.0),
    ("velocity", "linear_velocity", "m/s", 1.0),
    ("turning velocity", "angular_velocity", TURNING, degrees(1.0)),
)
"""Label, attribute, unit and how many of it make the model's unit."""
SURFACE = (
    ("static friction", "static_friction"),
    ("dynamic friction", "dynamic_friction"),
    ("restitution", "restitution"),
    ("friction combine", "friction_combine"),
    ("restitution combine", "restitution_combine"),
)
FILTER = (
    ("collision systems", "collision_systems"),
    ("collides with", "collide_with_systems"),
    ("collides not with", "not_collide_with_systems"),
)


def motion_of(mechanism: Mechanism, index: int) -> Motion | None:
    """Return the motion of a node as far as it makes a difference."""
    motion = mechanism.nodes[index].motion
    if motion is None or motion.type is not MotionType.STATIC:
        return motion
    return Motion(MotionType.STATIC) if moving_above(mechanism, index) is not None else None


def moving_above(mechanism: Mechanism, index: int) -> int | None:
    """Return the nearest body above a node, if that moves."""
    for above in mechanism.ancestry(index):
        motion = mechanism.nodes[above].motion
        if above != index and motion is not None:
            return above if motion.type is not MotionType.STATIC else None
    return None


def motion_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in how a node moves."""
    one, other = motion_of(pairing.before, ours), motion_of(pairing.after, theirs)
    kinds = (_kind(pairing.before, ours, one), _kind(pairing.after, theirs, other))
    if (one and one.type) != (other and other.type):
        yield Fact("body", *kinds, "motion")
    if one is None or other is None or MotionType.STATIC in (one.type, other.type):
        return
    found = [*compared("mass", [one.mass], [other.mass], _unit("kg"))]
    for label, name, unit, factor in VECTORS:
        found += compared(label, getattr(one, name), getattr(other, name), _vector(unit, factor))
    found += compared("gravity factor", [one.gravity_factor], [other.gravity_factor], _unit(""))
    if one.starts_asleep is not other.starts_asleep:
        found.append(
            Fact("start", *("asleep" if m.starts_asleep else "awake" for m in (one, other)))
        )
    for fact in (*found, *_inertia_facts(one, other)):
        yield replace(fact, part="motion")


def collider_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in how a node is solid."""
    before, after = pairing.before, pairing.after
    one, other = (_collider(m, at) for m, at in ((before, ours), (after, theirs)))
    facts: list[Fact] = []
    if one is None or other is None:
        if one is not other:
            facts.append(Fact("collider", _said(before, one), _said(after, other)))
    else:
        facts += _shape_facts("collider", (before, one.shape), (after, other.shape))
        surfaces = (
            _at(before.physics_materials, one.physics_material),
            _at(after.physics_materials, other.physics_material),
        )
        facts += _surface_facts(*surfaces)
        facts += _filter_facts(
            _at(before.collision_filters, one.collision_filter),
            _at(after.collision_filters, other.collision_filter),
        )
    for fact in facts:
        yield replace(fact, part="collider")


def trigger_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in how a node notices things."""
    before, after = pairing.before, pairing.after
    one, other = before.nodes[ours].trigger, after.nodes[theirs].trigger
    facts: list[Fact] = []
    if one is None or other is None:
        if one is not other:
            facts.append(Fact("trigger", _said(before, one), _said(after, other)))
    else:
        facts += _shape_facts("trigger", (before, one.shape), (after, other.shape))
        members = {pairing.forth.get(node, -1 - node) for node in one.nodes}
        if members != set(other.nodes):
            names = [
                _listed([m.nodes[n].name or f"node {n}" for n in trigger.nodes])
                for m, trigger in ((before, one), (after, other))
            ]
            facts.append(Fact("trigger of", *names))
        if not (one.nodes or other.nodes):
            facts += _filter_facts(
                _at(before.collision_filters, one.collision_filter),
                _at(after.collision_filters, other.collision_filter),
                "trigger ",
            )
    for fact in facts:
        yield replace(fact, part="trigger")


def gravity_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in the volume that the gravity of a node is shaped by."""
    one = (pairing.before, pairing.before.nodes[ours].gravity_shape)
    other = (pairing.after, pairing.after.nodes[theirs].gravity_shape)
    label = "gravity volume"
    facts: Iterable[Fact] = ()
    if one[1] is not None and other[1] is not None:
        facts = _shape_facts(label, one, other)
    elif one[1] is not other[1]:
        volumes = [
            "none" if at is None else _shape(mechanism, _at(mechanism.shapes, at), 4)
            for mechanism, at in (one, other)
        ]
        facts = [Fact(label, *volumes)]
    for fact in facts:
        yield replace(fact, part="gravity")


def _kind(mechanism: Mechanism, index: int, motion: Motion | None) -> str:
    if motion is not None:
        return motion.type.value
    if moving_above(mechanism, index) is not None:
        return "part of the body above"
    node = mechanism.nodes[index]
    return "static" if node.motion is not None or node.collider is not None else "none"


def _inertia_facts(one: Motion, other: Motion) -> Iterator[Fact]:
    label = "inertia"
    calculated = [motion.inertia_diagonal == ZERO for motion in (one, other)]
    say = _vector("kg m\u00b2", 1.0)
    if calculated[0] is not calculated[1]:
        texts = [
            "calculated" if motion.inertia_diagonal == ZERO else say(motion.inertia_diagonal, 4)
            for motion in (one, other)
        ]
        yield Fact(label, *texts)
    elif not calculated[0]:
        yield from compared(label, one.inertia_diagonal, other.inertia_diagonal, say)
        q, r = one.inertia_orientation, other.inertia_orientation
        if not (all_near(q, r) or all_near(q, [-x for x in r])):
            yield from compared("axes of inertia", q, r, _vector("", 1.0))


def _collider(mechanism: Mechanism, index: int) -> Collider | None:
    """Return a collider, unless it only says that it is made of those below."""
    collider = mechanism.nodes[index].collider
    if collider is None:
        return None
    parts = (collider.shape, collider.physics_material, collider.collision_filter)
    return None if parts == (None, None, None) else collider


def _said(mechanism: Mechanism, part: Collider | Trigger | None) -> str:
    return "none" if part is None else _shape(mechanism, _at(mechanism.shapes, part.shape), 4)


def _at(items: Sequence[Item], index: int | None) -> Item | None:
    return items[index] if index is not None and 0 <= index < len(items) else None


def _shape_facts(
    what: str, before: tuple[Mechanism, int | None], after: tuple[Mechanism, int | None]
) -> Iterator[Fact]:
    one, other = (_at(mechanism.shapes, index) for mechanism, index in (before, after))
    if _is_same_shape((before[0], one), (after[0], other)):
        return
    yield Fact(
        what,
        *apart(lambda digits: (_shape(before[0], one, digits), _shape(after[0], other, digits))),
    )


def _is_same_shape(
    before: tuple[Mechanism, Shape | None], after: tuple[Mechanism, Shape | None]
) -> bool:
    one, other = before[1], after[1]
    if type(one) is not type(other):
        return False
    if isinstance(one, Convex | Trimesh) and isinstance(other, Convex | Trimesh):
        names = [
            m.meshes[s.mesh] if 0 <= s.mesh < len(m.meshes) else ""
            for m, s in ((before[0], one), (after[0], other))
        ]
        return names[0] == names[1] if all(names) else one.mesh == other.mesh
    if (
        isinstance(one, Plane)
        and isinstance(other, Plane)
        and one.double_sided is not other.double_sided
    ):
        return False
    return all_near(_sizes(one), _sizes(other), 0.0)


def _sizes(shape: Shape | None) -> tuple[float, ...]:
    if isinstance(shape, Box):
        return shape.size
    if isinstance(shape, Sphere):
        return (shape.radius,)
    if isinstance(shape, Plane):
        return (shape.size_x, shape.size_z)
    if shape is None or isinstance(shape, Convex | Trimesh):
        return ()
    names = ("height", "radius_bottom", "radius_top")
    return tuple(getattr(shape, name) for name in names)


def _shape(mechanism: Mechanism, shape: Shape | None, digits: int) -> str:
    if shape is None:
        return "compound"
    kind = type_of(shape)
    if isinstance(shape, Convex | Trimesh):
        known = 0 <= shape.mesh < len(mechanism.meshes)
        name = (mechanism.meshes[shape.mesh] if known else "") or f"mesh {shape.mesh}"
        return f"{kind} of {name}"
    sizes = ["endless" if isinf(size) else fine(size, digits) for size in _sizes(shape)]
    if isinstance(shape, Box | Plane):
        sides = ", both sides" if isinstance(shape, Plane) and shape.double_sided else ""
        return f"{kind} {' × '.join(sizes)} m{sides}"
    if isinstance(shape, Sphere):
        return f"{kind} of radius {sizes[0]} m"
    radii = sizes[1] if sizes[1] == sizes[2] else f"{sizes[1]} to {sizes[2]}"
    return f"{kind} of height {sizes[0]} m and radius {radii} m"


def _surface_facts(one: PhysicsMaterial | None, other: PhysicsMaterial | None) -> Iterator[Fact]:
    if one is None or other is None:
        if one is not other:
            names = ["none" if each is None else _surface(each) for each in (one, other)]
            yield Fact("physics material", *names)
        return
    for label, name in SURFACE:
        values = getattr(one, name), getattr(other, name)
        if isinstance(values[0], str):
            if values[0] != values[1]:
                yield Fact(label, *values)
        else:
            yield from compared(label, [values[0]], [values[1]], _unit(""))


def _surface(material: PhysicsMaterial) -> str:
    said = [
        f"{label} {value if isinstance(value, str) else fine(value, 4)}"
        for label, name in SURFACE
        if (value := getattr(material, name)) != getattr(PhysicsMaterial(), name)
    ]
    return ", ".join(said) or "default"


def _filter_facts(
    one: CollisionFilter | None, other: CollisionFilter | None, of: str = ""
) -> Iterator[Fact]:
    ours, theirs = one or CollisionFilter(), other or CollisionFilter()
    for label, name in FILTER:
        values = [getattr(each, name) or () for each in (ours, theirs)]
        if set(values[0]) != set(values[1]):
            yield Fact(f"{of}{label}", *map(_listed, values))


def _listed(names: Sequence[str]) -> str:
    return listed(names) if names else "none"


def _unit(unit: str) -> Say:
    """Return what puts one number with a unit into words."""
    return _vector(unit, 1.0)


def _vector(unit: str, factor: float) -> Say:
    """Return what puts numbers, given in the model's unit, into words."""

    def say(values: Sequence[float], digits: int) -> str:
        said = ["infinite" if isinf(value) else fine(value * factor, digits) for value in values]
        text = said[0] if len(said) == 1 else f"({', '.join(said)})"
        return f"{text}{'' if unit == TURNING else ' '}{unit}".rstrip()

    return say
