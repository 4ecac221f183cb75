# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults made by hand, where one operator at one place would not say what can go wrong.

Each passed all tests once. The old text must stand in its file exactly once; if a change has moved
it, the fault follows here in the same commit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .faults import Fault


@dataclass(frozen=True)
class Handmade:
    """A fault by its text.

    Attributes:
        name: What is broken, in a few words.
        test: Which tests notice it, from the tests' folder.
        file: From the package's folder.
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
        path = "omi_physics_joint/" + self.file
        place = (start, start + len(self.old))
        return Fault(path, first, (first, last), *place, self.new, self.name, self.old)


HANDMADE = (
    Handmade(
        "a normalized integer goes below -1",
        "gltf/test_accessors.py",
        "gltf/document/accessors.py",
        "max(x / scale, -1.0) if",
        "x / scale if",
    ),
    Handmade(
        "a held angle is read from the far side",
        "solver/test_angles.py::test_everybody_reads_the_same_angles",
        "solver/kinematics/readings.py",
        "along = np.where(across < 0.0, -along, along)",
        "along = np.where(across < 0.0, along, along)",
    ),
    Handmade(
        "frames of an animation divide no step",
        "solver/test_on_the_way.py::test_frames_of_an_animation_lie_within_steps",
        "solver/reading/motions.py",
        "cuts.update(motion.moments[first:last].tolist())",
        "cuts.update(motion.moments[last:last].tolist())",
    ),
    Handmade(
        "a spring at its largest force holds as if it had none",
        "solver/test_springs.py::test_a_spring_holds_no_more_than_its_force_does",
        "solver/integrator/elements.py",
        "inside = np.minimum(stretch, reach)",
        "inside = np.maximum(stretch, reach)",
    ),
    Handmade(
        "the upper half ball of a capsule sits at its middle",
        "solver/test_inertia.py",
        "weighing/solids.py",
        "high * high - (y - end) ** 2",
        "high * high - y**2",
    ),
    Handmade(
        "a sphere turns a tenth heavier",
        "solver/test_inertia.py",
        "weighing/solids.py",
        "np.eye(3) * radius * radius / 5.0",
        "np.eye(3) * radius * radius / 4.5",
    ),
    Handmade(
        "a cylinder turns lighter about its axis",
        "solver/test_inertia.py",
        "weighing/solids.py",
        "across = float(pi / 4.0 *",
        "across = float(pi / 6.0 *",
    ),
    Handmade(
        "two turning axes are drawn from either side",
        "drawing/test_poses.py",
        "drawing/sides.py",
        "        return _is_sphere(settings)\n    return not turning or",
        "        return True\n    return not turning or",
    ),
    Handmade(
        "nothing is said of Godot's softness",
        "model/validate/test_intent.py",
        "model/validate/unintended.py",
        "godot = sag.stiffness <= SOFTNESS",
        "godot = sag.stiffness <= 0.5 * SOFTNESS",
    ),
    Handmade(
        "-0.0 is put back as 0.0",
        "blender/test_moving.py",
        "blender/bridge/poses/transforms.py",
        "if repr(tuple(getattr(obj, field))) != repr(value):",
        "if tuple(getattr(obj, field)) != value:",
    ),
    Handmade(
        "a camera that is locked to the view is moved",
        "blender/test_play_events.py",
        "blender/play/viewport/events.py",
        'if space.lock_camera and place.region.data.view_perspective == "CAMERA":',
        "if False:",
    ),
    Handmade(
        "an axis flips at half a turn and the angle jumps",
        "blender/test_timeline_baking.py",
        "blender/timeline/cache/motion.py",
        "if axis.dot(earlier) < 0.0:",
        "if False:",
    ),
    Handmade(
        "swapped sides forget whether bodies collide",
        "blender/test_editing.py",
        "blender/joints/conversions.py",
        "    new.enable_collision = data.enable_collision\n",
        "",
    ),
    Handmade(
        "looks stay as they were on another frame",
        "blender/test_overlay_frames.py",
        "blender/interface/signals.py",
        "    signals.pose += 1\n    signals.look += 1\n",
        "    signals.pose += 1\n",
    ),
    Handmade(
        "the other bound stays where Alt put it",
        "blender/test_dragging.py",
        "blender/handles/values.py",
        "            self._put_back(self._numbers[1:])\n",
        "",
    ),
    Handmade(
        "a posed quaternion changes its sign",
        "blender/test_pose_rest.py",
        "blender/posing/writing.py",
        '        quaternion.make_compatible(Quaternion(old["rotation_quaternion"]))\n',
        "",
    ),
    Handmade(
        "angles of spring constraints keep their sign",
        "blender/test_takeover.py",
        "blender/bodies/takeover.py",
        'frozenset({"HINGE", "GENERIC", "GENERIC_SPRING"})',
        'frozenset({"HINGE", "GENERIC"})',
    ),
    Handmade(
        "a joint is posed while it is simulated",
        "blender/test_pose_rest.py",
        "blender/posing/allowed.py",
        "if is_simulating():",
        "if False:",
    ),
    Handmade(
        "what is appended is not brought up to date",
        "blender/test_settings_data.py",
        "blender/handlers.py",
        "    (bpy.app.handlers.blend_import_post, bring_up_to_date),\n",
        "",
    ),
    Handmade(
        "copied settings stay with the window manager",
        "blender/test_play_events.py",
        "blender/play/settings_copy.py",
        "            self.copy.property_unset(name)\n",
        "",
    ),
    Handmade(
        "each handle takes what any handle is hit by",
        "blender/test_gizmos.py",
        "blender/handles/gizmos/handle.py",
        "mouse, REACH * scale) == number",
        "mouse, REACH * scale) is not None",
    ),
)


def located(text_of: Callable[[str], str]) -> tuple[list[tuple[Fault, str]], list[str]]:
    """Return all faults made by hand with their tests, and what is said of those that moved.

    Args:
        text_of: Returns the text of a file of the project.
    """
    found, moved = [], []
    for one in HANDMADE:
        fault = one.located(text_of("omi_physics_joint/" + one.file))
        if fault is None:
            moved.append(
                "%s: the text of %r is not there once; let it follow" % (one.file, one.name)
            )
        else:
            found.append((fault, one.test))
    return found, moved
