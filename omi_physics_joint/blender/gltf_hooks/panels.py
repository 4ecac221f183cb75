# SPDX-License-Identifier: GPL-3.0-or-later
"""Our section in the dialogs of Blender's glTF export and import."""

from __future__ import annotations

from collections.abc import Iterator

import io_scene_gltf2
from bpy.types import Context, UILayout

from ...model.readers import OF_STAGES, Reader
from ..data.scene import READERS
from ..interface.text import draw_text
from ..purpose.chosen import chooses_dialect, extensions_in_words
from ..registration import MODULE
from .forecast import forecast, options_in

# The exporter of 4.5 and newer asks this table; each add-on has one entry, by its module.
SECTIONS = io_scene_gltf2.exporter_extension_layout_draw


def draw_export(context: Context, layout: UILayout) -> None:
    """Draw the section in the export dialog."""
    options = context.scene.omi_physics_joint
    header, body = layout.panel("OMI_JOINT_PT_export", default_closed=False)
    header.use_property_split = False
    header.prop(options, "use_export", text="Physics Joints")
    if body is not None:
        body.active = options.use_export
        body.use_property_split = False
        written, lacking = forecast(options_in(context))
        draw_text(body, context, f"The file will hold {written or 'no physics'}.")
        if lacking:
            draw_text(body, context, f"It will lack {lacking}.", "ERROR")
        body.prop(options, "use_belonging")
        body.prop(options, "strict")
        column = body.column(align=True)
        column.label(text="Readers")
        for name, *_ in READERS:
            if Reader[name] not in OF_STAGES:
                column.prop_enum(options, "readers", name)
        body.use_property_split = True
        body.use_property_decorate = False
        body.prop(options, "target")
        row = body.row()
        row.active = chooses_dialect(context.scene)
        row.prop(options, "dialect")
        body.use_property_split = False
        written = extensions_in_words(context.scene)
        if written:
            body.label(text=written)


def draw_import(_context: Context, layout: UILayout) -> None:
    """Draw the section in the import dialog."""
    layout.label(text="Physics joints: imported", icon="CONSTRAINT")


def while_on() -> Iterator[None]:
    """Show the section in the export dialog."""
    SECTIONS[MODULE] = draw_export
    yield
    SECTIONS.pop(MODULE, None)
