# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that ask for more than they are, lead astray, or never end; each at random, by its kind."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

BODY = 'prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]'


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8", "surrogatepass")
    return path


def _count(chance: Random, most: int) -> int:
    """Return a number up to a bound, small ones as often as large ones."""
    return round(most ** chance.random()) + 1


def _usd(folder: Path, *parts: str, layer: str = "") -> Path:
    return _file(folder, "hostile.usda", f"#usda 1.0\n(\n{layer}\n)\n" + "\n".join(parts))


def usd_instances(chance: Random, folder: Path) -> Path:
    """Write instances in instances."""
    levels, width = chance.randint(2, 8), chance.randint(2, 12)
    arc = "instanceable = true\n" * (chance.random() < 0.7)
    parts = [
        f'class Xform "L{level}" {{\n'
        + "".join(
            f'def Xform "c{i}" (\n{arc}references = </L{level + 1}>\n) {{}}\n' for i in range(width)
        )
        + "}"
        for level in range(levels)
    ]
    leaf = f'class Xform "L{levels}" {{\ndef Cube "Leaf" (\n{BODY}\n) {{}}\n}}'
    return _usd(folder, 'def Xform "W" (\nreferences = </L0>\n) {}', *parts, leaf)


def usd_arcs(chance: Random, folder: Path) -> Path:
    """Write arcs that lead nowhere, in circles, to pipes and devices."""
    os.mkfifo(folder / "pipe.usda")
    (folder / "loop.usda").symlink_to("loop.usda")
    (folder / "zero.usda").symlink_to("/dev/zero")
    names = (
        "gone.usda",
        "pipe.usda",
        "loop.usda",
        "zero.usda",
        "/etc/passwd",
        "http://x.invalid/a",
    )
    names += ("hostile.usda", "n" * 300, "../" * 50 + "a.usda", "a.usdz[b.usda]", "a\u0001.usda")
    arcs = [f"{chance.choice(('references', 'payload'))} = @{chance.choice(names)}@" for _ in "abc"]
    parts = [f'def Xform "P{i}" (\n{arc}\n) {{}}' for i, arc in enumerate(arcs)]
    layer = f"subLayers = [@{chance.choice(names)}@]" * (chance.random() < 0.4)
    return _usd(folder, *parts, layer=layer)


def usd_deep(chance: Random, folder: Path) -> Path:
    """Write prims in prims."""
    depth = _count(chance, 4000)
    return _usd(folder, f'def Xform "a" (\n{BODY}\n) {{\n' * depth + "}\n" * depth)


def usd_many(chance: Random, folder: Path) -> Path:
    """Write many points, faces, samples or bodies."""
    many = _count(chance, 300_000)
    kind = chance.randrange(4)
    points = ", ".join(["(0, 1, 2)"] * many)
    if kind == 0:
        return _usd(folder, f'def Points "P" (\n{BODY}\n) {{\npoint3f[] points = [{points}]\n}}')
    if kind == 1:
        faces = f"int[] faceVertexCounts = [{many}]\nint[] faceVertexIndices = "
        faces += f"[{', '.join(map(str, range(many)))}]\npoint3f[] points = [{points}]"
        return _usd(folder, f'def Mesh "M" (\n{BODY}\n) {{\n{faces}\n}}')
    if kind == 2:
        samples = ", ".join(f"{i}: {i}" for i in range(many))
        return _usd(
            folder, f'def Cube "C" (\n{BODY}\n) {{\ndouble size.timeSamples = {{{samples}}}\n}}'
        )
    return _usd(folder, *(f'def Cube "C{i}" (\n{BODY}\n) {{}}' for i in range(many // 10)))


def xml_classes(chance: Random, folder: Path) -> Path:
    """Write default classes beside and in each other."""
    many = _count(chance, 40_000)
    tags = "".join(f"<a{i} b='{i}'/>" for i in range(many))
    beside = "".join(f"<default class='c{i}'/>" for i in range(many))
    deep = min(many, 900)
    nested = "".join(f"<default class='d{i}'><geom x{i}='1'/>" for i in range(deep))
    uses = f"<geom class='d{deep - 1}' size='1'/>" * min(many, 5000)
    text = f"<default>{tags}{beside}{nested}{'</default>' * deep}</default>"
    return _file(folder, "a.xml", f"<mujoco>{text}<worldbody>{uses}</worldbody></mujoco>")


def _stl(folder: Path, count: int) -> None:
    faces = (struct.pack("<12fH", 0, 0, 1, i, 0, 0, i, 1, 0, i + 1, 0, 1, 0) for i in range(count))
    (folder / "m.stl").write_bytes(b"x" * 80 + struct.pack("<I", count) + b"".join(faces))


def robot_meshes(chance: Random, folder: Path) -> Path:
    """Write one mesh in many sizes, or many shapes of their own."""
    _stl(folder, _count(chance, 50_000))
    many = range(_count(chance, 3000))
    if chance.random() < 0.5:
        form = "<{1}><geometry><mesh filename='m.stl' scale='{0} 1 1'/></geometry></{1}>"
        kind = chance.choice(("visual", "collision"))
        parts = "".join(form.format(1 + i / 7, kind) for i in many)
        return _file(folder, "a.urdf", f"<robot name='r'><link name='l'>{parts}</link></robot>")
    kinds = ("sphere", "capsule", "cylinder", "ellipsoid")
    parts = "".join(
        f"<body><geom type='{chance.choice(kinds)}' size='{1 + i / 7} 2 3'/><freejoint/></body>"
        for i in many
    )
    return _file(folder, "a.xml", f"<mujoco><worldbody>{parts}</worldbody></mujoco>")


def robot_paths(chance: Random, folder: Path) -> Path:
    """Write meshes and includes that are no files."""
    os.mkfifo(folder / "pipe.stl")
    os.mkfifo(folder / "pipe.xml")
    (folder / "zero.obj").symlink_to("/dev/zero")
    (folder / "loop.xml").symlink_to("loop.xml")
    names = ("pipe.stl", "zero.obj", "package://" + "x" * 5000 + "/a.stl", "n" * 300 + ".stl")
    names += (
        "/etc/passwd",
        "../" * 40 + "a.stl",
        "file:///a.stl",
        "C:\\a.stl",
        "a.dae",
        "package://",
    )
    name = chance.choice(names)
    if chance.random() < 0.5:
        mesh = f"<visual><geometry><mesh filename='{name}'/></geometry></visual>"
        return _file(folder, "a.urdf", f"<robot name='r'><link name='l'>{mesh}</link></robot>")
    include = chance.choice(("pipe.xml", "loop.xml", "a.xml", "n" * 300, "../a.xml", "", "/etc"))
    asset = f"<asset><mesh name='m' file='{name}'/></asset><include file='{include}'/>"
    return _file(
        folder,
        "a.xml",
        f"<mujoco>{asset}<worldbody><geom mesh='m' type='mesh'/></worldbody></mujoco>",
    )


def xml_large(chance: Random, folder: Path) -> Path:
    """Write depth, elements, attributes, numbers and document types."""
    many = _count(chance, 300_000)
    texts = (
        "<body>" * many + "</body>" * many,
        "<body/>" * many,
        f"<body {' '.join(f'a{i}=0' for i in range(many))}/>",
        f"<geom type='mesh' size='{'0 ' * many}' fromto='{'1 ' * many}'/>",
        "<body><joint/><geom size='1'/>" * min(many, 900) + "</body>" * min(many, 900),
    )
    start = "<!DOCTYPE a [<!ENTITY b 'c'>]>" * (chance.random() < 0.1)
    text = chance.choice(texts)
    return _file(folder, "a.xml", f"{start}<mujoco><worldbody>{text}</worldbody></mujoco>")


def gltf_large(chance: Random, folder: Path) -> Path:
    """Write counts beyond all buffers, one accessor used by many meshes, and depth."""
    many = _count(chance, 20_000)
    kind = chance.randrange(3)
    if kind == 0:
        return _file(folder, "a.gltf", '{"asset": {"version": "2.0"}, "a": ' + "[" * many)
    accessor = {"bufferView": 0, "componentType": 5126, "type": "VEC3"}
    count = chance.choice((2**31, 10**18, 100_000))
    (folder / "a.bin").write_bytes(bytes(1_200_000))
    uses = range(many if kind == 2 else 1)
    shape = [{"type": "convex", "convex": {"mesh": i}} for i in uses]
    node = [{"extensions": {"OMI_physics_body": {"collider": {"shape": i}}}} for i in uses]
    mesh = {"primitives": [{"attributes": {"POSITION": 0}}]}
    gltf = {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
        "extensions": {"OMI_physics_shape": {"shapes": shape}},
        "nodes": node,
        "meshes": [mesh for _ in uses],
        "accessors": [{**accessor, "count": count}],
        "bufferViews": [{"buffer": 0, "byteLength": 1_200_000}],
        "buffers": [{"byteLength": 1_200_000, "uri": "a.bin"}],
    }
    return _file(folder, "a.gltf", json.dumps(gltf))


def gltf_names(chance: Random, folder: Path) -> Path:
    """Write names that no file can have, and buffers that are no files."""
    os.mkfifo(folder / "pipe")
    names = (
        "a%00b",
        "n" * 300,
        "pipe",
        "../" * 40 + "a",
        "/dev/zero",
        "%ff",
        "\ud800",
        "a\nb",
        ".",
    )
    parts = [{"uri": chance.choice(names), "byteLength": 4} for _ in "ab"]
    gltf = {"asset": {"version": "2.0"}, "buffers": parts, "images": parts}
    return _file(folder, "a.gltf", json.dumps(gltf))


OF_STAGES = (usd_instances, usd_arcs, usd_deep, usd_many)
OF_OTHERS = (xml_classes, xml_large, robot_meshes, robot_paths, gltf_large, gltf_names)
HOSTILE: dict[str, Callable[[Random, Path], Path]] = {
    one.__name__: one for one in (*OF_STAGES, *OF_OTHERS)
}
"""By the names of their kinds; each returns the file to read."""
