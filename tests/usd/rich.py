# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages that say as much as there is to say of bodies and of joints, once each."""

from __future__ import annotations

from math import inf
from typing import Any

from omi_physics_joint.usd.prim import Prim
from tests.usd_records import BODY, COLLISION, MASS, SHADED, at, joint, placed, prim

LIMIT, DRIVE = "PhysicsLimitAPI", "PhysicsDriveAPI"
CENTIMETRES: dict[str, Any] = {"meters_per_unit": 0.01, "kilograms_per_unit": 2.0, "up_axis": "Z"}

BODIES = placed(
    prim("/World"),
    prim(
        "/World/Scene",
        "PhysicsScene",
        attributes={
            "physics:gravityDirection": (0.0, 0.6, -0.8),
            "physics:gravityMagnitude": 500.0,
        },
    ),
    prim("/World/Floor", "Plane", (COLLISION,), attributes={"axis": "Z", "width": 50.0}),
    prim("/World/Post", "Cube", (COLLISION,), at(0.0, 100.0, 0.0), attributes={"size": 50.0}),
    prim(
        "/World/Arm",
        "Xform",
        (BODY, MASS, "PhysxRigidBodyAPI", "PhysicsFilteredPairsAPI", "VendorAPI"),
        at(0.0, 0.0, 100.0, rotation=(0.0, 0.0, 0.6, 0.8)),
        attributes={
            "physics:rigidBodyEnabled": True,
            "physics:kinematicEnabled": False,
            "physics:startsAsleep": False,
            "physics:velocity": (50.0, 25.0, 12.5),
            "physics:angularVelocity": (90.0, 45.0, 30.0),
            "physics:mass": 1.5,
            "physics:density": 0.5,
            "physics:centerOfMass": (10.0, 20.0, 40.0),
            "physics:diagonalInertia": (1000.0, 1250.0, 1500.0),
            "physics:principalAxes": (0.0, 0.6, 0.0, 0.8),
            "physxRigidBody:disableGravity": True,
            "physxRigidBody:angularDamping": 0.25,
        },
        targets={"physics:filteredPairs": ("/World/Post",)},
    ),
    prim(
        "/World/Arm/Ball",
        "Sphere",
        (COLLISION, MASS),
        at(10.0, 0.0, 0.0, scale=(2.0, 2.0, 2.0)),
        attributes={"radius": 20.0, "physics:collisionEnabled": True, "physics:mass": 0.5},
        physics_material="/World/Rubber",
    ),
    prim(
        "/World/Light",
        "Xform",
        (BODY,),
        at(200.0, 0.0, 0.0),
        attributes={"physics:kinematicEnabled": False},
    ),
    prim(
        "/World/Light/Tube",
        "Cylinder",
        (COLLISION,),
        attributes={"axis": "X", "radius": 10.0, "height": 50.0, "purpose": "guide"},
        physics_material="/World/Rubber",
    ),
    prim(
        "/World/Light/Pill",
        "Capsule_1",
        (COLLISION,),
        at(30.0, 50.0, 15.0),
        attributes={"axis": "Y", "radiusTop": 5.0, "radiusBottom": 10.0, "height": 25.0},
    ),
    prim(
        "/World/Light/Horn",
        "Cone",
        (COLLISION,),
        at(-20.0, 100.0, 40.0),
        attributes={"axis": "Z", "radius": 10.0, "height": 25.0},
    ),
    prim(
        "/World/Lead",
        "Xform",
        (BODY,),
        at(300.0, 0.0, 0.0),
        attributes={"physics:kinematicEnabled": True},
    ),
    prim(
        "/World/Lead/Hull",
        "Mesh",
        (COLLISION, "PhysicsMeshCollisionAPI"),
        attributes={
            "physics:approximation": "convexHull",
            "points": ((0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (0.0, 50.0, 0.0), (0.0, 0.0, 50.0)),
            "faceVertexCounts": (3, 3, 3, 3),
            "faceVertexIndices": (0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
            "subdivisionScheme": "none",
        },
    ),
    prim("/World/Zone", "Sphere", (COLLISION, "PhysxTriggerAPI"), attributes={"radius": 30.0}),
    prim(
        "/World/Rubber",
        "Material",
        (SHADED, "PhysxMaterialAPI"),
        attributes={
            "physics:staticFriction": 0.75,
            "physics:dynamicFriction": 0.5,
            "physics:restitution": 0.25,
            "physics:density": 0.125,
            "physxMaterial:frictionCombineMode": "max",
            "physxMaterial:restitutionCombineMode": "multiply",
        },
    ),
    prim(
        "/World/Walls",
        "PhysicsCollisionGroup",
        ("CollectionAPI:colliders",),
        attributes={"physics:invertFilteredGroups": False, "physics:mergeGroup": ""},
        targets={
            "collection:colliders:includes": ("/World/Post",),
            "physics:filteredGroups": ("/World/Hands",),
        },
        members=("/World/Post",),
    ),
    prim(
        "/World/Hands",
        "PhysicsCollisionGroup",
        ("CollectionAPI:colliders",),
        targets={"collection:colliders:includes": ("/World/Light",)},
        members=("/World/Light/Tube", "/World/Light/Pill"),
    ),
    **CENTIMETRES,
)

FRAMES = {
    "physics:localPos0": (10.0, 20.0, 30.0),
    "physics:localPos1": (5.0, 0.0, 0.0),
    "physics:localRot0": (0.0, 0.0, 0.6, 0.8),
    "physics:localRot1": (0.0, 0.6, 0.0, 0.8),
}


def _bodies() -> list[Prim]:
    names = ("Post", "Door", "Tray", "Head", "Rope", "Claw")
    return [
        prim(
            f"/World/{name}",
            "Cube",
            (BODY, COLLISION, *(("PhysicsArticulationRootAPI",) if name == "Post" else ())),
            at(100.0 * number, 0.0, 0.0),
            attributes={"size": 20.0},
        )
        for number, name in enumerate(names)
    ]


JOINTS = placed(
    prim("/World"),
    *_bodies(),
    joint(
        "/World/Base",
        "FixedJoint",
        second="/World/Post",
        attributes={"physics:jointEnabled": True, "physics:excludeFromArticulation": True},
    ),
    joint(
        "/World/Hinge",
        "RevoluteJoint",
        "/World/Post",
        "/World/Door",
        schemas=(f"{DRIVE}:angular", "PhysxLimitAPI:angular", "NewtonJointAPI"),
        attributes={
            **FRAMES,
            "physics:axis": "Y",
            "physics:lowerLimit": -30.0,
            "physics:upperLimit": 60.0,
            "physics:collisionEnabled": True,
            "physics:breakForce": 1000.0,
            "physics:breakTorque": 2000.0,
            "physxLimit:angular:stiffness": 300.0,
            "physxLimit:angular:damping": 20.0,
            "newton:limitStiffness": 400.0,
            "newton:limitDamping": 10.0,
            "drive:angular:physics:type": "force",
            "drive:angular:physics:maxForce": 5000.0,
            "drive:angular:physics:targetPosition": 15.0,
            "drive:angular:physics:targetVelocity": 45.0,
            "drive:angular:physics:stiffness": 100.0,
            "drive:angular:physics:damping": 50.0,
            "omi:extras": '{"note":1}',
        },
    ),
    joint(
        "/World/Rail",
        "PrismaticJoint",
        "/World/Door",
        "/World/Tray",
        schemas=(f"{DRIVE}:linear",),
        attributes={
            "physics:axis": "Z",
            "physics:lowerLimit": -25.0,
            "physics:upperLimit": 50.0,
            "drive:linear:physics:type": "acceleration",
            "drive:linear:physics:targetPosition": 12.5,
            "drive:linear:physics:stiffness": 100.0,
            "drive:linear:physics:damping": 50.0,
        },
    ),
    joint(
        "/World/Neck",
        "SphericalJoint",
        "/World/Tray",
        "/World/Head",
        attributes={
            "physics:axis": "X",
            "physics:coneAngle0Limit": 30.0,
            "physics:coneAngle1Limit": 30.0,
        },
    ),
    joint(
        "/World/Cord",
        "DistanceJoint",
        "/World/Head",
        "/World/Rope",
        schemas=("PhysxPhysicsDistanceJointAPI",),
        attributes={
            "physics:minDistance": 25.0,
            "physics:maxDistance": 150.0,
            "physxPhysicsDistanceJoint:springEnabled": True,
            "physxPhysicsDistanceJoint:springStiffness": 40.0,
            "physxPhysicsDistanceJoint:springDamping": 4.0,
        },
    ),
    joint(
        "/World/Wrist",
        "Joint",
        "/World/Post",
        "/World/Claw",
        schemas=(
            *(f"{LIMIT}:{word}" for word in ("transX", "transY", "transZ", "rotX", "distance")),
            f"{DRIVE}:rotX",
            f"{DRIVE}:transX",
            "PhysxLimitAPI:transX",
        ),
        attributes={
            "limit:transX:physics:low": -10.0,
            "limit:transX:physics:high": 20.0,
            "physxLimit:transX:stiffness": 60.0,
            "physxLimit:transX:damping": 6.0,
            "limit:transY:physics:low": 1.0,
            "limit:transY:physics:high": -1.0,
            "limit:transZ:physics:low": -inf,
            "limit:transZ:physics:high": 0.0,
            "limit:rotX:physics:low": -45.0,
            "limit:rotX:physics:high": 45.0,
            "limit:distance:physics:high": 80.0,
            "drive:rotX:physics:targetVelocity": 90.0,
            "drive:rotX:physics:damping": 3.0,
            "drive:transX:physics:targetPosition": 5.0,
            "drive:transX:physics:stiffness": 70.0,
            "drive:transX:physics:maxForce": 800.0,
        },
    ),
    **CENTIMETRES,
)
