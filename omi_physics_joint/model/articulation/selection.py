# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints and bodies of articulations by a pattern of their names: ``*wheel*``, ``leg_[lr]``.

Newton's ``ArticulationView`` selects alike, and numbers stay those of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ..mechanism import Mechanism
from .joints import Articulation, ArticulationJoint


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

    ``*`` is any letters, ``?`` one, ``[ab]`` one of these; capital letters count.
    """

    def chosen(joints: Iterable[ArticulationJoint]) -> tuple[ArticulationJoint, ...]:
        return tuple(one for one in joints if is_named(one.node) or is_named(one.child))

    def is_named(node: int | None) -> bool:
        return node is not None and fnmatchcase(mechanism.name_of(node), pattern)

    views = [ArticulationView(one, chosen(one.joints), chosen(one.loops)) for one in articulations]
    return tuple(view for view in views if view.joints or view.loops)
