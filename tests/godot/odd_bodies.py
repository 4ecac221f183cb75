# SPDX-License-Identifier: GPL-3.0-or-later
"""Odd files of bodies: what is left out, older forms, surfaces, and trees of nodes."""

from __future__ import annotations

from benchmarks.godot.documents import Numbers

from .odd_documents import (
    BODY,
    DYNAMIC,
    IMPLICIT,
    KHR,
    Json,
    document,
    mesh_of,
    node,
    on,
    shapes,
)


def omissions() -> dict[str, Json]:
    """Return files that leave out what has a default, in each family."""
    sizes = [{"type": kind} for kind in ("box", "sphere", "capsule", "cylinder", "plane", "blob")]
    older = [
        {"type": "capsule", "capsule": {"radius": 0.2, "height": 1.0}},
        {"type": "cylinder", "cylinder": {"radius": 0.2, "height": 1.0}},
        {"type": "capsule", "capsule": {"radiusBottom": 0.2, "radiusTop": 0.2, "height": 1.0}},
        {"type": "capsule", "capsule": {"radiusBottom": 0.3, "radiusTop": 0.1, "height": 0.6}},
        {"type": "box", "box": {"size": [1, -2, 3]}},
        {"type": "box", "box": {"size": [1, 2]}},
        {"type": "capsule", "capsule": {"radius": 0.4, "height": 0.5}},
    ]
    planes = [
        {"type": "plane", "plane": {"sizeX": 2, "sizeZ": 3}},
        {"type": "plane", "plane": {"sizeX": 2}},
        {"type": "plane", "plane": {"sizeZ": 3}},
        {"type": "capsule", "capsule": {"radiusTop": 0.1}},
        {"type": "cylinder", "cylinder": {"radiusBottom": 0.1, "height": 2}},
    ]
    khr = [
        node(
            f"B{at}",
            at=(at, 0, 0),
            **{KHR: {"motion": {}, "collider": {"geometry": {"shape": at}}}},
        )
        for at in range(5)
    ]
    still = [
        node(f"P{at}", at=(at, 0, 0), **{KHR: {"collider": {"geometry": {"shape": at}}}})
        for at in range(5)
    ]
    motions = [
        {"type": "dynamic", "mass": 0},
        {"type": "dynamic", "mass": -2, "inertiaDiagonal": [1, 2, 3]},
        {"type": "sleepy"},
        {"type": "dynamic", "mass": 3.4028235e38, "inertiaDiagonal": [1, 2, 3.4028235e38]},
        {
            "type": "dynamic",
            "inertiaDiagonal": [0.1, 0.2, 0.25],
            "inertiaOrientation": [0, 0, 1.2, 1.6],
        },
        {
            "type": "dynamic",
            "inertiaDiagonal": [0.1, 0.2, 0.25],
            "inertiaOrientation": [0, 0, 0, 0],
        },
        {"type": "dynamic", "centerOfMass": "no", "mass": "much", "gravityFactor": 0.5},
        {
            "type": "dynamic",
            "mass": 3.4028235e38,
            "linearVelocity": [1, 0, 0],
            "angularVelocity": [0, 2, 0],
        },
        {"type": "kinematic", "angularVelocity": [0, 2, 0]},
    ]
    khr_motions = [
        {"mass": 0},
        {"isKinematic": True, "linearVelocity": [0, 0, 1]},
        {"inertiaDiagonal": [1, 0, 2]},
        {"inertiaDiagonal": [0, 0, 0]},
        {"gravityFactor": 0, "angularVelocity": [1, 2, 3], "centerOfMass": [0, 1, 0]},
    ]
    return {
        "Shapes of OMI without sizes.": document(
            [node(f"B{at}", at=(at, 0, 0), **on(at)) for at in range(6)],
            extensions=shapes(*sizes),
        ),
        "Shapes of OMI with one radius, two, or odd sizes.": document(
            [node(f"B{at}", at=(at, 0, 0), **on(at)) for at in range(7)],
            extensions=shapes(*older),
        ),
        "The same in a file for Godot.": document(
            [node(f"B{at}", at=(at, 0, 0), **on(at)) for at in range(4)],
            extensions=shapes(*older),
            extras={"physics_target": "godot"},
        ),
        "Shapes of Khronos' without sizes, on bodies that leave everything out.": document(
            khr, extensions=shapes(*sizes, family=IMPLICIT)
        ),
        "Planes and shapes that taper, of Khronos' and of no body.": document(
            still, extensions=shapes(*planes, family=IMPLICIT)
        ),
        "Motions of OMI that leave out or mistake something.": document(
            [
                node(f"M{at}", at=(at, 0, 0), **{BODY: {"motion": one}})
                for at, one in enumerate(motions)
            ]
        ),
        "Motions of Khronos'.": document(
            [
                node(f"K{at}", at=(at, 0, 0), **{KHR: {"motion": one}})
                for at, one in enumerate(khr_motions)
            ]
        ),
        "A centre that Khronos' leaves open and OMI says.": document(
            [
                node(
                    "Said",
                    **{
                        BODY: {
                            "motion": {"type": "dynamic", "centerOfMass": [0, 0.1, 0]},
                            "collider": {"shape": 0},
                        },
                        KHR: {"motion": {}},
                    },
                ),
                node("Open", 2, at=(3, 0, 0), **{BODY: DYNAMIC, KHR: {"motion": {}}}),
                node("Part", at=(0.5, 0, 0), **{BODY: {"collider": {"shape": 0}}}),
            ],
            extensions=shapes({"type": "box", "box": {"size": [1, 1, 1]}}),
        ),
    }


def surfaces() -> dict[str, Json]:
    """Return files with materials, filters, triggers and gravity."""
    materials = [
        {"name": "Ice", "dynamicFriction": 0.1, "staticFriction": 0.2, "restitution": 0.4},
        {
            "name": "Clay",
            "staticFriction": 0.9,
            "frictionCombine": "maximum",
            "restitutionCombine": "minimum",
        },
        {"name": "Ball", "restitution": 1.5, "restitutionCombine": "multiply"},
        {"frictionCombine": "multiply", "restitution": 0.2, "restitutionCombine": "minimum"},
    ]
    filters = [
        {"collisionSystems": ["Doors"], "collideWithSystems": ["Walls"]},
        {"collisionSystems": ["Walls"], "notCollideWithSystems": ["Floors"]},
        {"collisionSystems": ["Floors", "Walls"]},
        {"collideWithSystems": ["Doors", "Kept"]},
        {"collisionSystems": ["Kept"], "collideWithSystems": ["Doors"]},
    ]
    box = {"type": "box", "box": {"size": [1, 1, 1]}}
    pools = {BODY: {"physicsMaterials": materials, "collisionFilters": filters}, **shapes(box)}
    many = [{"collisionSystems": [f"System{at:02d}"]} for at in range(34)]
    parts = [
        node("Two", 5, at=(9, 0, 0), **on(0, physicsMaterial=0, collisionFilter=0)),
        node(
            "Part",
            at=(1, 0, 0),
            **{BODY: {"collider": {"shape": 0, "physicsMaterial": 1, "collisionFilter": 2}}},
        ),
    ]
    triggers = [
        node("Post", 1, **{BODY: {"motion": {"type": "static"}, "collider": {"shape": 0}}}),
        node("Seen", at=(0, 2, 0), **{BODY: {"trigger": {"shape": 0, "collisionFilter": 0}}}),
        node("All", 3, at=(0, 4, 0), **{BODY: {"trigger": {"nodes": [1, 3, 0, 17, -2]}}}),
        node("Half", at=(1, 0, 0), **{BODY: {"trigger": {"shape": 1}}}),
    ]
    return {
        "Materials and filters.": document(
            [
                *(
                    node(f"M{at}", at=(at, 0, 0), **on(0, physicsMaterial=at, collisionFilter=at))
                    for at in range(4)
                ),
                *parts,
                node("Plain", at=(12, 0, 0), **on(0)),
                node("Last", at=(14, 0, 0), **on(0, collisionFilter=4)),
            ],
            extensions=pools,
        ),
        "More systems than Godot has layers.": document(
            [node(f"S{at:02d}", **on(0, collisionFilter=at)) for at in (0, 29, 30, 31, 32, 33)],
            extensions={BODY: {"collisionFilters": many}, **shapes(box)},
        ),
        "Triggers, alone and of several parts.": document(
            triggers,
            extensions={**pools, **shapes(box, {"type": "sphere", "sphere": {"radius": 0.2}})},
        ),
        "Triggers of Khronos'.": document(
            [node("Seen", **{KHR: {"trigger": {"geometry": {"shape": 0}}}})],
            extensions=shapes(box, family=IMPLICIT),
        ),
        "Gravity of the Moon.": document(
            [node("Bar", **on(0))],
            extensions={**pools, "OMI_physics_gravity": {"gravity": 1.62}},
        ),
        "Gravity of the Earth, said.": document(
            [node("Bar", **on(0))], extensions={**pools, "OMI_physics_gravity": {"gravity": 9.8}}
        ),
        "Gravity that is not said in numbers.": document(
            [node("Bar", **on(0))],
            extensions={**pools, "OMI_physics_gravity": {"direction": [0, -1, 0]}},
        ),
    }


def trees() -> dict[str, Json]:
    """Return files whose bodies are roots, meshes, bones, flat, or below each other."""
    box = shapes({"type": "box", "box": {"size": [1, 1, 1]}})
    numbers = Numbers()
    mesh = mesh_of(numbers)
    flat = node("Flat", **on(0)) | {"scale": [1, 0, 1]}
    skinned = [
        node("Skin", at=(0, 0, 0)) | {"mesh": 0, "skin": 0},
        node("Bone", 2, **on(0)),
        node("Tip", at=(0, 1, 0)),
    ]
    hulls = [
        {"type": "convex", "convex": {"mesh": 0}},
        {"type": "trimesh", "trimesh": {"mesh": 0}},
        {"type": "trimesh", "trimesh": {"mesh": 9}},
        {"type": "convex"},
    ]
    geometry = [
        {"node": 4},
        {"node": 4, "convexHull": True},
        {"mesh": 0},
        {"node": 99},
    ]
    single = {"used": ["GODOT_single_root"]}
    inner = [
        node("Falls", 1, at=(1, 0, 0), **on(0)) | {"rotation": [0, 0, 0.6, 0.8]},
        node("Inner", 2, at=(1, 0, 0), **on(0)),
        node(
            "Post", at=(1, 0, 0), **{BODY: {"motion": {"type": "static"}, "collider": {"shape": 0}}}
        ),
    ]
    weighed = [
        node("Shown", 1, 2, at=(1, 0, 0), **{BODY: DYNAMIC}) | {"mesh": 0},
        node("Child", at=(0, 2, 0)) | {"mesh": 0},
        node("Own", at=(0, 0, 5), **{BODY: DYNAMIC}) | {"mesh": 0},
        node("Mark", **{BODY: {"motion": {"type": "dynamic", "mass": 2}}}),
    ]
    return {
        "A file without physics.": document([node("Lamp", 1), node("Bulb", at=(0, 1, 0))]),
        "A body that is the root of the scene.": document(
            [
                node("Bar", 1, 2, **on(0)),
                node("Inside", at=(0, 1, 0)),
                node("Moves", at=(3, 0, 0), **on(0)),
            ],
            extensions=box,
            **single,
        ),
        "A mesh that is the root of the scene.": document(
            [node("Bar", 1, at=(0, 0, 2), **on(0)) | {"mesh": 0}, node("Inside", at=(0, 1, 0))],
            extensions=box,
            **single,
            **mesh,
        ),
        "Bodies of meshes, scaled and below each other.": document(
            [
                node("Mesh", 1, at=(0, 0, 2), **on(0)) | {"mesh": 0},
                node("Lamp", at=(0, 1, 0)),
                node("Scaled", 3, at=(4, 0, 2), **on(0)) | {"mesh": 0, "scale": [1, 2, 1]},
                node("Lamp2", at=(0, 1, 0)),
                node("Empty", 5, at=(6, 0, 2), **on(0)) | {"scale": [1, 1, -1]},
                node("Lamp3", at=(0, 1, 0)),
            ],
            extensions=box,
            **mesh,
        ),
        "What falls with a falling body and a post below it.": document(inner, extensions=box),
        "A flat body, and a shape without a body below a shape.": document(
            [
                flat,
                node("Floor", 2, **{BODY: {"collider": {"shape": 0}}}),
                node("Tile", at=(1, 1, 0), **{BODY: {"collider": {"shape": 0}}}),
            ],
            extensions=box,
        ),
        "Small bodies of two shapes, the larger one first and last.": document(
            [
                one
                for at in range(2)
                for one in (
                    node(f"Small{at}", 3 * at + 1, 3 * at + 2, at=(at, 0, 0), **{BODY: DYNAMIC}),
                    node(f"First{at}", **{BODY: {"collider": {"shape": at}}}),
                    node(f"Last{at}", **{BODY: {"collider": {"shape": 1 - at}}}),
                )
            ],
            extensions=shapes(
                *({"type": "sphere", "sphere": {"radius": one}} for one in (0.02, 0.005))
            ),
        ),
        "Shapes without a body below each other, the lowest first in the file.": document(
            [
                node("Tile", at=(1, 1, 0), **{BODY: {"collider": {"shape": 0}}}),
                node("Floor", 0, at=(1, 0, 0), **{BODY: {"collider": {"shape": 0}}}),
                node("Storey", 1, **{BODY: {"collider": {"shape": 0}}}),
                node("House", 2, at=(0, 1, 0)),
            ],
            extensions=box,
        ),
        "A bone that is a body.": document(
            skinned, extensions=box, **mesh, skins=[{"joints": [1, 2]}]
        ),
        "Shapes of meshes that move, stand or are not there.": document(
            [
                *(node(f"Moves{at}", at=(at, 0, 0), **on(at)) for at in range(4)),
                *(
                    node(
                        f"Stands{at}",
                        at=(at, 2, 0),
                        **{BODY: {"motion": {"type": "static"}, "collider": {"shape": at}}},
                    )
                    for at in range(2)
                ),
                node("Seen", at=(0, 4, 0), **{BODY: {"trigger": {"shape": 1}}}),
            ],
            extensions=shapes(*hulls),
            **mesh,
        ),
        "Shapes of meshes in Khronos'.": document(
            [
                *(
                    node(f"M{at}", at=(at, 0, 0), **{KHR: {"collider": {"geometry": one}}})
                    for at, one in enumerate(geometry)
                ),
                node("Group", 5, at=(9, 0, 0)),
                node("Shown") | {"mesh": 0},
            ],
            **mesh,
        ),
        "Bodies without shapes, weighed by what is shown.": document(weighed, **mesh),
    }
