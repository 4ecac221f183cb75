# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stage does not say of its units, says wrong, or its layers say otherwise, is told."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pxr", reason="USD takes pxr: pip install usd-core")

from omi_physics_joint.model.issue import Issue
from omi_physics_joint.usd import stage as door

METRES = 'metersPerUnit = 1\nupAxis = "Y"'
CENTIMETRES = 'metersPerUnit = 0.01\nupAxis = "Y"'
INCHES_Z = 'metersPerUnit = 0.0254\nupAxis = "Z"'
BOX = 'def Xform "Box"\n{\n}\n'


def found(folder: Path, head: str, prims: str = BOX, **others: str) -> list[Issue]:
    """Return what is said of the measures of a stage, with other layers beside it."""
    for name, text in others.items():
        (folder / f"{name}.usda").write_text(f'#usda 1.0\n(defaultPrim = "Box"\n{text})\n{BOX}')
    path = folder / "set.usda"
    path.write_text(f"#usda 1.0\n({head}\n)\n{prims}", encoding="utf-8")
    return [one for one in door.read(path).troubles if one.code.startswith("usd-measures")]


def brought(arc: str = "references", scale: float = 1.0, about_x: float = 0.0) -> str:
    """Return a prim below one that is scaled, which brings in a layer and is turned."""
    return (
        f'def Xform "Set"\n{{\ndouble3 xformOp:scale = ({scale}, {scale}, {scale})\n'
        'uniform token[] xformOpOrder = ["xformOp:scale"]\n'
        f'def Xform "Prop" (\n{arc} = @asset.usda@\n)\n{{\nfloat xformOp:rotateX = {about_x}\n'
        'uniform token[] xformOpOrder = ["xformOp:rotateX"]\n}\n}\n'
    )


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (METRES, ""),
        (INCHES_Z, ""),
        ("", "metersPerUnit and upAxis: 1 counts as 0.01 m"),
        ('upAxis = "Z"', "metersPerUnit: 1 counts as 0.01 m, and Z is up"),
        ("metersPerUnit = 1", "upAxis: 1 counts as 1 m, and Y is up"),
        ('metersPerUnit = 0\nupAxis = "Y"', "metersPerUnit is 0"),
        ('metersPerUnit = -1\nupAxis = "Y"', "metersPerUnit is -1"),
        ('metersPerUnit = 1\nupAxis = "z"', 'upAxis is "z"'),
        ('metersPerUnit = 1\nupAxis = "X"', 'upAxis is "X"'),
    ],
)
def test_what_is_unsaid_or_senseless_is_told(head: str, said: str, tmp_path: Path) -> None:
    """A door of metres was one of centimetres, or lay on its side, and nobody said so."""
    issues = found(tmp_path, head)
    assert len(issues) == bool(said)
    assert all(said in issue.message for issue in issues)


@pytest.mark.parametrize("arc", ["references", "prepend payload"])
def test_a_layer_of_other_measures_is_told_with_who_brings_it(arc: str, tmp_path: Path) -> None:
    """USD converts nothing; what is scaled and turned to make up for it is right."""
    size, side = found(tmp_path, METRES, brought(arc), asset=INCHES_Z)
    assert "39.3701 times as large" in size.message
    assert "Scale by 0.0254" in size.fix
    assert "on its side" in side.message
    assert all("/Set/Prop" in one.fix and one.where == "asset.usda" for one in (size, side))
    assert not found(tmp_path, METRES, brought(arc, 0.0254, -90.0), asset=INCHES_Z)
    assert [side] == found(tmp_path, METRES, brought(arc, 0.0254), asset=INCHES_Z)
    assert [size] == found(tmp_path, METRES, brought(arc, 1.0, -90.0), asset=INCHES_Z)
    assert not found(tmp_path, METRES, brought(arc), asset=METRES)


def test_a_layer_that_says_nothing_or_brings_looks_alone_is_no_matter(tmp_path: Path) -> None:
    """Materials have no size."""
    assert not found(tmp_path, METRES, brought(), asset="")
    looks = 'def Material "Looks" (\nreferences = @asset.usda@</Steel>\n)\n{\n}\n'
    (tmp_path / "asset.usda").write_text(f'#usda 1.0\n({CENTIMETRES}\n)\ndef Material "Steel" {{}}')
    assert not found(tmp_path, METRES, looks)


def test_a_sublayer_of_other_measures_is_told(tmp_path: Path) -> None:
    """Nothing can make up for it."""
    head = f"{METRES}\nsubLayers = [@asset.usda@]"
    (issue,) = found(tmp_path, head, asset=CENTIMETRES)
    assert "100 times as large" in issue.message
    assert not found(tmp_path, head, asset=METRES)
