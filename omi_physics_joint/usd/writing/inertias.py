# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertias that colliders have about a centre of mass that is elsewhere than theirs.

A stage leaves them open: pxr and PhysX count them about the centre of the body, Newton about that
of the colliders, so they are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import dist, isfinite

from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import linear_part, multiply, transpose
from ...model.mechanics.inertias import centre_of, filled_inertia, filling_of
from ...model.mechanics.masses import principal
from ...model.mechanism import Mechanism
from ...weighing.inertia import parts_of_bodies

NEAR = 1e-6
"""m by which two centres may be apart that are one."""


def with_inertias(mechanism: Mechanism, bodies: Iterable[int]) -> tuple[Mechanism, set[int]]:
    """Return a mechanism in which bodies say such inertias, and which do.

    It knows what its meshes hold; these bodies say a centre of mass and no inertia.
    """
    nodes, parts, found = list(mechanism.nodes), parts_of_bodies(mechanism), set()
    for index in bodies:
        node = nodes[index]
        own = [one for one in parts.get(index, ()) if mechanism.nodes[one].collider is not None]
        whole = filling_of(mechanism, own) if own else None
        if node.motion is None or whole is None or is_flat(linear_part(node.world)):
            continue
        centre = centre_of(mechanism, index, own)
        if not isfinite(node.motion.mass) or dist(centre, whole.centre) <= NEAR:
            continue
        inertia = filled_inertia(mechanism, own, node.motion.mass, centre)
        if inertia is None or not all(isfinite(x) for row in inertia for x in row):
            continue
        turn = linear_part(rigid_frame(node.world))
        moments, axes = principal(multiply(multiply(transpose(turn), inertia), turn))
        motion = replace(node.motion, inertia_diagonal=moments, inertia_orientation=axes)
        nodes[index] = replace(node, motion=motion)
        found.add(index)
    return replace(mechanism, nodes=tuple(nodes)), found
