# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers at the end of all numbers end in a sentence, and no command writes over what it reads."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door, glb

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.parser import plain_number
from omi_physics_joint.gltf.read import read
from omi_physics_joint.library import converted, offered

Gltf = dict[str, Any]
Captured = pytest.CaptureFixture[str]


def moving(**members: Any) -> Callable[[Gltf], None]:
    """Return what gives the door these members of its motion."""
    return lambda gltf: gltf["nodes"][2]["extensions"]["OMI_physics_body"]["motion"].update(members)


def standing(node: int, **members: Any) -> Callable[[Gltf], None]:
    """Return what gives a node these members."""
    return lambda gltf: gltf["nodes"][node].update(members)


EXTREMES = {
    **{f"velocity {x:g}": moving(linearVelocity=[x, x, x]) for x in (1e160, 1e300, 1e308)},
    **{f"spin {x:g}": moving(angularVelocity=[x, 0.0, 0.0]) for x in (1e160, 1e300, 1e308)},
    **{f"centre {x:g}": moving(centerOfMass=[x, x, 0.0]) for x in (1e160, 1e300, 1e308)},
    **{
        f"place {x:g} of {node}": standing(node, translation=[x, x, -x])
        for x in (1e160, 1e300, 1e308)
        for node in range(4)
    },
    **{f"mass {x:g}": moving(mass=x) for x in (1e-320, 1e308)},
    **{f"inertia {x:g}": moving(inertiaDiagonal=[x, 1.0, 1.0]) for x in (1e-320, 1e308)},
    **{f"scale {x:g}": standing(2, scale=[x, 1.0, 1.0]) for x in (1e-320, 1e-20, 1e308)},
}


@pytest.mark.parametrize("size", [1e103, 1e160, 1e308])
@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box"])
def test_sizes_whose_powers_are_beyond_all_numbers(
    kind: str, size: float, tmp_path: Path, capsys: Captured
) -> None:
    """Neither Check nor a writer of robots raises; what is a mesh there is refused in words."""
    radii = {"height": size, "radiusBottom": size, "radiusTop": 1.0}
    block = {"sphere": {"radius": size}, "box": {"size": [size] * 3}}.get(kind, radii)
    gltf = door()
    shape = {"type": kind, kind: block}
    gltf["extensions"]["OMI_physics_shape"] = {"shapes": [shape]}
    gltf["nodes"][2]["extensions"]["OMI_physics_body"]["collider"] = {"shape": 0}
    path = tmp_path / "m.glb"
    path.write_bytes(glb(gltf))
    assert main(["check", str(path)]) in (0, 1)
    code = main(["convert", str(path), str(tmp_path / "m.urdf")])
    assert code in (0, 1) or "has points farther away" in capsys.readouterr().err


@pytest.mark.parametrize("command_line", ["info", "check", "simulate --seconds 0.05", "convert"])
def test_sizes_beyond_single_precision_are_named(
    command_line: str, tmp_path: Path, capsys: Captured
) -> None:
    """A model of MuJoCo may say them; what shows them is left out, and that is said."""
    path = tmp_path / "m.xml"
    body = '<body name="a"><freejoint/><geom name="far" type="box" size="1e49 1 1"/></body>'
    path.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    verb, *options = command_line.split()
    if verb == "convert":
        options = [str(tmp_path / "m.glb")]
    assert main([verb, str(path), *options]) in (0, 1)
    out, err = capsys.readouterr()
    assert "warning: far: Its mesh has points farther away" in out + err


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_end_in_a_sentence(name: str, tmp_path: Path, capsys: Captured) -> None:
    """Either the motion is written with finite numbers, or one line says why there is none."""
    gltf = door()
    EXTREMES[name](gltf)
    path, out = tmp_path / "m.glb", tmp_path / "out.json"
    path.write_bytes(glb(gltf))
    code = main(["simulate", str(path), "--seconds", "0.05", "--json", str(out)])
    lines = capsys.readouterr().err.splitlines()
    assert not [line for line in lines if not line.startswith(("error: ", "warning: ", "hint: "))]
    assert out.exists() == (code != 3)
    if code == 3:
        assert "beyond what can be computed" in lines[-1]
    else:
        json.loads(out.read_text(), parse_constant=pytest.fail)


def test_infinite_mass_with_shapes_moves_as_kinematic(tmp_path: Path) -> None:
    """A body of infinite mass keeps its velocity whatever holds it, and nothing is raised."""
    gltf = door()
    moving(mass=float("inf"), linearVelocity=[1.0, 0.0, 0.0])(gltf)
    path, out = tmp_path / "m.glb", tmp_path / "out.json"
    path.write_bytes(glb(gltf))
    assert main(["simulate", str(path), "--seconds", "1", "--json", str(out)]) != 3
    places = json.loads(out.read_text())["bodies"]["Door"]["translation"]
    assert places[-1] == pytest.approx([2.0, 0.0, 0.0], abs=1e-9)


def test_numbers_of_many_digits_are_not_spelled_out() -> None:
    """The word for almost nothing is no text of a billion digits; others keep their value."""
    spelled = plain_number("-1e-999999999")
    assert float(spelled) == 0.0
    assert len(spelled) < 400
    for word in ("-1e1", "-2.5e-3", "-1E+300", "-4.9e-324"):
        plain = plain_number(word)
        assert float(plain) == float(word)
        assert "e" not in plain.lower()
    for word in ("-e", "--json", "1e5", "-inf", "-1e999"):
        assert plain_number(word) == word


def test_many_bodies_in_many_frames_are_refused(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would not fit into memory is refused before anything is computed."""
    path = tmp_path / "m.glb"
    path.write_bytes(glb(door()))
    monkeypatch.setattr(offered, "MOST_POSES", 119)
    assert main(["simulate", str(path), "--seconds", "1"]) == 3
    assert "2 bodies in 60 frames are more than 119 poses" in capsys.readouterr().err
    monkeypatch.setattr(offered, "MOST_POSES", 120)
    assert main(["simulate", str(path), "--seconds", "1"]) == 0


class Counted(int):
    """An index that counts how often it is compared."""

    compared = 0
    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return int(self) == other


@pytest.mark.long
def test_a_wide_node_is_read_in_linear_time() -> None:
    """The children of a node are not each compared with all others."""
    count = 2000
    nodes: list[Gltf] = [{"children": [Counted(index) for index in range(1, count + 1)]}]
    Counted.compared = 0
    found = read({"asset": {"version": "2.0"}, "nodes": nodes + [{} for _ in range(count)]})
    assert found.mechanism.nodes[count].parent == 0
    assert Counted.compared < 20 * count


@pytest.mark.parametrize("name", ["m.gltf", "m.bin", "link.json", "hard.json"])
def test_simulate_never_writes_over_what_it_reads(
    name: str, tmp_path: Path, capsys: Captured
) -> None:
    """The file, its buffers, and other names of either are refused as OUT."""
    gltf = door() | {"buffers": [{"uri": "m.bin", "byteLength": 4}]}
    path = tmp_path / "m.gltf"
    path.write_text(json.dumps(gltf))
    (tmp_path / "m.bin").write_bytes(b"1234")
    (tmp_path / "link.json").symlink_to("m.gltf")
    os.link(path, tmp_path / "hard.json")
    before = path.read_bytes()
    code = main(["simulate", str(path), "--json", str(tmp_path / name)])
    said = (2, "named as what is read is") if name == "m.gltf" else (3, "part of what is simulated")
    assert code == said[0]
    assert said[1] in capsys.readouterr().err
    assert path.read_bytes() == before
    assert (tmp_path / "m.bin").read_bytes() == b"1234"


def test_an_older_motion_outlives_a_full_disk(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OUT is written aside: where that fails, what was there is as it was."""
    path, out = tmp_path / "m.glb", tmp_path / "out.json"
    path.write_bytes(glb(door()))
    out.write_text("old")

    def full(_files: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(converted, "put_all", full)
    assert main(["simulate", str(path), "--seconds", "0.1", "--json", str(out)]) == 3
    assert "No space left" in capsys.readouterr().err
    assert out.read_text() == "old"
