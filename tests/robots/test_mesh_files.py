# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of triangles: read in every spelling, damaged ones refused, written as they were."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from robot_models import tetrahedron

from omi_physics_joint import check, convert
from omi_physics_joint.model.shape import Convex
from omi_physics_joint.robots.masses import filled
from omi_physics_joint.robots.mesh_files import (
    MeshError,
    MeshFiles,
    read_mesh,
    read_stl,
    write_stl,
)
from omi_physics_joint.robots.robot import Surface

TEXT = b"""solid tip
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1e0 0
endloop
endfacet
endsolid
"""
OBJ = b"""# a square
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vn 0 0 1
f 1//1 2//1 3//1 4//1
f -4 -3 -2
"""
PLY = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
3 0 1 2
"""


def mesh(folder: Path, name: str, content: bytes) -> Surface:
    """Return what is read of a file."""
    (folder / name).write_bytes(content)
    return read_mesh(folder / name)


def test_stl_is_read_in_both_spellings_and_written(tmp_path: Path) -> None:
    """Binary and text; corners in the same place are one point; what is written is read again."""
    binary = mesh(tmp_path, "tip.STL", tetrahedron())
    assert (len(binary.points), len(binary.triangles)) == (4, 4)
    assert mesh(tmp_path, "text.stl", TEXT).points == ((0, 0, 0), (1, 0, 0), (0, 1, 0))
    again = read_stl(write_stl(binary), "tip")
    assert (again.points, again.triangles) == (binary.points, binary.triangles)
    solid = filled(Convex(0), binary)
    assert solid is not None
    assert solid.mass == pytest.approx(1 / 6)
    assert solid.centre == pytest.approx((0.25, 0.25, 0.25))


def test_normals_of_a_written_stl_are_those_of_its_corners() -> None:
    """Anywhere in space: as the right hand has them, one long."""
    points = ((20.0, -3.0, 5.0), (21.0, -3.0, 5.0), (20.0, -2.0, 5.5), (20.0, -3.0, 6.0))
    surface = Surface("tip", points, ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
    for facet in struct.iter_unpack("<12fH", write_stl(surface)[84:]):
        normal, *corners = (np.array(facet[i : i + 3]) for i in range(0, 12, 3))
        across = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        np.testing.assert_allclose(normal, across / np.linalg.norm(across), atol=1e-6)


def test_a_text_that_breaks_off_has_the_corners_that_are_whole(tmp_path: Path) -> None:
    """The last one too, where nothing follows it."""
    cut = TEXT.partition(b"\nendloop")[0]
    assert mesh(tmp_path, "cut.stl", cut).points == mesh(tmp_path, "text.stl", TEXT).points


def test_a_binary_stl_may_begin_with_solid(tmp_path: Path) -> None:
    """Some programs write that word into the header of binary files."""
    content = b"solid".ljust(80, b" ") + tetrahedron()[80:]
    assert len(mesh(tmp_path, "x.stl", content).triangles) == 4


def test_obj_faces_are_fans_and_may_count_backwards(tmp_path: Path) -> None:
    """Faces of four corners are two triangles; negative numbers count from the last point."""
    found = mesh(tmp_path, "square.obj", OBJ)
    assert found.triangles == ((0, 1, 2), (0, 2, 3), (0, 1, 2))


@pytest.mark.parametrize("corner", ["{}", "{}/1", "{}//1", "{}/1/1", "{}/", "{}//"])
def test_corners_of_obj_are_spelled_with_textures_and_normals_or_without(
    corner: str, tmp_path: Path
) -> None:
    """The first number is the point, whatever follows it."""
    face = " ".join(corner.format(at) for at in (2, 3, 1))
    text = f"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf {face}\n"
    assert mesh(tmp_path, "x.obj", text.encode()).triangles == ((1, 2, 0),)


@pytest.mark.parametrize(("normals", "places"), [(0, 0), (3, 0), (0, 3), (3, 4)])
def test_msh_is_read(normals: int, places: int, tmp_path: Path) -> None:
    """MuJoCo's own meshes: counts, points, what looks need, faces."""
    content = struct.pack("<4i", 3, normals, places, 1)
    content += struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    content += struct.pack("<f", 0.5) * (3 * normals + 2 * places)
    found = mesh(tmp_path, "x.msh", content + struct.pack("<3i", 2, 0, 1))
    assert found.points == ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert found.triangles == ((2, 0, 1),)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.stl", b""),
        ("x.stl", b"\0" * 80 + b"\xff\xff\xff\xff"),
        ("x.stl", b"\0" * 80 + struct.pack("<I12fH", 2, 0, 0, 1, *(0, 0, 0, 1, 0, 0, 0, 1, 0), 0)),
        ("x.stl", b"solid nothing"),
        ("x.stl", TEXT.replace(b"1e0", b"nan")),
        ("x.stl", TEXT.replace(b"1e0", b"abc")),
        ("x.obj", b"v 0 0 0\nf 1 2 3"),
        ("x.obj", b"v a b c"),
        ("x.msh", b"\0" * 15),
        ("x.msh", struct.pack("<4i", -1, 0, 0, 0)),
        ("x.msh", struct.pack("<4i", 1, 0, 0, 1) + b"\0" * 12 + struct.pack("<3i", 0, 1, 2)),
        ("x.docx", b""),
    ],
)
def test_damaged_meshes_are_refused_in_words(name: str, content: bytes, tmp_path: Path) -> None:
    """A damaged file is one sentence, never another exception."""
    with pytest.raises(MeshError, match=r"\w"):
        mesh(tmp_path, name, content)


def test_other_forms_are_read_by_a_library_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without trimesh the message says what everybody can do."""
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MeshError, match=r"as .obj or .stl, .*\.ply take .* trimesh"):
        mesh(tmp_path, "x.ply", PLY.encode())


def test_trimesh_reads_what_ours_do_not(tmp_path: Path) -> None:
    """PLY and the like come in where trimesh is installed."""
    pytest.importorskip("trimesh", reason="trimesh is not installed in this Python")
    assert mesh(tmp_path, "x.ply", PLY.encode()).triangles == ((0, 1, 2),)


def test_no_two_meshes_of_a_robot_share_a_file() -> None:
    """Not on disks that take both cases for one; names are plain, and no longer than disks hold."""
    names = (
        "Door",
        "door",
        "DOOR",
        "door_2",
        "Door_2",
        "",
        "?",
        "é",
        "x" * 90,
        "X" * 90,
        "CON/a b",
    )
    files = MeshFiles("r")
    for name in names:
        surface = Surface(name, ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), ((0, 1, 2),))
        assert files.name(surface) == files.name(surface)
    assert len({path.lower() for path in files.files}) == len(names)
    assert files.names[:2] == ["Door", "door_2"]
    assert all(re.fullmatch(r"r/[A-Za-z0-9_-]{1,63}\.stl", path) for path in files.files)


def test_points_beyond_single_precision_are_named(tmp_path: Path) -> None:
    """No file of ours could hold such a mesh, and its volume would be beyond all numbers."""
    path = tmp_path / "far.obj"
    path.write_text("v 0 0 0\nv 1e200 0 0\nv 0 1e200 0\nf 1 2 3\n")
    with pytest.raises(MeshError, match="points that are no numbers"):
        read_mesh(path)


@pytest.mark.parametrize(
    ("scale", "said"),
    [("1 1 1", {"body-huge"}), ("0.001 0.001 0.001", set()), ("0.001 0.001 0", {"mesh-flat"})],
)
@pytest.mark.parametrize("ending", ["urdf", "xml", "glb"])
def test_meshes_of_no_size_that_was_meant_are_told(
    ending: str, scale: str, said: set[str], tmp_path: Path
) -> None:
    """In millimeters or flat, though nothing is drawn of them: by the format, or as a glTF file."""
    write = "v {} 0 0\nv 0 {} 0\nv 0 0 {}\nv 0 0 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n"
    (tmp_path / "arm.obj").write_text(write.format(450, 40, 40), "utf-8")
    mass = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    hull = f'<geometry><mesh filename="arm.obj" scale="{scale}"/></geometry>'
    text = (
        f'<robot name="r"><link name="base"/><link name="arm">{mass}<collision>{hull}</collision>'
        '</link><joint name="j" type="continuous"><parent link="base"/><child link="arm"/>'
        '<axis xyz="0 1 0"/></joint></robot>'
    )
    path = tmp_path / "arm.urdf"
    path.write_text(text, "utf-8")
    if ending != "urdf":
        done = convert(path, tmp_path / f"written.{ending}")
        done.write()
        path = done.output
    told = said - {"mesh-flat"} if ending == "xml" else said  # written as a thin plate
    assert {issue.code for issue in check(path)} & {"body-huge", "mesh-flat"} == told
