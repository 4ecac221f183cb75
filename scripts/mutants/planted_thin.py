# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults planted where few tests go: robots, runs of many files, files, marks; see ``planted``."""

from __future__ import annotations

THIN = (
    (
        "an empty record appears where nothing was written",
        "cli/test_left_alone.py",
        "omi_physics_joint/cli/batch/known.py",
        "            if self._entries:\n",
        "            if True:\n",
    ),
    (
        "links on a slide that is out are not carried round",
        "robots/test_start_speeds.py",
        "omi_physics_joint/robots/robot.py",
        "return Frame(world, plus(plus(before.velocity, carried), push), before.spin)",
        "return Frame(world, plus(before.velocity, push), before.spin)",
    ),
    (
        "a run that leaves all alone says no version of Blender",
        "cli/test_left_alone.py",
        "omi_physics_joint/cli/batch/run.py",
        "        self.versions |= self._known.versions\n",
        "",
    ),
    (
        "bodies of a loop never meet in MuJoCo",
        "robots/test_written_names.py",
        "omi_physics_joint/robots/mjcf/writing/write.py",
        "for loop in robot.loops if loop.apart}",
        "for loop in robot.loops}",
    ),
    (
        "a link between two axes takes the name of another",
        "robots/test_written_names.py",
        "omi_physics_joint/robots/urdf/write.py",
        "self._taken = set(self._names.values())",
        "self._taken = set[str]()",
    ),
    (
        "controls of a key frame are those of other actuators",
        "robots/test_written_names.py",
        "omi_physics_joint/robots/mjcf/writing/actuators.py",
        "    found.sort(key=lambda one: one[0])\n"
        "    section.children += [element for _, _, element in found]\n",
        "    in_order = sorted(found, key=lambda one: one[0])\n"
        "    section.children += [element for _, _, element in in_order]\n",
    ),
    (
        "the file that cannot be read is not named",
        "library/test_guarded.py",
        "omi_physics_joint/library/guarded.py",
        'what = error.filename or "The file"',
        'what = "The file"',
    ),
    (
        "a rigid rod has a mark at its end",
        "drawing/test_rods.py",
        "omi_physics_joint/drawing/marks/rods.py",
        "if 0.0 < one.low < far:",
        "if 0.0 < one.low <= far:",
    ),
    (
        "unknown members that are a list are a fault",
        "model/test_unknown.py",
        "omi_physics_joint/model/unknown.py",
        '        found = json.loads(text or "{}")\n'
        "    except (ValueError, RecursionError):\n"
        "        return {}\n"
        "    return found if isinstance(found, dict) else {}\n",
        '        found: dict[str, Any] = json.loads(text or "{}")\n'
        "    except (ValueError, RecursionError):\n"
        "        return {}\n"
        "    return found\n",
    ),
    (
        "equal islands all go on with what the first one bore",
        "solver/test_islands.py",
        "omi_physics_joint/solver/island_group.py",
        "node: (limits, group.state.impulse[island, at])",
        "node: (limits, group.state.impulse[0, at])",
    ),
    (
        "accessor -1 is the last one",
        "gltf/test_accessors.py",
        "omi_physics_joint/gltf/document/accessors.py",
        "item = items[index] if 0 <= index < len(items) else None",
        "item = items[index] if index < len(items) else None",
    ),
    (
        "a part of a trigger of the older form that cannot be read is one",
        "gltf/test_perturbed.py",
        "omi_physics_joint/gltf/omi/legacy.py",
        "if owner != index and at is not None:",
        "if owner != index:",
    ),
    (
        "after --articulations a file in capitals is a name",
        "cli/test_commands.py",
        "omi_physics_joint/cli/parser.py",
        "pattern.lower().endswith((BLEND",
        "pattern.endswith((BLEND",
    ),
    (
        "a file that was refused for a loss ends well",
        "cli/test_judging.py",
        "omi_physics_joint/cli/outcome.py",
        "if self.is_refused or self.judge.fails(self.issues):",
        "if self.judge.fails(self.issues):",
    ),
    (
        "wheels about X lose their turns as joints change",
        "solver/test_turns.py",
        "omi_physics_joint/solver/reading/build.py",
        "if system.axle[number] >= 0:",
        "if system.axle[number] > 0:",
    ),
    (
        "what met since stays one island where a moment is gone back to",
        "solver/test_contacts.py",
        "omi_physics_joint/solver/simulation.py",
        "            rebuilt = rebuilt or self._contacts.links != before\n",
        "",
    ),
    (
        "a joint that is to collide later is kept apart for good",
        "usd/test_pairs.py",
        "omi_physics_joint/usd/writing/spelling/scene.py",
        "or joint.enable_collision or joint.keys or not joint.enabled",
        "or joint.enable_collision or not joint.enabled",
    ),
    (
        "a torque breaks a joint only where a force does",
        "usd/test_read_amounts.py",
        "omi_physics_joint/usd/reading/joints.py",
        "torque if torque >= 0.0 else inf",
        "torque if force >= 0.0 else inf",
    ),
    (
        "a hinge about X is weighed as a slide",
        "weighing/test_leverage.py",
        "omi_physics_joint/weighing/leverage.py",
        "unit = 1.0 if coordinate < 3 else size",
        "unit = 1.0 if coordinate <= 3 else size",
    ),
    (
        "a limit on no axis is lost in another unit",
        "model/test_mechanism.py",
        "omi_physics_joint/model/geometry/scale.py",
        "if limit.angular_axes or not limit.linear_axes:",
        "if limit.angular_axes:",
    ),
    (
        "a buffer that is read is written over",
        "library/test_offered.py",
        "omi_physics_joint/library/converted.py",
        "for place in (self.output, *files):",
        "for place in (self.output,):",
    ),
    (
        "bounds that differ in damping alone are alike to Newton",
        "model/validate/test_engines.py",
        "omi_physics_joint/model/validate/engines/stages.py",
        "tuple((one.stiffness, one.damping) for one in span.limits)",
        "tuple(one.stiffness for one in span.limits)",
    ),
    (
        "what was stopped goes on in short steps",
        "solver/test_stepping.py",
        "omi_physics_joint/solver/system.py",
        "self.span[:, :2] = 0.0",
        "self.span[:, :1] = 0.0",
    ),
    (
        "a turn with less room than a small body is long is none that is narrow",
        "model/validate/test_settings.py",
        "omi_physics_joint/model/validate/settings.py",
        "if span.freedom is Freedom.LINEAR and width >= LEAST_PART",
        "if width >= LEAST_PART",
    ),
    (
        "attributes of others may not change with time",
        "usd/test_write_over.py",
        "omi_physics_joint/usd/authoring.py",
        "is_uniform = known is not None and known.is_uniform",
        "is_uniform = known is None or known.is_uniform",
    ),
    (
        "boxes that end where others begin do not touch",
        "model/test_extent.py",
        "omi_physics_joint/model/geometry/extent.py",
        "if one[1][axis] >= low}",
        "if one[1][axis] > low}",
    ),
    (
        "a servo is not told of beside one without a largest force",
        "model/validate/test_readers.py",
        "omi_physics_joint/model/validate/engines/godot_joints.py",
        "and any(drive.max_force != inf for drive in survey.settings_of(ends).drives)",
        "and all(drive.max_force != inf for drive in survey.settings_of(ends).drives)",
    ),
    (
        "a flat body of a stage is a warning",
        "test_severities.py",
        "omi_physics_joint/usd/reading/findings.py",
        '        "Give it a scale other than zero.",\n        ERROR,\n',
        '        "Give it a scale other than zero.",\n',
    ),
    (
        "a report that is not whole leaves the code of faulty files",
        "cli/test_reports_are_true.py",
        "omi_physics_joint/cli/batch/run.py",
        "code = max(code, CRASHED) if trouble else code",
        "code = code or CRASHED if trouble else code",
    ),
    (
        "what is said of settings is at a joint with others",
        "model/validate/test_readers.py",
        "omi_physics_joint/model/validate/survey.py",
        "others = (ends.index for ends in self.joints if ends.joint.settings == index)",
        "others = (ends.index for ends in self.joints)",
    ),
)
