# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes bodies, shapes and joints while Blender's exporter writes the rest.

One object lives for one export. The exporter swallows exceptions of these hooks in 4.5 and 5.0, so
every hook reports its own. All is read, checked and decided when the exporter has built its tree
of nodes, before any file is touched; it is written into the nodes when they have their indices.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps

import bpy

from ....gltf.document.json_text import JsonObject, members_of
from ....gltf.document.numbering import Numbering
from ....gltf.for_whom import addressed
from ....gltf.write import Spelling, spell
from ....model.geometry.axes import Z_UP_FROM_Y_UP
from ....model.godot.written import written
from ....model.issue import Issue, Severity, against_strict, but_for, has_errors, summary
from ....model.mechanism import Mechanism
from ....model.readers import OF_STAGES
from ....weighing.measuring import open_centres
from ...bridge.gravity import pulled
from ...bridge.keyed import Samples
from ...bridge.placed import PlacedObject, with_second_frames
from ...bridge.poses import away
from ...bridge.read_nodes import SceneReading, mechanism_from_placed
from ...bridge.solids import measured_mechanism
from ...check.diagnosis import diagnose
from ...check.report import REFUSED, publish
from ...purpose.chosen import readers_of, spoken_in, target_of
from ...purpose.left_out import left_behind, stood_still
from ...purpose.missing import missing
from .. import ExportSettings, Untyped, leftovers, uncollected
from ..animated_settings import Animated, look_up
from .along import bring_up_to_date, hide_meshes, take_along
from .file_frames import put_frames
from .file_meshes import (
    gather_meshes,
    holders,
    lost_meshes,
    mesh_indices,
    without_modifiers,
)
from .file_nodes import follow
from .kept_members import kept
from .pictures import harmless_names, put_apart
from .scope import (
    broken_bodies,
    lost_to_instancing,
    placed_in_export,
    unplaced_issue,
    vnodes_in_order,
    without_consequences,
)
from .staging import Staging, is_confined, obstacle_to_export

Hook = Callable[..., None]


def reported(hook: Hook) -> Hook:
    """Report what goes wrong in a hook to the user, since the exporter would hide it."""

    @wraps(hook)
    def guarded(self: GltfExport, *arguments: Untyped) -> None:
        if self.is_inert or self.is_refused:
            return
        self.export_settings = arguments[-1]
        try:
            with uncollected():
                hook(self, *arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, the user must hear of it
            traceback.print_exc(file=sys.stderr)
            self.refuse(f"Physics joints could not be exported: {error!r}.")

    return guarded


_ignored: list[str] = []


@contextmanager
def ignoring(codes: Sequence[str]) -> Iterator[None]:
    """Have strict exports not look at issues with such codes meanwhile."""
    _ignored[:] = codes
    try:
        yield
    finally:
        _ignored.clear()


class GltfExport:
    """The part of one export that is ours."""

    def __init__(self) -> None:
        leftovers.put_back()  # of an export that the exporter itself broke off
        away.suspend()  # an export is about the rest pose, whatever plays
        leftovers.note(away.resume)
        options = bpy.context.scene.omi_physics_joint
        self.is_off = not options.use_export
        self.is_inert = self.is_off and not is_confined()
        self.strict: bool = options.strict
        self.target = target_of(bpy.context.scene)
        self.spoken = spoken_in(bpy.context.scene)
        unknown = members_of(options.unknown).items()
        self.unknown = {name: text for name, text in unknown if isinstance(text, str)}
        self.export_settings: ExportSettings = {}
        self.objects: list[PlacedObject] = []
        """Of each node of the exporter's trees."""
        self.placed: list[PlacedObject] = []
        """The same, and second frames that are no objects."""
        self.vnodes: list[Untyped] = []
        self.along: set[str] = set()
        """Ids of the nodes that are there for their physics alone."""
        self.absent: list[Issue] = []
        self.reading = SceneReading(Mechanism())
        self.issues: list[Issue] = []
        self.samples = Samples(())
        self.animated = Animated()
        self.is_refused = False
        self.staging: Staging | None = None
        self.go_back = leftovers.way_back()

    @reported
    def gather_tree_filter_tag_hook(self, vtree: Untyped, export_settings: ExportSettings) -> None:
        """Have what belongs to bodies go along with them, unless the user wants it otherwise."""
        if self.is_off:
            return
        bring_up_to_date(vtree)
        if bpy.context.scene.omi_physics_joint.use_belonging:
            self.along |= take_along(vtree, export_settings)

    @reported
    def vtree_after_filter_hook(self, vtree: Untyped, export_settings: ExportSettings) -> None:
        """Read and check what will be exported; refuse it if that was asked for."""
        self.stop(harmless_names(export_settings), vtree)
        if self.is_off or self.is_refused:
            return
        scene, vnodes = bpy.context.scene, vnodes_in_order(vtree)
        placed = placed_in_export(vtree, vnodes, export_settings, len(self.vnodes))
        self.absent += left_behind(scene, placed)
        self.objects += placed
        self.vnodes += vnodes
        self.placed = with_second_frames(self.objects)
        self.samples = Samples(self.placed)
        if self.samples and export_settings["gltf_animations"]:
            look_up(self.samples, export_settings)
        reading = mechanism_from_placed(self.placed, self.unknown, self.samples)
        self.reading = replace(reading, mechanism=pulled(reading.mechanism, scene))
        only_here = export_settings["gltf_active_scene"]
        images = export_settings["gltf_materials"] == "EXPORT"
        lacking = list(missing([scene] if only_here else bpy.data.scenes, images=images))
        says = _says_physics(self.reading.mechanism) or self.absent
        if not (says or self.reading.issues or lacking):
            return
        found = diagnose(self.reading, self.placed, scene, readers_of(scene) - OF_STAGES)
        lost = list(broken_bodies(self.placed, export_settings))
        self.issues = [
            *lacking,
            *self.absent,
            *lost,
            *(() if export_settings["gltf_animations"] else stood_still(self.placed)),
            *lost_to_instancing(self.placed, export_settings),
            *without_modifiers(self.reading, self.placed, export_settings),
            *without_consequences(found, lost, self.reading.mechanism),
        ]
        self.tell(vtree)

    @reported
    def gather_scene_hook(
        self, scene: Untyped, _blender_scene: bpy.types.Scene, export_settings: ExportSettings
    ) -> None:
        """Have the exporter write meshes that only shapes use."""
        gather_meshes(scene, self.reading.meshes, export_settings)

    @reported
    def gather_gltf_hook(
        self,
        _active_scene: int,
        _scenes: list[Untyped],
        animations: list[Untyped],
        export_settings: ExportSettings,
    ) -> None:
        """Have files written aside: all is gathered now but animated settings, and paths are in it.

        Where the exporter could not write at all, it would raise and leave the session as it is.
        """
        if self.samples.times:
            mechanism = self.reading.mechanism
            if not export_settings["gltf_yup"]:
                mechanism = Z_UP_FROM_Y_UP.mechanism(mechanism)
            if self.target.is_godots:
                mechanism = written(mechanism)
            everywhere = {index: index for index in range(len(mechanism.nodes))}
            channels = self._spelled(mechanism, Numbering(everywhere, {})).channels
            self.animated.gather(animations, channels, self.samples, export_settings)
        self.stop(obstacle_to_export(export_settings))
        if self.is_refused:
            return
        try:
            self.staging = Staging(export_settings)
            self._finish_in_time(export_settings)
        except OSError as error:
            self.stop(str(error))

    @reported
    def gather_gltf_extensions_hook(self, gltf: Untyped, export_settings: ExportSettings) -> None:
        """Write everything into the finished nodes."""
        meshes = mesh_indices(gltf, self.reading.meshes, self.vnodes)
        hide_meshes(self.vnodes, self.along)
        lost = list(lost_meshes(self.reading, meshes, self.placed))
        self._add(lost)
        if not self.is_refused:
            self._write(gltf, meshes)
        self._forget_reading()
        if self.staging is not None and not self.is_refused:
            self._add(list(put_apart(gltf, self.staging)))
            self.stop(self.staging.obstacle())

    def _finish_in_time(self, export_settings: ExportSettings) -> None:
        """Have files put in place when the last is written and before the user reads how it went.

        There is no hook for that moment, but it is when the exporter asks its log for messages.
        """
        log = export_settings["log"]
        messages = log.messages

        def after_all() -> Untyped:
            self.finish(export_settings)
            return messages()

        log.messages = after_all

    @reported
    def finish(self, export_settings: ExportSettings) -> None:
        """Put what was written aside in its place, all of it or nothing."""
        if self.staging is None:
            return
        try:
            self.staging.publish(export_settings)
            self.staging = None
        except OSError as error:
            self.stop(str(error))

    def _write(self, gltf: Untyped, meshes: dict[int, int]) -> None:
        mechanism = self.reading.mechanism
        if not _says_physics(mechanism):
            return
        if open_ones := open_centres(mechanism):  # which OMI's extensions cannot leave open
            mechanism = measured_mechanism(self.reading, self.placed, open_ones)
        index_of_node = {id(node): index for index, node in enumerate(gltf.nodes)}
        node_index = {
            index: index_of_node[id(vnode.node)]
            for index, vnode in enumerate(self.vnodes)
            if id(vnode.node) in index_of_node
        }
        z_up = not self.export_settings["gltf_yup"]
        second = [i for i, node in enumerate(self.placed) if node.second_of is not None]
        unplaced: list[int] = []
        mechanism, node_index = put_frames(
            gltf, mechanism, node_index, second, z_up=z_up, unplaced=unplaced
        )
        self._add([unplaced_issue(self.placed, node) for node in unplaced])
        if z_up:
            mechanism = Z_UP_FROM_Y_UP.mechanism(mechanism)
        if self.target.is_godots:
            spelled = written(mechanism)
            node_index = follow(gltf, mechanism, spelled, node_index)
            mechanism = spelled
        numbering = Numbering(node_index, meshes, holders(gltf.nodes))
        spelling = self._spelled(mechanism, numbering)
        self.animated.finish(gltf, spelling.channels)
        _extend(gltf, spelling.document)
        if spelling.extras:
            gltf.extras = {**(gltf.extras or {}), **spelling.extras}
        for index, extensions in spelling.nodes.items():
            _extend(gltf.nodes[index], extensions)
        for name in spelling.extensions_used:
            if name not in gltf.extensions_used:
                gltf.extensions_used.append(name)

    def _spelled(self, mechanism: Mechanism, numbering: Numbering) -> Spelling:
        return addressed(spell(mechanism, numbering, spoken=self.spoken), self.target)

    def post_export_hook(self, export_settings: ExportSettings) -> None:
        """Remove what is left aside; after a refusal, put the user back where it found them.

        The exporter's own garbage holds on to us for long, so we let go of what we know of it.
        """
        self.finish(export_settings)
        leftovers.put_back()
        if self.is_refused:
            self.go_back()
        self._forget_reading()
        self.placed, self.objects, self.issues, self.export_settings = [], [], [], {}

    def _forget_reading(self) -> None:
        """Let go of what is in the file: Python's collector walks it while the exporter goes on."""
        self.reading, self.samples, self.vnodes = SceneReading(Mechanism()), Samples(()), []

    def _add(self, found: list[Issue]) -> None:
        """Show what was found later, if anything was."""
        if found:
            self.issues += found
            self.tell()

    def tell(self, vtree: Untyped = None) -> None:
        """Show what was found, and refuse the export where that was asked for."""
        obstacles = against_strict(but_for(_ignored, self.issues)) if self.strict else []
        publish(self.issues, REFUSED if obstacles else "Export", self.placed)
        if obstacles:
            self.refuse(_refusal(obstacles), vtree)
        elif any(issue.severity is not Severity.HINT for issue in self.issues):
            worst = min(self.issues, key=lambda issue: not has_errors([issue]))
            outcome = f"{summary(self.issues)}. {worst.where}: {worst.message} {worst.fix}"
            log = self.export_settings["log"]
            log.warning(f"Physics joints: {outcome}", popup=has_errors(self.issues))

    def stop(self, obstacle: str, vtree: Untyped = None) -> None:
        """Write nothing where something is in the way."""
        if obstacle:
            self.refuse(f"Nothing was written: {obstacle}.", vtree, always=True)

    def refuse(self, sentence: str, vtree: Untyped = None, *, always: bool = False) -> None:
        """Have the exporter say one sentence and, in strict or always, write nothing.

        An exception would reach the user as a page of traceback, and only from one callback that
        does not know the nodes yet. So the export goes on, without nodes where there is still time,
        into a folder that is removed afterwards.
        """
        self.export_settings["log"].error(sentence, popup=True)
        self.is_refused = self.strict or always
        if not self.is_refused:
            return
        if self.staging is None:
            self.staging = Staging(self.export_settings, for_good=True)
        steps = ("animations", "use_gltfpack", "unused_textures", "unused_images")
        self.export_settings.update({f"gltf_{step}": False for step in steps})
        if vtree is not None:
            vtree.nodes.clear()
            vtree.roots.clear()


def _says_physics(mechanism: Mechanism) -> bool:
    """Return whether there is anything to write of nodes."""
    return any(node.is_physical or node.unknown for node in mechanism.nodes)


def _extend(owner: Untyped, extensions: Mapping[str, JsonObject]) -> None:
    """Add extensions to the document or to a node."""
    ours = {name: kept(members) for name, members in extensions.items()}
    owner.extensions = {**(owner.extensions or {}), **ours}


def _refusal(found: list[Issue]) -> str:
    """Return one sentence: the first obstacle, how to mend it, and how many more there are."""
    first = found[0]
    fix = first.fix.rstrip(".")
    advice = f"; {fix[:1].lower()}{fix[1:]}" if fix else ""
    more = f" ({len(found) - 1} more in the list of issues)" if len(found) > 1 else ""
    return f"Nothing was written: {first.where}: {first.message.rstrip('.')}{advice}{more}."
