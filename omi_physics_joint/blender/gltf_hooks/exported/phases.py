# SPDX-License-Identifier: GPL-3.0-or-later
"""What one export goes through: each phase is made of the one before it, and of nothing else.

What the exporter's trees hold, ``ExportTree``, is read: ``Read``. Its animated numbers go into the
buffer, as long as that is open, and all else into the nodes of the file when they have indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import bpy

from ....gltf.document.json_text import JsonObject
from ....gltf.document.new_nodes import Numbering, holders_of
from ....gltf.for_whom import EVERYBODY, Audience
from ....gltf.fresh import unsaid
from ....gltf.write import Spelling
from ....model.geometry.axes import Z_UP_FROM_Y_UP
from ....model.issue import Issue
from ....model.readers import OF_STAGES
from ....weighing.inertia import open_centres
from ...bridge.animation import moving
from ...bridge.gravity import pulled, pulled_otherwise
from ...bridge.keyed import Samples
from ...bridge.placed import PlacedObject, with_second_frames
from ...bridge.read_nodes import SceneReading, mechanism_from_placed
from ...bridge.solids import measured_mechanism
from ...check.diagnosis import diagnose
from ...check.since_joined import carried_apart, moved_since, with_edits
from ...purpose.chosen import readers_of
from ...purpose.left_out import keys_left_out, left_behind, left_standing, stood_still
from ...purpose.missing import missing
from .. import ExportSettings, Untyped
from ..animated_settings import Animated, look_up
from .file_frames import put_frames
from .file_meshes import without_modifiers
from .file_nodes import follow
from .scope import (
    broken_bodies,
    lost_to_instancing,
    lying_down,
    placed_in_export,
    unplaced_issue,
    vnodes_in_order,
    without_consequences,
)


@dataclass(frozen=True, slots=True)
class ExportTree:
    """What the exporter's trees hold, those of all scenes so far."""

    audience: Audience = EVERYBODY
    scene: Untyped = None
    """The user's, which is active; the exporter goes through all that it writes."""
    objects: tuple[PlacedObject, ...] = ()
    """Of each node."""
    vnodes: tuple[Untyped, ...] = ()
    along: frozenset[str] = frozenset()
    """Ids of the nodes that are there for their physics alone."""
    absent: tuple[Issue, ...] = ()

    def with_nodes(self, vtree: Untyped, settings: ExportSettings) -> ExportTree:
        """Return these nodes and those of one more tree, which has all that will be exported."""
        vnodes = vnodes_in_order(vtree)
        placed = placed_in_export(vtree, vnodes, settings, len(self.vnodes))
        return replace(
            self,
            objects=(*self.objects, *placed),
            vnodes=(*self.vnodes, *vnodes),
            absent=(*self.absent, *left_behind(bpy.context.scene, placed)),
        )

    def read(self, unknown: dict[str, str], settings: ExportSettings) -> Read:
        """Return the mechanism of all nodes, in a document with unknown members, by name."""
        placed = with_second_frames(self.objects)
        samples = Samples(placed)
        if samples and settings["gltf_animations"]:
            look_up(samples, settings)
        reading = mechanism_from_placed(placed, unknown, samples, exports=True)
        mechanism = pulled(reading.mechanism, self.scene)
        return Read(self, placed, samples, replace(reading, mechanism=mechanism))


@dataclass(frozen=True, slots=True)
class Read:
    """The mechanism of what will be exported, before any file is touched."""

    tree: ExportTree
    placed: list[PlacedObject]
    """Of each node, and second frames that are no objects."""
    samples: Samples
    reading: SceneReading

    def says_physics(self) -> bool:
        """Return whether there is anything to write of nodes."""
        return any(node.is_physical or node.unknown for node in self.reading.mechanism.nodes)

    def stood_still(self, animations: list[Untyped]) -> Iterator[Issue]:
        """Yield a warning of bodies that move here and that no animation of the file moves.

        What the exporter takes up hangs on its mode, on tracks, and on what moves them.
        """
        targets = [channel.target for one in animations for channel in one.channels]
        moved = {id(one.node) for one in targets if one.path in ("translation", "rotation")}
        led = {at for at, one in enumerate(self.tree.vnodes) if id(one.node) in moved}
        sources = [self.tree.vnodes[at].blender_object for at in led]
        yield from left_standing(self.tree.objects, {one.name for one in sources if one})
        for index, node in enumerate(self.placed):
            if node.parent in led:
                led.add(index)
        if any(True for _ in stood_still(self.placed, led)):
            led |= {*range(len(self.placed))} - moving(self.tree.scene, self.placed)
            yield from stood_still(self.placed, led)

    def issues(self, settings: ExportSettings) -> list[Issue]:
        """Return what is wrong; nothing where there is no physics at all."""
        scene, reading, placed = self.tree.scene, self.reading, self.placed
        is_one = settings["gltf_active_scene"] or settings["gltf_collection"]
        scenes = [scene] if is_one else [*bpy.data.scenes]
        lacking = list(missing(scenes, images=settings["gltf_materials"] == "EXPORT"))
        if not (self.says_physics() or self.tree.absent or reading.issues or lacking):
            return []
        found = diagnose(reading, placed, scene, readers_of(scene) - OF_STAGES)
        moved = list(moved_since(reading, placed, scene))
        found = with_edits(found, moved, reading, placed, scene)
        lost = list(broken_bodies(placed, settings))
        return [
            *lacking,
            *lying_down(settings),
            *(carried_apart(moved, placed) if settings["gltf_current_frame"] else ()),
            *pulled_otherwise(scene, scenes),
            *(() if settings["gltf_animations"] else keys_left_out(self.samples)),
            *self.tree.absent,
            *lost,
            *unsaid(reading.mechanism),
            *lost_to_instancing(placed, settings),
            *without_modifiers(reading, placed, settings),
            *without_consequences(found, lost, reading.mechanism),
        ]

    def animated(self, animations: list[Untyped], settings: ExportSettings) -> Animated:
        """Have the exporter write all animated numbers, as long as its buffer is open."""
        animated, audience = Animated(), self.tree.audience
        if self.samples.times:
            mechanism = self.reading.mechanism
            if not settings["gltf_yup"]:
                mechanism = Z_UP_FROM_Y_UP.mechanism(mechanism)
            mechanism = audience.told(mechanism)
            everywhere = {index: index for index in range(len(mechanism.nodes))}
            channels = audience.spell(mechanism, Numbering(everywhere, {})).channels
            animated.gather(animations, channels, self.samples, settings)
        return animated

    def write(
        self, gltf: Untyped, meshes: dict[int, int], animated: Animated, settings: ExportSettings
    ) -> Iterator[Issue]:
        """Write everything into the finished nodes; yield what the file cannot hold."""
        if not self.says_physics():
            return
        tree, placed, mechanism = self.tree, self.placed, self.reading.mechanism
        if open_ones := open_centres(mechanism):  # which OMI's extensions cannot leave open
            mechanism = measured_mechanism(self.reading, placed, open_ones)
        index_of_node = {id(node): index for index, node in enumerate(gltf.nodes)}
        node_index = {
            index: index_of_node[id(vnode.node)]
            for index, vnode in enumerate(tree.vnodes)
            if id(vnode.node) in index_of_node
        }
        z_up = not settings["gltf_yup"]
        second = [i for i, node in enumerate(placed) if node.second_of is not None]
        unplaced: list[int] = []
        mechanism, node_index = put_frames(
            gltf, mechanism, node_index, second, z_up=z_up, unplaced=unplaced
        )
        yield from (unplaced_issue(placed, node) for node in unplaced)
        if z_up:
            mechanism = Z_UP_FROM_Y_UP.mechanism(mechanism)
        told = tree.audience.told(mechanism)
        node_index = follow(gltf, mechanism, told, node_index)
        numbering = Numbering(node_index, meshes, holders_of([vars(one) for one in gltf.nodes]))
        spelling = tree.audience.spell(told, numbering)
        animated.finish(gltf, spelling.channels)
        _put(gltf, spelling)


def _put(gltf: Untyped, spelling: Spelling) -> None:
    """Put what is spelled into the document and its nodes."""
    _extend(gltf, spelling.document)
    if spelling.extras:
        gltf.extras = {**(gltf.extras or {}), **spelling.extras}
    for index, extensions in spelling.nodes.items():
        _extend(gltf.nodes[index], extensions)
    for name in spelling.extensions_used:
        if name not in gltf.extensions_used:
            gltf.extensions_used.append(name)


def _extend(owner: Untyped, extensions: Mapping[str, JsonObject]) -> None:
    ours = {
        name: {KeptKey(key): value for key, value in members.items()}
        for name, members in extensions.items()
    }
    owner.extensions = {**(owner.extensions or {}), **ours}


class KeptKey(str):
    """Name of a member that the exporter takes for ``extras`` and writes under its own name.

    The exporter cleans the whole document, at any depth, of empty objects and arrays, and of null,
    and with them of marks such as ``"extensions": {"X_breakable": {}}`` that another add-on put
    into a file. It leaves one member alone wherever it stands, ``extras``; Blender 5.2 has an
    official way, older ones have not.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Return whether this is that name, or the one that the exporter asks for."""
        return other == "extras" or str.__eq__(self, other)

    __hash__ = str.__hash__
