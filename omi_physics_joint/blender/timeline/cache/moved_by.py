# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves an object but the cache: where it stands, its keys, strips and drivers, as digests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
from bpy.types import ID, DriverTarget, FCurve, Object

from ...bridge.animation import animated_paths, curves_of, strips_of
from ...bridge.keyed import still
from ...bridge.read_groups import rows_in
from ...data.joint import OmiJointSettings

STRIP = (
    "frame_start",
    "frame_end",
    "action_frame_start",
    "action_frame_end",
    "scale",
    "repeat",
    "blend_in",
    "blend_out",
    "influence",
    "mute",
    "use_reverse",
    "blend_type",
    "extrapolation",
)
"""What of a strip in the NLA changes what it does."""


def is_animated(obj: Object) -> bool:
    """Return whether keys, strips or drivers may move an object."""
    data = obj.animation_data
    return data is not None and bool(data.action or data.nla_tracks or data.drivers)


def own_place(
    obj: Object | None, moved: Collection[int], seen: frozenset[int] = frozenset()
) -> Iterator[object]:
    """Yield what says where an object is below its parent; nothing of None.

    Matrices are taken in single precision: as arrays some releases of Blender give them in double.
    The own transform of bodies that are ``moved`` does not count; what is ``seen`` already is not
    looked at again, since drivers may go in circles. Both hold pointers.
    """
    if obj is None:
        return
    yield obj.parent_type, obj.parent_bone
    yield _bytes(obj.matrix_parent_inverse) if obj.parent is not None else b""
    for constraint in obj.constraints:
        yield constraint.type, constraint.mute, constraint.influence
    animation = list(_animation(obj, moved, seen | {obj.as_pointer()}))
    yield animation
    if obj.as_pointer() in moved:
        yield tuple(obj.scale), tuple(obj.delta_location), tuple(obj.delta_scale)
        yield tuple(obj.delta_rotation_euler), tuple(obj.delta_rotation_quaternion)
    elif not animation:
        yield _bytes(obj.matrix_basis)


def own_settings(block: OmiJointSettings, moved: Collection[int]) -> Iterator[object]:
    """Yield what an animated settings block says, in any frame: how it goes, and what stays."""
    yield list(_animation(block, moved, frozenset((block.as_pointer(),))))
    yield still(block)


def _bytes(matrix: Iterable[Iterable[float]]) -> bytes:
    return np.array(matrix, dtype=np.float32).tobytes()


def _animation(owner: ID, moved: Collection[int], seen: frozenset[int]) -> Iterator[object]:
    data = owner.animation_data
    if data is None:
        return
    for curve in data.drivers:
        yield list(_keys((curve,)))
        yield curve.driver.type, curve.driver.expression
        for variable in curve.driver.variables:
            yield variable.name, variable.type
            for target in variable.targets:
                yield list(_target(variable.type, target, moved, seen))
    for track in data.nla_tracks:
        yield track.mute, track.is_solo
    strips = list(strips_of(data))
    for strip in strips:
        yield tuple(getattr(strip, name) for name in STRIP)
    for user in (data, *strips):
        yield from _keys(curves_of(user.action, user.action_slot))


def _keys(curves: Iterable[FCurve]) -> Iterator[object]:
    for curve in curves:
        points, ends = curve.keyframe_points, ("co", "handle_left", "handle_right")
        keys = b"".join(rows_in(points, end, 2).tobytes() for end in ends)
        yield curve.data_path, curve.array_index, curve.mute, curve.extrapolation
        yield keys, rows_in(points, "interpolation", 1, np.int32).tobytes()
        yield [(one.type, one.mute, one.influence) for one in curve.modifiers]


def _target(
    kind: str, target: DriverTarget, moved: Collection[int], seen: frozenset[int]
) -> Iterator[object]:
    """Yield what a driver reads there: not the name, and no value that changes with the frame."""
    yield target.data_path, target.bone_target, target.transform_type
    yield target.transform_space, target.rotation_mode
    source = target.id
    if source is None or source.as_pointer() in seen:
        return
    if kind != "SINGLE_PROP":
        yield list(own_place(source, moved, seen))
        return
    yield list(_animation(source, moved, seen | {source.as_pointer()}))
    is_custom = target.data_path.endswith('"]')
    data = source.animation_data
    if is_custom and (data is None or target.data_path not in animated_paths(data)):
        yield _value(source, target.data_path)


def _value(source: ID, path: str) -> str:
    """Return a value that only the user changes, as text; "" where the path leads nowhere."""
    try:
        return repr(source.path_resolve(path))
    except ValueError:
        return ""
