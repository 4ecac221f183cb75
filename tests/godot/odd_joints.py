# SPDX-License-Identifier: GPL-3.0-or-later
"""Odd files of joints, and of animations that lead them."""

from __future__ import annotations

import struct

from benchmarks.godot.documents import Numbers

from .odd_documents import (
    BODY,
    DYNAMIC,
    JOINT,
    KHR,
    LOCKS,
    POINTER,
    SWING,
    Json,
    document,
    hinged,
    mesh_of,
    node,
)


def joints() -> dict[str, Json]:
    """Return files whose joints are odd, and such whose nodes are more than marks."""
    hinge = {"name": "Hinge", "limits": [*LOCKS, SWING]}
    odd = {
        "limits": [
            {"linearAxes": [0, 1, 2], "min": 0, "max": 0, "stiffness": -3, "damping": -1},
            {"linearAxes": [], "angularAxes": [0, 1], "max": 0.5},
            {"angularAxes": [0], "min": -0.25, "stiffness": 7},
            {"min": -1, "max": 1},
        ],
        "drives": [
            {"type": "angular", "axis": 2, "velocityTarget": 1, "damping": -2},
            {"type": "angular", "axis": 3, "positionTarget": 1, "stiffness": 2},
            {"type": "magnetic", "axis": 1, "positionTarget": 1, "stiffness": 2},
            {"type": "angular", "axis": 2, "velocityTarget": 1, "damping": 2, "maxForce": -4},
            {"type": "linear", "positionTarget": 1, "stiffness": 2},
        ],
    }
    together = {
        "limits": [
            {"linearAxes": [0, 1, 2], "min": 0, "max": 0},
            {"angularAxes": [0, 1], "min": 0, "max": 0.5},
        ]
    }
    both = hinged([hinge])
    both["extensions"][KHR] = {"physicsJoints": [together]}
    both["nodes"][2]["extensions"][KHR] = {"joint": {"joint": 0, "connectedNode": 3}}
    plain = hinged([hinge])
    plain["extensions"][KHR] = {"physicsJoints": [{"limits": LOCKS}]}
    plain["nodes"][2]["extensions"][KHR] = {"joint": {"joint": 0, "connectedNode": 3}}
    held = {JOINT: {"joint": 0, "connectedNode": 0}}
    chain = hinged(
        [hinge, {"limits": LOCKS}],
        node("Second", at=(0, 1, 0), **{BODY: DYNAMIC, JOINT: {"joint": 1, "connectedNode": 2}}),
        node("Third", 6, at=(0, 2, 0), **{BODY: DYNAMIC}),
        node("Holder", 7, **{JOINT: {"joint": 1, "connectedNode": 4, "enableCollision": True}}),
        node("Below"),
        node("Loose", at=(0, 3, 0), **{JOINT: {"joint": 0, "connectedNode": 5}}),
    )
    flat = hinged([hinge])
    flat["nodes"][3]["scale"] = [1, 0, 1]
    no_body = hinged([hinge])
    for at in (0, 1):
        del no_body["nodes"][at]["extensions"]
    return {
        "A joint with odd limits and drives.": hinged([odd]),
        "The same in Khronos'.": hinged([odd], family=KHR),
        "A joint of whose two accounts Khronos' says more.": both,
        "A joint of whose two accounts OMI's counts.": plain,
        "Joints whose nodes are bodies, hold something, or are used by others.": chain,
        "A joint without settings.": hinged([hinge], joint=4),
        "A joint of Khronos' without a connected node.": hinged(
            [hinge], family=KHR, connectedNode=77
        ),
        "A joint of the form of 2023.": hinged([], constraints=[0], nodeA=0),
        "A joint at a node without directions.": flat,
        "A joint between things that are no bodies.": no_body,
        "A joint of a body to itself.": document(
            [node("Bar", **{BODY: DYNAMIC, **held})], extensions={JOINT: {"physicsJoints": [hinge]}}
        ),
    }


def animations() -> dict[str, Json]:
    """Return files whose animations move bodies and change joints, or try to."""
    numbers = Numbers()
    times = numbers.scalars((0.0, 1.0))
    places = numbers.add(
        struct.pack("<6f", 0, 0, 0, 1, 2, 3), componentType=5126, type="VEC3", count=2
    )
    turns = numbers.add(
        struct.pack("<8f", 0, 0, 0, 1, 0, 0, 0.6, 0.8), componentType=5126, type="VEC4", count=2
    )
    scales = numbers.add(
        struct.pack("<6f", 1, 1, 1, 2, 2, 2), componentType=5126, type="VEC3", count=2
    )
    moves = [
        _channel(at, path, one)
        for one in (0, 1, 2)
        for at, path in enumerate(("translation", "rotation", "scale"))
    ]
    samplers = [{"input": times, "output": one} for one in (places, turns, scales)]
    moved = hinged([{"limits": LOCKS}])
    moved |= {
        "animations": [{"name": "Move", "channels": moves, "samplers": samplers}],
        **numbers.members(),
    }
    weights = numbers.scalars((0.0, 0.5))
    mesh = mesh_of(numbers)  # which is its own morph target
    (wedge,) = mesh["meshes"]
    (primitive,) = wedge["primitives"]
    primitive["targets"] = [{"POSITION": primitive["attributes"]["POSITION"]}]
    wedge["weights"] = [0.0]
    shown = document([node("Shown", 1, **{BODY: DYNAMIC}) | {"mesh": 0}, node("Child")])
    paths = ("translation", "rotation", "scale", "weights")
    shown["animations"] = [
        {
            "name": "Move",
            "channels": [_channel(at, path, 0) for at, path in enumerate(paths)],
            "samplers": [*samplers, {"input": times, "output": weights}],
        }
    ]
    return {
        "Animated bodies, meshes and joints.": moved,
        "A body below which its mesh grows and changes its form.": shown | mesh,
    }


def pointers() -> dict[str, Json]:
    """Return files with animated numbers of every type that a file may hold."""
    settings = {
        "name": "Hinge",
        "limits": [*LOCKS, SWING],
        "drives": [
            {"type": "angular", "axis": 2, "positionTarget": 0.1, "stiffness": 9.0, "damping": 1.0}
        ],
    }
    numbers = Numbers()
    times = numbers.scalars((0.0, 0.5, 1.0))
    values = {
        "BYTE": numbers.add(
            struct.pack("<3b", 127, 64, -127),
            componentType=5120,
            type="SCALAR",
            count=3,
            normalized=True,
        ),
        "UNSIGNED_BYTE": numbers.add(
            struct.pack("<3B", 255, 51, 0),
            componentType=5121,
            type="SCALAR",
            count=3,
            normalized=True,
        ),
        "SHORT": numbers.add(
            struct.pack("<3h", 32767, 16384, -32767),
            componentType=5122,
            type="SCALAR",
            count=3,
            normalized=True,
        ),
        "UNSIGNED_SHORT": numbers.add(
            struct.pack("<3H", 65535, 13107, 0),
            componentType=5123,
            type="SCALAR",
            count=3,
            normalized=True,
        ),
        "UNSIGNED_INT": numbers.add(
            struct.pack("<3I", 2, 3, 5), componentType=5125, type="SCALAR", count=3
        ),
        "FLOAT": numbers.scalars((0.2, 0.4, 0.3)),
        "BYTE without a scale": numbers.add(
            struct.pack("<3B", 1, 0, 1), componentType=5121, type="SCALAR", count=3
        ),
    }
    between = numbers.add(
        struct.pack("<5f", 0.2, 9.0, 0.4, 9.0, 0.3), componentType=5126, type="SCALAR", count=3
    )
    curve = numbers.scalars((0.0, 0.1, 1.0, 0.5, 0.4, 0.0, 0.0, 0.2, 0.3))
    vector = numbers.add(struct.pack("<6f", *range(6)), componentType=5126, type="VEC3", count=2)
    short = numbers.scalars((0.1, 0.2))
    once, late = numbers.scalars((0.3,)), numbers.scalars((0.5,))
    sparse = numbers.add(
        struct.pack("<3f", 1, 2, 3), componentType=5126, type="SCALAR", count=3, sparse={"count": 1}
    )
    beyond = numbers.add(struct.pack("<3f", 1, 2, 3), componentType=5126, type="SCALAR", count=300)
    unknown = numbers.add(struct.pack("<3f", 1, 2, 3), componentType=5199, type="SCALAR", count=3)
    none = numbers.add(struct.pack("<3f", 1, 2, 3), componentType=5126, type="SCALAR", count=0)
    at = f"/extensions/{JOINT}/physicsJoints/0"
    upper, target = f"{at}/limits/1/max", f"{at}/drives/0/positionTarget"

    def keyed(
        *channels: tuple[str, int, str], name: str | None = "Settings", omi: bool = True
    ) -> Json:
        told = hinged([settings])
        said = {"channels": [_pointed(number, one[0]) for number, one in enumerate(channels)]}
        said["samplers"] = [
            {"input": times, "output": one[1], "interpolation": one[2]} for one in channels
        ]
        told["animations"] = [said | ({"name": name} if name else {})]
        told["extensionsUsed"].append(POINTER)
        return told | numbers.members()

    cases = {
        f"A bound that {name} lead.": keyed((upper, one, "LINEAR")) for name, one in values.items()
    }
    strided = keyed((upper, between, "LINEAR"))
    view = strided["accessors"][between]["bufferView"]
    strided["bufferViews"] = [dict(one) for one in strided["bufferViews"]]
    strided["bufferViews"][view]["byteStride"] = 8
    two = keyed((upper, values["FLOAT"], "LINEAR"))
    two["animations"].append(
        {**two["animations"][0], "name": "Other", "channels": [_pointed(0, target)]}
    )
    mixed = keyed((upper, values["FLOAT"], "LINEAR"), name="Both")
    mixed["animations"][0]["channels"].append(
        {"sampler": 0, "target": {"path": "scale", "node": 1}}
    )
    alone = keyed((upper, once, "LINEAR"))
    alone["animations"][0]["samplers"][0]["input"] = late
    return cases | {
        "A bound with one key.": alone,
        "A bound and a target, curved and in steps.": keyed(
            (upper, curve, "CUBICSPLINE"), (target, values["FLOAT"], "STEP")
        ),
        "Whether bodies collide, and a strength, in an animation without a name.": keyed(
            (
                f"/nodes/2/extensions/{JOINT}/enableCollision",
                values["BYTE without a scale"],
                "STEP",
            ),
            (f"{at}/drives/0/stiffness", values["UNSIGNED_INT"], "LINEAR"),
            name=None,
        ),
        "Two animations of one joint.": two,
        "A largest force and a speed that are none at rest.": keyed(
            (f"{at}/drives/0/maxForce", values["FLOAT"], "LINEAR"),
            (f"{at}/drives/0/velocityTarget", values["FLOAT"], "LINEAR"),
            (f"{at}/drives/0/stiffness", values["BYTE without a scale"], "STEP"),
        ),
        "Numbers with others between them.": strided,
        "What cannot be read of animations.": keyed(
            (upper, vector, "LINEAR"),
            (f"{at}/limits/1/min", short, "LINEAR"),
            (f"{at}/limits/1/stiffness", sparse, "LINEAR"),
            (f"{at}/drives/0/damping", beyond, "LINEAR"),
            (f"{at}/drives/0/maxForce", unknown, "LINEAR"),
            (f"{at}/drives/0/velocityTarget", none, "LINEAR"),
            (f"{at}/drives/0/axis", values["FLOAT"], "LINEAR"),
            (f"/nodes/1/extensions/{BODY}/motion/mass", values["FLOAT"], "LINEAR"),
            ("/nodes/1/translation", values["FLOAT"], "LINEAR"),
            (f"{at}/limits/7/max", values["FLOAT"], "LINEAR"),
        ),
    }


def _pointed(sampler: int, pointer: str) -> Json:
    extensions = {POINTER: {"pointer": pointer}}
    return {"sampler": sampler, "target": {"path": "pointer", "extensions": extensions}}


def _channel(sampler: int, path: str, node: int) -> Json:
    return {"sampler": sampler, "target": {"path": path, "node": node}}
