# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages and the commands that read files: what goes from one format to another, and what not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pxr", reason="USD takes pxr: pip install usd-core")

from pxr import UsdPhysics
from usd.authored import elbow

from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.document.files import glb_bytes
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.model.body import Collider, Motion, MotionType
from omi_physics_joint.model.contents import Contents
from omi_physics_joint.model.mechanism import Mechanism, Node
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.model.solid import Triangles
from omi_physics_joint.usd import stage as door
from omi_physics_joint.usd.reading.read import contents_of
from omi_physics_joint.usd.writing.write import written


def test_a_stage_is_converted_checked_and_simulated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every command that reads files."""
    file, out = tmp_path / "elbow.usda", tmp_path / "elbow.glb"
    stage = elbow()
    stage.GetRootLayer().Export(str(file))
    assert main(["convert", str(file), str(out)]) == 0
    assert main(["check", str(file)]) == 0
    assert main(["info", str(file)]) == 0
    assert main(["diff", str(file), str(out)]) == 0
    assert "Joint" in capsys.readouterr().out


def test_equal_meshes_of_other_names_are_no_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stage has one mesh of what is three in the .glb; another mesh is a change."""
    peak = Triangles(
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.3, 0.3, 0.7)),
        ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)),
    )
    blunt = replace(peak, points=(*peak.points[:3], (0.3, 0.3, 0.2)))
    names = ("Rope", "Rope 2", "Rope 3")
    nodes = tuple(
        Node(name, motion=Motion(MotionType.DYNAMIC), collider=Collider(number))
        for number, name in enumerate(names)
    )
    shapes = tuple(Convex(number) for number in range(3))
    mechanism = Mechanism(nodes, shapes=shapes, meshes=names)
    files = [tmp_path / name for name in ("same.usda", "same.glb", "other.usda")]
    for file, last in zip(files, (peak, peak, blunt), strict=True):
        stage = written(Contents(mechanism, (peak, peak, last)))[0]
        stand = file.with_suffix(".usda")
        stand.write_bytes(door.encoded(stage, ".usda"))
        if file != stand:
            document = fresh_document(Contents(mechanism, (peak, peak, last)), file)[0]
            file.write_bytes(glb_bytes(document.json, document.binary))
    assert main(["diff", str(files[1]), str(files[0])]) == 0
    assert main(["diff", str(files[0]), str(files[1])]) == 0
    assert main(["diff", str(files[1]), str(files[2])]) == 1
    assert "Rope 3: collider convex" in capsys.readouterr().out


def test_what_no_gltf_can_say_goes_from_stage_to_stage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What breaks a joint, that it is muted, that a body sleeps; in glTF each is named."""
    file, out = tmp_path / "elbow.usda", tmp_path / "out.usda"
    stage = elbow()
    joint = UsdPhysics.Joint(next(p for p in stage.Traverse() if p.IsA(UsdPhysics.Joint)))
    joint.CreateBreakForceAttr(12.0)
    joint.CreateJointEnabledAttr(False)
    body = next(p for p in stage.Traverse() if p.HasAPI(UsdPhysics.RigidBodyAPI))
    UsdPhysics.RigidBodyAPI(body).CreateStartsAsleepAttr(True)
    stage.GetRootLayer().Export(str(file))
    assert main(["convert", str(file), str(out)]) == 0
    (was, now) = (contents_of(door.read(one))[0].mechanism for one in (file, out))
    for mechanism in (was, now):
        ((_, _, said),) = mechanism.all_joints()
        assert (said.breaking is not None, said.enabled) == (True, False)
        assert any(node.motion and node.motion.starts_asleep for node in mechanism.nodes)
    capsys.readouterr()
    assert main(["convert", str(file), str(tmp_path / "out.glb")]) == 0
    lost = capsys.readouterr().err
    assert "a joint is muted" in lost
    assert "starts asleep" in lost
