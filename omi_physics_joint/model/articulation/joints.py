# SPDX-License-Identifier: GPL-3.0-or-later
"""What an articulation is: its joints, each with a type, a parent, a child, frames and coordinates.

Source of types: Newton, "Articulations", "Joint types".

In its frames locked axes stand at zero. An angle phi that is held about axis i says v_i cos(phi /
2) = s sin(phi / 2) of the rotation (v, s) (``settings.coordinates``). Such conditions leave a
subspace of quaternions, spanned by the free axes e_k and, at right angles to them, by u,
proportional to (tan(phi_i / 2), 1) with zeros for free axes. So each rotation that is left is one
about the axes e_k conj(u), after the constant u: a hinge whose other angles are held at 20 degrees
is a hinge about a tilted axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from math import sqrt, tan
from typing import NamedTuple

from ..body import IDENTITY_QUATERNION, Quaternion, Vector3
from ..geometry.transform import UNITS, Matrix, compose, cross, dot, inverse, multiply, plus, times
from ..joint import AXES, Freedom, JointSettings
from ..mechanism import Mechanism
from ..settings.spans import Span, spans_of
from ..settings.together import Together, together_in


class JointType(StrEnum):
    """The types of joints, as Newton names them."""

    FIXED = "FIXED"
    PRISMATIC = "PRISMATIC"
    REVOLUTE = "REVOLUTE"
    BALL = "BALL"
    DISTANCE = "DISTANCE"
    D6 = "D6"
    FREE = "FREE"


class Counts(NamedTuple):
    """How many numbers a joint has."""

    q: int
    """Positions, in ``joint_q``."""
    qd: int
    """Velocities, in ``joint_qd``; forces and targets of them have as many."""
    axes: int
    """Axes that the joint has of its own, see ``counts_of``."""


_COUNTS = {
    JointType.FIXED: Counts(0, 0, 0),
    JointType.BALL: Counts(4, 3, 3),
    JointType.DISTANCE: Counts(7, 6, 1),
    JointType.FREE: Counts(7, 6, 0),
}


def counts_of(type_: JointType, freedoms: int) -> Counts:
    """Return the row of Newton's table of joint types.

    Its last column counts axes with settings of their own: none of a free joint, the distance of
    DISTANCE. The array ``joint_axis`` has a row for each velocity all the same, so what is of axes
    begins where ``joint_qd`` of the joint does.
    """
    return _COUNTS.get(type_, Counts(freedoms, freedoms, freedoms))


class Room(NamedTuple):
    """What limits leave of a joint."""

    type: JointType
    free: tuple[tuple[Freedom, int], ...]
    """Degrees of freedom, distances first; axes are numbers in the joint frame."""
    held: tuple[float, float, float, float, float, float]
    """Where the others are held, m and rad; zero for those that are free."""


def room_of(settings: JointSettings) -> Room:
    """Return which type of joint settings make.

    What limits hold at one value is locked, also where they give way, as it is for posing; all else
    is a degree of freedom, however narrow. BALL, FREE and DISTANCE have no angles: they are for
    joints with no bound on one axis by itself (bounds on all three distances together are those
    of DISTANCE). With such a bound the joint is D6. Limits that change with time count as at rest.
    """
    spans = spans_of(settings.limits)
    values = [span.held_at for span in spans]
    free = tuple(
        (span.freedom, span.axis)
        for span, value in zip(spans, values, strict=True)
        if value is None
    )
    x, y, z, a, b, c = (value or 0.0 for value in values)
    return Room(_type_of(spans, free, together_in(settings.limits)), free, (x, y, z, a, b, c))


def _type_of(
    spans: tuple[Span, ...], free: tuple[tuple[Freedom, int], ...], together: tuple[Together, ...]
) -> JointType:
    slides = sum(freedom is Freedom.LINEAR for freedom, _ in free)
    if len(free) < 2:
        only = JointType.PRISMATIC if slides else JointType.REVOLUTE
        return only if free else JointType.FIXED
    if not all(span.is_free for span in spans[3:]):
        return JointType.D6
    if not slides:
        return JointType.BALL
    linear = [len(one.axes) for one in together if one.freedom is Freedom.LINEAR]
    if not all(span.is_free for span in spans[:3]) or not all(n == len(AXES) for n in linear):
        return JointType.D6
    return JointType.DISTANCE if linear else JointType.FREE


SAME = 1e-7
"""Cosine that is none in single precision, or lacks nothing of one; what ten times as much tilts is
not seen either."""


@dataclass(frozen=True, slots=True)
class JointAxis:
    """One degree of freedom of a joint."""

    freedom: Freedom
    axis: int
    """Its number in the frame of the joint as it is stored, by which limits and drives name it."""
    direction: Vector3
    """In the parent's joint frame."""


@dataclass(frozen=True, slots=True)
class ArticulationJoint:
    """A joint between a parent and a child body.

    The frames of a joint as it is stored stand at its own node and at its connected node, and its
    value is where the second is in the first. A tree has no such order: where the body of the
    connected node is the parent, the joint is reversed, and x_j is the inverse. Its axes then point
    the other way, and angles follow one another in the opposite order, so that coordinates
    still have the stored sense; limits and targets of a single axis mean the same.
    Only quaternions (and the place beside them) are those of the inverse.

    What limits hold elsewhere than at zero is part of the frames, so that all coordinates of a
    locked axis are gone: the parent's frame is moved by held distances, the child's turned by held
    angles. An angle beside such a one turns about a tilted axis, and counts otherwise than its
    twist: tan(twist / 2) = tan(angle / 2) / s, with s the scalar part of what is held.
    """

    node: int | None
    """Of the joint; None is the FREE joint of a root, which no file has."""
    type: JointType
    parent: int | None
    """Node of the parent body; None is the world, which static bodies are part of."""
    child: int
    """Node of the child body."""
    parent_frame: Matrix
    """x_pj: the parent's joint frame in the parent body, or in the world. Rigid."""
    child_frame: Matrix
    """x_cj: the child's joint frame in the child body. Rigid."""
    axes: tuple[JointAxis, ...] = ()
    """Degrees of freedom, distances first, in the order of the coordinates."""
    is_reversed: bool = False
    """Whether the parent is the body that the connected node belongs to."""
    static_parent: int | None = None
    """Node of the static body that is the parent as a part of the world."""
    q_start: int = 0
    """Where its positions begin in ``joint_q``."""
    qd_start: int = 0
    """Where its velocities begin in ``joint_qd``, and its axes in arrays that are by axis."""

    @property
    def counts(self) -> Counts:
        """How many numbers it has."""
        return counts_of(self.type, len(self.axes))

    @property
    def linear(self) -> tuple[JointAxis, ...]:
        """The axes along which it slides."""
        return tuple(axis for axis in self.axes if axis.freedom is Freedom.LINEAR)

    @property
    def angular(self) -> tuple[JointAxis, ...]:
        """The axes about which it turns."""
        return tuple(axis for axis in self.axes if axis.freedom is Freedom.ANGULAR)

    @property
    def is_exact(self) -> bool:
        """Whether the coordinates give all poses that the joint allows, and no others.

        They do not in two cases. A joint that turns about two axes holds the twist about the third,
        while D6 turns about one axis and then about the other; 30 degrees each differ by 8
        degrees of twist. And a reversed joint slides along axes that turn with the child, while
        those of D6 stay with the parent; it makes a difference unless it slides along axes
        that its turning leaves among themselves.
        """
        slides, turns = self.linear, self.angular
        if len(turns) == 2:
            return False
        if not (self.is_reversed and slides and turns) or len(slides) == len(AXES):
            return True
        along = [abs(dot(slide.direction, turns[0].direction)) for slide in slides]
        across = [cosine for cosine in along if cosine < 1.0 - SAME]
        return len(turns) == 1 and (not across or (len(across) == 2 and max(across) < SAME))


class Base(StrEnum):
    """What the root of an articulation is held by."""

    FIXED = "fixed"
    """A joint to the world, which leaves it some freedom or none."""
    FLOATING = "floating"
    """Nothing, or a joint that holds nothing: forces move it as a free body."""
    KINEMATIC = "kinematic"
    """Its animation: no force moves it."""


@dataclass(frozen=True, slots=True)
class Articulation:
    """Bodies that joints connect: a tree from the world, and the joints that close loops in it."""

    base: Base

    joints: tuple[ArticulationJoint, ...]
    """Of the tree, parents before children. The first one holds the root, and it alone has the
    world as its parent."""
    loops: tuple[ArticulationJoint, ...] = ()
    """Joints that close loops. Their coordinates follow after those of all trees."""

    @property
    def root(self) -> int:
        """Node of the root body."""
        return self.joints[0].child

    @property
    def bodies(self) -> tuple[int, ...]:
        """Nodes of the bodies, parents before children."""
        return tuple(joint.child for joint in self.joints)

    @property
    def q_count(self) -> int:
        """How many positions the tree has."""
        return sum(joint.counts.q for joint in self.joints)

    @property
    def qd_count(self) -> int:
        """How many velocities, the degrees of freedom, the tree has."""
        return sum(joint.counts.qd for joint in self.joints)

    def stored_joints(self) -> Iterator[ArticulationJoint]:
        """Yield what is a joint in the file: of the tree, then of the loops."""
        for joint in (*self.joints, *self.loops):
            if joint.node is not None:
                yield joint


@dataclass(frozen=True, slots=True)
class ArticulationView:
    """What of an articulation is selected."""

    articulation: Articulation
    joints: tuple[ArticulationJoint, ...]
    """Of the tree: those with the name, and those whose child body has it."""
    loops: tuple[ArticulationJoint, ...]


def views_of(
    mechanism: Mechanism, articulations: Iterable[Articulation], pattern: str = "*"
) -> tuple[ArticulationView, ...]:
    """Return what a pattern of node names selects, articulations of which it is nothing left out.

    Newton's ``ArticulationView`` selects alike, and numbers stay those of the whole. ``*`` is any
    letters, ``?`` one, ``[ab]`` one of these; capital letters count.
    """

    def chosen(joints: Iterable[ArticulationJoint]) -> tuple[ArticulationJoint, ...]:
        return tuple(one for one in joints if is_named(one.node) or is_named(one.child))

    def is_named(node: int | None) -> bool:
        return node is not None and fnmatchcase(mechanism.name_of(node), pattern)

    views = [ArticulationView(one, chosen(one.joints), chosen(one.loops)) for one in articulations]
    return tuple(view for view in views if view.joints or view.loops)


QUATERNION_TYPES = frozenset({JointType.BALL, JointType.DISTANCE, JointType.FREE})
"""Types whose turning is a quaternion; their axes are X, Y and Z of the parent's frame."""
SIX_AXES = tuple(JointAxis(freedom, axis, UNITS[axis]) for freedom in Freedom for axis in AXES)
"""Those of a body that nothing holds."""


class Frames(NamedTuple):
    """Where a joint is in its two bodies, and along what it moves."""

    parent: Matrix
    child: Matrix
    axes: tuple[JointAxis, ...]


def frames_of(room: Room, stored: tuple[Matrix, Matrix], *, is_reversed: bool) -> Frames:
    """Return the frames and axes of a joint in a tree, reversed: with the connected body as parent.

    Stored are those of the joint's node in its body, and of the connected node in its body.
    """
    joint, connected = stored
    place, u = room.held[:3], _constant(room.held[3:])
    if any(place):
        joint = multiply(joint, compose(place))
    if u != IDENTITY_QUATERNION:
        connected = multiply(connected, inverse(compose(rotation=u)))
    axes = tuple(JointAxis(*one, _direction(*one, u)) for one in room.free)
    if not is_reversed:
        return Frames(joint, connected, axes)
    if room.type not in QUATERNION_TYPES:
        axes = _backwards(axes)
    return Frames(connected, joint, axes)


def _constant(held: tuple[float, ...]) -> Quaternion:
    """Return u, the rotation about all angles that are held."""
    x, y, z = (tan(angle / 2.0) for angle in held)
    length = sqrt(x * x + y * y + z * z + 1.0)
    return (x / length, y / length, z / length, 1.0 / length)


def _direction(freedom: Freedom, axis: int, u: Quaternion) -> Vector3:
    """Return the direction of an axis in the frame from which locked axes stand at zero."""
    own = UNITS[axis]
    return own if freedom is Freedom.LINEAR else plus(times(own, u[3]), cross(u[:3], own))


def _backwards(axes: tuple[JointAxis, ...]) -> tuple[JointAxis, ...]:
    """Return axes for the inverse motion, so that coordinates stay what they are."""
    turned = [replace(one, direction=times(one.direction, -1.0)) for one in axes]
    linear = [one for one in turned if one.freedom is Freedom.LINEAR]
    return (*linear, *(one for one in reversed(turned) if one.freedom is Freedom.ANGULAR))
