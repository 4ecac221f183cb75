# SPDX-License-Identifier: GPL-3.0-or-later
"""How joints are played in the viewport. No file but .blend has it."""

from __future__ import annotations

from collections.abc import Callable

import bpy
from bpy.types import Context, PropertyGroup, Scene, WindowManager

from ...model.body import GRIP
from ..data.fields import choice, flag, integer, number
from ..interface.playing import is_playing
from ..registration import NOT_OVERRIDABLE, OVERRIDABLE

CONTACTS = True
"""Whether bodies touch where nobody has said so."""
WHICH = (
    ("ALL", "All", "Play every joint of the scene"),
    ("SELECTED", "Selected", "Play only the mechanisms of the selected objects"),
)
SOFT_LOCKS = (
    (
        "automatic",
        "Automatic",
        "Treat limits as rigid that cannot hold the weight that they carry, such as those with "
        "Godot's numbers of softness; simulate the others as springs",
        "NONE",
        2,
    ),
    ("literal", "Simulate as Springs", "Use stiffness values literally", "NONE", 0),
    ("rigid", "Treat as Rigid", "Ignore the stiffness of limits, as Jolt does", "NONE", 1),
)
"""Numbers are what files hold: those of the first release stay."""

STEPS = (
    ("exact", "Exact", "Move as the joints say, as exactly as can be", "NONE", 0),
    (
        "godot",
        "As Godot",
        "Move as Godot with Jolt does by default: 60 steps a second of first order, damping of "
        "0.1, its rebound at stops and its reading of limits and drives",
        "NONE",
        1,
    ),
)


class OMI_JOINT_PG_preview(PropertyGroup):
    """How the joints of a scene are played."""

    which = choice("Play", "Which joints are played", items=WHICH, default="ALL")
    steps = choice("Steps", "Which steps the motion is computed in", items=STEPS, default="exact")
    show_ghost = flag(
        "Exact as Ghost",
        "Draw in outline where the exact motion has the bodies, and how far joints are from it",
    )
    speed = number(
        "Speed",
        "Playback speed; 1 is real time",
        default=1.0,
        min=0.01,
        soft_max=2.0,
        max=10.0,
        precision=2,
    )
    use_gravity = flag("Gravity", "Use the gravity of the scene", default=True)
    use_contacts = flag(
        "Contacts",
        "Let bodies touch where they have colliders, whether joints hold them or not: they push, "
        "rub and bounce as their physics materials say. If off, they pass through each other",
        default=CONTACTS,
    )
    use_floor = flag(
        "Floor",
        "A floor under what no joint holds to anything that stands: at height zero, or under the "
        "lowest collider at rest where that is lower. It is for playing and simulating only, and "
        "in no exported file",
        default=True,
    )
    floor_friction = number(
        "Friction",
        "How much the floor rubs, from 0 as ice to 1 as rubber; the mean of this and of what lies "
        "on it counts",
        default=GRIP.static_friction,
        min=0.0,
        soft_max=1.0,
        max=10.0,
        precision=2,
    )
    floor_restitution = number(
        "Bounce",
        "How much comes back from the floor, from 0 to 1; the mean of this and of what falls on it "
        "counts",
        default=GRIP.restitution,
        min=0.0,
        max=1.0,
        precision=2,
    )
    use_substeps = flag(
        "Set Substeps", "Set the least number of substeps; if off, there are as many as it needs"
    )
    substeps = integer(
        "Substeps",
        "Parts, at least, that each played frame of 1/60 s is computed in",
        default=4,
        min=1,
        max=100,
    )
    soft_locks = choice(
        "Soft Limits",
        "How limits are simulated that have a stiffness",
        items=SOFT_LOCKS,
        default="automatic",
    )
    show_forces = flag(
        "Forces",
        "Draw the forces and torques that the selected joints bear while they play",
        default=True,
    )
    show_contacts = flag(
        "Contact Points",
        "Draw where bodies touch while they play, and with what forces",
        default=True,
    )
    use_loop = flag("Loop", "Start again after a set time")
    loop_seconds = number(
        "Loop After",
        "Time after which playing starts again",
        subtype="TIME_ABSOLUTE",
        default=5.0,
        min=0.1,
        soft_max=60.0,
    )
    use_breaking = flag("Joints Break", "Let overloaded joints break", default=True)


def settings_in_use(context: Context) -> OMI_JOINT_PG_preview:
    """Return the settings that a panel shows: those lent to what plays, or else of the scene."""
    owner = context.window_manager if is_playing() else context.scene
    return owner.omi_physics_preview


def lend_settings(scene: Scene) -> Callable[[], bool]:
    """Lend the settings of a scene to the window manager, and return what hands changes back.

    A click on a property of a scene pushes an undo step, which would hold the played pose. The
    window manager is outside of undo, so the panel shows its copy meanwhile; at the end, when
    everything is at rest again, the scene gets what was changed, if anything was.
    """
    lent = bpy.context.window_manager.omi_physics_preview
    before = {
        prop.identifier: getattr(scene.omi_physics_preview, prop.identifier)
        for prop in OMI_JOINT_PG_preview.bl_rna.properties
        if prop.identifier not in {"rna_type", "name"}
    }
    for name, value in before.items():
        setattr(lent, name, value)

    def hand_back() -> bool:
        now = {name: getattr(lent, name) for name in before}
        for name in before:
            lent.property_unset(name)
        for name, value in now.items():
            if value != before[name]:
                setattr(scene.omi_physics_preview, name, value)
        return now != before

    return hand_back


POINTERS = (
    (Scene, "omi_physics_preview", OMI_JOINT_PG_preview, OVERRIDABLE),
    (WindowManager, "omi_physics_preview", OMI_JOINT_PG_preview, NOT_OVERRIDABLE),
)
