# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stage names and what is not there is an error, and so is a prim that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pxr", reason="USD takes pxr: pip install usd-core")

from omi_physics_joint.cli.command import main
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.usd import stage as door
from omi_physics_joint.usd.reading.read import contents_of

CUBE = 'def Cube "Mine" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}\n'
BODY = f'#usda 1.0\n(\ndefaultPrim = "Mine"\n)\n{CUBE}'


def prim(name: str, *arcs: str, more: str = "") -> str:
    """Return a prim with composition arcs."""
    said = "\n".join(arcs)
    return f'def Xform "{name}" (\n{said}\n)\n{{\n{more}}}\n'


def stage(folder: Path, *prims: str, layer: str = "") -> Path:
    """Write a stage with a body that is whole beside the others."""
    path = folder / "robot.usda"
    path.write_text(f"#usda 1.0\n(\n{layer}\n)\n{CUBE}{''.join(prims)}", encoding="utf-8")
    return path


def errors(path: Path, below: str = "") -> list[Issue]:
    """Return the errors of what was read, with the body that is whole."""
    contents, issues = contents_of(door.read(path, below))
    if not below:
        assert "Mine" in [node.name for node in contents.mechanism.nodes]
    return [issue for issue in issues if issue.severity is Severity.ERROR]


@pytest.mark.parametrize(
    "arc",
    [
        "references = @gone.usda@",
        "references = @gone.usd@</Some/Prim>",
        "prepend payload = @gone.usdc@",
        "references = [@body.usda@, @deep/er/gone.usdz@]",
        "references = @http://nowhere.invalid/gone.usda@",
        "references = @/nowhere/gone.usda@",
    ],
)
@pytest.mark.parametrize("kind", ["plain", "inside", "instance", "camera"])
def test_file_that_is_gone_is_named_with_its_prim(arc: str, kind: str, tmp_path: Path) -> None:
    """Of any prim, one in an instance and one that is no matter here among them."""
    (tmp_path / "body.usda").write_text(BODY)
    at = "/Arm"
    arm = prim("Arm", arc)
    if kind == "inside":
        at, arm = "/Robot/Arm", prim("Robot", more=arm)
    elif kind == "camera":
        arm = arm.replace("Xform", "Camera")
    elif kind == "instance":
        (tmp_path / "hand.usda").write_text(
            f'#usda 1.0\n(\ndefaultPrim = "Hand"\n)\n{prim("Hand", more=arm)}'
        )
        names = ("Left", "Right")
        arm = "".join(prim(n, "instanceable = true", "references = @hand.usda@") for n in names)
        at = "/Arm"
    (error,) = errors(stage(tmp_path, arm))
    assert error.code == "usd-file-missing"
    assert error.where.endswith(at)
    assert "gone.usd" in error.message
    assert str(tmp_path) not in error.message
    assert "\n" not in str(error)


def test_sublayer_that_is_gone_is_named_with_its_layer(tmp_path: Path) -> None:
    """That of the stage, and that of a layer that it takes in."""
    (error,) = errors(stage(tmp_path, layer="subLayers = [@gone.usda@]"))
    assert (error.code, error.where) == ("usd-file-missing", "robot.usda")
    (tmp_path / "body.usda").write_text(BODY.replace("(\n", "(\nsubLayers = [@gone.usda@]\n", 1))
    (error,) = errors(stage(tmp_path, prim("Arm", "references = @body.usda@")))
    assert "@gone.usda@ of layer @body.usda@" in error.message


def test_what_is_there_and_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    """No such prim, no default prim, a damaged file, a circle."""
    (tmp_path / "none.usda").write_text(f"#usda 1.0\n{CUBE}")
    (tmp_path / "damaged.usda").write_text("#usda 1.0\ndef {{{")
    arcs = ("@none.usda@", "@none.usda@</Gone>", "@damaged.usda@", "</Nowhere>", "</E>")
    arms = [prim(name, f"references = {arc}") for name, arc in zip("ABCDE", arcs, strict=True)]
    found = {error.where: error for error in errors(stage(tmp_path, *arms))}
    assert list(found) == ["/A", "/B", "/C", "/D", "/E"]
    assert found["/C"].code == "usd-file-missing"
    assert {found[name].code for name in ("/A", "/B", "/D", "/E")} == {"usd-not-composed"}


def test_what_is_switched_off_is_no_error(tmp_path: Path) -> None:
    """A prim that is not active, and a variant that is not chosen."""
    variants = (
        'variants = { string v = "on" }\nprepend variantSets = "v"',
        'variantSet "v" = {\n"on" {}\n"off" (references = @gone.usda@) {}\n}\n',
    )
    off = prim("Off", "active = false", "references = @gone.usda@")
    arm = prim("Arm", variants[0], more=variants[1])
    assert errors(stage(tmp_path, off, arm)) == []


@pytest.mark.parametrize(
    ("chosen", "told"), [("wide", ""), ("", ""), ("wyde", '"wyde" of "door", which is not there')]
)
def test_a_variant_that_is_not_there_is_told(chosen: str, told: str, tmp_path: Path) -> None:
    """What it should have said is missing: a hinge had no bounds."""
    sets = 'variantSet "door" = {\n"wide" {\n}\n"shut" {\n}\n}\n'
    choice = f'variants = {{\nstring door = "{chosen}"\n}}'
    arm = prim("Arm", choice, 'prepend variantSets = "door"', more=sets)
    found = [one for one in door.read(stage(tmp_path, arm)).troubles if "variant" in one.code]
    assert len(found) == bool(told)
    assert all(told in one.message and one.where == "/Arm" for one in found)


def test_part_of_a_stage_tells_of_itself_alone(tmp_path: Path) -> None:
    """What lacks elsewhere is no matter, what lacks in an instance may be."""
    arms = [prim(name, f"references = @{name}.usda@") for name in ("Arm", "Arm2")]
    path = stage(tmp_path, *arms, layer="subLayers = [@gone.usda@]")
    assert [error.where for error in errors(path, "/Arm")] == ["/Arm", "robot.usda"]
    assert [error.where for error in errors(path, "/Mine")] == ["robot.usda"]


@pytest.mark.parametrize(
    "value",
    ["double3 xformOp:transform = (0, 0, 0)", "token xformOp:translate = 'x'"],
)
def test_prim_that_cannot_be_read_is_named_and_the_rest_is_read(
    value: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With what is below it; the command says nothing of USD's own sources."""
    name = value.split()[1]
    posed = f'{value}\nuniform token[] xformOpOrder = ["{name}"]\n'
    path = stage(tmp_path, prim("Arm", more=posed + prim("Hand")))
    (error,) = errors(path)
    assert error.code == "usd-prim-unread"
    assert "2 prims (/Arm and /Arm/Hand)" in error.message
    for command in (["check"], ["info"], ["convert", "--overwrite"], ["simulate"]):
        ends = [str(tmp_path / "out.xml")] if "convert" in command else []
        assert main([*command, str(path), *ends]) == 1, command
    said = capfd.readouterr()
    assert ".cpp" not in said.out + said.err
    assert "Traceback" not in said.err


def test_stage_that_is_written_over_is_judged_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lacks below the layer that is written is said, and strict refuses."""
    path = stage(tmp_path, prim("Arm", "references = @gone.usda@"))
    whole = tmp_path / "whole.usda"
    whole.write_text(BODY)
    out = tmp_path / "over.usda"
    assert main(["convert", "--strict", "--over", str(path), str(whole), str(out)]) == 1
    assert not out.exists()
    assert "gone.usda" in capsys.readouterr().err
