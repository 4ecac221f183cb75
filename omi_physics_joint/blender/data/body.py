# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies, colliders and triggers of objects. Vectors are in the object's axes (Z up)."""

from __future__ import annotations

from bpy.types import Context, Mesh, Object, PropertyGroup
from mathutils import Vector

from .fields import (
    choice,
    collection,
    flag,
    flags,
    integer,
    length,
    number,
    numbers,
    part,
    place,
    pointer,
    string,
    unknown_members,
)

MOTIONS = (
    ("static", "Static", "Never moves: walls, floors, frames"),
    ("kinematic", "Kinematic", "Moves by its animation or by scripts and pushes others"),
    ("dynamic", "Dynamic", "Moves by physics"),
)
SHAPES = (
    ("none", "Compound", "No shape of its own, but its children's", "OUTLINER_OB_EMPTY", 0),
    ("box", "Box", "A box about the object's origin", "MESH_CUBE", 1),
    ("sphere", "Sphere", "A sphere about the object's origin", "MESH_UVSPHERE", 2),
    ("capsule", "Capsule", "A capsule along the object's Z axis", "MESH_CAPSULE", 3),
    ("cylinder", "Cylinder", "A cylinder or cone along the object's Z axis", "MESH_CYLINDER", 4),
    ("convex", "Convex Hull", "The convex hull of a mesh", "MESH_ICOSPHERE", 5),
    ("trimesh", "Triangle Mesh", "The triangles of a mesh; for what stands still", "MESH_GRID", 6),
    (
        "plane",
        "Plane",
        "A plane through the object's origin that faces along its Z axis. OMI_physics_shape has "
        "none and gets a thin box",
        "MESH_PLANE",
        7,
    ),
)
COMBINES = (
    ("average", "Average", "The mean of the two values"),
    ("minimum", "Minimum", "The smaller of the two values"),
    ("maximum", "Maximum", "The larger of the two values"),
    ("multiply", "Multiply", "The product of the two values"),
)
DENSITY = 1000.0
"""kg/m\N{SUPERSCRIPT THREE} of a new body: water, flesh, and UsdPhysics where none is said."""


def _size_of(obj: Object) -> Vector:
    return Vector(obj.bound_box[6]) - Vector(obj.bound_box[0])


def is_fitted(shape: OMI_JOINT_PG_shape, obj: Object) -> bool:
    """Return whether a shape is as large as the mesh of an object."""
    return bool(obj.type == "MESH" and Vector(shape.size) == _size_of(obj))


def fit_shape(shape: OMI_JOINT_PG_shape, obj: Object) -> None:
    """Make a shape as large as the mesh of its object, whose scale it has besides."""
    size = _size_of(obj)
    radius = 0.5 * max(size.x, size.y)
    shape.size, shape.radius = size, 0.5 * max(size)
    shape.radius_bottom = shape.radius_top = radius
    shape.height = max(0.0, size.z - 2.0 * radius) if shape.type == "capsule" else size.z


def _fit_first(shape: OMI_JOINT_PG_shape, _context: Context) -> None:
    """Fit what has another type now, unless somebody has said how large it is."""
    obj = shape.id_data
    is_sized = shape.type in {"box", "sphere", "capsule", "cylinder"}
    if not (is_sized and isinstance(obj, Object) and obj.type == "MESH"):
        return
    if not shape.is_property_set("size") or is_fitted(shape, obj):
        fit_shape(shape, obj)


class OMI_JOINT_PG_shape(PropertyGroup):
    """The geometry of a collider or trigger."""

    type = choice(
        "Shape", "Type of the collision shape", items=SHAPES, default="convex", update=_fit_first
    )
    size = place(
        "Size",
        "Full size of the box, or of the plane in X and Y, along the object's axes",
        default=(1.0, 1.0, 1.0),
        min=0.0,
    )
    radius = length("Radius", "Radius of the sphere", default=0.5)
    height = length(
        "Height", "Of a cylinder its full height, of a capsule between the two centers", default=1.0
    )
    radius_bottom = length("Radius Bottom", "Radius at the lower end (-Z)", default=0.5)
    radius_top = length("Radius Top", "Radius at the upper end (+Z)", default=0.5)
    use_size = flags(
        "Ends", "Where the plane ends; if off, it goes on without end along that axis", size=2
    )
    double_sided = flag("Double-Sided", "Keep out what comes from below the plane too")
    mesh = pointer("Mesh", "Mesh of the shape. If empty, the object's own mesh is used", type=Mesh)
    label = string("Name", options={"HIDDEN"})
    unknown = unknown_members()


class OMI_JOINT_PG_physics_material(PropertyGroup):
    """How a surface grips and bounces."""

    label = string("Name", "Name of the physics material in the exported file")
    static_friction = number(
        "Static Friction", "Static friction (0 = ice)", default=0.6, min=0.0, soft_max=1.0
    )
    dynamic_friction = number(
        "Dynamic Friction", "Friction while sliding (0 = ice)", default=0.6, min=0.0, soft_max=1.0
    )
    restitution = number("Bounciness", "Bounciness (0 = none, 1 = perfect)", min=0.0, soft_max=1.0)
    friction_combine = choice(
        "Friction Combine", "How the friction of two touching surfaces is combined", items=COMBINES
    )
    restitution_combine = choice(
        "Bounciness Combine",
        "How the bounciness of two touching surfaces is combined",
        items=COMBINES,
    )
    unknown = unknown_members()


class OMI_JOINT_PG_collision_filter(PropertyGroup):
    """Which collision systems a shape belongs to and meets."""

    label = string("Name", "Name of the collision filter in the exported file")
    collision_systems = string(
        "Belongs To", "Names of the collision groups that this belongs to, separated by commas"
    )
    mode = choice(
        "Collides With",
        "Which collision groups this collides with",
        items=(
            ("all", "Everything", "Collides with everything"),
            ("only", "Only", "Collides only with the named collision groups"),
            ("not", "All But", "Collides with all collision groups except the named ones"),
        ),
    )
    others = string("Systems", "Names of the collision groups, separated by commas")
    unknown = unknown_members()


def _is_trigger(owner: PropertyGroup, obj: Object) -> bool:
    return bool(obj.omi_physics_body.use_trigger and obj != owner.id_data)


class OMI_JOINT_PG_trigger_node(PropertyGroup):
    """One member of a compound trigger."""

    object = pointer(
        "Trigger", "A trigger below this object that is part of it", type=Object, poll=_is_trigger
    )


class OMI_JOINT_PG_collider(PropertyGroup):
    """Makes an object solid."""

    shape = part(OMI_JOINT_PG_shape)
    use_physics_material = flag("Physics Material", "Set friction and bounciness of the surface")
    physics_material = part(OMI_JOINT_PG_physics_material)
    use_collision_filter = flag("Collision Filter", "Choose what this collides with")
    collision_filter = part(OMI_JOINT_PG_collision_filter)
    unknown = unknown_members()


class OMI_JOINT_PG_trigger(PropertyGroup):
    """Makes an object notice what enters it."""

    shape = part(OMI_JOINT_PG_shape)
    nodes = collection(
        "Parts",
        "Triggers below this object that make up a compound trigger",
        type=OMI_JOINT_PG_trigger_node,
    )
    use_collision_filter = flag("Collision Filter", "Choose what this detects")
    collision_filter = part(OMI_JOINT_PG_collision_filter)
    unknown = unknown_members()


class OMI_JOINT_PG_body(PropertyGroup):
    """What physics says of an object besides joints."""

    is_body = flag(
        "Physics Body", "This object and its children are one rigid body", options={"HIDDEN"}
    )
    type = choice("Motion", "How the body moves", items=MOTIONS, default="dynamic")
    mass = number("Mass", "Mass of the body", default=1.0, min=0.0, precision=3, unit="MASS")
    weighed = numbers(
        "Weighed",
        "What the mass was calculated from: a volume in m\N{SUPERSCRIPT THREE}, what came of it "
        "in kg, which is another number once a mass is entered, and a mark of the meshes",
        size=3,
        options={"HIDDEN"},
    )
    infinite_mass = flag(
        "Infinite Mass",
        "No force and no gravity moves the center of mass of the body; it goes on with "
        "its velocity, and turns if its moments of inertia are entered",
    )
    center_of_mass = place("Center of Mass", "Center of mass, relative to the object's origin")
    computed_center = flag(
        "Center from Colliders",
        "The center of mass is computed from what the colliders fill, also when they change",
    )
    inertia_diagonal = numbers(
        "Inertia",
        "Moments of inertia in kg\u00b7m\u00b2; if all are zero, they are calculated "
        "from the colliders",
        min=0.0,
        precision=4,
        subtype="XYZ",
    )
    infinite_inertia = flags(
        "Never Turns About",
        "Axes of inertia about which nothing turns the body: its moment of inertia "
        "about them is infinite",
        subtype="XYZ",
    )
    inertia_orientation = numbers(
        "Inertia Rotation",
        "Rotation of the axes of inertia, relative to the object",
        size=4,
        default=(1.0, 0.0, 0.0, 0.0),
        subtype="QUATERNION",
    )
    read_scale = numbers(
        "Scale as Read",
        "The scale of the object in the imported file; zero where it comes from none",
        options={"HIDDEN"},
    )
    linear_velocity = numbers(
        "Linear Velocity",
        "Velocity of the origin at the start, along the object's own axes",
        subtype="VELOCITY",
        unit="VELOCITY",
    )
    angular_velocity = numbers(
        "Angular Velocity",
        "Angle per second at the start, about the object's own axes",
        subtype="EULER",
        unit="ROTATION",
    )
    gravity_factor = number(
        "Gravity Factor", "Multiplies gravity: 1 is normal, 0 floats, -1 rises", default=1.0
    )
    starts_asleep = flag(
        "Start Asleep",
        "Readers of USD leave it at rest until something touches it. glTF cannot say "
        "so, and play moves it from the start",
    )
    motion_unknown = unknown_members()
    use_collider = flag("Collider", "Others collide with this object")
    collider = part(OMI_JOINT_PG_collider)
    use_trigger = flag("Trigger", "This object detects what enters it, but is not solid")
    trigger = part(OMI_JOINT_PG_trigger)
    use_gravity_shape = flag(
        "Gravity Volume",
        "The object has a gravity of its own that is shaped by a volume. It comes from "
        "an imported file and goes back to it; nothing plays it",
        options={"HIDDEN"},
    )
    gravity_shape = part(OMI_JOINT_PG_shape)
    schema_version = integer("Schema Version", options={"HIDDEN"})
    unknown = unknown_members()

    @property
    def is_physical(self) -> bool:
        """Whether physics makes anything of the object but a joint."""
        return bool(self.is_body or self.use_collider or self.use_trigger)

    @property
    def weighed_from(self) -> float:
        """The volume in m^3 that the mass of this body was calculated from; 0 if it was entered."""
        volume, mass, _ = self.weighed
        is_its_mass = self.is_body and self.type == "dynamic" and not self.infinite_mass
        return volume if is_its_mass and self.mass == mass else 0.0

    @property
    def stays_at_origin(self) -> bool:
        """Whether a body that was weighed by meshes has its mass at its origin, come what may."""
        weighed = self.is_body and self.type == "dynamic" and self.weighed[2] > 0.0
        return bool(weighed and not self.computed_center and not any(self.center_of_mass))

    def weigh(self, volume: float, mass: float, mark: float) -> None:
        """Set a mass in kg that was calculated from a volume in m^3, and remember from what."""
        self.mass = mass
        self.weighed = (volume, self.mass, mark)

    @property
    def shapes(self) -> list[OMI_JOINT_PG_shape]:
        """The shapes that are in use."""
        shapes = (
            (self.use_collider, self.collider.shape),
            (self.use_trigger, self.trigger.shape),
            (self.use_gravity_shape, self.gravity_shape),
        )
        return [shape for used, shape in shapes if used]
