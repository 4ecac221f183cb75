# SPDX-License-Identifier: GPL-3.0-or-later
"""What the harness asks of an engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..scene import Array, Scene

GRID = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
"""Substeps a frame that every engine is tried at."""


class NotHereError(Exception):
    """An engine is not installed, or cannot build a scene; its text says which and why."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Poses and velocities of all bodies in one moment, see ``Path``."""

    positions: Array
    rotations: Array
    velocities: Array | None = None
    spins: Array | None = None


class Run(Protocol):
    """One scene in one engine."""

    def frame(self) -> None:
        """Advance by one output frame; only this is timed."""

    def snapshot(self) -> Snapshot:
        """Return where everything is."""

    def close(self) -> None:
        """Give back what the run holds."""


class Engine(Protocol):
    """An engine with one way of integrating.

    It is tried at substeps a frame; at others if it has ``settings``, coarse ones first, with a
    ``label`` for each, and one of them its ``default``.
    """

    name: str
    version: str

    def build(self, scene: Scene, setting: int, /) -> Run:
        """Build a scene at rest.

        Raises:
            NotHereError: the engine cannot hold the scene.
        """
