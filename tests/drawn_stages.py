# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn stages as others write them, with what we never write: other units, old words, faults.

Each is drawn from its number alone, as records, so that no ``pxr`` is needed.
"""

from __future__ import annotations

from math import inf
from typing import Any

from omi_physics_joint.model.geometry.transform import IDENTITY, Matrix
from omi_physics_joint.usd.prim import Prim, Stage
from tests.drawn_parts import DrawnParts
from tests.usd_records import BODY, COLLISION, MASS, SHADED, joint, placed, prim

AXES = ("X", "Y", "Z", "W")
SHAPES = ("Cube", "Sphere", "Capsule", "Capsule_1", "Cylinder", "Cylinder_1", "Cone", "Plane")
MESHES = ("convexHull", "none", "boundingCube", "boundingSphere", "meshSimplification", "")
JOINTS = (
    *("FixedJoint", "RevoluteJoint", "PrismaticJoint", "SphericalJoint", "DistanceJoint"),
    *("Joint", "Joint", "RevoluteJoint", "PrismaticJoint", "GearJoint"),
)
DEGREES = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ", "distance")
FOREIGN = (
    *("physxJoint:jointFriction", "newton:armature", "mjc:frictionloss", "physics:speed"),
    *("physxJoint:maxJointVelocity", "physxRigidBody:angularDamping", "isaac:note", "mine:note"),
)
GROUP, COLLIDERS = "PhysicsCollisionGroup", "collection:colliders:includes"


class DrawnStage(DrawnParts):
    """Draws one stage."""

    def __init__(self, number: int) -> None:
        super().__init__(7000 + number)
        self.prims: list[Prim] = []
        self.bodies: list[str] = []
        self.solids: list[str] = []
        self.of_joints: list[str] = []
        self.unit = self.random.choice((1.0, 0.01, 0.5))
        """m."""

    def length(self, low: float, high: float) -> float:
        """Return a length in the unit of the stage."""
        return self.number(low, high) / self.unit

    def lengths(self, reach: float) -> tuple[float, float, float]:
        """Return three of them."""
        x, y, z = (self.length(-reach, reach) for _ in range(3))
        return x, y, z

    def stands(self, reach: float, scaled: float) -> Matrix:
        """Return a pose, as far away in every unit."""
        rows = [list(row) for row in self.place(reach, scaled)]
        for row in rows[:3]:
            row[3] /= self.unit
        return tuple(map(tuple, rows))

    def said(self, part: float, **values: Any) -> dict[str, Any]:
        """Return some of these attributes, seldom with what is no value; "__" is ":"."""
        odd = (-1.0, "no", inf, 0.0)
        return {
            name.replace("__", ":"): self.random.choice(odd) if self.odd(0.12) else value
            for name, value in values.items()
            if self.chance(part)
        }

    def title(self) -> dict[str, str]:
        """Return what users see in place of the name, of some."""
        return {"label": self.name()} if self.chance(0.2) else {}

    def masses(self, part: float) -> dict[str, Any]:
        """Return some of what a prim says of its mass."""
        a, b, c = (self.number(0.3, 0.5) / self.unit**2 for _ in range(3))
        moments = self.random.choice(((a, b, c), (a, b, c), (a, b, c), (a, -b, c), (0.0, 0.0, 0.0)))
        return self.said(
            part,
            physics__mass=self.number(0.2, 9.0),
            physics__density=self.number(50.0, 900.0) * self.unit**3,
            physics__centerOfMass=self.maybe(0.9, self.lengths(0.4), (-inf,) * 3),
            physics__diagonalInertia=moments,
            physics__principalAxes=self.maybe(0.9, self.turn(), (0.0,) * 4),
        )

    def surface(self) -> dict[str, str]:
        """Return which material a prim has."""
        bound = {"physics_material": f"/World/M{self.random.randrange(3)}"}
        return bound if self.chance(0.5) else {}

    def shape(self, path: str, more: tuple[str, ...] = (), local: Matrix | None = None) -> None:
        """Add a shape: solid, noticing, shown alone, switched off."""
        kind = self.random.choice((*SHAPES, *("Mesh",) * 4, "Points", "Curves"))
        schemas = [*more, *((COLLISION,) if self.chance(0.8) else ())]
        said = self.said(
            0.7,
            size=self.length(0.2, 2.0),
            radius=self.length(0.1, 1.0),
            height=self.length(0.1, 2.0),
            radiusTop=self.length(0.1, 1.0),
            radiusBottom=self.length(0.1, 1.0),
            width=self.length(1.0, 5.0),
            length=self.length(1.0, 5.0),
            axis=self.random.choice(AXES),
        )
        said |= self.said(
            0.15,
            purpose=self.random.choice(("guide", "proxy", "render", "default")),
            visibility=self.random.choice(("invisible", "inherited")),
            physics__collisionEnabled=self.chance(0.5),
        )
        if kind == "Mesh":
            corner = tuple((i == 1, i == 2, i == 3) for i in range(4))
            points = tuple(tuple(self.length(0.4, 1.0) * one for one in row) for row in corner)
            points = (*points, self.lengths(1.0))
            said |= {"points": points, "faceVertexCounts": (3, 3, 3, 3, 2, 4)}
            said["faceVertexIndices"] = (0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 1, 1, 2, 4, 3)
            said |= self.said(
                0.3,
                orientation=self.random.choice(("leftHanded", "rightHanded")),
                holeIndices=(3,),
                subdivisionScheme=self.random.choice(("none", "catmullClark")),
            )
            if self.chance(0.7):
                schemas.append("PhysicsMeshCollisionAPI")
                said["physics:approximation"] = self.random.choice(MESHES)
        if kind == "Points":
            said["points"] = tuple(self.lengths(0.5) for _ in range(3))
            said["widths"] = self.maybe(0.5, (self.length(0.1, 0.5),), (0.2, 0.3, 0.0))
        if self.chance(0.2):
            schemas.append("PhysxTriggerAPI")
        if self.chance(0.35):
            schemas.append(MASS)
            said |= self.masses(0.4)
        local = self.maybe(0.4, IDENTITY, self.stands(0.6, 0.5)) if local is None else local
        self.prims.append(
            prim(path, kind, tuple(schemas), local, attributes=said, **self.surface())
        )
        self.solids.append(path)
        if kind == "Mesh" and self.chance(0.5):
            self.prims.append(prim(f"{path}/Part", "GeomSubset", local=None, **self.surface()))

    def body(self, number: int) -> None:
        """Add a body below the world, a group or another body, with its shapes."""
        above = "/World"
        if self.chance(0.3):
            above = f"/World/Group{number}"
            self.prims.append(prim(above, "Xform", (), self.stands(2.0, 0.6), **self.title()))
        elif self.bodies and self.chance(0.25):
            above = self.random.choice(self.bodies)
        path, schemas = f"{above}/Body{number}", [BODY]
        said = self.said(
            0.25,
            physics__rigidBodyEnabled=self.random.choice((True, False, 0, 1)),
            physics__kinematicEnabled=self.chance(0.6),
            physics__startsAsleep=True,
            physics__velocity=self.lengths(3.0),
            physics__angularVelocity=self.vector(90.0),
            physxRigidBody__disableGravity=self.chance(0.7),
            omi__extras='{"note":[1,null]}',
        )
        if self.chance(0.5):
            schemas.append(MASS)
            said |= self.masses(0.6)
        if self.chance(0.15):
            schemas.append("PhysicsArticulationRootAPI")
        more: dict[str, Any] = {**self.title(), **self.surface()}
        if self.chance(0.35):
            poses = tuple((12.0 * at, self.stands(1.0, 0.0)) for at in range(3))
            more |= {"is_animated": True, "poses": poses}
        more["targets"] = {}
        if self.chance(0.4):
            more["targets"]["physics:simulationOwner"] = (f"/Scene{self.random.randrange(2)}",)
        if self.bodies and self.chance(0.4):
            more["targets"]["physics:filteredPairs"] = (self.random.choice(self.bodies),)
            schemas.append("PhysicsFilteredPairsAPI")
        if self.chance(0.2):
            self.shape(path, tuple(schemas), self.stands(3.0, 0.4))
        else:
            resets = self.chance(0.2)
            local = self.stands(3.0, 0.35)
            self.prims.append(
                prim(path, "Xform", tuple(schemas), local, attributes=said, resets=resets, **more)
            )
        self.bodies.append(path)
        for at in range(self.random.choice((0, 1, 1, 2, 3))):
            between = self.chance(0.2)
            if between:
                said = {"attributes": self.masses(0.6)}
                self.prims.append(
                    prim(f"{path}/Part{at}", "Xform", (MASS,), self.stands(0.4, 0.3), **said)
                )
            self.shape(f"{path}/{f'Part{at}/' * between}Solid{at}")

    def soft(self, instance: str, schemas: list[str]) -> dict[str, Any]:
        """Return how bounds give way, for PhysX or Newton."""
        if self.chance(0.3):
            schemas.append(f"PhysxLimitAPI:{instance}")
            return {
                f"physxLimit:{instance}:stiffness": self.maybe(0.8, self.number(5.0, 400.0), 0.0),
                f"physxLimit:{instance}:damping": self.number(0.0, 9.0),
            }
        return {}

    def driven(self, instance: str, schemas: list[str]) -> dict[str, Any]:
        """Return a drive."""
        schemas.append(f"PhysicsDriveAPI:{instance}")
        said = self.said(
            0.6,
            type=self.random.choice(("force", "acceleration", "torque")),
            maxForce=self.number(5.0, 90.0),
            targetPosition=self.number(-60.0, 60.0),
            targetVelocity=self.number(-60.0, 60.0),
            stiffness=self.maybe(0.7, self.number(1.0, 300.0), 0.0),
            damping=self.maybe(0.7, self.number(1.0, 30.0), 0.0),
        )
        return {f"drive:{instance}:physics:{name}": value for name, value in said.items()}

    def bounds(self) -> tuple[float, float]:
        """Return two bounds, some of them none, some of them at odds."""
        low, high = sorted((self.number(-90.0, 90.0), self.number(-90.0, 90.0)))
        ways = ((low, high), (low, high), (-inf, high), (low, inf), (high, low), (low, low))
        return self.random.choice((*ways, (inf, inf), (-inf, inf), (-60.0, 60.0)))

    def joint(self, number: int) -> None:
        """Add a joint between two bodies, parts of them, the world or nothing."""
        kind, schemas = self.random.choice(JOINTS), []
        above = self.random.choice(("/World", "/World", *self.bodies))
        ends = self.random.sample(self.bodies, 2)
        if self.solids and self.chance(0.3):
            ends[self.random.randrange(2)] = self.random.choice(self.solids)
        if self.chance(0.2):
            ends[self.random.randrange(2)] = self.random.choice(("", "", "/World", "/World/None"))
        low, high = self.bounds()
        said = self.said(
            0.6,
            physics__localPos0=self.lengths(0.6),
            physics__localPos1=self.lengths(0.6),
            physics__localRot0=self.turn(),
            physics__localRot1=self.turn(),
            physics__axis=self.random.choice(AXES),
            physics__coneAngle0Limit=self.random.choice((30.0, 45.0, -1.0, 180.0)),
            physics__coneAngle1Limit=self.random.choice((30.0, 60.0, -1.0)),
            physics__minDistance=self.random.choice((-1.0, self.length(0.0, 1.0))),
            physics__maxDistance=self.random.choice((-1.0, self.length(0.5, 2.0))),
            physxPhysicsDistanceJoint__springEnabled=self.chance(0.7),
            physxPhysicsDistanceJoint__springStiffness=self.number(1.0, 90.0),
            physxPhysicsDistanceJoint__springDamping=self.number(0.0, 9.0),
        )
        if self.chance(0.8):
            said |= {"physics:lowerLimit": low, "physics:upperLimit": high}
        said |= self.said(
            0.2,
            physics__collisionEnabled=self.chance(0.7),
            physics__jointEnabled=self.chance(0.3),
            physics__excludeFromArticulation=True,
            physics__breakForce=self.number(10.0, 900.0),
            physics__breakTorque=self.number(10.0, 900.0),
            newton__limitStiffness=self.random.choice((inf, self.number(5.0, 90.0))),
            newton__limitDamping=self.number(0.1, 9.0),
            omi__extras='{"note":1}',
        )
        said |= {name: self.number(0.1, 9.0) for name in FOREIGN if self.chance(0.04)}
        schemas += ["PhysicsArticulationRootAPI"] * self.chance(0.12)
        samples: dict[str, Any] = {}
        names = DEGREES if kind in ("Joint", "GearJoint") else ("linear", "angular")
        for instance in names:
            if kind in ("Joint", "GearJoint") and self.chance(0.5):
                schemas.append(f"PhysicsLimitAPI:{instance}")
                said |= self.said(0.9, **dict(zip(("low", "high"), self.bounds(), strict=True)))
                for word in ("low", "high"):
                    if word in said:
                        said[f"limit:{instance}:physics:{word}"] = said.pop(word)
            said |= self.soft(instance, schemas)
            if self.chance(0.3):
                said |= self.driven(instance, schemas)
        for name in [*said]:
            if isinstance(said[name], float) and self.chance(0.06):
                samples[name] = ((0.0, said[name]), (12.0, 45.0), (24.0, 30.0))
        if self.chance(0.05):
            samples["physics:collisionEnabled"] = ((0.0, False), (6.0, True))
        made = joint(
            f"{above}/Joint{number}",
            kind,
            *ends,
            schemas=tuple(schemas),
            attributes=said,
            samples=samples,
            **self.title(),
        )
        self.prims.append(made)

    def rest(self) -> None:
        """Add materials, groups and scenes."""
        modes = ("average", "min", "max", "multiply", "sum")
        for at in range(2):
            said = self.said(
                0.7,
                physics__staticFriction=self.number(0.0, 1.0),
                physics__dynamicFriction=self.number(0.0, 1.0),
                physics__restitution=self.number(0.0, 1.0),
                physics__density=self.number(50.0, 900.0) * self.unit**3,
                physxMaterial__frictionCombineMode=self.random.choice(modes),
                physxMaterial__restitutionCombineMode=self.random.choice(modes),
            )
            schemas = (SHADED,) if self.chance(0.8) else ()
            self.prims.append(prim(f"/World/M{at}", "Material", schemas, attributes=said))
        for at in range(self.random.choice((0, 2, 3))):
            members = tuple(one for one in self.solids if self.chance(0.5))
            named = tuple(f"/World/G{one}" for one in range(3) if self.chance(0.4))
            said = self.said(
                0.3,
                physics__invertFilteredGroups=True,
                physics__mergeGroup=self.random.choice(("", "both")),
            )
            targets = {COLLIDERS: members, "physics:filteredGroups": named}
            self.prims.append(
                prim(f"/World/G{at}", GROUP, attributes=said, targets=targets, members=members)
            )
        for at in range(self.random.choice((0, 1, 2, 2))):
            said = self.said(
                0.6,
                physics__gravityDirection=self.random.choice((self.vector(1.0), (0.0, 0.6, 0.0))),
                physics__gravityMagnitude=self.length(0.0, 12.0),
                gravity=9.0,
            )
            self.prims.append(prim(f"/Scene{at}", "PhysicsScene", attributes=said))

    def stage(self) -> Stage:
        """Return the stage."""
        local = self.maybe(0.7, IDENTITY, self.stands(1.0, 0.5))
        self.prims.append(prim("/World", "Xform", (), local))
        for at in range(self.random.randrange(2, 5)):
            self.body(at)
        for at in range(self.random.randrange(1, 5)):
            self.joint(at)
        self.rest()
        # A prim comes after the one above it, and with what is below that.
        found = sorted(self.prims, key=lambda one: one.path.split("/"))
        return placed(
            *found,
            meters_per_unit=self.unit,
            kilograms_per_unit=self.random.choice((1.0, 0.001, 2.0)),
            up_axis=self.random.choice(("Y", "Z")),
            time_codes_per_second=self.random.choice((24.0, 60.0)),
            origin=self.maybe(0.8, IDENTITY, self.place(1.0)),
        )


def drawn_stage(number: int) -> Stage:
    """Return a stage."""
    return DrawnStage(number).stage()
