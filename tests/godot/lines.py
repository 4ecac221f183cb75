# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on has built of a file, as short lines that a reviewer reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from .joints import matrix_of_one
from .rooms import FREE, LOCKED, built_rooms

LAYERS = [1, 1]
"""What something has that no filter is about."""
GRIP = ", 0.6, 0, False, False"
"""What something is made of that does not say."""
NOTHING = [0.0, 0.0, 0.0]
BODY = ("mass", "gravity_scale", "inertia", "center", "linear_velocity", "angular_velocity")
PLAIN = ("Node3D", "Mesh", "Importer", "Skeleton", "Animation")
"""What classes begin with that no other line names."""
MANY = 12
"""About how many keys are said; of more every so many."""
COORDINATES = ("along X", "along Y", "along Z", "about X", "about Y", "about Z")


def lines_of(made: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a file has become."""
    if not made:
        yield "not read"
        return
    yield "tree: " + ", ".join(
        f"{path} {kind}" if kind.startswith(PLAIN) else path for path, kind, _ in made["nodes"]
    )
    for path, kind, world in made["nodes"]:
        if kind in ("Node3D", "ImporterMeshInstance3D") and world != matrix_of_one():
            yield f"{path} {said(world)}"
    for name, body in made["bodies"].items():
        yield from _body(name, body)
    for name, joint in made["joints"].items():
        yield from _joint(name, joint)
    for name, animation in made["animations"].items():
        yield f"animation {name}: {said(animation['length'])} s, in step {animation['in_step']}"
        for track in animation["tracks"]:
            keys, count = track["keys"], len(track["keys"])
            some = [*keys[: -1 : count // MANY + 1], keys[-1]] if keys else []
            told = ", ".join(f"{said(at)} {said(value)}" for at, value in some)
            yield f"  {track['node']}:{track['property']} {track['how']}: {count} keys {told}"
    if made["warnings"] is None:
        yield "left to Godot"
    yield from (f"says: {text}" for text in made["warnings"] or ())


def _body(name: str, body: Mapping[str, Any]) -> Iterator[str]:
    values = [f"{key} {said(body[key])}" for key in BODY if body.get(key) not in (None, NOTHING)]
    if body["layers"] != LAYERS:
        values.append("layer {} mask {}".format(*body["layers"]))
    material = ", ".join(map(said, body.get("material", ())))
    if material not in {"", GRIP}:
        values.append(
            "material {}, friction {}, bounce {}, {} {}".format(*map(said, body["material"]))
        )
    yield f"{name} {body['class']} {said(body['world'])}: {', '.join(values)}".rstrip(": ")
    for shape, one in body["shapes"].items():
        sizes = [f"{key} {said(one[key])}" for key in ("size", "radius", "height") if one[key]]
        if one["points"]:
            columns = list(zip(*one["points"], strict=True))
            sizes.append(f"{len(one['points'])} points")
            sizes += [f"{said(min(column))} to {said(max(column))}" for column in columns]
        yield f"  {shape} {one['class']} {said(one['world'])}: {', '.join(sizes)}".rstrip(": ")


def _joint(name: str, joint: Mapping[str, Any]) -> Iterator[str]:
    words = "apart" if joint["apart"] else "colliding"
    if joint["second_frame"] is not None:
        words += f", second frame {said(joint['second_frame'])}"
    first, second = joint["ends"]
    yield f"{name} {joint['class']} {said(joint['world'])} of {first} and {second}: {words}"
    rooms = built_rooms(joint, partial(_value, joint), 0, None)
    for words, room in zip(COORDINATES, rooms, strict=True):
        low, high, drive = room
        bounds = "locked" if room[:2] == LOCKED[:2] else f"{said(low)} to {said(high)}"
        if room[:2] != FREE[:2] or drive is not None:
            told = "" if drive is None else f", {drive[0]} {said(drive[1:])}"
            if room != LOCKED:
                yield f"  {words} {bounds}{told}"


def _value(joint: Mapping[str, Any], name: str) -> Any:
    value = joint["properties"].get(name)
    return float(value) if isinstance(value, str) else value


def said(value: Any) -> str:
    """Return a value in so many digits as people read."""
    if value == matrix_of_one():
        return "at home"
    if isinstance(value, list) and len(value) == 4 and value[:3] == matrix_of_one()[:3]:
        return f"at {said(value[3])}"
    if isinstance(value, (list, tuple)):
        return "(" + " ".join(map(said, value)) + ")"
    if isinstance(value, float):
        return f"{value + 0.0:.4g}" if abs(value) > 1e-5 else "0"
    return str(value)
