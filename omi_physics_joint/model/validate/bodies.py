# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and triggers, and what they are made of: mass, materials, filters and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, isfinite, isnan
from operator import sub

from ..body import Motion, MotionType, Trigger, Vector3
from ..geometry.extent import half_of
from ..geometry.scale import scale_of
from ..issue import Issue
from ..joint import Freedom
from ..mechanism import Mechanism, Node
from ..shape import Box, Capsule, Cylinder, MeshShape, Plane, Shape, Sphere, Trimesh, type_of
from .codes import issue_of
from .survey import OMI, Survey

LIGHTEST, HEAVIEST = 1e-9, 1e9
"""kg. MuJoCo refuses a box of 2 cm and 1e-12 kg; PyBullet lets boxes of 1e12 kg fall through a
floor, MuJoCo of 1e20, as measured. Ships weigh less, grains of sand more."""
ASIDE = 0.3
"""How far from the middle of its mesh a shape lies aside, and how much of it is outside then, as
shares of its side."""
MOSTLY = 0.6
"""Share of its side along which a shape is outside of its mesh that lies across it."""
THICK = 0.25
"""Smallest side of a shape, as a share of the longest of its mesh, that may lie off that."""
THIN = 1e-6
"""Smallest side of a mesh, as a share of its longest, from which it has a thickness."""
INERTIA_TOLERANCE = 1e-3
"""As a part of the largest: typed numbers are rounded, and a sheet is at the very limit."""


def body_issues(survey: Survey) -> Iterator[Issue]:
    """Yield what is wrong with bodies, triggers and the resources that they use."""
    for index, node in enumerate(survey.mechanism.nodes):
        if node.motion is not None:
            yield from _inertia(survey, index, node.motion)
            yield from _numbers(survey, index, node.motion)
            yield from _led_by_what_it_moves(survey, index, node.motion)
        moves = node.collider is not None and survey.is_dynamic(survey.bodies[index])
        if moves and isinstance(survey.mechanism.shape_of(node), Trimesh):
            # A surface without an inside collides with nothing reliably once it moves.
            yield survey.at_node("trimesh-moves", index)
        if moves and _is_flat(survey.mechanism, node):
            yield survey.at_node("mesh-flat", index)
        if node.collider is not None and (out := _out_of_mesh(survey.mechanism, node)) > 0.0:
            said = survey.words.say(out, Freedom.LINEAR)
            yield survey.at_node("shape-off-mesh", index, out=said)
    yield from _materials(survey)
    yield from _filters(survey)
    yield from _shapes(survey)
    above = _above_triggers(survey)
    for index, node in enumerate(survey.mechanism.nodes):
        if node.trigger is not None:
            yield from _trigger(survey, index, node.trigger, has_parts=index in above)
            yield from _trigger_nodes(survey, index, node.trigger)


def _inertia(survey: Survey, index: int, motion: Motion) -> Iterator[Issue]:
    """Yield what is wrong with the mass and the inertia of a body."""
    inertia, is_dynamic = motion.inertia_diagonal, motion.type is MotionType.DYNAMIC
    if motion.mass == inf:
        if OMI in survey.spoken:
            yield survey.at_node("infinite-mass", index)
    elif is_dynamic and not motion.mass > 0.0:
        yield survey.at_node("mass-not-positive", index, mass=motion.mass)
    elif is_dynamic and not LIGHTEST <= motion.mass <= HEAVIEST:
        yield survey.at_node("mass-extreme", index, mass=motion.mass)
    if is_dynamic and inf in inertia and OMI in survey.spoken:
        yield survey.at_node("infinite-inertia", index)
    if is_dynamic and 0.0 in inertia and any(inertia):
        yield survey.at_node("inertia-part-missing", index)
    if min(inertia) < 0.0:
        yield survey.at_node("inertia-negative", index)
    elif _is_impossible(inertia):
        yield survey.at_node("inertia-impossible", index)
    if not any(motion.inertia_orientation):
        yield survey.at_node("inertia-orientation-zero", index)


def _led_by_what_it_moves(survey: Survey, index: int, motion: Motion) -> Iterator[Issue]:
    """Yield a kinematic or a static body below a dynamic one.

    The animation of the one would be on top of a motion; the other is a part of what moves wherever
    a node without a motion is one. Source: the UsdPhysics proposal on nested bodies, and
    KHR_physics_rigid_bodies. Both may stand above dynamic ones.
    """
    if motion.type is MotionType.DYNAMIC:
        return
    nodes = survey.mechanism.nodes
    for above in survey.mechanism.ancestry(nodes[index].parent):
        if survey.is_dynamic(above):
            yield survey.at_node(f"{motion.type}-below-dynamic", index, above=nodes[above].name)
            return


def _is_flat(mechanism: Mechanism, node: Node) -> bool:
    """Return whether a shape is its mesh, and that has no thickness along one of its axes."""
    room = mechanism.room_of(node)
    if room is None or not isinstance(mechanism.shape_of(node), MeshShape):
        return False
    sides = [*map(sub, room.high, room.low)]
    return bool(min(sides) < THIN * max(sides))


def _out_of_mesh(mechanism: Mechanism, node: Node) -> float:
    """Return how far a shape reaches out of the mesh of its node, in m, where it lies off that.

    It does where its middle is far off the mesh's, as of a ball whose origin is at its foot, or
    most of it is outside along one of its axes, as of a cylinder that stands across a wheel. A
    sheet may have a thicker box.
    """
    half = half_of(mechanism, node)
    if half is None or node.bounds is None:
        return 0.0
    scale = scale_of(node.world)
    low, high = (
        [side * of for side, of in zip(corner, scale, strict=True)]
        for corner in (node.bounds.low, node.bounds.high)
    )
    thick, found = THICK * max(map(sub, high, low)), 0.0
    for reach, least, most in zip(half, low, high, strict=True):
        outside = 2.0 * reach - max(0.0, min(reach, most) - max(-reach, least))
        shifted = abs(least + most) > 2.0 * ASIDE * 2.0 * reach
        if 2.0 * reach > thick and outside > (ASIDE if shifted else MOSTLY) * 2.0 * reach:
            found = max(found, reach - most, least + reach)
    return found


def _is_impossible(inertia: Vector3) -> bool:
    """Return whether one principal inertia is larger than the other two together."""
    if not all(map(isfinite, inertia)):
        return False
    a, b, c = sorted(inertia)
    return a + b < c * (1.0 - INERTIA_TOLERANCE)


def _numbers(survey: Survey, index: int, motion: Motion) -> Iterator[Issue]:
    values = (
        motion.gravity_factor,
        *motion.center,
        *(part for part in motion.inertia_diagonal if part != inf),
        *motion.inertia_orientation,
        *motion.linear_velocity,
        *motion.angular_velocity,
    )
    known_mass = motion.type is MotionType.DYNAMIC or not isnan(motion.mass)
    if not (known_mass and all(map(isfinite, values))):
        yield survey.at_node("body-number", index)


def _materials(survey: Survey) -> Iterator[Issue]:
    users = _users(survey, "physics_material")
    for index, material in enumerate(survey.mechanism.physics_materials):
        for name in ("static_friction", "dynamic_friction", "restitution"):
            word, value = name.replace("_", " "), getattr(material, name)
            if not 0.0 <= value < inf:
                where = material.name or f"physics material {index}"
                yield issue_of(
                    "material-negative", where, users.get(index), number=word, value=value
                )


def _filters(survey: Survey) -> Iterator[Issue]:
    users, filters = _users(survey, "collision_filter"), survey.mechanism.collision_filters
    systems = {name for entry in filters for name in entry.collision_systems}
    spelt = {name.casefold(): name for name in systems}
    for index, entry in enumerate(filters):
        only, not_these = entry.collide_with_systems, entry.not_collide_with_systems
        where, user = entry.name or f"collision filter {index}", users.get(index)
        if only is not None and not_these is not None:
            yield issue_of("filter-both-lists", where, user)
        for name in (*(only or ()), *(not_these or ())):
            if name not in systems and (other := spelt.get(name.casefold())):
                yield issue_of("filter-misspelt", where, user, name=name, other=other)


def _shapes(survey: Survey) -> Iterator[Issue]:
    """Yield shapes without a size; and planes, where a file says them to readers of OMI."""
    users = _users(survey, "shape")
    for index, shape in enumerate(survey.mechanism.shapes):
        where, user = shape.name or f"shape {index}", users.get(index)
        for size, value in bad_sizes(shape):
            said = survey.words.say(value, Freedom.LINEAR)
            yield issue_of("shape-size", where, user, size=size, shape=type_of(shape), value=said)
        if isinstance(shape, Plane) and OMI in survey.spoken:
            yield issue_of("plane-as-box", where, user)


def bad_sizes(shape: Shape) -> list[tuple[str, float]]:
    """Return the sizes of a shape that leave it no volume. One end may be a point."""
    if isinstance(shape, Box):
        sizes = [("size", min(shape.size, key=_usable))]
    elif isinstance(shape, Sphere):
        sizes = [("radius", shape.radius)]
    elif isinstance(shape, Capsule | Cylinder):
        worst, best = sorted((shape.radius_bottom, shape.radius_top), key=_usable)
        sizes = [("radius", best if worst == 0.0 else worst)]
        if isinstance(shape, Cylinder) or shape.height != 0.0:  # else a ball
            sizes.append(("height", shape.height))
    elif isinstance(shape, Plane):
        sizes = [("size", size) for size in (shape.size_x, shape.size_z) if size != inf]
    else:
        sizes = []
    return [(word, value) for word, value in sizes if not 0.0 < value < inf]


def _usable(value: float) -> float:
    """Return a key that puts what is not a number, infinite or negative first."""
    return value if isfinite(value) else -inf


def _users(survey: Survey, member: str) -> dict[int, int]:
    """Return the first node that uses each resource that it and its parts point to."""
    users: dict[int, int] = {}
    for index, node in enumerate(survey.mechanism.nodes):
        used = [getattr(part, member, None) for part in (node.collider, node.trigger)]
        if member == "shape":
            used.append(node.gravity_shape)
        for one in used:
            if one is not None:
                users.setdefault(one, index)
    return users


def _above_triggers(survey: Survey) -> set[int]:
    """Return the triggers that have another trigger below them."""
    nodes = survey.mechanism.nodes
    above: set[int] = set()
    for index, node in enumerate(nodes):
        if node.trigger is not None:
            climb = survey.mechanism.ancestry(node.parent)
            nearest = next((i for i in climb if nodes[i].trigger is not None), index)
            above.update({nearest} - {index})
    return above


def _trigger(survey: Survey, index: int, trigger: Trigger, *, has_parts: bool) -> Iterator[Issue]:
    if trigger.shape is not None and trigger.nodes:
        yield survey.at_node("trigger-both", index)
    elif trigger.shape is None and not trigger.nodes:
        yield survey.at_node("trigger-parts-unnamed" if has_parts else "trigger-empty", index)
    elif trigger.nodes and trigger.collision_filter is not None:
        yield survey.at_node("trigger-filter", index)


def _trigger_nodes(survey: Survey, index: int, trigger: Trigger) -> Iterator[Issue]:
    mechanism = survey.mechanism
    for part in dict.fromkeys(trigger.nodes):
        if part == index or index not in mechanism.ancestry(part):
            yield survey.at_node("trigger-node-elsewhere", index, part=survey.name(part))
        elif mechanism.nodes[part].trigger is None:
            yield survey.at_node("trigger-node-without-trigger", index, part=survey.name(part))
