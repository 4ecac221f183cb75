# SPDX-License-Identifier: GPL-3.0-or-later
"""More faults made by hand: most that somebody planted who had not written the tests.

Each is what ``handmade.Handmade`` has: a name, the tests that notice it now, the file, what stands
there, and what stands there instead.
"""

from __future__ import annotations

PLANTED = (
    (
        "islands alike have the room of the first",
        "kernel/test_structs.py",
        "omi_physics_joint/solver/engines/compiled.py",
        "i * ISLAND.itemsize) for i in range(count))",
        "i * ISLAND.itemsize) for i in range(1))",
    ),
    (
        "instances are in the tree of an articulation",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/articulation/connected_objects.py",
        "if node.instance is None and node.object in needed]",
        "if node.object in needed]",
    ),
    (
        "a collection's forecast goes by its first exporter",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/gltf_hooks/forecast.py",
        "exporters[context.collection.active_exporter_index].export_properties",
        "exporters[0].export_properties",
    ),
    (
        "only the first lost mesh is told",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/gltf_hooks/exported/file_meshes.py",
        'yield Issue(Severity.ERROR, "mesh-not-exported", where, what, fix, index)',
        'yield Issue(Severity.ERROR, "mesh-not-exported", where, what, fix, index)\n'
        "            return",
    ),
    (
        "cousins that share a mesh count as siblings",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/gltf_hooks/exported/scope.py",
        "index: (placed[index].parent, obj.data.as_pointer())",
        "index: (None, obj.data.as_pointer())",
    ),
    (
        "a refusal names the joint for its settings",
        "blender/test_named_right.py",
        "omi_physics_joint/blender/joints/settings_editing.py",
        'raise AuthoringError(f"{block.name} is animated: {remedy}.")',
        'raise AuthoringError(f"{joint.name} is animated: {remedy}.")',
    ),
    (
        "a survey forgets what was edited last",
        "blender/test_there_and_back.py",
        "omi_physics_joint/blender/overlay/survey.py",
        "blocks={**found.blocks, **changed})",
        "blocks={**changed, **found.blocks})",
    ),
    (
        "a floor is drawn where there is none",
        "blender/test_switched_off.py",
        "omi_physics_joint/blender/play/viewport/screen.py",
        "session.floor if session.has_floor else None,",
        "session.floor,",
    ),
    (
        "keys move what stands in play",
        "blender/test_there_and_back.py",
        "omi_physics_joint/blender/play/session.py",
        "only_moved=self._frame is None)",
        "only_moved=True)",
    ),
    (
        "a body is in hand after it was let go",
        "blender/test_there_and_back.py",
        "omi_physics_joint/blender/play/viewport/control.py",
        "        else:\n            self._picked = None\n            self.session.run.let_go()",
        "        else:\n            self.session.run.let_go()",
    ),
    (
        "old presets go below what Blender would store",
        "blender/test_preset_files.py",
        "omi_physics_joint/blender/presets/old_files.py",
        "return min(max(float(value), rna.hard_min), rna.hard_max)",
        "return min(float(value), rna.hard_max)",
    ),
    (
        "tips of adding and removing a preset are swapped",
        "blender/test_declared.py",
        "omi_physics_joint/blender/presets/operators.py",
        'if properties.remove_name:\n            return "Remove this preset"',
        'if not properties.remove_name:\n            return "Remove this preset"',
    ),
    (
        "nobody says that contacts need the kernel",
        "blender/test_switched_off.py",
        "omi_physics_joint/blender/simulated/running.py",
        "if kernel().library is None:",
        "if kernel().library is None and not settings.use_contacts:",
    ),
    (
        "a deleted object costs the others their values",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/simulated/following.py",
        "                continue  # deleted meanwhile",
        "                break  # deleted meanwhile",
    ),
    (
        "the strip is drawn where caches are hidden",
        "blender/test_switched_off.py",
        "omi_physics_joint/blender/timeline/strip.py",
        "told_cache(context.scene) if context.space_data.show_cache else None",
        "told_cache(context.scene)",
    ),
    (
        "a rest pose is kept in another rotation mode",
        "blender/test_there_and_back.py",
        "omi_physics_joint/blender/timeline/playback.py",
        "        _forget(cache.session_uid)\n        rest_of(item, obj).put_back()",
        "        rest_of(item, obj).put_back()",
    ),
    (
        "parents on a stage are looked for one level up",
        "blender/test_each_of_several.py",
        "omi_physics_joint/blender/usd_hooks/exporting.py",
        "        while index is not None and index not in number:\n"
        "            index = placed[index].parent\n"
        "        return None if index is None else number[index]",
        "        if index is not None and index not in number:\n"
        "            index = placed[index].parent\n"
        "        return None if index is None else number.get(index)",
    ),
    (
        "a stage of which nothing is made counts as in metres",
        "blender/test_usd.py",
        "omi_physics_joint/blender/usd_hooks/importing.py",
        "return plain(turn), stage.units.meters",
        "return plain(turn), 1.0",
    ),
    (
        "versions name the kernel where the textbook runs",
        "kernel/test_loading.py",
        "omi_physics_joint/cli/reports/versions.py",
        'f"kernel {KERNEL_VERSION}" if kernel().library else "textbook"',
        'f"kernel {KERNEL_VERSION}"',
    ),
    (
        "warnings are not in the summary on GitHub",
        "cli/test_annotations.py",
        "omi_physics_joint/cli/reports/github.py",
        'for it in one["issues"] if it["severity"] != "hint"',
        'for it in one["issues"] if it["severity"] == "error"',
    ),
    (
        "a product of inertia is overlooked",
        "gltf/test_legacy_bodies.py",
        "omi_physics_joint/gltf/omi/legacy.py",
        "if not any((b, c, d, f, g, h)):",
        "if not any((b, c)):",
    ),
    (
        "no pair more is said as well",
        "library/test_motion.py",
        "omi_physics_joint/library/motion/touched.py",
        "if len(told) > most:",
        "if len(told) >= most:",
    ),
)
