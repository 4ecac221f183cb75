# SPDX-License-Identifier: GPL-3.0-or-later
"""Says what of an imported file did not arrive: nothing vanishes without a word."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence

import bpy

from ....model.issue import Issue, Severity
from ....model.mechanism import Mechanism


def lost_nodes(mechanism: Mechanism, objects: Sequence[bpy.types.Object | None]) -> Iterator[Issue]:
    """Yield an error for each node whose physics has no object to be on, or to refer to."""
    for index, node in enumerate(mechanism.nodes):
        name = node.name or f"Node {index}"
        if objects[index] is None:
            if node.is_physical or node.unknown:
                yield _lost(name, "Blender's importer made no object of this node", "its physics")
            continue
        if node.joint is not None and objects[node.joint.connected_node] is None:
            yield _lost(name, "Blender's importer made no object of its other side", "the joint")
        parts = () if node.trigger is None else node.trigger.nodes
        if any(objects[part] is None for part in parts):
            yield _lost(name, "Blender's importer made no object of a part of it", "that part")


def _lost(where: str, why: str, what: str) -> Issue:
    fix = "Change the file so that the node is in its scene and is neither a bone nor a camera."
    return Issue(Severity.ERROR, "node-not-imported", where, f"{why}, so {what} is left out.", fix)


class Faults:
    """What failed although the file says nothing wrong: it costs one node or settings block.

    Attributes:
        issues: one for each failure.
    """

    def __init__(self) -> None:
        self.issues: list[Issue] = []

    def note(self, name: str, node: int | None, error: Exception) -> None:
        """Note a failure, with its cause on standard error for whoever reports it."""
        traceback.print_exception(error, file=sys.stderr)
        message = f"Its physics could not be imported whole: {error!r}."
        fix = "Set what is missing by hand, and report this."
        self.issues.append(Issue(Severity.ERROR, "import-failed", name, message, fix, node))
