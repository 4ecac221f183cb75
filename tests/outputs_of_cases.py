# SPDX-License-Identifier: GPL-3.0-or-later
"""What each wing makes of contents, as lines: what is said, written, read back, drawn, computed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.reports.lines import info_lines
from omi_physics_joint.cli.reports.report import info_of
from omi_physics_joint.drawing.joint_table import Poses, drawn_frames, joint_table, joint_values
from omi_physics_joint.drawing.mouse.handles import arc_of, handles_of, place_of, sense_of
from omi_physics_joint.drawing.picture import Parts, picture, world_lines
from omi_physics_joint.drawing.strokes import Theme, palette
from omi_physics_joint.drawing.value_labels import value_labels
from omi_physics_joint.gltf.animated.keyed import has_keys, read_channels
from omi_physics_joint.gltf.dialects import Spoken, spoken_by
from omi_physics_joint.gltf.document.json_text import text_of
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.document.packing import packed
from omi_physics_joint.gltf.for_whom import Audience
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.gltf.respelling import respelled
from omi_physics_joint.gltf.write import KEY, patched
from omi_physics_joint.library.converted import put
from omi_physics_joint.model.articulation.trees import articulations_of
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents, Package
from omi_physics_joint.model.geometry.axes import Z_UP_FROM_Y_UP
from omi_physics_joint.model.geometry.frames import rigid_frame
from omi_physics_joint.model.issue import Issue
from omi_physics_joint.model.joint import Freedom
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.readers import Reader
from omi_physics_joint.model.settings.canonical import canonical
from omi_physics_joint.model.settings.reach import idle_limits
from omi_physics_joint.model.settings.spans import spans_of
from omi_physics_joint.model.target import Target
from omi_physics_joint.model.validate import BLENDER_AXES, GLTF_AXES, check
from omi_physics_joint.model.wording.describe import kind, rows, sentence, summary, title
from omi_physics_joint.model.wording.words import metric
from omi_physics_joint.posing import Posing
from omi_physics_joint.robots.mjcf.writing.write import write_mjcf
from omi_physics_joint.robots.urdf.write import write_urdf
from omi_physics_joint.solver import Simulation, lock_issues
from omi_physics_joint.solver.reading.bodies import read_bodies
from omi_physics_joint.usd.writing.write import written
from omi_physics_joint.weighing.inertia import guessed_bodies, measured_contents
from tests.digests import Lines, numbers, places, rounded, summed
from tests.through import THROUGH

SIZE = 0.4
HANGS_ON_ROUNDING = ("energy", "largest", "computed")
"""Lines about a motion."""
MOMENTS = re.compile(r"""(?<=diaginertia=")[^"]*|(?<=diagonalInertia': \()[^)]*""")
AXES_OF_MOMENTS = re.compile(r"""quat="[^"]*" |'physics:principalAxes': \([^)]*\)""")
UNCHANGED = re.compile(r"(\([^)]*\).*) -> \1$")
"""What is another by rounding alone."""


def without_free_axes(line: str) -> str:
    """Return a line without the axes of equal moments: they are another machine's choice."""
    found = MOMENTS.search(rounded(line))
    moments = [f"{float(one):.5g}" for one in re.split(r"[ ,]+", found[0])] if found else []
    return AXES_OF_MOMENTS.sub("", line) if len(set(moments)) < len(moments) else line


def issues_of(found: Iterable[Issue]) -> Iterator[str]:
    """Yield issues, with their code and node."""
    yield from (f"{one.code} {one.node} {'lost ' * one.loss}{one}" for one in found)


# What is said


def findings(contents: Contents) -> Iterator[str]:
    """Yield what Check says, of a file for everybody and of one for Godot, in one dialect."""
    every = frozenset(Reader)
    usual = check(contents.mechanism, readers=every)
    yield from issues_of(usual)
    told = {str(one) for one in usual}
    for target, words, spoken in (
        (Target.GODOT, GLTF_AXES, Spoken.OMI),
        (Target.SPECIFIED, BLENDER_AXES, Spoken.OMI),
    ):
        found = check(
            contents.mechanism,
            axis_names=words,
            target=target,
            readers=every,
            spoken=frozenset((spoken,)),
        )
        yield f"for {target} in {spoken}"
        yield from issues_of(one for one in found if str(one) not in told)


def info(contents: Contents) -> Iterator[str]:
    """Yield what ``info`` says, for people and for programs, with trees."""
    yield from info_lines(info_of(contents.mechanism))
    said = info_of(contents.mechanism, "*")
    yield from info_lines(said)
    yield json.dumps(said)


def words(contents: Contents) -> Iterator[str]:
    """Yield what joints of these settings are called and said to do, and other spellings."""
    for one in contents.mechanism.settings:
        yield f"{title(one)} | {kind(one)} | {sentence(one)} | {summary(one)}"
        yield from rows(one)
        yield f"{spans_of(one.limits)} {idle_limits(one.limits)} {canonical(one)}"


def otherwise(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism in which all that is shared, and each body's motion, is the next one's."""
    resources = ("settings", "shapes", "physics_materials", "collision_filters")
    shifted = {name: getattr(mechanism, name) for name in resources}
    shifted = {name: (*of[1:], *of[:1]) for name, of in shifted.items()}
    bodies = [index for index, _ in mechanism.motions()]
    nodes = list(mechanism.nodes)
    for index, other in zip(bodies, bodies[1:] + bodies[:1], strict=True):
        nodes[index] = replace(nodes[index], motion=mechanism.nodes[other].motion)
    return replace(mechanism, nodes=tuple(nodes), gravity=(0.0, -1.0, 0.5), **shifted)


def difference(contents: Contents) -> Iterator[str]:
    """Yield what ``diff`` says of the case and one that shares otherwise."""
    other = replace(contents, mechanism=otherwise(contents.mechanism))
    yield from map(str, changes(*with_same_names((contents, other))))


# What is written


def gltf(contents: Contents) -> Iterator[str]:
    """Yield the parts of a document, for each audience in each dialect."""
    told: set[str] = set()
    for target, spoken in product(Target, Spoken):
        audience = Audience(target, frozenset((spoken,)))
        said = audience.told(contents.mechanism)
        same = (range(len(each)) for each in (said.nodes, said.meshes))
        numbering = Numbering(*({at: at for at in one} for one in same))
        nodes = [{"name": one.name} for one in said.nodes]
        before = {"nodes": nodes, "extras": {KEY: "somebody else"}}
        made = patched(before, audience.spell(said, numbering))
        extensions = made.pop("extensions", {}).items()
        parts = [f"{name}: {text_of(one)}" for name, one in extensions]
        parts += [f"{at}: {text_of(one)}" for at, one in enumerate(made.pop("nodes"))]
        parts += [
            f"{at} below {one.parent} at {numbers(one.world)}" for at, one in enumerate(said.nodes)
        ]
        yield f"for {target} in {spoken}: {text_of(made)}"
        yield from (one for one in parts if one not in told)
        told.update(parts)


def fresh(contents: Contents) -> Iterator[str]:
    """Yield the document that is made of contents that had none, with keys and meshes."""
    document, lost = fresh_document(contents, Path("fresh.glb"))
    yield from (f"{name}: {text_of(one)}" for name, one in document.json.items())
    yield from issues_of(lost)


def otherwise_spelled(contents: Contents) -> Iterator[str]:
    """Yield that document in each dialect and back, where animations lead to numbers in it."""
    document, _ = fresh_document(contents, Path("fresh.glb"))
    told: set[str] = set()
    for words in (("khr", "omi"), ("omi", "both")) if has_keys(contents.mechanism) else ():
        made = document.json
        for word in words:
            channels = read_channels(replace(document, json=made))[0]
            found = respelled(made, spoken_by(word), channels, known_centres)
            made = found.json
            lines = [f"{name}: {text_of(one)}" for name, one in made.items()]
            lines += [*issues_of(found.issues)]
            yield from (f"{word} {one}" for one in lines if one not in told)
            told.update(lines)


def known_centres(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism as if somebody had weighed it."""
    nodes = (
        replace(one, motion=one.motion and replace(one.motion, found_center=(0.5, 0.25, 0.125)))
        for one in mechanism.nodes
    )
    return replace(mechanism, nodes=tuple(nodes))


def stage(contents: Contents) -> Iterator[str]:
    """Yield the prims of a stage, of bodies in each other and beside each other."""
    told: set[str] = set()
    for flat in (False, True):
        made, lost = written(contents, flat=flat)
        found = [
            f"{one.path} {one.type} {one.specifier} {one.label} {one.schemas} {one.attributes} "
            f"{one.targets} {one.samples} {one.local} {one.resets}"
            for one in made
        ]
        lines = [*map(without_free_axes, found), *issues_of(lost)]
        yield from (one for one in lines if one not in told)
        told.update(lines)
    yield f"{made.meters_per_unit} {made.up_axis} {made.time_codes_per_second} {made.times}"


def package(write: Callable[..., tuple[Package, Iterable[Issue]]], name: str) -> Lines:
    """Return what yields the main file of a robot, how large those beside it are, and losses."""

    def lines(contents: Contents) -> Iterator[str]:
        made, lost = write(contents, Path(name))
        yield from map(without_free_axes, made.main.decode().splitlines())
        yield from (f"{name}: {len(bytes(one))} bytes" for name, one in made.sides.items())
        yield from issues_of(lost)

    return lines


def again(name: str) -> Lines:
    """Return what yields how contents that went through a format differ, and what was said."""

    def lines(contents: Contents) -> Iterator[str]:
        back, said = THROUGH[name](contents)
        found = [str(one) for one in changes(*with_same_names((contents, back)))]
        # Axes of equal moments are another machine's choice.
        told = (one for one in found if "axes of inertia" not in one)
        yield from (one for one in told if not UNCHANGED.search(one))
        yield from issues_of(said)

    return lines


# What is drawn


def drawing(contents: Contents) -> Iterator[str]:
    """Yield sums of what is drawn of all joints, from either side, and their numbers."""
    mechanism = contents.mechanism
    joints = [*mechanism.joints()]
    kinds = [mechanism.settings_of(joint) for _, _, joint in joints]
    frames = np.array([rigid_frame(node.world) for _, node, _ in joints]).reshape(-1, 4, 4)
    ends = [mechanism.nodes[joint.connected_node].world for _, _, joint in joints]
    others = np.array([rigid_frame(one) for one in ends]).reshape(-1, 4, 4)
    which, broken = np.arange(len(joints)), np.arange(len(joints)) % 5 == 4
    for side in (False, True):
        table = joint_table(kinds, [SIZE + 0.1 * at for at in which], [side] * len(joints))
        values = joint_values(table, frames, others, which)
        poses = Poses(frames, others, values)
        yield f"values {numbers(values)}"
        for parts in (Parts(values=False, drives=False), Parts(False, False, links=False)):
            lines = world_lines(table, poses, which, broken, parts)
            arrays = (lines.lines, lines.triangles, lines.roles, lines.thick, lines.owners)
            yield " ".join(map(summed, (*arrays, lines.fills, lines.fill_owners)))
            seen = picture(lines, which % 3, palette(Theme()))
            yield " ".join(f"{key} {summed(one.colours)}" for key, one in seen.lines.items())
        bases = drawn_frames(table, frames, others)
        for at in which.tolist():
            for label in value_labels(table, bases, values, at):
                where = numbers((*label.point, label.value))
                yield f"{label.freedom} {label.axis} {where} {label.violated}"


def handles(contents: Contents) -> Iterator[str]:
    """Yield where the handles of each joint are, and what they mean."""
    for _, node, joint in contents.mechanism.joints():
        frame = rigid_frame(node.world)
        for one in handles_of(contents.mechanism.settings_of(joint), Z_UP_FROM_Y_UP):
            where = numbers(place_of(one, frame, SIZE)), summed(arc_of(one, frame, SIZE))
            yield f"{one} {one.coordinate} {one.hue} {one.measure} {where} {sense_of(one)}"


# What is computed


def masses(contents: Contents) -> Iterator[str]:
    """Yield where bodies have their mass, as the solver reads them."""
    bodies, said = read_bodies(measured_contents(contents, guessed_bodies(contents.mechanism)))
    yield from issues_of(said)
    spread = np.where(np.isfinite(bodies.inertia), bodies.inertia, -1.0)
    inertia = np.einsum("nij,nj,nkj->nik", bodies.principal, spread, bodies.principal)
    for row, node in enumerate(bodies.nodes):
        shown = (bodies.mass[row], bodies.gravity_factor[row], bodies.centre[row])
        still = f"{bodies.dynamic[row]} {bodies.kinematic[row]}"
        places = numbers((*bodies.position[row], *bodies.velocity[row]), 5)
        yield f"{node} {still} {' '.join(map(numbers, shown))} {numbers(inertia[row], 5)} {places}"


def solved(contents: Contents) -> Iterator[str]:
    """Yield the rows of all islands at rest, and what is said of them."""
    simulation = Simulation(measured_contents(contents, guessed_bodies(contents.mechanism)))
    for group in simulation.groups:
        system = group.system
        yield f"{system.kind.tolist()} {system.coordinate.tolist()} {system.joint_of_row.tolist()}"
        yield f"{group.members}"
    for island in lock_issues(contents.mechanism, metric):
        yield f"{island.code} {island.node}"
    yield from issues_of(simulation.issues)


def has_loops(mechanism: Mechanism) -> bool:
    """Return whether joints have several ways to go, of which machines take others."""
    return any(one.loops for one in articulations_of(mechanism))


def posed(contents: Contents) -> Iterator[str]:
    """Yield how joints can be posed, and where bodies are when one value is another."""
    posing = Posing(contents.mechanism)
    yield from issues_of(posing.issues)
    for number, (node, link) in enumerate(posing.links.items()):
        yield f"{node} {link.bodies} {link.free.tolist()} {numbers((link.low, link.high), 5)}"
        yield places(posing.values(node))
        free = np.flatnonzero(link.free).tolist()
        if free and not (link.together or has_loops(contents.mechanism)):
            at = free[number % len(free)]
            done = posing.set_value(node, tuple(Freedom)[at // 3], at % 3, 0.375)
            where = posing.positions if done.reached else ()
            posing.reset()
            yield f"{at} to 0.375: {done.reached} {places(where)}"


# What commands do


def commands(contents: Contents) -> Iterator[str]:
    """Yield what commands print of a file, and of what they have made of it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "case.glb")
        document, _ = fresh_document(contents, path)
        put(packed(document, document.json, path), path)
        for words_ in (
            ("check", "case.glb", "--reader", "godot-omi", "--reader", "babylon"),
            ("info", "case.glb", "--articulations"),
            ("convert", "case.glb", "khr.gltf", "--dialect", "khr"),
            ("convert", "khr.gltf", "robot.xml"),
            ("convert", "khr.gltf", "robot.urdf"),
            ("diff", "case.glb", "robot.xml"),
        ):
            yield f"{words_}"
            yield run(folder, words_)


def motion(contents: Contents) -> Iterator[str]:
    """Yield what ``simulate`` says of a calm case."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "case.glb")
        document, _ = fresh_document(contents, path)
        put(packed(document, document.json, path), path)
        said = run(folder, ("simulate", "case.glb", "--seconds", "0.05"))
        lines = [one for one in said.splitlines() if not one.startswith(HANGS_ON_ROUNDING)]
        yield from (one.partition("; separation")[0] for one in lines)


def run(folder: str, words_: tuple[str, ...]) -> str:
    """Return what a command prints, and its exit code."""
    said = StringIO()
    full = [f"{folder}/{one}" if "." in one and one[0].isalpha() else one for one in words_]
    with redirect_stdout(said), redirect_stderr(said):
        code = main(full)
    return f"{said.getvalue()}{code}".replace(folder, "")


SAID: dict[str, Lines] = {
    **{"findings": findings, "info": info, "words": words, "difference": difference}
}
WRITTEN: dict[str, Lines] = {
    **{"gltf": gltf, "fresh": fresh, "stage": stage, "spelled": otherwise_spelled}
}
ROBOTS: dict[str, Lines] = {
    "mjcf": package(write_mjcf, "case.xml"),
    "urdf": package(write_urdf, "case.urdf"),
}
AGAIN: dict[str, Lines] = {name: again(name) for name in THROUGH}
SHOWN: dict[str, Lines] = {"drawing": drawing, "handles": handles}
COMPUTED: dict[str, Lines] = {"masses": masses, "solved": solved}
COMMANDS: dict[str, Lines] = {"commands": commands}
MOTION: dict[str, Lines] = {"motion": motion, "posed": posed}
