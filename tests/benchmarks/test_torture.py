# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make torture` damages was sound before."""

from __future__ import annotations

from pathlib import Path
from random import Random

from omi_schema import schema_errors

from benchmarks.torture.documents import document, write
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read


def test_documents_are_sound_and_hold_joints(tmp_path: Path) -> None:
    """Each keeps to our schemas, and its joints are read."""
    joints = 0
    for seed in range(6):
        chance = Random(seed)
        write(document(chance), tmp_path / "sound.glb", chance, hurt=False)
        gltf = load(tmp_path / "sound.glb").json
        assert schema_errors(gltf) == [], seed
        joints += len(list(read(gltf).mechanism.joints()))
    assert joints > 6
