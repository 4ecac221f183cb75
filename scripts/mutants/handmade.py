# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults made by hand, where one operator at one place would not say what can go wrong.

Each passed all tests once. The old text must stand in its file exactly once; if a change has moved
it, the fault follows here in the same commit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .faults import Fault
from .planted import PLANTED
from .planted_played import PLAYED
from .planted_shown import SHOWN
from .planted_thin import THIN
from .planted_thin_blender import THIN_BLENDER


@dataclass(frozen=True)
class Handmade:
    """A fault by its text.

    Attributes:
        name: What is broken, in a few words.
        test: Which tests notice it, from the tests' folder.
        file: From the root of the project: Python, GDScript, or C, which pytest compiles anew.
        old: What stands there.
        new: What stands there instead.
    """

    name: str
    test: str
    file: str
    old: str
    new: str

    def located(self, text: str) -> Fault | None:
        """Return the fault in the text of its file; None where its text is not there just once."""
        if text.count(self.old) != 1:
            return None
        start = text.index(self.old)
        first = text.count("\n", 0, start) + 1
        last = first + self.old.count("\n")
        place = (start, start + len(self.old))
        return Fault(self.file, first, (first, last), *place, self.new, self.name, self.old)


HANDMADE = (
    Handmade(
        "a normalized integer goes below -1",
        "gltf/test_accessors.py",
        "omi_physics_joint/gltf/document/accessors.py",
        "max(x / scale, -1.0) if",
        "x / scale if",
    ),
    Handmade(
        "a held angle is read from the far side",
        "solver/test_angles.py::test_everybody_reads_the_same_angles",
        "omi_physics_joint/solver/kinematics/island_rows.py",
        "along = np.where(across < 0.0, -along, along)",
        "along = np.where(across < 0.0, along, along)",
    ),
    Handmade(
        "frames of an animation divide no step",
        "solver/test_on_the_way.py::test_frames_of_an_animation_lie_within_steps",
        "omi_physics_joint/solver/reading/bodies.py",
        "cuts.update(motion.times[first:last].tolist())",
        "cuts.update(motion.times[last:last].tolist())",
    ),
    Handmade(
        "a hinge rests on a bound on its first turn alone",
        "solver/test_reading.py",
        "omi_physics_joint/solver/reading/mending.py",
        "np.array([0.0, tau, -tau])",
        "np.array([0.0, 0.0, 0.0])",
    ),
    Handmade(
        "two points in one place with two normals are one",
        "solver/test_grooves.py",
        "kernel/gathering.c",
        "size * size && dot(out->normals[i], one->normal) > ALIKE) return 1;",
        "size * size) return 1;",
    ),
    Handmade(
        "a spring at its largest force holds as if it had none",
        "solver/test_springs.py::test_a_spring_holds_no_more_than_its_force_does",
        "omi_physics_joint/solver/system.py",
        "inside = np.minimum(stretch, reach)",
        "inside = np.maximum(stretch, reach)",
    ),
    Handmade(
        "the upper half ball of a capsule sits at its middle",
        "solver/test_inertia.py",
        "omi_physics_joint/model/mechanics/inertias.py",
        "high * high - _square(y - end)",
        "high * high - _square(y)",
    ),
    Handmade(
        "a sphere turns a tenth heavier",
        "solver/test_inertia.py",
        "omi_physics_joint/model/mechanics/inertias.py",
        "(_square(radius) / 5.0,) * 3",
        "(_square(radius) / 4.5,) * 3",
    ),
    Handmade(
        "a cylinder turns lighter about its axis",
        "solver/test_inertia.py",
        "omi_physics_joint/model/mechanics/inertias.py",
        "across = 0.25 * sum(",
        "across = 0.2 * sum(",
    ),
    Handmade(
        "two turning axes are drawn from either side",
        "drawing/test_poses.py",
        "omi_physics_joint/drawing/bounds.py",
        "        return _is_sphere(settings)\n    return not turning or",
        "        return True\n    return not turning or",
    ),
    Handmade(
        "nothing is said of Godot's softness",
        "model/validate/test_unintended.py",
        "omi_physics_joint/model/validate/burdens.py",
        "godot=godot if sag.stiffness <= SOFTNESS",
        "godot=godot if sag.stiffness <= 0.5 * SOFTNESS",
    ),
    Handmade(
        "-0.0 is put back as 0.0",
        "blender/test_moving.py",
        "omi_physics_joint/blender/bridge/poses/transforms.py",
        "if repr(tuple(getattr(obj, field))) != repr(value):",
        "if tuple(getattr(obj, field)) != value:",
    ),
    Handmade(
        "a camera that is locked to the view is moved",
        "blender/test_play_events.py",
        "omi_physics_joint/blender/play/viewport/events.py",
        'if space.lock_camera and place.region.data.view_perspective == "CAMERA":',
        "if False:",
    ),
    Handmade(
        "an axis flips at half a turn and the angle jumps",
        "blender/test_timeline_baking.py",
        "omi_physics_joint/blender/timeline/cache/motion.py",
        "if axis.dot(earlier) < 0.0:",
        "if False:",
    ),
    Handmade(
        "swapped sides forget whether bodies collide",
        "blender/test_editing.py",
        "omi_physics_joint/blender/joints/editing.py",
        '*("enable_collision", "mute", "unknown"),',
        '*("mute", "unknown"),',
    ),
    Handmade(
        "looks stay as they were on another frame",
        "blender/test_overlay_frames.py",
        "omi_physics_joint/blender/interface/signals.py",
        "    signals.pose += 1\n    signals.look += 1\n",
        "    signals.pose += 1\n",
    ),
    Handmade(
        "the other bound stays where Alt put it",
        "blender/test_dragging.py",
        "omi_physics_joint/blender/handles/values.py",
        "            self._put_back(self._numbers[1:])\n",
        "",
    ),
    Handmade(
        "a posed quaternion changes its sign",
        "blender/test_pose_rest.py",
        "omi_physics_joint/blender/timeline/cache/motion.py",
        "rotation if rotation.dot(Quaternion(before)) >= 0.0 else -rotation",
        "rotation",
    ),
    Handmade(
        "angles of spring constraints keep their sign",
        "blender/test_takeover.py",
        "omi_physics_joint/blender/bodies/takeover.py",
        'frozenset({"HINGE", "GENERIC", "GENERIC_SPRING"})',
        'frozenset({"HINGE", "GENERIC"})',
    ),
    Handmade(
        "a joint is posed while it is simulated",
        "blender/test_pose_rest.py",
        "omi_physics_joint/blender/posing/session.py",
        "if is_simulating():",
        "if False:",
    ),
    Handmade(
        "what is appended is not brought up to date",
        "blender/test_settings_data.py",
        "omi_physics_joint/blender/handlers.py",
        "@on(handlers.load_post, handlers.blend_import_post)\ndef bring_up_to_date",
        "@on(handlers.load_post)\ndef bring_up_to_date",
    ),
    Handmade(
        "copied settings stay with the window manager",
        "blender/test_play_events.py",
        "omi_physics_joint/blender/simulated/properties.py",
        "lent.property_unset(name)",
        "pass",
    ),
    Handmade(
        "each handle takes what any handle is hit by",
        "blender/test_gizmos.py",
        "omi_physics_joint/blender/handles/gizmos.py",
        "mouse, REACH * scale) == number",
        "mouse, REACH * scale) is not None",
    ),
    Handmade(
        "a link that looks straight up is turned the other way",
        "robots/test_write.py",
        "omi_physics_joint/robots/urdf/write.py",
        "if c < 0.0 else atan2(-f, g), pitch",
        "if c > 0.0 else atan2(-f, g), pitch",
    ),
    Handmade(
        "a gear the other way round leaves no force",
        "robots/test_read_mjcf.py",
        "omi_physics_joint/robots/mjcf/joints.py",
        'most = _most(element, "force") * abs(gear)',
        'most = _most(element, "force") * gear',
    ),
    Handmade(
        "the world of a robot floats where it has a mass",
        "robots/test_read_urdf.py",
        "omi_physics_joint/robots/urdf/read.py",
        "name in heavy and name != WORLD_NAME",
        "name in heavy",
    ),
    Handmade(
        "a spinning body goes round its mass",
        "solver/test_on_the_way.py",
        "omi_physics_joint/solver/reading/bodies.py",
        "bodies.velocity[body] - cross(spin, arm)",
        "bodies.velocity[body] + cross(spin, arm)",
    ),
    Handmade(
        "twists never begin one turn back in the kernel",
        "solver/test_textbook.py::test_both_begin_on_the_same_turn",
        "kernel/begin.c",
        "(turns == 2 ? -1.0 : turns)",
        "(turns == 2 ? 1.0 : turns)",
    ),
    Handmade(
        "a failed step of the kernel keeps its speed",
        "solver/test_textbook.py::test_both_stay_and_slow_down_where_a_step_fails",
        "kernel/output_step.c",
        "st->velocity[i] *= 0.5;",
        "st->velocity[i] *= 1.0;",
    ),
    Handmade(
        "a constant of the kernel is another than the textbook's",
        "kernel/test_constants.py",
        "kernel/elements.c",
        "#define MOST 20.0",
        "#define MOST 200.0",
    ),
    Handmade(
        "a drive that turns carries a weight",
        "model/test_sagging.py",
        "omi_physics_joint/model/mechanics/sagging.py",
        "one.type is Freedom.LINEAR and one.stiffness > 0.0 for",
        "one.stiffness > 0.0 for",
    ),
    Handmade(
        "Godot's softness beside a softer limit stays soft",
        "model/test_sagging.py",
        "omi_physics_joint/model/mechanics/sagging.py",
        "most = max(fails, SOFTNESS)",
        "most = fails",
    ),
    Handmade(
        "a keyed strength without a target is left out",
        "gltf/test_keyed.py",
        "omi_physics_joint/gltf/shared/spell_settings.py",
        "        goes_along = goes_along or any(keys.field == field.name for keys in drive.keys)\n",
        "",
    ),
    Handmade(
        "what forces do not move is asked for a mass",
        "gltf/test_khr.py::test_a_mass_that_is_not_said_is_noted",
        "omi_physics_joint/gltf/khr/read_khr.py",
        'if not motion.has("mass") and not kinematic:',
        'if not motion.has("mass"):',
    ),
    Handmade(
        "a pin is turned by angles once a value was set",
        "posing/test_values_set.py",
        "omi_physics_joint/posing/posing.py",
        "        tree.ball[number] = link.ball\n",
        "",
    ),
    Handmade(
        "faces of mirrored bodies look inwards",
        "blender/test_contact.py",
        "omi_physics_joint/blender/between_bodies/contact.py",
        "(c, b, a) if is_mirrored else (a, b, c)",
        "(a, b, c)",
    ),
    Handmade(
        "keys of a file stand beside their frames",
        "blender/test_animated_settings.py",
        "omi_physics_joint/blender/bridge/keyed.py",
        "return float(round(frame)) if abs(frame - round(frame)) < _ENOUGH else frame",
        "return frame",
    ),
    Handmade(
        "frames below zero of settings are not cut off",
        "blender/test_animated_settings.py",
        "omi_physics_joint/blender/gltf_hooks/animated_settings.py",
        'export_settings.get("gltf_negative_frames") == "CROP"',
        'export_settings.get("gltf_negative_frames") == "CROPS"',
    ),
    Handmade(
        "another limit is active after one has gone",
        "blender/test_set_limit.py",
        "omi_physics_joint/blender/joints/settings_editing.py",
        "if settings.active_limit > index or settings.active_limit == len(settings.limits):",
        "if settings.active_limit > index + 1 or settings.active_limit == len(settings.limits):",
    ),
    Handmade(
        "an axis is locked beside where frames coincide",
        "blender/test_locked.py",
        "omi_physics_joint/blender/check/settings_fixes.py",
        "at = 0.0 if low <= 0.0 <= high else 0.5 * (low + high)",
        "at = 0.5 * (low + high)",
    ),
    Handmade(
        "a keyed value is drawn as it was",
        "blender/test_overlay_frames.py",
        "omi_physics_joint/blender/overlay/survey.py",
        "is_keyed=partner == obj and obj.animation_data is not None",
        "is_keyed=False",
    ),
    Handmade(
        "the second frame of a mirrored joint is no mirror image",
        "blender/test_one_object.py",
        "omi_physics_joint/blender/bridge/poses/second_frames.py",
        "frame @ Matrix.Diagonal((1.0, 1.0, -1.0, 1.0)) if determinant(linear) < 0.0 else frame",
        "frame",
    ),
    Handmade(
        "bounds together go beyond half a turn under Alt",
        "blender/test_dragging.py",
        "omi_physics_joint/blender/handles/values.py",
        "value = clamped(value, least - min(gap, 0.0), most - max(gap, 0.0))",
        "value = clamped(value, least - min(gap, 0.0), most)",
    ),
    Handmade(
        "Ctrl and the wheel change values while joints play",
        "blender/test_play_events.py",
        "omi_physics_joint/blender/play/viewport/events.py",
        '"TRACKPADPAN"} and not event.ctrl',
        '"TRACKPADPAN"}',
    ),
    Handmade(
        "a new file is saved while joints play",
        "blender/test_play_events.py",
        "omi_physics_joint/blender/play/viewport/control.py",
        "            self.session.stop()  # Blender asks for a name",
        "            pass  # Blender asks for a name",
    ),
    Handmade(
        "the add-on for Godot takes other numbers for softness than Check",
        "model/test_godot_addon.py",
        "clients/godot/addons/omi_physics_joint/room.gd",
        "const SOFTNESS := 2.0",
        "const SOFTNESS := 4.0",
    ),
    Handmade(
        "what weights do to what bounces is not by mass",
        "solver/test_contacts.py::test_how_heavy_all_is_together_means_nothing",
        "kernel/bounce.c",
        "is->weight[k] * is->roots[k] * (",
        "is->weight[k] * (",
    ),
    *(Handmade(*one) for one in (*PLANTED, *PLAYED, *SHOWN, *THIN, *THIN_BLENDER)),
)


def located(text_of: Callable[[str], str]) -> tuple[list[tuple[Fault, str]], list[str]]:
    """Return all faults made by hand with their tests, and what is said of those that moved.

    Args:
        text_of: Returns the text of a file of the project.
    """
    found, moved = [], []
    for one in HANDMADE:
        fault = one.located(text_of(one.file))
        if fault is None:
            moved.append(
                "%s: the text of %r is not there once; let it follow" % (one.file, one.name)
            )
        else:
            found.append((fault, one.test))
    return found, moved
