# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make bench-babylon` gives to Babylon is what the text of the extensions wants."""

from __future__ import annotations

from pathlib import Path

import pytest
from omi_schema import schema_errors

from benchmarks.babylon.cases import cases
from benchmarks.babylon.known import KNOWN
from benchmarks.godot.documents import write
from omi_physics_joint.gltf.dialects import Spoken
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.geometry.transform import Matrix
from omi_physics_joint.model.target import Target


def flat(world: Matrix) -> list[float]:
    """Return the numbers of a matrix."""
    return [number for row in world for number in row]


@pytest.mark.long
def test_cases_are_files_without_a_fault(tmp_path: Path) -> None:
    """Each is spelled by the product, keeps to our schemas, and is read without an issue."""
    for name, case in cases().items():
        write(case, tmp_path / "case.gltf", Target.SPECIFIED, (Spoken.KHR,))
        gltf = load(tmp_path / "case.gltf").json
        assert schema_errors(gltf) == [], name
        reading = read(gltf)
        assert reading.issues == (), name
        for before, after in zip(case.mechanism.nodes, reading.mechanism.nodes, strict=True):
            assert flat(after.world) == pytest.approx(flat(before.world), abs=1e-9), name


def test_reasons_are_of_cases_that_there_are() -> None:
    """No reason stays behind when a case gets another name."""
    assert set(KNOWN) <= set(cases())
