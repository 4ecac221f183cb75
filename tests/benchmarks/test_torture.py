# SPDX-License-Identifier: GPL-3.0-or-later
"""What `make torture` damages was sound before."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from omi_schema import schema_errors

from benchmarks.torture import damaged_formats
from benchmarks.torture.cases import FoundError
from benchmarks.torture.documents import document, write
from benchmarks.torture.hostile import HOSTILE
from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read


@pytest.mark.long
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


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_made(kind: str, tmp_path: Path) -> None:
    """Each kind for some seeds, of a name that a command reads."""
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = HOSTILE[kind](Random(seed), folder)
        assert path.is_file()
        assert path.suffix in damaged_formats.SOUND


@pytest.mark.long
@pytest.mark.parametrize(
    ("bound", "value", "said"), [("MEMORY", 1, "MB"), ("SECONDS", 0.0, "done"), ("CODES", {7}, "2")]
)
def test_command_that_takes_too_much_is_a_failure(
    bound: str, value: object, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of memory or of time, or that ends otherwise than promised."""
    words = ["check", str(tmp_path / "gone.glb")]
    assert damaged_formats.ended(words, "check") == 3
    monkeypatch.setattr(damaged_formats, bound, value)
    with pytest.raises(FoundError, match=said):
        damaged_formats.ended(words, "check")
