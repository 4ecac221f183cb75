# SPDX-License-Identifier: GPL-3.0-or-later
"""What the mouse points at: the body to pull, and where it is pulled to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bpy.types import Context, Depsgraph, Region, Scene
from bpy_extras import view3d_utils
from mathutils import Vector
from mathutils.geometry import intersect_point_line
from numpy.typing import ArrayLike

from ....drawing.played import RADIUS, head_of, sight_of
from ...bridge.poses.second_frames import second_world
from ...simulated.reading import SimulatedScene

NEAR = 12.0
"""Pixels from the mouse within which a joint's empty is meant, at a scale of one."""


@dataclass(frozen=True, slots=True)
class Picked:
    """A point on a body."""

    node: int
    point: Vector
    """m, in the world."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A 3D view and a place of the mouse in it."""

    region: Region
    at: tuple[float, float]
    """Pixels."""

    def point_at_depth(self, point: Vector) -> Vector:
        """Return where the mouse points on the plane through a point that faces the view."""
        return view3d_utils.region_2d_to_location_3d(self.region, self.region.data, self.at, point)

    def ray(self) -> tuple[Vector, Vector]:
        """Return origin and direction of what lies under the mouse."""
        return (
            view3d_utils.region_2d_to_origin_3d(self.region, self.region.data, self.at),
            view3d_utils.region_2d_to_vector_3d(self.region, self.region.data, self.at),
        )


def pick(simulated: SimulatedScene, context: Context, aim: Aim) -> Picked | None:
    """Return the body under the mouse: by a joint's empty, or by what is seen there."""
    return _by_empty(simulated, context, aim) or by_ray(
        simulated, context.scene, context.evaluated_depsgraph_get(), aim.ray()
    )


def by_ray(
    simulated: SimulatedScene, scene: Scene, depsgraph: Depsgraph, ray: tuple[Vector, Vector]
) -> Picked | None:
    """Return the body whose surface a ray meets first; None where that does not play."""
    hit, point, _, _, obj, _ = scene.ray_cast(depsgraph, *ray)
    if not hit:
        return None
    node = simulated.node_of(obj.original)
    return None if node is None else Picked(node, point)


def pin_under(pins: Mapping[int, ArrayLike], scale: float, aim: Aim) -> int | None:
    """Return the body whose pin the mouse points at, at its head or its needle.

    The pinned points are in m, in Blender's axes, by node of the body.
    """
    view = aim.region.data
    sight = sight_of(view.view_matrix, view.window_matrix, aim.region.height)
    mouse = Vector(aim.at)
    for node, point in pins.items():
        ends = [
            view3d_utils.location_3d_to_region_2d(aim.region, aim.region.data, Vector(end))
            for end in (point, head_of(point, sight, scale))
        ]
        if None in ends:
            continue
        nearest, share = intersect_point_line(mouse, *ends)
        near = ends[0] if share < 0.0 else ends[1] if share > 1.0 else nearest
        if (mouse - near.to_2d()).length <= RADIUS * scale:
            return node
    return None


def _by_empty(simulated: SimulatedScene, context: Context, aim: Aim) -> Picked | None:
    """Return the body of the visible joint frame that is nearest to the mouse."""
    reach = NEAR * context.preferences.system.ui_scale
    nearest: tuple[float, Picked] | None = None
    for index, _, joint in simulated.mechanism.joints():
        for end in (index, joint.connected_node):
            obj = simulated.placed[index].owner
            place = simulated.placed[end]
            above = place.parent
            shown = place if place.object is not None or above is None else simulated.placed[above]
            node = simulated.node_of(shown.object)
            if node is None or not (place.object or obj).visible_get():
                continue
            frame = second_world(obj) if end != index else obj.matrix_world
            if frame is None:
                continue
            point = frame.translation
            seen = view3d_utils.location_3d_to_region_2d(aim.region, aim.region.data, point)
            if seen is None:
                continue
            off = (seen - Vector(aim.at)).length
            if off <= reach and (nearest is None or off < nearest[0]):
                nearest = off, Picked(node, point.copy())
    return nearest[1] if nearest else None
