# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and centre of mass of the selected bodies from their colliders."""

from __future__ import annotations

from abc import abstractmethod

import bpy
from bpy.types import Context, Object, Operator

from ...model.wording.words import counted
from ..data.body import DENSITY
from ..data.fields import choice, number
from .mass import Filling, centre, fillings
from .operators import SelectionOperator, editable

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
