# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples of the three extensions, through Blender and out again."""

from __future__ import annotations

from pathlib import Path

import pygltflib
import pytest
from omi_compare import described, facts
from omi_differences import differences
from omi_export import export, import_file, issues, worlds

from omi_physics_joint.gltf.document.files import load
from omi_physics_joint.gltf.read import read

FILES = (
    "examples/hanging_rope",
    "examples/pendulum_balls",
    "examples/rope_railing",
    "examples/simple_joint",
    "examples/slider_ball",
    "examples/swing_and_slide",
    "examples/weld_joint",
    "examples_body/basic/compound_trigger",
    "examples_body/basic/dynamic_box",
    "examples_body/basic/trigger_box",
    "examples_body/complex/ball_pit",
    "examples_body/complex/dynamic_with_velocity",
    "examples_body/complex/indirect_children",
    "examples_body/complex/static_body_motion",
    "examples_body/complex/static_compound_collider",
    "examples_body/complex/static_with_trigger",
    "examples_body/complex/two_boxes",
    "examples_shape/box_collider",
    "examples_shape/capsule_collider",
    "examples_shape/convex/convex_hull",
    "examples_shape/convex/convex_hull_only",
    "examples_shape/cylinder_collider",
    "examples_shape/default_box",
    "examples_shape/sphere_collider",
    "examples_shape/trimesh/concave_trimesh",
    "examples_shape/trimesh/concave_trimesh_only",
)


TOO_SOFT = {
    f"examples/{name}"
    for name in (
        "hanging_rope",
        "pendulum_balls",
        "rope_railing",
        "simple_joint",
        "slider_ball",
        "swing_and_slide",
    )
}
"""Files whose limits have numbers of softness where N/m are meant; the import says so."""


def test_no_example_is_left_out(example_files: Path) -> None:
    """The list of this module holds every example."""
    found = {
        path.relative_to(example_files).with_suffix("").as_posix()
        for path in example_files.glob("examples*/**/*.gltf")
    }
    assert found == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_example_survives_blender(example_files: Path, tmp_path: Path, name: str) -> None:
    """Every joint, limit, drive, body, shape, material, filter and pose comes back equal."""
    source = example_files / f"{name}.gltf"
    expected = {"soft-limits-held"} if name in TOO_SOFT else set()
    assert set(import_file(source)) == expected, "nothing else is said of an example"
    target = tmp_path / "again.gltf"
    again = export(target, export_cameras=True)
    assert not {"joint-without-partner", "joint-without-settings"} & set(issues())
    original = load(source).json
    # Our own reader: everything, unknown members included.
    before, after = described(read(original).mechanism), described(read(again).mechanism)
    assert differences(before, after) == []
    # World matrices, composed in this test.
    poses = [
        {node["name"]: world.tolist() for node, world in zip(gltf["nodes"], found, strict=True)}
        for gltf, found in ((original, worlds(original)), (again, worlds(again)))
    ]
    assert differences(*poses) == []
    # pygltflib, which shares no code with us.
    independent = [facts(pygltflib.GLTF2().load(str(path))) for path in (source, target)]
    assert differences(*independent) == []


def test_a_changed_bound_is_noticed(example_files: Path) -> None:
    """The comparisons of this module see a bound that moved by a hundredth of a millimetre."""
    source = example_files / "examples" / "slider_ball.gltf"
    original = load(source).json
    before = described(read(original).mechanism)
    independent = pygltflib.GLTF2().load(str(source))
    untouched = facts(independent)
    for gltf in (original["extensions"], independent.extensions):
        limits = gltf["OMI_physics_joint"]["physicsJoints"][0]["limits"]
        ranged = next(limit for limit in limits if limit.get("min") != limit.get("max"))
        ranged["max"] += 1e-5
    assert differences(before, described(read(original).mechanism)) != []
    assert differences(untouched, facts(independent)) != []
