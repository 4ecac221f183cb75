# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn mechanisms as scenes: what the add-on reads, says, draws, does, exports and takes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import bpy
import pytest
from mathutils import Matrix
from omi_export import export

from omi_physics_joint.blender import play
from omi_physics_joint.blender.bridge.placed import placed_in_scene
from omi_physics_joint.blender.bridge.read_nodes import mechanism_from_placed
from omi_physics_joint.blender.bridge.write import apply_mechanism
from omi_physics_joint.blender.handles.places import label_with_value, placed_handles
from omi_physics_joint.blender.play.session import STEP as STEP_OF_PLAY
from omi_physics_joint.blender.simulated.reading import PlayError
from omi_physics_joint.gltf.document.packing import packed
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.library.converted import put
from omi_physics_joint.library.offered import read as read_file
from omi_physics_joint.model.changes.changes import changes as differences
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.mechanism import Mechanism
from tests.blender.situations import PRESETS
from tests.blender.test_drawn import pictures
from tests.blender.test_operators import ELSEWHERE, NEEDED, OURS, pressed
from tests.blender.test_overlay import drawn as shown
from tests.digests import Lines, approved_by_digest, numbers, places
from tests.drawn_cases import drawn
from tests.outputs_of_cases import has_loops

MODES = ("QUATERNION", "XYZ", "AXIS_ANGLE", "ZYX")
LAST, PRESSES, STEP = 4, 12, 3
FPS = 24.0
LEFT_OUT = {
    *("simulate", "free_cache", "bake", "go_to_rest", "play", "stop", "play_reset", "play_pause"),
    *("drag", "pose_drag", "from_rigid_body"),
}
"""What of time is told elsewhere here, and what needs a window or a rigid body of Blender's."""
BY_HAND = {"EDGE"}
"""Choices that hang on what is selected in a new mesh: each Blender has its own."""
AT_ODDS = ("joints-", "limits-", "frames-apart", "rest-outside-limits", "soft-lock", "mass-ratio")
TRIES = 12
"""Selections that are tried until an operator takes one."""
NUMBER, OTHER_NODES = re.compile(r"\d+"), re.compile(r"\(node |: (new|removed) \(")
Case = int


@cache
def case(number: Case) -> Contents:
    """Return a case."""
    return drawn(number)


def build(number: Case) -> list[bpy.types.Object]:
    """Make a case in an empty file: with meshes, keys, and modes of rotation that take turns."""
    play.stop()
    bpy.ops.wm.read_homefile(use_empty=True)
    contents = case(number).turned(Z_UP_FROM_Y_UP)
    meshes = []
    for name, one in zip(contents.mechanism.meshes, contents.meshes, strict=True):
        meshes.append(bpy.data.meshes.new(name))
        meshes[-1].from_pydata(one.points, [], one.triangles)
    objects: list[bpy.types.Object] = []
    for index, node in enumerate(contents.mechanism.nodes):
        shows = contents.shown.get(index)
        made = bpy.data.objects.new(node.name or "Node", None if shows is None else meshes[shows])
        bpy.context.scene.collection.objects.link(made)
        made.rotation_mode = MODES[index % len(MODES)]
        objects.append(made)
    for node, obj in zip(contents.mechanism.nodes, objects, strict=True):
        if node.parent is not None:
            above = contents.mechanism.nodes[node.parent].world
            obj.parent = objects[node.parent]
            obj.matrix_parent_inverse = Matrix(above).inverted_safe()
        obj.matrix_basis = Matrix(node.world)
    apply_mechanism(case(number).mechanism, objects, lambda index, _: meshes[index], fps=FPS)
    for index, keys in contents.led.items():
        for time, pose in zip(keys.times, keys.poses, strict=True):
            objects[index].location = Matrix(pose).translation
            objects[index].keyframe_insert("location", frame=1.0 + FPS * time)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    bpy.context.view_layer.update()
    return objects


def read() -> Mechanism:
    """Return what the scene says now."""
    return mechanism_from_placed(placed_in_scene(bpy.context.scene), keeps_muted=True).mechanism


def compared(before: Mechanism, after: Mechanism) -> list[str]:
    """Return what is another of nodes of one name; which of several is meant hangs on Blender."""
    pair = with_same_names((Contents(before), Contents(after)))
    found = map(str, differences(*pair))
    return sorted(one for one in found if not OTHER_NODES.search(one))


def issues() -> Iterator[str]:
    """Yield what was found last."""
    for one in bpy.context.window_manager.omi_physics_joint.issues:
        yield f"{one.severity} {one.code} of {one.where}: {one.message} {one.fix}"


def read_back(number: Case) -> Iterator[str]:
    """Yield how what is read from the scene differs from the case, and what Check says of it."""
    build(number)
    yield from compared(case(number).mechanism, read())
    OURS.check()
    yield from issues()


def overlay(number: Case) -> Iterator[str]:
    """Yield what is drawn of all joints, and where handles are."""
    objects = build(number)
    bpy.context.view_layer.objects.active = objects[-1]
    yield from pictures(shown())
    for joint in (one for one in objects if one.omi_physics_joint.is_joint):
        for one in placed_handles(joint):
            said = label_with_value(one.handle, bpy.context.scene)
            yield f"{joint.name}: {said} at {numbers(one.point, 4)}, {numbers(one.inward, 4)}"


def options(random: Random, name: str) -> dict[str, Any]:
    """Return drawn options of an operator: choices and switches, and what it cannot do without."""
    found = dict(NEEDED.get(name, {}))
    for prop in getattr(OURS, name).get_rna_type().properties:
        if prop.identifier == "rna_type" or prop.is_hidden:
            continue
        if prop.identifier == "tries":  # takes seconds
            continue
        if prop.type == "ENUM" and prop.enum_items and not prop.is_enum_flag:
            words = [one.identifier for one in prop.enum_items]
            found[prop.identifier] = random.choice([one for one in words if one not in BY_HAND])
        elif prop.type == "BOOLEAN" and not prop.is_array and random.random() < 0.5:
            found[prop.identifier] = not prop.default
    if name.startswith("issue"):
        found["index"] = random.randrange(len([*issues()]) or 1)
    if "filepath" in found:
        found["filepath"] = str(random.choice(sorted(PRESETS.glob("*.json"))))
    return found


def select(random: Random) -> None:
    """Select some joints, bodies, triggers, a family, or some of all; one of them is active."""
    objects = [*bpy.context.scene.objects]
    joints = [one for one in objects if one.omi_physics_joint.is_joint]
    bodies = [one for one in objects if one.omi_physics_body.is_body]
    above = random.choice([one for one in objects if one.children] or objects)
    family = above.children
    pool = random.choice((joints, joints, bodies, joints + bodies, objects, family))
    chosen = random.sample(pool or objects, min(len(pool or objects), random.randint(1, 3)))
    if pool is family:
        chosen = [*chosen, above]
    for one in objects:
        one.select_set(one in chosen)
    bpy.context.view_layer.objects.active = chosen[-1]


def state() -> dict[str, str]:
    """Return what the scene says by name: where objects are, their physics, and all settings."""
    bpy.context.view_layer.update()
    placed = placed_in_scene(bpy.context.scene)
    mechanism = mechanism_from_placed(placed, keeps_muted=True).mechanism
    found = {
        one.object.name if one.object else f"{node.name} of {one.second_of}": (
            f"{places(one.world)} {replace(node, world=())}"
        )
        for one, node in zip(placed, mechanism.nodes, strict=True)
    }
    for obj in bpy.context.scene.objects:
        own = obj.omi_physics_joint
        said = (own.mute, own.connected_body, own.connected_node, own.settings, obj.parent)
        found[obj.name] += f" {[getattr(one, 'name', one) for one in said]}"
    resources = (mechanism.settings, mechanism.shapes, mechanism.physics_materials)
    return found | {"shared": f"{resources} {mechanism.collision_filters}"}


def operators(number: Case) -> Iterator[str]:
    """Yield what some operators say and change of drawn selections, and what their undo leaves."""
    random = Random(5000 + number)
    names = sorted(name for name in dir(OURS) if name not in ELSEWHERE | LEFT_OUT)
    Random(0).shuffle(names)  # and in turn, so that each is pressed as often
    first = number * PRESSES // STEP
    for obj in build(number):
        obj.select_set(obj.omi_physics_joint.is_joint and random.random() < 0.5)
    pressed("separate_frames", use_separate=False)  # joints that are one object and a value
    pressed("check")
    known = state()
    for at in range(first, first + PRESSES):
        name = names[at % len(names)]
        for _ in range(TRIES):
            select(random)
            if getattr(OURS, name).poll():
                break
        given = options(random, name)
        bpy.ops.ed.undo_push(message="Before")
        said = pressed(name, **given)
        assert "Traceback" not in said, said
        given = {key: Path(str(one)).name for key, one in given.items()}
        yield f"{name} {given}: {said}"
        yield f"selected {[one.name for one in bpy.context.selected_objects]}"
        now = state()
        yield from other(known, now)
        if now != known:
            bpy.ops.ed.undo_push(message="After")
            bpy.ops.ed.undo()
            known, before = state(), known
            yield from (f"undo leaves {line}" for line in other(before, known))


def other(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return what says something else now."""
    names = [one for one in {**before, **after} if before.get(one) != after.get(one)]
    return [f"{one}: {after.get(one, 'is gone')}" for one in names]


def bodies_at(label: object, digits: int = 3) -> Iterator[str]:
    """Yield where bodies are now."""
    for obj in bpy.context.scene.objects:
        if obj.omi_physics_body.is_body:
            yield f"{label} {obj.name} {places(obj.matrix_world, digits)}"


def is_calm() -> bool:
    """Return whether nothing is at odds with itself, so that motion does not hang on rounding."""
    OURS.check()
    found = bpy.context.window_manager.omi_physics_joint.issues
    return not (has_loops(read()) or any(one.code.startswith(AT_ODDS) for one in found))


def timeline(number: Case) -> Iterator[str]:
    """Yield where bodies are in and between frames, simulated and then baked, and what is said."""
    build(number)
    if not is_calm():
        return
    bpy.context.scene.omi_physics_preview.use_contacts = False
    yield pressed("simulate")
    for baked in (False, True):
        if baked:
            yield pressed("bake", **options(Random(number), "bake"))
        for half in range(2, 2 * LAST + 1):
            bpy.context.scene.frame_set(half // 2, subframe=0.5 * (half % 2))
            yield from bodies_at(half)


def played(number: Case) -> Iterator[str]:
    """Yield where bodies are as it plays, exactly or as in Godot, what is said, and what stays."""
    build(number)
    settings = bpy.context.scene.omi_physics_preview
    settings.use_contacts, settings.steps = False, ("exact", "godot")[number // 8 % 2]
    before, calm = state(), is_calm()
    try:
        session = play.start(bpy.context.scene)
    except PlayError as error:
        yield str(error)
        return
    session.clock = lambda: 0.0
    for tick in range(3 * calm):
        session.tick(STEP_OF_PLAY)
        yield from bodies_at(tick)
    yield f"{session.has_floor} {session.apart} {session.reason}"
    yield from (f"{one.code} {one}" for one in session.issues)
    yield from session.remarks
    play.stop()
    yield from other(before, state())


def exported(number: Case) -> Iterator[str]:
    """Yield how what is read of a file differs from the scene, and what comes in again from it."""
    random = Random(number)
    objects = build(number)
    scene = bpy.context.scene.omi_physics_joint
    scene.readers = {random.choice(["GODOT_OMI", "VIEWERS", "BABYLON", "GODOT"])}
    chosen = random.sample(objects, max(len(objects) // 2, 1))
    for one in objects:
        one.select_set(one in chosen)
    with TemporaryDirectory() as folder:
        path = Path(folder, "case.glb")
        before = read()
        for part in (True, False):
            export(path, use_selection=part)
            yield from named()
            found = read_file(path)
            spoken = sorted(found.audience.spoken)
            yield f"{'part' if part else 'whole'} for {found.audience.target} in {spoken}"
            yield from compared(before, found.mechanism)
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(path))
        bpy.context.view_layer.update()
        yield from named()
        yield from compared(found.mechanism, read())


def imported(number: Case) -> Iterator[str]:
    """Yield what comes in of a file that Blender has not written; half of them have bones."""
    contents = case(number)
    with TemporaryDirectory() as folder:
        path = Path(folder, "case.glb")
        document, _ = fresh_document(contents, path)
        if number % 2:
            roots = [at for at, one in enumerate(contents.mechanism.nodes) if one.parent is None]
            bone = Random(number).choice(roots)
            nodes = range(len(contents.mechanism.nodes))
            bones = [one for one in nodes if bone in contents.mechanism.ancestry(one)]
            document.json["skins"] = [{"joints": bones}]
        put(packed(document, document.json, path), path)
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(path))
        bpy.context.view_layer.update()
    yield from named()
    yield from compared(contents.mechanism, read())


def named() -> list[str]:
    """Return what was found last, without what hangs on the order in a file, which is Blender's."""
    found = [*bpy.context.window_manager.omi_physics_joint.issues]
    where = ["" if one.code.startswith("joints-") else NUMBER.sub("#", one.where) for one in found]
    pairs = zip(found, where, strict=True)
    return sorted(f"{one.severity} {one.code} of {name}" for one, name in pairs)


def posed(number: Case) -> Iterator[str]:
    """Yield where bodies are when joints are set by their sliders, and what is kept then."""
    objects, calm = build(number), is_calm()
    for obj in objects:
        block = obj.omi_physics_joint.settings
        if not calm or block is None or any(limit.together for limit in block.limits):
            continue  # where bounds leave several ways, machines take others
        for field in ("along_x", "about_y", "about_z_share", "about_x", "along_z_share"):
            setattr(obj.omi_physics_pose, field, 30.0 if "share" in field else 0.15)
            yield from bodies_at(f"{obj.name} {field}", 2)  # found to 1e-6, as Blenders do
    yield pressed("pose_reset")


def cases(first: int, step: int, end: int = 50) -> dict[str, Case]:
    """Return numbers of cases by name."""
    return {f"case {number:02}": number for number in range(first, end, step)}


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    """Leave nothing playing behind."""
    yield
    play.stop()


@pytest.mark.long
def test_what_scenes_say_and_show() -> None:
    """What is read back of a scene, Check's sentences, lines of joints and handles."""
    outputs: dict[str, Lines] = {"scene": read_back, "overlay": overlay}
    approved_by_digest("scenes_said.txt", outputs, cases(0, 4))


@pytest.mark.long
def test_what_operators_do() -> None:
    """Drawn operators with drawn options on drawn selections, and their undo."""
    approved_by_digest("scenes_operated.txt", {"operators": operators}, cases(0, STEP, 100))


@pytest.mark.long
def test_what_moves_in_scenes() -> None:
    """Simulated and baked frames of calm cases, and sliders of joints."""
    outputs: dict[str, Lines] = {"timeline": timeline, "played": played, "posed": posed}
    approved_by_digest("scenes_moved.txt", outputs, cases(0, 4))


@pytest.mark.long
def test_what_goes_through_files() -> None:
    """Exported in part and as a whole, and imported again; and files of others."""
    outputs: dict[str, Lines] = {"exported": exported, "imported": imported}
    approved_by_digest("scenes_exported.txt", outputs, cases(1, 5))
