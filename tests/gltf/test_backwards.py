# SPDX-License-Identifier: GPL-3.0-or-later
"""In which order nodes stand in a file means nothing: read from the last one on it is the same."""

from __future__ import annotations

import re

import pytest

from omi_physics_joint.gltf.read import read
from omi_physics_joint.model.changes.changes import changes
from omi_physics_joint.model.changes.pairing import with_same_names
from omi_physics_joint.model.contents import Contents
from tests.godot.odd_bodies import omissions, surfaces, trees
from tests.godot.odd_documents import Json, backwards
from tests.godot.odd_joints import joints

FILES = omissions() | surfaces() | trees() | joints()


def said(gltf: Json) -> list[str]:
    """Return what is said of a file, without numbers of nodes."""
    return sorted(re.sub(r"(node |nodes/|#)\d+", r"\1N", str(one)) for one in read(gltf).issues)


@pytest.mark.parametrize("sentence", FILES)
def test_a_file_means_the_same_backwards(sentence: str) -> None:
    """What joints, bodies and shapes there are, and what is wrong with them."""
    gltf = FILES[sentence]
    turned = backwards(gltf)
    assert backwards(turned) == gltf
    one, other = (Contents(read(those).mechanism) for those in (gltf, turned))
    assert [str(change) for change in changes(*with_same_names((one, other)))] == []
    assert said(gltf) == said(turned)
