# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinematic bodies that an animation of a stage leads: read, simulated, and written again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pxr")
from pxr import Gf, Usd, UsdGeom, UsdPhysics

from omi_physics_joint.cli.command import main
from omi_physics_joint.gltf.animated.animation import moving_poses, read_tracks
from omi_physics_joint.gltf.fresh import fresh_document
from omi_physics_joint.gltf.read import read_document
from omi_physics_joint.model.geometry.transform import Matrix
from omi_physics_joint.usd import stage
from omi_physics_joint.usd.reading.read import contents_of

LAST, RATE = 48.0, 24.0


def stage_with(
    path: Path, *, up: str = "Z", meters: float = 0.01, dynamic: bool = False, first: float = 0.0
) -> None:
    """Write a crank that goes round twice in two seconds on a cart that drives along X."""
    made = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(made, up)
    UsdGeom.SetStageMetersPerUnit(made, meters)
    made.SetTimeCodesPerSecond(RATE)
    if first:  # a film begins at 1001
        made.SetStartTimeCode(first)
        made.SetEndTimeCode(first + LAST)
    cart = UsdGeom.Xform.Define(made, "/Cart")
    drive = cart.AddTranslateOp()
    drive.Set(Gf.Vec3d(0.0), first)
    drive.Set(Gf.Vec3d(1.0 / meters, 0.0, 0.0), first + LAST)
    crank = UsdGeom.Xform.Define(made, "/Cart/Crank")
    crank.AddTranslateOp().Set(Gf.Vec3d(0.0, 0.0, 0.5 / meters))
    turn = crank.AddRotateZOp()
    turn.Set(20.0, first)
    turn.Set(20.0 + 720.0, first + LAST)
    body = UsdPhysics.RigidBodyAPI.Apply(crank.GetPrim())
    body.CreateKinematicEnabledAttr(not dynamic)
    made.Save()


def meant(path: Path, times: list[float]) -> list[Any]:
    """Return where pxr has the crank, in m, with columns that are axes."""
    opened = Usd.Stage.Open(str(path))
    meters = UsdGeom.GetStageMetersPerUnit(opened)
    found = []
    for time in times:
        cache = UsdGeom.XformCache(opened.GetStartTimeCode() + time * RATE)
        world = np.array(cache.GetLocalToWorldTransform(_crank(opened))).T
        world[:3, 3] *= meters
        found.append(world)
    return found


def _crank(opened: Any) -> Any:
    return next(prim for prim in opened.Traverse() if prim.GetName() == "Crank")


def read_poses(path: Path, times: list[float], folder: Path) -> list[Matrix]:
    """Return where the document of a stage has it, Y up."""
    contents, issues = contents_of(stage.read(path))
    assert issues == ()
    document, lost = fresh_document(contents, folder / "x.gltf")
    assert lost == ()
    tracks, unread = read_tracks(document)
    assert unread == []
    mechanism = read_document(document).mechanism
    index = next(i for i, node in enumerate(mechanism.nodes) if node.name == "Crank")
    return list(moving_poses(mechanism, tracks, index, times) or ())


@pytest.mark.parametrize(("up", "meters", "first"), [("Z", 0.01, 0.0), ("Y", 1.0, 1001.0)])
def test_a_pose_that_changes_is_read_as_it_is_meant(
    up: str, meters: float, first: float, tmp_path: Path
) -> None:
    """Through whole turns, below a node that is led too, in any axes and units, from the start."""
    path = tmp_path / "crank.usda"
    stage_with(path, up=up, meters=meters, first=first)
    times = [0.0, 0.3, 0.51, 1.0, 1.77, 2.0]
    turn = np.eye(4)
    if up == "Z":  # its Z is our Y
        turn[:3, :3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
    for ours, theirs in zip(read_poses(path, times, tmp_path), meant(path, times), strict=True):
        assert np.array(ours) == pytest.approx(turn @ theirs @ turn.T, abs=2e-3)


@pytest.mark.parametrize("has_end", [False, True])
def test_a_film_begins_where_the_stage_says(has_end: bool, tmp_path: Path) -> None:
    """Also where it does not say where it ends."""
    path = tmp_path / "film.usda"
    made = Usd.Stage.CreateNew(str(path))
    made.SetStartTimeCode(1001.0)
    if has_end:
        made.SetEndTimeCode(1025.0)
    made.Save()
    assert stage.read(path).start == 1001.0


def test_it_comes_back_on_a_stage(tmp_path: Path) -> None:
    """Time samples again, 24 a second, at the same times."""
    path, again = tmp_path / "crank.usda", tmp_path / "again.usda"
    stage_with(path, up="Y", meters=1.0)
    assert main(["convert", str(path), str(again)]) == 0
    times = [0.0, 0.25, 1.0, 1.5, 2.0]
    for ours, theirs in zip(meant(again, times), meant(path, times), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("up", ["Y", "Z"])
def test_it_comes_back_above_a_stage(up: str, tmp_path: Path) -> None:
    """What a layer adds to a stage is led too, whichever axis is up there."""
    path, below, above = (tmp_path / f"{name}.usda" for name in ("crank", "below", "above"))
    stage_with(path, meters=1.0)
    made = Usd.Stage.CreateNew(str(below))
    UsdGeom.SetStageUpAxis(made, up)
    UsdGeom.SetStageMetersPerUnit(made, 1.0)
    made.DefinePrim("/Hall", "Xform")
    made.Save()
    assert main(["convert", str(path), str(above), "--over", str(below)]) == 0
    times = [0.0, 0.3, 1.0, 1.77, 2.0]
    again = read_poses(above, times, tmp_path)
    assert len(again) == len(times)
    assert np.array(again) == pytest.approx(np.array(read_poses(path, times, tmp_path)), abs=1e-5)


def test_it_goes_through_gltf_and_comes_back(tmp_path: Path) -> None:
    """The animation of a glTF file leads the body on a stage."""
    path, glb, again = (tmp_path / name for name in ("crank.usda", "crank.glb", "again.usda"))
    stage_with(path, up="Y", meters=1.0)
    assert main(["convert", str(path), str(glb)]) == 0
    assert main(["convert", str(glb), str(again), "--strict"]) == 0
    times = [0.0, 0.25, 1.0, 1.5, 2.0]
    for ours, theirs in zip(meant(again, times), meant(path, times), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
def test_robots_are_told_that_they_lose_it(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither MJCF nor URDF has animations: strict refuses."""
    path = tmp_path / "crank.usda"
    stage_with(path)
    assert main(["convert", str(path), str(tmp_path / f"crank{suffix}"), "--strict"]) == 1
    assert "2 nodes (Cart and Crank) are moved by an animation" in capsys.readouterr().err


def test_what_forces_move_is_not_led(tmp_path: Path) -> None:
    """Its animation stays behind, and that is said."""
    path = tmp_path / "crank.usda"
    stage_with(path, dynamic=True)
    contents, issues = contents_of(stage.read(path))
    assert [issue.code for issue in issues] == ["usd-animated-pose"]
    assert len(contents.led) == 1  # the cart


def test_a_led_body_moves_in_a_simulation(tmp_path: Path) -> None:
    """``simulate`` of the stage drives the cart along, and its crank with it."""
    path, out = tmp_path / "crank.usda", tmp_path / "out.json"
    stage_with(path, up="Y", meters=1.0)
    assert main(["simulate", str(path), "--seconds", "1", "--json", str(out)]) == 0
    places = json.loads(out.read_text())["bodies"]["Crank"]["translation"]
    assert places[0] == pytest.approx([0.0, 0.0, 0.5])
    assert places[-1] == pytest.approx([0.5, 0.0, 0.5], abs=1e-5)
