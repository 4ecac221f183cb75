# SPDX-License-Identifier: GPL-3.0-or-later
"""Names, types, units and defaults of what physics says on a stage: for writing and for reading.

A default is the schema's, as it stands on a stage: what a prim means that does not say it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from ..model.joint import AXES, AXIS_NAMES, Freedom
from .prim import Value
from .units import ANGLE, DENSITY, FORCE, INERTIA, LENGTH, MASS, PLAIN, TORQUE, Unit


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute."""

    name: str
    """In one of a schema that is applied several times, "*" stands for the instance."""
    type: str
    """Name of its type of values, as a layer spells it."""
    default: Value = None
    unit: Unit = PLAIN
    """Where ``unit`` depends on whether it is along or about an axis, see ``units.unit_of``."""
    is_uniform: bool = False
    """Whether it cannot change with time."""

    def of(self, instance: str) -> str:
        """Return its name for one instance."""
        return self.name.replace("*", instance)


# Types of prims.
SCENE = "PhysicsScene"
GROUP = "PhysicsCollisionGroup"
JOINT = "PhysicsJoint"
FIXED, REVOLUTE, PRISMATIC = "PhysicsFixedJoint", "PhysicsRevoluteJoint", "PhysicsPrismaticJoint"
SPHERICAL, DISTANCE = "PhysicsSphericalJoint", "PhysicsDistanceJoint"
JOINTS = (JOINT, FIXED, REVOLUTE, PRISMATIC, SPHERICAL, DISTANCE)

# Schemas that are applied to prims.
BODY_API, MASS_API = "PhysicsRigidBodyAPI", "PhysicsMassAPI"
COLLISION_API, MESH_API = "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"
MATERIAL_API, BINDING_API = "PhysicsMaterialAPI", "MaterialBindingAPI"
PAIRS_API, ROOT_API = "PhysicsFilteredPairsAPI", "PhysicsArticulationRootAPI"
LIMIT_API, DRIVE_API = "PhysicsLimitAPI", "PhysicsDriveAPI"
COLLIDERS_API = "CollectionAPI:colliders"
PHYSX_LIMIT_API, PHYSX_MATERIAL_API = "PhysxLimitAPI", "PhysxMaterialAPI"
PHYSX_TRIGGER_API, PHYSX_BODY_API = "PhysxTriggerAPI", "PhysxRigidBodyAPI"
PHYSX_DISTANCE_API = "PhysxPhysicsDistanceJointAPI"
NEWTON_JOINT_API, PHYSX_ARTICULATION_API = "NewtonJointAPI", "PhysxArticulationAPI"

WRITTEN = frozenset(
    (BODY_API, MASS_API, COLLISION_API, MESH_API, MATERIAL_API, ROOT_API, LIMIT_API, DRIVE_API)
) | {PHYSX_LIMIT_API, PHYSX_MATERIAL_API, PHYSX_TRIGGER_API, PHYSX_DISTANCE_API}
"""Schemas that say nothing but what the model can: where it does not, they are gone."""

# Names of what materials and collision groups of ours stand in.
MATERIALS, GROUPS = "PhysicsMaterials", "CollisionGroups"

# Relationships.
OWNER = "physics:simulationOwner"
BODY0, BODY1 = "physics:body0", "physics:body1"
BINDING = "material:binding:physics"
PAIRS = "physics:filteredPairs"
INCLUDES, EXCLUDES = "collection:colliders:includes", "collection:colliders:excludes"
FILTERED_GROUPS = "physics:filteredGroups"

# Scenes: what lies outside of the legal range means the gravity of the Earth, against the up axis.
GRAVITY_DIRECTION = Attribute("physics:gravityDirection", "vector3f", (0.0, 0.0, 0.0))
GRAVITY_MAGNITUDE = Attribute("physics:gravityMagnitude", "float", -inf, LENGTH)

# Bodies; velocities are in the space of the body.
BODY_ENABLED = Attribute("physics:rigidBodyEnabled", "bool", True)
KINEMATIC = Attribute("physics:kinematicEnabled", "bool", False)
STARTS_ASLEEP = Attribute("physics:startsAsleep", "bool", False, is_uniform=True)
VELOCITY = Attribute("physics:velocity", "vector3f", (0.0, 0.0, 0.0), LENGTH)
ANGULAR_VELOCITY = Attribute("physics:angularVelocity", "vector3f", (0.0, 0.0, 0.0), ANGLE)
GRAVITY_OFF = Attribute("physxRigidBody:disableGravity", "bool", False)
ANGULAR_DAMPING = Attribute("physxRigidBody:angularDamping", "float", 0.05)

# Masses; the defaults of all of them mean: calculate it.
BODY_MASS = Attribute("physics:mass", "float", 0.0, MASS)
BODY_DENSITY = Attribute("physics:density", "float", 0.0, DENSITY)  # of materials too
CENTER_OF_MASS = Attribute("physics:centerOfMass", "point3f", (-inf, -inf, -inf), LENGTH)
DIAGONAL_INERTIA = Attribute("physics:diagonalInertia", "float3", (0.0, 0.0, 0.0), INERTIA)
COLLIDER_INERTIA = Attribute("omi:colliderInertia", "float3", (0.0, 0.0, 0.0), INERTIA)
"""Ours: the diagonal inertia again where it is that of the colliders, and none of its own."""
PRINCIPAL_AXES = Attribute("physics:principalAxes", "quatf", (0.0, 0.0, 0.0, 0.0))
WATER = 1000.0
"""kg/m^3: of bodies that nobody gives a mass or a density."""

# Colliders.
COLLISION_ENABLED = Attribute("physics:collisionEnabled", "bool", True)
APPROXIMATION = Attribute("physics:approximation", "token", "none", is_uniform=True)
HULL = "convexHull"

# Shapes; what is along an axis is along X, Y or Z of the prim.
AXIS = Attribute("axis", "token", "Z", is_uniform=True)
SIZE = Attribute("size", "double", 2.0, LENGTH)
RADIUS = Attribute("radius", "double", 1.0, LENGTH)
HEIGHT = Attribute("height", "double", 2.0, LENGTH)
RADIUS_TOP = Attribute("radiusTop", "double", 1.0, LENGTH)
RADIUS_BOTTOM = Attribute("radiusBottom", "double", 1.0, LENGTH)
WIDTH = Attribute("width", "double", 2.0, LENGTH)
PLANE_LENGTH = Attribute("length", "double", 2.0, LENGTH)
POINTS = Attribute("points", "point3f[]", (), LENGTH)
COUNTS = Attribute("faceVertexCounts", "int[]", ())
CORNERS = Attribute("faceVertexIndices", "int[]", ())
SUBDIVISION = Attribute("subdivisionScheme", "token", "catmullClark", is_uniform=True)
EXTENT = Attribute("extent", "float3[]", (), LENGTH)
PURPOSE = Attribute("purpose", "token", "default", is_uniform=True)
GUIDE = "guide"
CAPSULE_RADIUS, CAPSULE_HEIGHT = 0.5, 1.0
"""Defaults of capsules, whose attributes are called as those of cylinders."""

# Materials.
STATIC_FRICTION = Attribute("physics:staticFriction", "float", 0.0)
DYNAMIC_FRICTION = Attribute("physics:dynamicFriction", "float", 0.0)
RESTITUTION = Attribute("physics:restitution", "float", 0.0)
FRICTION_COMBINE = Attribute(
    "physxMaterial:frictionCombineMode", "token", "average", is_uniform=True
)
RESTITUTION_COMBINE = Attribute(
    "physxMaterial:restitutionCombineMode", "token", "average", is_uniform=True
)
COMBINE_WORDS: Mapping[str, str] = {
    "average": "average",
    "minimum": "min",
    "maximum": "max",
    "multiply": "multiply",
}
"""How PhysX calls what ``model.body.Combine`` says."""

# Collision groups.
INVERTED = Attribute("physics:invertFilteredGroups", "bool", False)
MERGE_GROUP = Attribute("physics:mergeGroup", "string", "")

# Joints.
POS0 = Attribute("physics:localPos0", "point3f", (0.0, 0.0, 0.0), LENGTH)
POS1 = Attribute("physics:localPos1", "point3f", (0.0, 0.0, 0.0), LENGTH)
ROT0 = Attribute("physics:localRot0", "quatf", (0.0, 0.0, 0.0, 1.0))
ROT1 = Attribute("physics:localRot1", "quatf", (0.0, 0.0, 0.0, 1.0))
JOINT_ENABLED = Attribute("physics:jointEnabled", "bool", True)
JOINT_COLLIDES = Attribute("physics:collisionEnabled", "bool", False)
EXCLUDED = Attribute("physics:excludeFromArticulation", "bool", False, is_uniform=True)
ARTICULATED = Attribute("physxArticulation:articulationEnabled", "bool", True)
"""Whether PhysX takes a tree of joints by their coordinates, or each joint by itself."""
EXTRAS = Attribute("omi:extras", "string", "")
"""Ours: what stands in the ``extras`` of a joint or a body in glTF, as JSON."""
BREAK_FORCE = Attribute("physics:breakForce", "float", inf, FORCE)
BREAK_TORQUE = Attribute("physics:breakTorque", "float", inf, TORQUE)

# Joints of one kind.
JOINT_AXIS = Attribute("physics:axis", "token", "X", is_uniform=True)
LOWER = Attribute("physics:lowerLimit", "float", -inf)
UPPER = Attribute("physics:upperLimit", "float", inf)
CONE0 = Attribute("physics:coneAngle0Limit", "float", -1.0, ANGLE)
CONE1 = Attribute("physics:coneAngle1Limit", "float", -1.0, ANGLE)

# What is said of one degree of freedom. Instances are those of ``DEGREES_OF_FREEDOM`` on generic
# joints, ``ALONG`` or ``ABOUT`` on joints with one axis.
LOW = Attribute("limit:*:physics:low", "float", -inf)
HIGH = Attribute("limit:*:physics:high", "float", inf)
LOCKED = (1.0, -1.0)
"""Low and high of what is locked: low is above high."""
DRIVE_TYPE = Attribute("drive:*:physics:type", "token", "force", is_uniform=True)
DRIVE_NUMBERS: Mapping[str, Attribute] = {
    "max_force": Attribute("drive:*:physics:maxForce", "float", inf),
    "position_target": Attribute("drive:*:physics:targetPosition", "float", 0.0),
    "velocity_target": Attribute("drive:*:physics:targetVelocity", "float", 0.0),
    "stiffness": Attribute("drive:*:physics:stiffness", "float", 0.0),
    "damping": Attribute("drive:*:physics:damping", "float", 0.0),
}
"""By the fields of ``model.joint.Drive``."""
LIMIT_NUMBERS: Mapping[str, Attribute] = {
    "min": LOW,
    "max": HIGH,
    "stiffness": Attribute("physxLimit:*:stiffness", "float", 0.0),
    "damping": Attribute("physxLimit:*:damping", "float", 0.0),
}
"""By the fields of ``model.joint.Limit``; a stiffness of zero is a rigid limit there."""
AXIS_NUMBERS: Mapping[str, Attribute] = {**LIMIT_NUMBERS, "min": LOWER, "max": UPPER}
"""The same on joints with one axis."""
DEGREES_OF_FREEDOM: Mapping[tuple[Freedom, int], str] = {
    (freedom, axis): f"{word}{AXIS_NAMES[axis]}"
    for freedom, word in ((Freedom.LINEAR, "trans"), (Freedom.ANGULAR, "rot"))
    for axis in AXES
}
NEWTON_LIMIT: Mapping[str, Attribute] = {
    "stiffness": Attribute("newton:limitStiffness", "float", -inf),
    "damping": Attribute("newton:limitDamping", "float", -inf),
}
"""How soft all bounds of a joint are in Newton; ``inf`` is a rigid one, ``-inf`` Newton's own."""
MUJOCO_IMPEDANCE = Attribute("mjc:solimplimit", "double[]", (0.9, 0.95, 0.001, 0.5, 2.0))
"""How much of their way MuJoCo's bounds have over all else: it is taken from what pushes there."""
FAINT_IMPEDANCE = (1e-4, 1e-4, 0.001, 0.5, 2.0)
"""The least that MuJoCo takes: a bound is a spring beside all else, and nothing more."""
ALONG, ABOUT, APART = "linear", "angular", "distance"
DISTANCE_SPRING = Attribute("physxPhysicsDistanceJoint:springEnabled", "bool", False)
DISTANCE_NUMBERS: Mapping[str, Attribute] = {
    "min": Attribute("physics:minDistance", "float", -1.0, LENGTH),
    "max": Attribute("physics:maxDistance", "float", -1.0, LENGTH),
    "stiffness": Attribute("physxPhysicsDistanceJoint:springStiffness", "float", 0.0, MASS),
    "damping": Attribute("physxPhysicsDistanceJoint:springDamping", "float", 0.0, MASS),
}

SCHEMAS: Mapping[str, tuple[Attribute, ...]] = {
    BODY_API: (BODY_ENABLED, KINEMATIC, STARTS_ASLEEP, VELOCITY, ANGULAR_VELOCITY),
    MASS_API: (BODY_MASS, BODY_DENSITY, CENTER_OF_MASS, DIAGONAL_INERTIA, PRINCIPAL_AXES),
    MATERIAL_API: (STATIC_FRICTION, DYNAMIC_FRICTION, RESTITUTION, BODY_DENSITY),
}
"""What says nothing where none of its schemas is applied; what drives and limits have besides."""
UNKNOWN_TO_US = frozenset(
    (STARTS_ASLEEP.name, BODY_DENSITY.name, MERGE_GROUP.name, OWNER, PAIRS, EXCLUDES)
)
"""What others say and the model cannot: it is left as it is."""
_NAMED = [one for one in globals().values() if isinstance(one, Attribute)]
_NUMBERS = (DRIVE_NUMBERS, LIMIT_NUMBERS, NEWTON_LIMIT, DISTANCE_NUMBERS)
_NUMBERED = [one for numbers in _NUMBERS for one in numbers.values()]
ATTRIBUTES: Mapping[str, Attribute] = {one.name: one for one in (*_NAMED, *_NUMBERED)}
"""All of them by name: types hold whatever the prim is, defaults of the same name may differ."""


def attribute_of(name: str) -> Attribute | None:
    """Return what is known of an attribute of a prim by its name; None if it is none of ours."""
    if (plain := ATTRIBUTES.get(name)) is not None:
        return plain
    parts = name.split(":")
    return ATTRIBUTES.get(":".join((parts[0], "*", *parts[2:]))) if len(parts) > 2 else None
