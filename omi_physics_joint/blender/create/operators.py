# SPDX-License-Identifier: GPL-3.0-or-later
"""Join selected bodies: Weld, Pin, Hinge, Slider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from textwrap import wrap

from bpy.types import Context, Event, Object, Operator, OperatorProperties, UILayout
from mathutils import Vector

from ...model.validate.codes import issue_of
from ...model.wording.words import some
from ..between_bodies.descendants import one_look
from ..bridge.placed import body_of, is_dynamic
from ..data.body import MOTIONS
from ..data.fields import choice, flag, integer, string
from ..data.scene import DIRECTIONS, DIRECTIONS_OF_NEW, PLACES
from ..data.units import sayer
from ..interface.mixins import fields_in, was_last
from ..joints.authoring import AuthoringError, JointKind, Pair, join_all, make_bodies
from ..joints.conversions import along_which
from ..joints.editing import direction_of, towards
from ..joints.operators import FORGOTTEN, KINDS, RangeOptions
from ..joints.settings_editing import block_of, free_usual_ranges, travel_of
from ..presets.applying import drives_like_new, grow_along
from ..purpose.left_out import left_out
from .selection import HINT, Plan, bodies_needed, joinable, joints_of_loops, plan, still_lacking
from .several import out_of_reach, with_roles, wrong_way
from .suited import UNTOLD, automatic, place_of, suited_axes, suited_place, suits_range
from .told import held_elsewhere, joined_already, left_behind, who_stands

PLACE_NAMES = {place[0]: place[1] for place in PLACES}
FIELD_NAME = 0.36
"""Share of a row before a field: "Automatic (Nearest Points)" fits after it."""
WARNING_WIDTH = 36
"""Characters of a line that fit into the redo box, which is as wide whatever it shows."""
NOTED = {"HIDDEN", "SKIP_SAVE"}
"""What the operator notes for its own redo box."""


def side(axis: str) -> str:
    """Return the choice of a side of the bounding box on one axis."""
    return choice(
        f"{axis} Side",
        f"Which side of the moving body's bounding box, along its {axis} axis",
        items=(
            ("MIN", f"-{axis}", f"The side at the lower end of {axis}"),
            ("MIDDLE", "Middle", f"Half-way along {axis}"),
            ("MAX", f"+{axis}", f"The side at the upper end of {axis}"),
        ),
        default="MIN" if axis == "X" else "MIDDLE",
        options=FORGOTTEN,
    )


def _why_nothing_moves(asked: Plan) -> str:
    """Say that the two of a pair both stand."""
    for pair in asked.pairs:
        both = [body for body in map(body_of, (pair.still, pair.moving)) if body is not None]
        if not any(map(is_dynamic, both)):
            name, connected = (body.name for body in both)
            return issue_of("nothing-dynamic", name, name=name, connected=connected).message
    return ""


def _brought_up_to_date(context: Context) -> list[Object]:
    """Return what is selected, with matrices as they are now and meshes as Edit Mode has them."""
    for obj in context.selected_objects:
        obj.update_from_editmode()
    context.view_layer.update()  # adjusting undoes first, after which matrices are old
    return list(context.selected_objects)


class OMI_JOINT_OT_create(RangeOptions, Operator):
    """Join the selected objects to the active one; objects that are no bodies yet become bodies"""

    bl_label = "Add Physics Joint"

    kind = choice("Joint", "What the joint allows", items=KINDS, options=FORGOTTEN)
    direction = choice(
        "Axis",
        "What a hinge turns about and a slider slides along",
        items=DIRECTIONS_OF_NEW,
        default="AUTO",
        options=FORGOTTEN,
    )
    aim = choice(
        "Axis",
        "What a pin twists about: the axis of its cone, once it is limited to one",
        items=DIRECTIONS,
        default="TOWARDS",
        options=FORGOTTEN,
    )
    place = choice("Position", "Where to put it", items=PLACES, default="AUTO", options=FORGOTTEN)
    side_x, side_y, side_z = map(side, "XYZ")
    active_motion = choice(
        "Active Body",
        "How the active object moves, where it is no body yet",
        items=MOTIONS,
        default="dynamic",
        options=FORGOTTEN,
    )
    other_motion = choice(
        "Other Bodies",
        "How the other objects move, where they are no bodies yet",
        items=MOTIONS,
        default="static",
        options=FORGOTTEN,
    )
    chain = flag(
        "Chain",
        "Join each object to the nearest next one, beginning with the active one, "
        "instead of all to the active one",
        options=FORGOTTEN,
    )
    swap = flag(
        "Swap",
        "The other one of two objects moves, whichever was clicked last",
        options=FORGOTTEN,
    )
    noted_active = noted_others = noted_new = noted_automatic = string(options=NOTED)
    chosen_active = chosen_other = noted_warning = noted_axis = string(options=NOTED)
    found_direction = found_aim = found_place = string(options=NOTED)
    noted_count = integer(options=NOTED)

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """Say what the button of one kind does; where it is grey, Blender adds why."""
        text: str = next(kind[2] for kind in KINDS if kind[0] == properties.kind)
        return text

    @classmethod
    def lacking(cls, context: Context) -> str:
        """Ask for two objects; or for what was just made, so that it can be adjusted."""
        if was_last(context, cls) and context.mode in {"OBJECT", "EDIT_MESH"}:
            return ""
        return still_lacking(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Take the choices of the sidebar, then act at once."""
        options = context.scene.omi_physics_joint
        for name in ("direction", "place"):
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(options, name))
        _brought_up_to_date(context)
        asked_for = self.place
        if self.place in {"AUTO", "CURSOR"} and len(joinable(context)[0]) > 2:
            self.place = "NEAREST"  # they would all be at one point
        elif self.place == "AUTO":
            with suppress(AuthoringError):  # which execute says
                self.place = automatic(context, self._plan(context).pairs)
        self.noted_automatic = self.place if asked_for == "AUTO" else ""
        return self.execute(context)

    def execute(self, context: Context) -> set[str]:
        """Make bodies and joints."""
        chosen = _brought_up_to_date(context)
        with one_look(chosen):
            drives = drives_like_new(chosen)
            done = self._made(context)
        with one_look():
            grown = grow_along(drives)
        if grown:
            names = some([f"{one.name}'s" for one in grown])
            self.report({"INFO"}, f"{names} drive is as strong as suits what hangs on it now")
        return done

    def _made(self, context: Context) -> set[str]:
        self.noted_warning = ""
        try:
            _, without = joinable(context)
            asked = self._plan(context)
            self._note(asked)
            sides = (self.side_x, self.side_y, self.side_z)
            chosen = partial(self._chosen, context, asked.pairs)
            places = self._found(
                "place",
                lambda: [place_of(chosen(), context, pair, sides) for pair in asked.pairs],
            )
            field = "aim" if self.kind == "PIN" else "direction"
            directions = self._found(field, lambda: self._directions(context, asked, places))
            is_open = self.place in {"AUTO", self.noted_automatic} and chosen() == "NEAREST"
            if self.kind == "HINGE" and is_open:
                places = list(map(suited_place, asked.pairs, places, directions))
            twice = joined_already(asked.pairs, places)
            said = [wrong_way(self.kind, asked, swap=self.swap), twice]
            said += [held_elsewhere(asked.pairs)] * (not twice)
            if is_open:
                said.append(out_of_reach(asked, sayer(context.scene)))
            new = self._new_bodies(asked)
            make_bodies(new)
            if self.kind == "SLIDER":
                self.suit_travel(travel_of(asked.pairs[0], directions[0]))
            joints, freed = self._join(asked.pairs, directions, places)
        except AuthoringError as error:
            return self.refused(error, "ERROR")
        if context.mode == "OBJECT":
            for obj in (*context.selected_objects, *joints):
                obj.select_set(obj in joints)
            context.view_layer.objects.active = joints[0]
        made = f"{len(joints)} joints" if len(joints) > 1 else joints[0].name
        said = [f"Lights and cameras are not joined: {without}."] * bool(without) + said
        said += [
            left_behind(asked.pairs),
            _why_nothing_moves(asked),
            left_out((asked.active, *asked.others), context.scene),
        ]
        warning = " ".join(filter(None, said))
        self.noted_warning = self.noted_warning or warning
        way = along_which(self.kind, directions, [pair.moving for pair in asked.pairs])
        made += way + ", as nothing tells another" * (way != "" and self.noted_axis == UNTOLD)
        if chosen() == "CURSOR" and self.place in {"AUTO", self.noted_automatic}:
            made += " at the 3D cursor"
        if freed:
            made += f", which closes a loop: {some([one.name for one in freed])} turned free"
        made += who_stands((asked.active, *asked.others))
        self.report({"WARNING" if warning else "INFO"}, f"Added {made}. {warning}".rstrip(". "))
        return {"FINISHED"}

    def _new_bodies(self, asked: Plan) -> dict[Object, str]:
        """Return what becomes a body, or stood until Swap lets it move; note whose role is new."""
        motions = dict.fromkeys((asked.active, *asked.also), self.active_motion)
        new = bodies_needed(asked.pairs, lambda obj: motions.get(obj, self.other_motion))
        others = "others" if not new.keys().isdisjoint(asked.others) else ""
        self.noted_new = f"active {others}" if asked.active in new else others
        moves = body_of(asked.pairs[0].moving)
        if self.swap and moves is not None and moves.omi_physics_body.type == "static":
            new[moves] = "dynamic"
        return new

    def _join(
        self, pairs: Sequence[Pair], directions: Sequence[Vector], places: Sequence[Vector]
    ) -> tuple[list[Object], list[Object]]:
        """Return new joints, and those that move freely now since a loop is closed."""
        is_usual, closed = False, joints_of_loops(pairs)
        if self.kind in {"HINGE", "SLIDER"}:
            is_usual = self.suit_range(has_one=suits_range(self.kind, pairs, directions, places))
        kind = JointKind(self.kind, *self.range_of(self.kind))
        joints = join_all(pairs, kind, directions, places)
        if is_usual:
            block_of(joints[0]).usual_range = (kind.low, kind.high)
        return joints, free_usual_ranges(closed, own_copy=True)

    def draw(self, _context: Context) -> None:
        """Draw what this kind of joint needs, who moves, and what was refused."""
        layout = fields_in(self.layout)
        layout.prop(self, "kind")
        if self.kind == "PIN":
            layout.prop(self, "aim")
        elif self.kind != "WELD":
            self._draw_found(layout, "direction", "Axis", self.noted_axis)
        self.draw_range(layout, self.kind)
        chosen = PLACE_NAMES[self.place] if self.place == self.noted_automatic else ""
        self._draw_found(layout, "place", "Position", chosen)
        if self.place == "BOX":
            for axis in "xyz":
                layout.row().prop(self, f"side_{axis}", expand=True)
        layout.prop(self, "chain" if self.noted_count > 2 else "swap")
        if self.noted_active:
            self._draw_roles(layout)
        if self.noted_warning:  # a report is gone as soon as the next one says what was made
            column = layout.column(align=True)
            for number, line in enumerate(wrap(self.noted_warning, WARNING_WIDTH)):
                column.label(text=line, icon="BLANK1" if number else "ERROR", translate=False)

    def _draw_found(self, layout: UILayout, field: str, name: str, found: str) -> None:
        """Draw a choice, and what was found where it is left to us."""
        if not found:
            layout.prop(self, field)
            return
        split = layout.split(factor=FIELD_NAME)
        label = split.row()
        label.alignment = "RIGHT"
        label.label(text=name)
        split.prop_menu_enum(self, field, text=f"Automatic ({found})")

    def _draw_roles(self, layout: UILayout) -> None:
        """Draw who moves; what was a body before stays as it was."""
        column = layout.column()
        for role, field in (("active", "active_motion"), ("others", "other_motion")):
            row = column.row()
            row.enabled = role in self.noted_new.split()
            row.prop(self, field, text=getattr(self, f"noted_{role}"), translate=False)

    def _plan(self, context: Context) -> Plan:
        objects, _ = joinable(context)
        if len(objects) < 2:
            raise AuthoringError(f"{HINT}.")
        asked = plan(context.active_object, objects, chain=self.chain, swap=self.swap)
        return with_roles(self.kind, asked)

    def _chosen(self, context: Context, pairs: Sequence[Pair]) -> str:
        return automatic(context, pairs) if self.place == "AUTO" else self.place

    def _note(self, asked: Plan) -> None:
        """Note who takes part, and how they move unless the user has said it."""
        self.noted_active = asked.active.name
        one = len(asked.others) == 1
        self.noted_others = asked.others[0].name if one else f"{len(asked.others)} Others"
        self.noted_count = 1 + len(asked.others)
        roles = zip(("active", "other"), asked.motions, strict=True)
        for (role, motion), objects in zip(roles, ([asked.active], asked.others), strict=True):
            field, noted = f"{role}_motion", f"chosen_{role}"
            said = self.properties.is_property_set(field)
            if said and getattr(self, field) != getattr(self, noted):
                continue
            bodies = {obj.omi_physics_body.type for obj in objects if body_of(obj) == obj}
            is_known = len(bodies) == 1 and all(body_of(obj) == obj for obj in objects)
            setattr(self, field, bodies.pop() if is_known else motion)
            setattr(self, noted, getattr(self, field))

    def _found(self, field: str, find: Callable[[], list[Vector]]) -> list[Vector]:
        """Return what a choice finds; one that finds nothing in the redo box is taken back."""
        noted = f"found_{field}"
        try:
            found = find()
        except AuthoringError as error:
            before = getattr(self, noted)
            if before in {"", getattr(self, field)}:
                raise
            setattr(self, field, before)
            found = find()
            self.noted_warning = str(error)
            self.report({"WARNING"}, f"{error} The choice before it is kept.")
        setattr(self, noted, getattr(self, field))
        return found

    def _directions(self, context: Context, asked: Plan, places: Sequence[Vector]) -> list[Vector]:
        choice = self.aim if self.kind == "PIN" else self.direction
        self.noted_axis = ""
        if choice == "AUTO":
            axes = suited_axes(self.kind, asked.pairs)
            self.noted_axis = next((why for _, why in axes if why != UNTOLD), UNTOLD)
            return [axis for axis, _ in axes]
        if choice == "TOWARDS":
            both = zip(asked.pairs, places, strict=True)
            return [towards(place, pair.moving, pair.still) for pair, place in both]
        return [direction_of(choice, context, pair.moving) for pair in asked.pairs]
