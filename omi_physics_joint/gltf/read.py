# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole glTF document, out of JSON: a mechanism of what is sound, and issues for the rest.

It never raises, whatever the JSON. Node i of the mechanism is node i of the file; nodes that the
file lacks (for joints of the older form) come after them. Shared resources that cannot be read
are left out, so their indices are the mechanism's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..model.issue import Issue
from ..model.keys import Keys
from ..model.mechanism import Mechanism
from ..model.wording.words import one_line, some
from .agreement import Account, agreed
from .animated.animation import with_led
from .animated.animation_pointers import leading_nowhere
from .animated.keyed import read_channels
from .dialects import DIALECTS, Dialect
from .document.files import Document
from .document.json_text import Json, items_of, object_of
from .document.members import NO_CHANNELS, Members, Place, quiet
from .document.packing import missing_files
from .for_whom import EVERYBODY, Audience, audience_of
from .shared.gravity import is_earths, read_gravity, with_node_gravity
from .shared.kept import GRAVITY
from .source import source_of

OURS = (GRAVITY, *(name for dialect in DIALECTS for name in dialect.extensions))
READ_BY_MANY = ("KHR_", "OMI_", "EXT_mesh", "EXT_texture_webp", "EXT_texture_avif")
"""What names of extensions begin with that readers may well have."""
INSTANCED = "EXT_mesh_gpu_instancing"
"""Shows the mesh of one node many times."""
OTHER_WORDS = ("physics", "rigid", "collider", "collision", "implicit_shapes")
"""What names of other extensions with physics hold."""


NO_DOCUMENT = Document({}, Path())


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file says, as far as it is sound."""

    mechanism: Mechanism = field(repr=False)
    """In terms of the specification, whoever the file is for."""
    issues: tuple[Issue, ...]
    audience: Audience = EVERYBODY
    """For whom the file says that it is."""
    dialects: tuple[Dialect, ...] = ()
    """In which its physics is written."""
    document: Document = NO_DOCUMENT
    """The file, with its meshes and animations."""


def read(gltf: Mapping[str, Json], channels: Mapping[str, Keys] = NO_CHANNELS) -> Reading:
    """Read the JSON of a glTF document, as it is, into a mechanism.

    Its channels are what animations do with joint settings, as ``keyed.read_channels`` has it.
    There is an issue for everything that is not in the mechanism or not as the file has it.
    """
    issues: list[Issue] = []
    root = Members(gltf, Place(), issues, channels=channels)
    source = source_of(root)
    spoken: list[Dialect] = []
    account: Account | None = None
    for dialect in DIALECTS:
        read_in, used = dialect.read(source)
        if not used:
            continue
        _check_declared(root, dialect, used)
        said = replace(read_in, meshes=source.meshes, rooms=source.boxes)
        other = Account(dialect.spoken.upper(), said, dialect.spell)
        if account is not None:
            other = replace(account, mechanism=agreed(account, other, issues))
        account = other
        spoken.append(dialect)
    bare = Mechanism(source.nodes, meshes=source.meshes, rooms=source.boxes)
    mechanism = _with_gravity(bare if account is None else account.mechanism, root)
    mechanism = with_node_gravity(mechanism, source)
    for dialect in spoken:
        if dialect.complete is not None:
            mechanism = dialect.complete(mechanism)
    issues += leading_nowhere(gltf)
    _note_other_physics(root)
    _note_unread(root, mechanism)
    audience = audience_of(gltf, spoken)
    mechanism = audience.understood(mechanism)
    return Reading(mechanism, tuple(dict.fromkeys(issues)), audience, tuple(spoken))


def read_document(document: Document) -> Reading:
    """Read a whole file: its JSON as ``read`` does, what its buffers hold and animations lead."""
    channels, unread = read_channels(document)
    reading = read(document.json, channels)
    mechanism, led = with_led(reading.mechanism, document.json)
    found = (*document.unread, *missing_files(document), *reading.issues, *unread, *led)
    return replace(reading, mechanism=mechanism, issues=found, document=document)


def _with_gravity(mechanism: Mechanism, root: Members) -> Mechanism:
    """Return the mechanism with the gravity of its document."""
    gravity = root.extension(GRAVITY)
    if gravity is None:
        return mechanism
    pull = read_gravity(gravity)
    text = gravity.unknown()
    unknown = {**mechanism.unknown, GRAVITY: text} if text else mechanism.unknown
    return replace(mechanism, unknown=unknown, gravity=None if is_earths(pull) else pull)


def _check_declared(root: Members, dialect: Dialect, used: frozenset[str]) -> None:
    """Note extensions that are used and not listed in ``extensionsUsed``."""
    declared = root.strings("extensionsUsed")
    for name in dialect.extensions:
        if name in used and name not in declared:
            message = f"The file uses {name} and does not say so."
            fix = f"Add {name} to extensionsUsed."
            root.error("extension-not-declared", message, fix, "extensionsUsed")


def _note_unread(root: Members, mechanism: Mechanism) -> None:
    """Name what readers leave out: the whole file, or physics that is in none of its scenes."""
    required = [one for one in items_of(root.json, "extensionsRequired") if isinstance(one, str)]
    others = [one_line(name) for name in required if not name.startswith(READ_BY_MANY)]
    if others:
        message = f"The file requires {some(others)}: who does not know that reads nothing of it."
        root.warn("extension-required", message, key="extensionsRequired")
    many = [
        one_line(mechanism.name_of(at))
        for at, node in enumerate(items_of(root.json, "nodes"))
        if INSTANCED in object_of(node, "extensions") and mechanism.nodes[at].is_physical
    ]
    if many:
        message = f"{INSTANCED} shows many of {some(many)}, of which one has physics."
        root.warn("physics-not-read", message, "Give each a node of its own.")
    lost = [at for at, node in enumerate(mechanism.nodes) if node.scene < 0 and node.is_physical]
    if lost:
        names = some([one_line(mechanism.name_of(at)) for at in lost])
        message = f"In no scene are {names}, with physics: readers leave that out."
        root.warn("node-in-no-scene", message, "Add them, or what is above them, to the scene.")
    shown, scenes = quiet(root.json).integer("scene"), items_of(root.json, "scenes")
    if shown is not None and 0 <= shown < len(scenes):
        tops = items_of(object_of(scenes[shown]), "nodes")
        physical = (at for at, node in enumerate(mechanism.nodes) if node.is_physical)
        above = [[*mechanism.ancestry(at)][-1] for at in physical]
        if above and not any(top in tops for top in above) and len(lost) < len(above):
            message = (
                f"Scene {shown} is shown first and has no physics: many readers read no other."
            )
            root.warn("node-in-no-scene", message, "Name the scene that has it.", "scene")


def _note_other_physics(root: Members) -> None:
    """Name extensions with physics that is not read, so that nobody takes it for none."""
    nodes = [object_of(node, "extensions") for node in items_of(root.json, "nodes")]
    used = (name for name in items_of(root.json, "extensionsUsed") if isinstance(name, str))
    found = {*used, *object_of(root.json, "extensions")}.union(*nodes).difference(OURS)
    others = sorted(name for name in found if any(word in name.lower() for word in OTHER_WORDS))
    if others:
        names = ", ".join(one_line(name) for name in others)
        message = f"The file has physics in {names}, which is not read."
        fix = "Write it with OMI_physics_body and OMI_physics_joint."
        root.warn("physics-not-read", message, fix)
    local = sum(GRAVITY in extensions for extensions in nodes)
    if local:
        root.warn(
            "gravity-of-nodes",
            f"The file has {local} node{'' if local == 1 else 's'} with a gravity of "
            f"{'its' if local == 1 else 'their'} own, which is not played.",
            "Set the gravity of the scene, or the gravity factors of bodies, to play it.",
        )
