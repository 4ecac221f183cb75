# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies: make, remove, copy, weigh, and take over from Blender's own rigid bodies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import bpy
from bpy.types import Context, Object, Operator, OperatorProperties, PropertyGroup, Scene

from ...model.wording.words import counted, some
from ..bridge.read_nodes import WITH_MESHES
from ..data.body import DENSITY, MOTIONS, fit_shape, is_fitted
from ..data.fields import choice, number
from ..interface.mixins import BaseOperator, active_of
from ..joints.authoring import frames_among, make_bodies, solid_parts
from .mass import Filling, centre, fillings, weigh_anew
from .takeover import take_over


def editable(context: Context) -> list[Object]:
    """Return the selected objects that can be changed, with the active one."""
    objects = list(context.selected_objects)
    if context.object is not None and context.object not in objects:
        objects.append(context.object)
    return [obj for obj in objects if obj.is_editable]


class SelectionOperator(BaseOperator):
    """Needs at least one object that can be changed."""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for objects that are no joints."""
        chosen = editable(context)
        if not chosen:
            return "Select objects that are not linked from another file"
        if len(frames_among(chosen)) == len(chosen):
            return "Select objects that are to be bodies: these are joints"
        return ""

    def done_to(self, said: str, done: int, skipped: int) -> set[str]:
        """Report what was done and how many frames of joints were passed over."""
        passed = f"{counted(skipped, 'joint frame')} skipped" if skipped else ""
        words = ", ".join(part for part in (said if done else "", passed) if part)
        return self.finished(words) if done else self.refused(words or "Nothing to do")


class ActiveOperator(SelectionOperator):
    """Needs an active object that can be changed: it is the one that others are made like."""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for an active object, and for objects."""
        return super().lacking(context) if context.object else "No active object: click one"


class OMI_JOINT_OT_body_add(SelectionOperator, Operator):
    """Make the selected objects physics bodies"""

    bl_label = "Make Physics Body"

    type = choice("Motion", "How the bodies move", items=MOTIONS, default="dynamic")

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """Say what the button of one motion does."""
        what = next(motion[2] for motion in MOTIONS if motion[0] == properties.type)
        return f"Make the selected objects {properties.type} bodies. {what}"

    def execute(self, context: Context) -> set[str]:
        """Make the bodies."""
        chosen = editable(context)
        objects = without_frames(chosen)
        make_bodies(dict.fromkeys(objects, self.type))
        said = f"Made {counted(len(objects), f'{self.type} body')}"
        bare = [obj.name for obj in objects if obj.type in WITH_MESHES and not solid_parts(obj)]
        if bare:  # curves, texts, surfaces
            said += f", without a collider: {some(bare)}; make a mesh of it first"
        return self.done_to(said, len(objects), len(chosen) - len(objects))


class OMI_JOINT_OT_body_remove(SelectionOperator, Operator):
    """Make the selected objects plain objects again, without motion, collider and trigger"""

    bl_label = "Remove Physics Body"

    def execute(self, context: Context) -> set[str]:
        """Remove the bodies."""
        for obj in editable(context):
            remove_body(obj)
        return {"FINISHED"}


class OMI_JOINT_OT_body_copy(ActiveOperator, Operator):
    """Copy motion, collider and trigger of the active object to the selected objects"""

    bl_label = "Copy Body to Selected"

    def execute(self, context: Context) -> set[str]:
        """Copy the body."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        source = active_of(context)
        chosen = [obj for obj in editable(context) if obj != source]
        targets = without_frames(chosen)
        anew = sum(map(bool, copy_body(source, targets, context.scene)))
        said = f"Copied to {counted(len(targets), 'object')}"
        said += f", {anew} weighed anew as dense" * (anew > 0)
        return self.done_to(said, len(targets), len(chosen) - len(targets))


class OMI_JOINT_OT_from_rigid_body(SelectionOperator, Operator):
    """Make physics bodies and joints of the selected objects' own rigid bodies and constraints"""

    bl_label = "Convert from Rigid Body"

    def execute(self, context: Context) -> set[str]:
        """Take them over."""
        context.view_layer.update()  # adjusting undoes first, after which matrices are old
        taken = take_over(editable(context))
        for sentence in taken.sentences:
            self.report({"WARNING"}, sentence)
        if not (taken.bodies or taken.parts or taken.joints):
            nothing = "The selected objects have no rigid body settings"
            return {"CANCELLED"} if taken.sentences else self.refused(nothing)
        parts = f" with {counted(taken.parts, 'part')}" if taken.parts else ""
        bodies, joints = counted(taken.bodies, "body"), counted(taken.joints, "joint")
        return self.finished(f"Converted {bodies}{parts} and {joints}")


class OMI_JOINT_OT_trigger_parts(ActiveOperator, Operator):
    """Make the selected triggers below the active object the parts of its compound trigger"""

    bl_label = "Set Trigger Parts"

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for an active object that can be changed."""
        if context.object is not None and not context.object.is_editable:
            return "The active object is linked from another file"
        return super().lacking(context)

    def execute(self, context: Context) -> set[str]:
        """Set the parts."""
        parts = add_trigger_parts(active_of(context), context.selected_objects)
        if not parts:
            return self.refused("Select triggers below the active object as well", "ERROR")
        return self.finished(f"The trigger has {counted(parts, 'part')}")


DENSITIES = {
    "ALUMINIUM": ("Aluminium", 2700.0),
    "BRICK": ("Brick", 1900.0),
    "CONCRETE": ("Concrete", 2400.0),
    "COPPER": ("Copper", 8960.0),
    "FOAM": ("Foam", 50.0),
    "GLASS": ("Glass", 2500.0),
    "ICE": ("Ice", 917.0),
    "IRON": ("Iron", 7870.0),
    "OAK": ("Oak", 750.0),
    "PINE": ("Pine", 500.0),
    "PLASTIC": ("Plastic", 1100.0),
    "RUBBER": ("Rubber", 1200.0),
    "STEEL": ("Steel", 7850.0),
    "STONE": ("Stone", 2600.0),
    "WATER": ("Water, Flesh", DENSITY),
}
"""Names and densities in kg/m^3 of common materials, rounded."""
CUSTOM = "CUSTOM"


class FilledBodies(SelectionOperator):
    """Needs selected bodies, and works on those whose colliders or meshes have a volume."""

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for bodies."""
        found = any(obj.omi_physics_body.is_body for obj in editable(context))
        return "" if found else "Select physics bodies that are not linked from another file"

    def execute(self, context: Context) -> set[str]:
        """Do what this operator is for, and warn of bodies that hold nothing."""
        context.view_layer.update()
        bodies = [obj for obj in editable(context) if obj.omi_physics_body.is_body]
        found = fillings(context.scene, bodies)
        for obj in bodies:
            if obj not in found:
                self.report({"WARNING"}, f"{obj.name} has no volume: give it a collider or a mesh")
        return self.finished(self.use(context, found)) if found else {"CANCELLED"}

    @abstractmethod
    def use(self, context: Context, bodies: dict[Object, Filling]) -> str:
        """Change bodies by what they hold, and say what was done."""


class OMI_JOINT_OT_mass_from_volume(FilledBodies, Operator):
    """Set the mass of the selected bodies from the volume of their colliders and a density"""

    bl_label = "Calculate Mass"

    material = choice(
        "Material",
        "What the bodies are made of",
        items=[
            *(
                (key, name, f"{density:g} kg/m\N{SUPERSCRIPT THREE}")
                for key, (name, density) in DENSITIES.items()
            ),
            (CUSTOM, "Custom", "Type the density"),
        ],
        default="WATER",
    )
    density = number(
        "Density",
        "Mass of a cubic meter, in kg/m\N{SUPERSCRIPT THREE}",
        default=DENSITY,
        min=0.001,
        soft_max=20000.0,
        precision=1,
    )

    def use(self, context: Context, bodies: dict[Object, Filling]) -> str:
        """Weigh the bodies."""
        if self.material != CUSTOM:
            self.density = DENSITIES[self.material][1]
        for obj, filling in bodies.items():
            obj.omi_physics_body.infinite_mass = False
            mass = filling.volume * self.density
            obj.omi_physics_body.weigh(filling.volume, mass, filling.mark)
        total = sum(obj.omi_physics_body.mass for obj in bodies)
        system = context.scene.unit_settings.system
        said = bpy.utils.units.to_string(system, "MASS", total, precision=4)
        return f"Set the mass of {counted(len(bodies), 'body')}: {said} in all"

    def draw(self, _context: Context) -> None:
        """Draw the material, and the density that it has."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "material")
        column = layout.column()
        column.enabled = self.material == CUSTOM
        column.prop(self, "density")


class OMI_JOINT_OT_center_from_volume(FilledBodies, Operator):
    """Put the center of mass of the selected bodies into the middle of their colliders"""

    bl_label = "Center of Mass from Collider"

    def use(self, _context: Context, bodies: dict[Object, Filling]) -> str:
        """Centre the bodies."""
        centre(bodies)
        return f"Set the center of mass of {counted(len(bodies), 'body')}"


NOT_COPIED = frozenset(
    {
        *("rna_type", "name", "nodes", "unknown", "motion_unknown"),
        *("use_gravity_shape", "gravity_shape", "read_scale"),
    }
)
"""Parts of a trigger lie below their own object; what is kept of a file belongs to one node."""


def remove_body(obj: Object) -> None:
    """Make an object plain again. Joints on it stay, and Check names them."""
    body = obj.omi_physics_body
    for name in body.bl_rna.properties.keys():  # noqa: SIM118 - not a dict
        if name not in {"rna_type", "name"}:
            body.property_unset(name)


def without_frames(objects: Sequence[Object]) -> list[Object]:
    """Return the objects that are no frames of joints. A body that is a partner itself stays."""
    frames = set(frames_among(objects))
    return [obj for obj in objects if obj not in frames]


def add_trigger_parts(owner: Object, selected: Sequence[Object]) -> int:
    """Make selected triggers below an object the parts of its trigger; return how many."""
    below = set(owner.children_recursive)
    parts = [obj for obj in selected if obj in below and obj.omi_physics_body.use_trigger]
    if not parts:
        return 0
    body = owner.omi_physics_body
    body.use_trigger = True
    body.trigger.nodes.clear()
    for part in parts:
        body.trigger.nodes.add().object = part
    return len(parts)


def copy_body(source: Object, targets: Sequence[Object], scene: Scene) -> list[str]:
    """Copy a body; what fits its mesh and weighs what that holds does so of theirs.

    Return what was said of masses.
    """
    theirs = source.omi_physics_body
    for obj in targets:
        copy_group(theirs, obj.omi_physics_body)
        for shape, own in zip(theirs.shapes, obj.omi_physics_body.shapes, strict=False):
            if is_fitted(shape, source) and obj.type == "MESH":
                fit_shape(own, obj)
    return [weigh_anew(*one) for one in fillings(scene, targets).items()]


def copy_group(source: PropertyGroup, target: PropertyGroup) -> None:
    """Copy the properties of a group, groups in it included: motion, collider and trigger.

    What belongs to one object alone stays the target's own: parts of a trigger, unknown members.
    """
    for prop in source.bl_rna.properties:
        name = prop.identifier
        if name in NOT_COPIED:
            continue
        if prop.type == "POINTER" and prop.is_readonly:
            copy_group(getattr(source, name), getattr(target, name))
        elif not prop.is_readonly:
            setattr(target, name, getattr(source, name))
