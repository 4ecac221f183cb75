# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertias that colliders have about a centre of mass that is elsewhere than theirs.

A stage leaves them open: pxr and PhysX count them about the centre of the body, Newton about that
of the colliders, so they are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import dist, isfinite

import numpy as np

from ...model.geometry.frames import is_flat, rigid_frame
from ...model.geometry.transform import linear_part
from ...model.mechanics.inertias import centre_of
from ...model.mechanics.masses import principal
from ...model.mechanism import Mechanism
from ...weighing.inertia import body_inertia, body_solid, parts_of_bodies

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
        solid = body_solid(mechanism, own) if own else None
        if node.motion is None or solid is None or is_flat(linear_part(node.world)):
            continue
        centre = centre_of(mechanism, index, own)
        if not isfinite(node.motion.mass) or dist(centre, solid.centre) <= NEAR:
            continue
        inertia = body_inertia(mechanism, own, node.motion.mass, np.array(centre))
        if inertia is None or not np.isfinite(inertia).all():
            continue
        turn = np.array(linear_part(rigid_frame(node.world)))
        rows = (turn.T @ inertia @ turn).tolist()
        moments, axes = principal(tuple(map(tuple, rows)))
        motion = replace(node.motion, inertia_diagonal=moments, inertia_orientation=axes)
        nodes[index] = replace(node, motion=motion)
        found.add(index)
    return replace(mechanism, nodes=tuple(nodes)), found
