# SPDX-License-Identifier: GPL-3.0-or-later
"""What many objects cost: a redraw with one of them active, and operators on thousands at once.

Run it with a Python that has bpy, from a checkout:

    python benchmarks/crowd.py [--joints 2500] [--remove 300] [--rounds 3]

Each joint is between two bodies of its own, half of them with a second frame that is an object, so
2,500 joints are 8,750 objects; plain ones fill up to 10,000. A redraw is what our Python does in
one: the overlay, whether there are handles, and whether each button can be pressed. Times are of
the processor, the least of some rounds. Goals: 3 ms a redraw, 2 s for all, 5 s for removing. What
is done to one joint and what Blender's own operators do to one empty take turns; goal: no longer.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from started import bpy, in_a_view, run_script, two_bodies

BUTTONS = (
    "connect",
    "remove",
    "reaim",
    "select_second_frame",
    "separate_frames",
    "snap_frames",
    "swap_sides",
)
REDRAWS = 15
PEERS = {
    "add one": "an empty with a parent, by Blender itself",
    "remove one": "remove an empty, by Blender itself",
    "remove": "remove, by Blender itself",
}
"""What Blender does alike, as it is called among what was measured."""


def build(joints: int, objects: int) -> None:
    """Make pairs of bodies with a joint between, each second one with a second frame of its own."""
    from omi_physics_joint.blender.bridge.write import new_settings
    from omi_physics_joint.blender.joints.authoring import add_frame
    from omi_physics_joint.model.settings.recipes import hinge

    bpy.ops.wm.read_homefile(use_empty=True)
    settings = new_settings(hinge(1, -0.5, 0.5))
    for index in range(joints):
        place, pair = two_bodies(index)
        joint = add_frame(f"Joint {index}", pair[1], place, 1.0)
        data = joint.omi_physics_joint
        data.is_joint, data.settings = True, settings
        if index % 2:
            data.connected_node = add_frame(f"Second {index}", pair[0], place, 0.5)
            data.connected_node.omi_physics_joint.is_partner = True
        else:
            data.connected_body = pair[0]
    for index in range(objects - len(bpy.data.objects)):
        plain = bpy.data.objects.new(f"Plain {index}", None)
        bpy.context.scene.collection.objects.link(plain)
    bpy.context.view_layer.update()


def choose(prefix: str, count: int) -> None:
    """Select objects by the beginning of their names; the first is active."""
    chosen = [obj for obj in bpy.data.objects if obj.name.startswith(prefix)][:count]
    for obj in bpy.context.view_layer.objects:
        obj.select_set(False)
    for obj in chosen:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = chosen[0]
    bpy.context.view_layer.update()


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that the processor spends on something."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def redraw() -> None:
    """Do what our Python does while a 3D view and its sidebar are drawn."""
    from omi_physics_joint.blender.handles.gizmos import OMI_JOINT_GGT_handles
    from omi_physics_joint.blender.joints.panels import OMI_JOINT_PT_joint
    from omi_physics_joint.blender.overlay import viewport

    viewport.update_view(bpy.context)
    OMI_JOINT_GGT_handles.poll(bpy.context)
    OMI_JOINT_PT_joint.poll(bpy.context)
    for name in BUTTONS:
        getattr(bpy.ops.omi_joint, name).poll()


def one_joint(joints: int) -> dict[str, float]:
    """Return seconds of what is done to one joint, Blender's own updates included, and of those."""
    ours, update, found = bpy.ops.omi_joint, bpy.context.view_layer.update, {}

    def add_empty() -> None:
        bpy.ops.object.empty_add()
        bpy.context.object.parent = bpy.data.objects["Moving 2"]
        update()

    def activate() -> None:
        bpy.context.view_layer.objects.active = bpy.data.objects["Joint 1"]
        update()

    def mute() -> None:
        bpy.context.object.omi_physics_joint.mute = True
        update()

    two_bodies(joints)
    choose(f"Moving {joints}", 1)
    bpy.data.objects[f"Still {joints}"].select_set(True)
    found["add one"] = timed(lambda: ours.create(kind="HINGE"))
    found[PEERS["add one"]] = timed(add_empty)
    found[PEERS["remove one"]] = timed(bpy.ops.object.delete)
    choose("Joint", 1)
    found["another joint active"] = timed(activate)
    found["mute one"] = timed(mute)
    found["flip one"] = timed(ours.flip)
    found["another type of one"] = timed(lambda: ours.change_type(kind="SLIDER"))
    found["remove one"] = timed(ours.remove)
    found["check"] = timed(ours.check)
    return found


def measure(joints: int, objects: int, remove: int) -> dict[str, float]:
    """Return seconds of everything, by its name."""
    from omi_physics_joint.blender.overlay import viewport

    viewport.drawable = lambda _picture: viewport.Drawable({}, None)  # there is no card
    found: dict[str, float] = {}
    build(joints, objects)
    with in_a_view():
        for what in ("Plain", "Moving", "Joint", "Second"):
            choose(what, 1)
            for _ in range(3):
                redraw()
            found[f"redraw, {what} active"] = statistics.median(
                timed(redraw) for _ in range(REDRAWS)
            )
    ours = bpy.ops.omi_joint
    found |= one_joint(joints)
    build(joints, objects)
    choose("Joint", remove)
    found["separate frames"] = timed(ours.separate_frames)
    found["separate frames, back"] = timed(lambda: ours.separate_frames(use_separate=False))
    build(joints, objects)
    choose("Joint", joints)
    found["snap all"] = timed(ours.snap_frames)
    found["swap all"] = timed(ours.swap_sides)
    build(joints, objects)
    choose("Still", joints)
    found["body of all"] = timed(ours.body_add)
    choose("Second", remove)
    found["remove by second frames"] = timed(ours.remove)
    build(joints, objects)
    choose("Joint", remove)
    found["remove"] = timed(ours.remove)
    build(joints, objects)
    choose("Joint", remove)
    found[PEERS["remove"]] = timed(bpy.ops.object.delete)
    return found


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--joints", type=int, default=2500)
    parser.add_argument("--objects", type=int, default=10000)
    parser.add_argument("--remove", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rounds = [
        measure(options.joints, options.objects, options.remove) for _ in range(options.rounds)
    ]
    print(f"\nBlender {bpy.app.version_string}, {options.joints} joints, {options.objects} objects")
    least = {name: min(found[name] for found in rounds) for name in rounds[0]}
    for name, seconds in least.items():
        ratio = f"{seconds / least[PEERS[name]]:8.2f} of Blender's" if name in PEERS else ""
        print(f"{name:42}{1e3 * seconds:12.1f} ms{ratio}")


if __name__ == "__main__":
    run_script(main)
