# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples of the three extensions, read, written and read again."""

from __future__ import annotations

import json
from pathlib import Path

import pygltflib
import pytest
from omi_mechanisms import resolved
from omi_schema import schema_errors

from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.document.new_nodes import Numbering
from omi_physics_joint.gltf.read import read
from omi_physics_joint.gltf.write import patched, spell
from omi_physics_joint.model.mechanism import Mechanism
from omi_physics_joint.model.shape import Box, Capsule
from omi_physics_joint.model.wording.describe import special_name

JOINTS = {
    "hanging_rope": (3, "Pin"),
    "pendulum_balls": (3, ""),
    "rope_railing": (6, "Pin"),
    "simple_joint": (1, "Pin"),
    "slider_ball": (1, "Slider"),
    "swing_and_slide": (1, ""),
    "weld_joint": (1, "Weld"),
}


@pytest.fixture(scope="session")
def all_examples(example_files: Path) -> list[Path]:
    """All examples of joints, bodies and shapes."""
    return sorted(example_files.glob("examples*/**/*.gltf"))


def spelled(path: Path) -> tuple[Mechanism, dict[str, object]]:
    """Return what is read of a file, and the file with that written into it."""
    gltf = load(path).json
    mechanism = read(gltf).mechanism
    spelling = spell(
        mechanism,
        Numbering(
            {i: i for i in range(len(mechanism.nodes))},
            {i: i for i in range(len(mechanism.meshes))},
        ),
    )
    return mechanism, patched(gltf, spelling)


def test_all_examples_are_read_without_an_issue(all_examples: list[Path]) -> None:
    """Nothing in an example is missed, changed or complained about."""
    assert len(all_examples) == 26
    issues = {path.name: read(load(path).json).issues for path in all_examples}
    assert {name: found for name, found in issues.items() if found} == {}


def test_examples_survive_being_written(all_examples: list[Path]) -> None:
    """Every joint, limit, body, shape and pose is the same after writing and reading again."""
    for path in all_examples:
        mechanism, gltf = spelled(path)
        assert resolved(read(gltf).mechanism) == resolved(mechanism), path.name


def test_examples_keep_to_our_schemas(all_examples: list[Path]) -> None:
    """Our own schemas accept all examples, before and after they are written."""
    for path in all_examples:
        assert schema_errors(json.loads(path.read_text())) == [], path.name
        assert schema_errors(spelled(path)[1]) == [], path.name


@pytest.mark.parametrize("name", JOINTS)
def test_joints_of_examples_are_what_they_are_called(example_files: Path, name: str) -> None:
    """Each file holds the joints that its name and text promise."""
    mechanism = read(load(example_files / "examples" / f"{name}.gltf").json).mechanism
    found = [special_name(mechanism.settings_of(joint)) for _, _, joint in mechanism.joints()]
    count, special = JOINTS[name]
    assert found == [special] * count


def test_both_ends_of_all_joints_coincide(example_files: Path) -> None:
    """World matrices are composed rightly: each joint node lies on its connected node."""
    for name in JOINTS:
        mechanism = read(load(example_files / "examples" / f"{name}.gltf").json).mechanism
        for _, node, joint in mechanism.joints():
            other = mechanism.nodes[joint.connected_node]
            for row, other_row in zip(node.world, other.world, strict=True):
                assert row == pytest.approx(other_row, abs=2e-6), name


@pytest.mark.long
def test_pygltflib_finds_the_same_joints_in_what_we_write(
    example_files: Path, tmp_path: Path
) -> None:
    """An independent reader sees the joint, its settings and its connected node."""
    for name in JOINTS:
        mechanism, gltf = spelled(example_files / "examples" / f"{name}.gltf")
        target = tmp_path / f"{name}.gltf"
        target.write_text(json.dumps(gltf))
        independent = pygltflib.GLTF2().load_json(str(target))
        assert "OMI_physics_joint" in independent.extensionsUsed
        listed = independent.extensions["OMI_physics_joint"]["physicsJoints"]
        for index, _, joint in mechanism.joints():
            extension = independent.nodes[index].extensions["OMI_physics_joint"]
            assert extension["connectedNode"] == joint.connected_node
            assert extension["joint"] < len(listed)


def test_older_capsules_and_bare_boxes_are_understood(example_files: Path) -> None:
    """One radius: the height counts both ends. A box without a block has the default size."""
    rope = load(example_files / "examples" / "hanging_rope.gltf").json
    says = rope["extensions"]["OMI_physics_shape"]["shapes"][1]["capsule"]
    height, radius = says["height"], says["radius"]
    assert read(rope).mechanism.shapes[1] == Capsule(height - 2.0 * radius, radius, radius)
    box = read(load(example_files / "examples_shape" / "default_box.gltf").json).mechanism
    assert box.shapes == (Box((1.0, 1.0, 1.0)),)
