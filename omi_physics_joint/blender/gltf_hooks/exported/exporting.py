# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes bodies, shapes and joints while Blender's exporter writes the rest.

One object lives for one export. The exporter swallows exceptions of these hooks in 4.5 and 5.0, so
every hook reports its own. All is read, checked and decided when the exporter has built its tree
of nodes, before any file is touched; it is written into the nodes when they have their indices.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps

import bpy

from ....gltf.document.json_text import members_of
from ....model.issue import Issue, Severity, against_strict, but_for, has_errors, summary
from ...bridge.placed import PlacedObject
from ...bridge.poses import away
from ...check.diagnosis import OURS
from ...check.report import REFUSED, publish
from ...purpose.chosen import audience_of
from .. import ExportSettings, Untyped, leftovers
from ..animated_settings import Animated
from .file_meshes import gather_meshes, lost_meshes, mesh_indices
from .phases import ExportTree, Read
from .scope import bring_up_to_date, hide_meshes, take_along
from .staging import Staging, harmless_names, is_confined, obstacle_to_export, put_apart

Hook = Callable[..., None]


def reported(hook: Hook) -> Hook:
    """Report what goes wrong in a hook to the user, since the exporter would hide it."""

    @wraps(hook)
    def guarded(self: GltfExport, *arguments: Untyped) -> None:
        if self.is_inert or self.is_refused:
            return
        self.export_settings = arguments[-1]
        try:
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
        scene = bpy.context.scene
        self.is_off = not scene.omi_physics_joint.use_export
        self.is_inert = self.is_off and not is_confined()
        if not self.is_inert:
            leftovers.collect_seldom()
        self.strict: bool = scene.omi_physics_joint.strict
        unknown = members_of(scene.omi_physics_joint.unknown).items()
        self.unknown = {name: text for name, text in unknown if isinstance(text, str)}
        self.export_settings: ExportSettings = {}
        self.tree = ExportTree(audience_of(scene), scene)
        self.read: Read | None = None
        self.animated: Animated | None = None
        self.placed: Sequence[PlacedObject] = ()
        """What issues point at."""
        self.issues: list[Issue] = []
        self.is_refused = False
        self.staging: Staging | None = None
        self.go_back = leftovers.way_back()

    @reported
    def gather_tree_filter_tag_hook(self, vtree: Untyped, export_settings: ExportSettings) -> None:
        """Have what belongs to bodies go along with them, unless the user wants it otherwise."""
        if self.is_off:
            return
        bring_up_to_date(vtree)
        if self.tree.scene.omi_physics_joint.use_belonging:
            along = take_along(vtree, export_settings)
            self.tree = replace(self.tree, along=self.tree.along | along)

    @reported
    def vtree_after_filter_hook(self, vtree: Untyped, export_settings: ExportSettings) -> None:
        """Read and check what will be exported; refuse it if that was asked for."""
        self.stop(harmless_names(export_settings), vtree)
        if self.is_off or self.is_refused:
            return
        self.tree = self.tree.with_nodes(vtree, export_settings)
        self.read = self.tree.read(self.unknown, export_settings)
        self.placed, self.issues = self.read.placed, self.read.issues(export_settings)
        self.tell(vtree)

    @reported
    def gather_scene_hook(
        self, scene: Untyped, _blender_scene: bpy.types.Scene, export_settings: ExportSettings
    ) -> None:
        """Have the exporter write meshes that only shapes use."""
        if self.read is not None:
            gather_meshes(scene, self.read.reading.meshes, export_settings)

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
        if self.read is not None:
            self._add(self.read.stood_still(animations))
            self.animated = self.read.animated(animations, export_settings)
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
        _leave_out_stored(gltf)
        if self.read is not None:
            meshes = mesh_indices(gltf, self.read.reading.meshes, self.read.tree.vnodes)
            hide_meshes(self.read.tree.vnodes, self.read.tree.along)
            self._add(lost_meshes(self.read.reading, meshes, self.read.placed))
            if self.animated is not None and not self.is_refused:
                self._add(self.read.write(gltf, meshes, self.animated, export_settings))
        self._forget()
        if self.staging is not None and not self.is_refused:
            self._add(put_apart(gltf, self.staging))
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

    def post_export_hook(self, export_settings: ExportSettings) -> None:
        """Remove what is left aside; after a refusal, put the user back where it found them.

        The exporter's own garbage holds on to us for long, so we let go of what we know of it.
        """
        self.finish(export_settings)
        leftovers.put_back()
        if self.is_refused:
            self.go_back()
        self._forget()
        self.placed, self.issues, self.export_settings = (), [], {}

    def _forget(self) -> None:
        """Let go of what is in the file: Python's collector walks it while the exporter goes on."""
        self.tree, self.read, self.animated = ExportTree(), None, None

    def _add(self, found: Iterable[Issue]) -> None:
        """Show what was found later, if anything was."""
        if more := list(found):
            self.issues += more
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


def _leave_out_stored(gltf: Untyped) -> None:
    """Take out what we store in objects: with Custom Properties on, the exporter writes it, too."""
    for owner in (*gltf.scenes, *gltf.nodes):
        kept = {name: one for name, one in (owner.extras or {}).items() if OURS not in name}
        owner.extras = kept or None


def _refusal(found: list[Issue]) -> str:
    """Return one sentence: the first obstacle, how to mend it, and how many more there are."""
    first = found[0]
    fix = first.fix.rstrip(".")
    advice = f"; {fix[:1].lower()}{fix[1:]}" if fix else ""
    more = f" ({len(found) - 1} more in the list of issues)" if len(found) > 1 else ""
    return f"Nothing was written: {first.where}: {first.message.rstrip('.')}{advice}{more}."
