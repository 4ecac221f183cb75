# SPDX-License-Identifier: GPL-3.0-or-later
"""What is another in the motion, the collider and the trigger of a node.

What is static and what is part of the world is one: a static motion counts only below a body that
moves, where it makes a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import degrees, isinf
from typing import TypeVar

from ..body import ZERO, Collider, Motion, MotionType, PhysicsMaterial, Trigger
from ..mechanism import Mechanism
from ..shape import SIZES, Box, MeshShape, Plane, Shape, Sphere, type_of
from ..wording.words import listed
from .fact import SAME, Fact, all_near, compared, told
from .pairing import Pairing
from .settings import fine

Item = TypeVar("Item")
Held = tuple[Mechanism, Shape | None]
"""What has the shape, and the shape; None is a compound."""

TURNING = "\N{DEGREE SIGN}/s"
NUMBERS = (
    ("mass", "mass", "kg", 1.0),
    ("velocity", "linear_velocity", "m/s", 1.0),
    ("turning velocity", "angular_velocity", TURNING, degrees(1.0)),
    ("gravity factor", "gravity_factor", "", 1.0),
)
"""Label, attribute, unit and how many of it make the model's unit."""
FRICTIONS = {
    "static friction": "static_friction",
    "dynamic friction": "dynamic_friction",
    "restitution": "restitution",
}
COMBINES = {
    "friction combine": "friction_combine",
    "restitution combine": "restitution_combine",
}
FILTER = {
    "collision systems": "collision_systems",
    "collides with": "collide_with_systems",
    "collides not with": "not_collide_with_systems",
}


def motion_of(mechanism: Mechanism, index: int) -> Motion | None:
    """Return the motion of a node as far as it makes a difference."""
    motion = mechanism.nodes[index].motion
    if motion is None or motion.type is not MotionType.STATIC:
        return motion
    return Motion(MotionType.STATIC) if moving_above(mechanism, index) is not None else None


def moving_above(mechanism: Mechanism, index: int) -> int | None:
    """Return the nearest body above a node, if that moves."""
    for above in mechanism.ancestry(index):
        if above != index and mechanism.nodes[above].motion is not None:
            return above if mechanism.nodes[above].moves else None
    return None


def motion_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in how a node moves."""
    one, other = motion_of(pairing.before, ours), motion_of(pairing.after, theirs)
    if (one and one.type) != (other and other.type):
        yield Fact("body", _kind(pairing.before, ours, one), _kind(pairing.after, theirs, other))
    if one is None or other is None or MotionType.STATIC in (one.type, other.type):
        return
    for label, name, unit, factor in NUMBERS:
        yield from compared(label, _values(name, one, other), numbers_said(unit, factor))
    if one.starts_asleep is not other.starts_asleep:
        yield Fact("start", *("asleep" if m.starts_asleep else "awake" for m in (one, other)))
    yield from _center_facts(one, other)
    yield from _inertia_facts(one, other)


def collider_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in how a node is solid."""
    before, after = pairing.before, pairing.after
    one, other = _collider(before, ours), _collider(after, theirs)
    yield from _shape_facts("collider", _held(before, one), _held(after, other))
    if one is not None and other is not None:
        yield from _surface_facts(
            _at(before.physics_materials, one.physics_material),
            _at(after.physics_materials, other.physics_material),
        )
        yield from _filter_facts(pairing, one, other)


def trigger_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in how a node notices things."""
    before, after = pairing.before, pairing.after
    one, other = before.nodes[ours].trigger, after.nodes[theirs].trigger
    yield from _shape_facts("trigger", _held(before, one), _held(after, other))
    if one is None or other is None:
        return
    if {pairing.forth.get(node, -1 - node) for node in one.nodes} != set(other.nodes):
        names = [
            _listed([m.name_of(node) for node in trigger.nodes])
            for m, trigger in ((before, one), (after, other))
        ]
        yield Fact("trigger of", *names)
    if not (one.nodes or other.nodes):
        yield from _filter_facts(pairing, one, other, "trigger ")


def gravity_facts(pairing: Pairing, ours: int, theirs: int) -> Iterator[Fact]:
    """Yield what is another in the volume that the gravity of a node is shaped by."""
    sides = []
    for mechanism, index in ((pairing.before, ours), (pairing.after, theirs)):
        shape = mechanism.nodes[index].gravity_shape
        sides.append(None if shape is None else (mechanism, _at(mechanism.shapes, shape)))
    yield from _shape_facts("gravity volume", *sides)


def _kind(mechanism: Mechanism, index: int, motion: Motion | None) -> str:
    if motion is not None:
        return motion.type.value
    if moving_above(mechanism, index) is not None:
        return "part of the body above"
    node = mechanism.nodes[index]
    return "static" if node.motion is not None or node.collider is not None else "none"


def _center_facts(one: Motion, other: Motion) -> Iterator[Fact]:
    """Yield that a centre of mass is elsewhere; who computes it agrees with who says the same."""
    said, say = (one.center_of_mass, other.center_of_mass), numbers_said("m")
    if None not in (said[0] or one.found_center, said[1] or other.found_center):
        yield from compared("center of mass", (one.center, other.center), say, SAME)
    elif said[0] != said[1]:
        texts = ["computed" if center is None else say(center, 4) for center in said]
        yield Fact("center of mass", *texts)


def _inertia_facts(one: Motion, other: Motion) -> Iterator[Fact]:
    say = numbers_said("kg m\u00b2")
    inertias = _values("inertia_diagonal", one, other)
    if ZERO in inertias:
        if inertias[0] != inertias[1]:
            texts = ["calculated" if inertia == ZERO else say(inertia, 4) for inertia in inertias]
            yield Fact("inertia", *texts)
        return
    yield from compared("inertia", inertias, say)
    q, r = one.inertia_orientation, other.inertia_orientation
    if not (all_near(q, r) or all_near(q, [-x for x in r])):
        yield from compared("axes of inertia", (q, r), numbers_said())


def _collider(mechanism: Mechanism, index: int) -> Collider | None:
    """Return a collider, unless it only says that it is made of those below."""
    collider = mechanism.nodes[index].collider
    if collider is None:
        return None
    parts = (collider.shape, collider.physics_material, collider.collision_filter)
    return None if parts == (None, None, None) else collider


def _at(items: Sequence[Item], index: int | None) -> Item | None:
    return items[index] if index is not None and 0 <= index < len(items) else None


def _held(mechanism: Mechanism, part: Collider | Trigger | None) -> Held | None:
    return None if part is None else (mechanism, _at(mechanism.shapes, part.shape))


def _shape_facts(what: str, one: Held | None, other: Held | None) -> Iterator[Fact]:
    """Yield that something is there or not, or that its shape is another."""
    if one is None or other is None:
        if one is not other:
            yield Fact(what, *("none" if each is None else _said(each, 4) for each in (one, other)))
    elif not _is_same_shape(one, other):
        yield told(what, (one, other), _said)


def _is_same_shape(before: Held, after: Held) -> bool:
    one, other = before[1], after[1]
    if one is None or other is None or type(one) is not type(other):
        return one is other
    if isinstance(one, MeshShape) and isinstance(other, MeshShape):
        names = [_at(before[0].meshes, one.mesh), _at(after[0].meshes, other.mesh)]
        return names[0] == names[1] if all(names) else one.mesh == other.mesh
    faces = [getattr(shape, "double_sided", False) for shape in (one, other)]
    return faces[0] is faces[1] and all_near(_sizes(one), _sizes(other), 0.0)


def _sizes(shape: Shape) -> tuple[float, ...]:
    if isinstance(shape, Box):
        return shape.size
    return tuple(getattr(shape, name) for name in SIZES[type(shape)])


def _said(held: Held, digits: int) -> str:
    mechanism, shape = held
    if shape is None:
        return "compound"
    kind = type_of(shape)
    if isinstance(shape, MeshShape):
        return f"{kind} of {_at(mechanism.meshes, shape.mesh) or f'mesh {shape.mesh}'}"
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
    for label, name in FRICTIONS.items():
        yield from compared(label, _values(name, one, other), numbers_said())
    for label, name in COMBINES.items():
        values = getattr(one, name), getattr(other, name)
        if values[0] is not values[1]:
            yield Fact(label, *values)


def _surface(material: PhysicsMaterial) -> str:
    said = [
        f"{label} {value if isinstance(value, str) else fine(value, 4)}"
        for label, name in (FRICTIONS | COMBINES).items()
        if (value := getattr(material, name)) != getattr(PhysicsMaterial(), name)
    ]
    return ", ".join(said) or "default"


def _filter_facts(
    pairing: Pairing, one: Collider | Trigger, other: Collider | Trigger, of: str = ""
) -> Iterator[Fact]:
    ours = _at(pairing.before.collision_filters, one.collision_filter)
    theirs = _at(pairing.after.collision_filters, other.collision_filter)
    for label, name in FILTER.items():
        values = [getattr(each, name, None) or () for each in (ours, theirs)]
        if set(values[0]) != set(values[1]):
            yield Fact(f"{of}{label}", *map(_listed, values))


def _listed(names: Sequence[str]) -> str:
    return listed(names) if names else "none"


def _values(name: str, *owners: Motion | PhysicsMaterial) -> list[tuple[float, ...]]:
    """Return the numbers that owners have under a name, one or several."""
    values = (getattr(owner, name) for owner in owners)
    return [value if isinstance(value, tuple) else (value,) for value in values]


def numbers_said(unit: str = "", factor: float = 1.0) -> Callable[[Sequence[float], int], str]:
    """Return what puts numbers into words, given in another unit by a factor."""

    def say(values: Sequence[float], digits: int) -> str:
        said = ["infinite" if isinf(value) else fine(value * factor, digits) for value in values]
        text = said[0] if len(said) == 1 else f"({', '.join(said)})"
        return f"{text}{'' if unit == TURNING else ' '}{unit}".rstrip()

    return say
