# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes what is asked of the graphics card and of fonts, as lines: not every Blender has a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mathutils import Matrix, Vector


def numbers(several: Iterable[float], digits: int = 4) -> str:
    """Return numbers as a short text."""
    return "(" + " ".join(f"{round(float(one), digits) + 0.0:g}" for one in several) + ")"


def points_said(points: Any) -> str:
    """Return how many points there are, between which corners, and where their middle is."""
    found = np.asarray(points, dtype=float)
    low, high, middle = found.min(0), found.max(0), found.mean(0)
    return f"{len(found)} points {numbers(low)}..{numbers(high)} about {numbers(middle)}"


class NotedCard:
    """Stands where drawing code has ``gpu``, ``blf`` and ``batch_for_shader``."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._stack: list[Matrix] = [Matrix.Identity(4)]
        self._depth = "NONE"

    def put_in(self, patch: pytest.MonkeyPatch, module: ModuleType) -> None:
        """Let the code of a module draw here."""
        shader = SimpleNamespace(from_builtin=lambda name: _Shader(self, name))
        matrix = SimpleNamespace(
            push_pop=self._kept,
            push_pop_projection=self._kept,
            load_identity=lambda: self._set(Matrix.Identity(4)),
            load_projection_matrix=lambda given: self._note("projection", *map(numbers, given)),
            multiply_matrix=lambda given: self._set(self._stack[-1] @ given),
        )
        state = SimpleNamespace(
            depth_test_get=lambda: self._depth,
            depth_test_set=lambda name: self._note("depth", name),
            depth_mask_set=lambda on: self._note("depth mask", str(on)),
            blend_set=lambda name: self._note("blend", name),
        )
        card = SimpleNamespace(shader=shader, matrix=matrix, state=state)
        blf = SimpleNamespace(
            SHADOW="shadow",
            size=lambda _font, size: self._note("font size", f"{size:g}"),
            dimensions=lambda _font, text: (7.0 * len(text), 10.0),
            color=lambda _font, *color: self._note("text colour", numbers(color)),
            position=lambda _font, *place: self._note("text at", numbers(place)),
            draw=lambda _font, text: self._note("text", f'"{text}"'),
            enable=lambda _font, what: self._note("text with", what),
            disable=lambda _font, what: self._note("text without", what),
            shadow=lambda _font, *how: self._note("shadow", str(how[0]), numbers(how[1:])),
        )
        stands = {"gpu": card, "blf": blf, "batch_for_shader": self._batch}
        for name, stand in stands.items():
            if hasattr(module, name):
                patch.setattr(module, name, stand)

    def taken(self) -> list[str]:
        """Return what was noted since the last time."""
        found, self.lines = self.lines, []
        return found

    def _note(self, *words: str) -> None:
        self.lines.append(" ".join(words))

    def _set(self, matrix: Matrix) -> None:
        self._stack[-1] = matrix

    @contextmanager
    def _kept(self) -> Iterator[None]:
        self._stack.append(self._stack[-1].copy())
        yield
        self._stack.pop()

    def _batch(self, shader: _Shader, kind: str, data: dict[str, Any], **_: Any) -> _Batch:
        return _Batch(self, kind, data)


class _Shader:
    def __init__(self, card: NotedCard, name: str) -> None:
        self._card, self._name, self._given = card, name, ""

    def bind(self) -> None:
        """Take it."""
        self._card._note("shader", self._name)

    def uniform_float(self, name: str, value: Any) -> None:
        """Note a number that the shader is given."""
        told = numbers(value) if hasattr(value, "__len__") else f"{value:g}"
        self._given += f" {name} {told}"

    def draw(self, what: str) -> None:
        """Note what is drawn, with the numbers that were given since the last time."""
        self._card._note(f"{self._name}{self._given}", what)
        self._given = ""


class _Batch:
    def __init__(self, card: NotedCard, kind: str, data: dict[str, Any]) -> None:
        self._card, self._kind, self._data = card, kind, data

    def draw(self, shader: _Shader) -> None:
        """Note what is drawn, where the matrix puts it."""
        world = self._card._stack[-1]
        placed = [world @ Vector((*map(float, one), 0.0)[:3]) for one in self._data["pos"]]
        shader.draw(f"{self._kind.lower()} {points_said(placed)}")
