# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that mean harm, and readers that fail: every command says one sentence and ends."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import pytest

from omi_physics_joint.cli.command import main
from omi_physics_joint.files import inputs
from omi_physics_joint.gltf.document.json_text import JsonObject
from omi_physics_joint.library import guarded

COMMANDS = ("check", "info", "convert", "diff", "simulate")
EMPTY = '{"asset": {"version": "2.0"}}'
FACES = 20


def run(command: str, path: Path) -> int:
    """Run a command on a file."""
    words = [command, str(path)]
    words += [str(path.parent / "out.gltf")] * (command == "convert") + [str(path)] * (
        command == "diff"
    )
    return main(words)


def said_of(command: str, path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command says that cannot read a file."""
    assert run(command, path) == 3
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert not (path.parent / "out.gltf").exists()
    lines = [line for line in said.splitlines() if line.startswith("error: ")]
    assert lines
    return lines[0]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "error",
    [
        KeyError("shape"),
        ValueError("embedded null byte"),
        RuntimeError("Symlink loop"),
        RecursionError(),
        MemoryError(),
        OSError(36, "File name too long", "nnn"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        AssertionError(),
    ],
)
@pytest.mark.parametrize("reader", ["load", "read_document"])
def test_whatever_a_reader_raises_is_a_sentence(
    reader: str,
    error: Exception,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the place in our own sources where it is a fault of ours."""

    def fail(*_arguments: object) -> JsonObject:
        raise error

    if reader == "load":
        monkeypatch.setattr("omi_physics_joint.library.offered.load_gltf", fail)
    elif command == "convert":
        monkeypatch.setattr("omi_physics_joint.library.offered.respelled", fail)
    else:
        monkeypatch.setattr("omi_physics_joint.library.offered.read_document", fail)
    monkeypatch.setattr(guarded, "faults_pass", False)
    path = tmp_path / "a.gltf"
    path.write_text(EMPTY)
    said = said_of(command, path, capsys)
    assert "a.gltf" in said
    if isinstance(error, KeyError | RuntimeError) and not isinstance(error, RecursionError):
        assert "library/" in said
        assert "report it" in said


def test_a_comparison_that_fails_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both files are read by then; the place is in our own sources."""

    def fail(*_arguments: object) -> JsonObject:
        raise KeyError("shape")

    monkeypatch.setattr("omi_physics_joint.cli.examine.changes", fail)
    monkeypatch.setattr(guarded, "faults_pass", False)
    path = tmp_path / "a.gltf"
    path.write_text(EMPTY)
    said = said_of("diff", path, capsys)
    assert "cli/examine.py" in said
    assert "report it" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_more_nodes_than_can_be_judged_are_refused(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A body without a shape is 7 bytes of a file, and costs as much as any other."""
    monkeypatch.setattr(inputs, "MOST", {**inputs.MOST, "nodes": 5})
    path = tmp_path / "a.xml"
    path.write_text(f"<mujoco><worldbody>{'<body/>' * 9}</worldbody></mujoco>")
    assert "more than 5 nodes" in said_of(command, path, capsys)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_document_that_takes_too_long_is_refused(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The clock is looked at while glTF is read, into which all other formats are made, too."""
    monkeypatch.setattr(inputs, "SECONDS", -1.0)
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "nodes": [{}] * 200}))
    assert "s to read" in said_of(command, path, capsys)


def test_faults_of_ours_are_not_hidden_from_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who runs tests sees them raised."""

    def fail(*_arguments: object) -> JsonObject:
        raise KeyError("shape")

    monkeypatch.setattr("omi_physics_joint.library.offered.load_gltf", fail)
    with pytest.raises(KeyError):
        run("check", tmp_path / "a.gltf")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("suffix", [".gltf", ".glb", ".xml", ".mjcf", ".urdf"])
@pytest.mark.parametrize("kind", ["pipe", "device", "circle", "long"])
def test_what_is_no_regular_file_is_not_waited_for(
    kind: str, suffix: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipe that nobody writes to would never end, a device never be full."""
    path = tmp_path / f"{'n' * 300 if kind == 'long' else 'a'}{suffix}"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind != "long":
        path.symlink_to("/dev/zero" if kind == "device" else path)
    said_of(command, path, capsys)


@pytest.mark.parametrize("kind", ["pipe", "device", "circle", "gone", "long"])
def test_includes_that_are_no_files_are_named(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line of the include."""
    name = f"{'n' * (300 if kind == 'long' else 1)}.xml"
    if kind == "pipe":
        os.mkfifo(tmp_path / name)
    elif kind in ("device", "circle"):
        (tmp_path / name).symlink_to("/dev/zero" if kind == "device" else name)
    path = tmp_path / "a.xml"
    path.write_text(f"<mujoco>\n<include file='{name}'/></mujoco>")
    said = said_of("check", path, capsys)
    assert "line 2" in said or kind == "gone"


@pytest.mark.parametrize("name", ["m.stl", "package://p/m.stl", f"package://{'x' * 5000}/m.stl"])
@pytest.mark.parametrize("kind", ["pipe", "device", "circle"])
def test_meshes_that_are_no_files_are_named_and_the_rest_is_read(
    kind: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The robot comes without them."""
    (tmp_path / "p").mkdir()
    for place in (tmp_path / "m.stl", tmp_path / "p" / "m.stl"):
        if kind == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to("/dev/zero" if kind == "device" else "m.stl")
    path = tmp_path / "a.urdf"
    mesh = f"<visual><geometry><mesh filename='{name}'/></geometry></visual>"
    path.write_text(f"<robot name='r'><link name='l'>{mesh}</link></robot>")
    assert run("check", path) == 0
    assert "This mesh is not read" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("uri", ["a%00b.bin", "n" * 300, "%ff.bin", "pipe", "../secret.bin"])
def test_odd_names_of_buffers_end_no_command(
    uri: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever else the command says of them."""
    os.mkfifo(tmp_path / "pipe")
    path = tmp_path / "a.gltf"
    path.write_text(
        f'{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": 4, "uri": "{uri}"}}]}}'
    )
    for command in COMMANDS:
        run(command, path)
        for name in ("out.gltf", "out.glb", "out.urdf", "out.xml"):
            main(["convert", str(path), str(tmp_path / name)])
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["pipe", "device", "long", "bytes"])
@pytest.mark.parametrize("suffix", [".gltf", ".glb", ".urdf", ".xml", ".json"])
def test_outputs_that_are_no_files_are_refused(
    kind: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anybody waits for them; a name of bytes that are no text is written."""
    path, out = tmp_path / "a.gltf", tmp_path / f"{'n' * 300 if kind == 'long' else 'o'}{suffix}"
    path.write_text(EMPTY)
    if kind == "pipe":
        os.mkfifo(out)
    elif kind == "device":
        out.symlink_to("/dev/zero")
    elif kind == "bytes":
        out = tmp_path / f"\udcff\udcfe{suffix}"
    if suffix == ".json":
        assert main(["simulate", str(path), "--seconds", "0.1", "--json", str(out)]) in (0, 3)
    else:
        assert main(["convert", str(path), str(out)]) == (0 if kind == "bytes" else 3)
    said = capsys.readouterr()
    assert "Traceback" not in said.err


def stl(path: Path) -> None:
    """Write a mesh of some faces."""
    faces = (struct.pack("<12fH", 0, 0, 1, i, 0, 0, i + 1, 0, 0, i, 1, i, 0) for i in range(FACES))
    path.write_bytes(b"x" * 80 + struct.pack("<I", FACES) + b"".join(faces))


def bombs() -> dict[str, str]:
    """Return small files by their names that ask for more than they are, one a kind of bomb."""
    many = range(200)
    meshes = "".join(
        f"<visual><geometry><mesh filename='m.stl' scale='{1 + i} 1 1'/></geometry></visual>"
        for i in many
    )
    balls = "".join(f"<geom type='sphere' size='{1 + i}'/>" for i in many)
    assets = "".join(f"<mesh name='m{i}' file='m.stl' scale='{2 + i} 1 1'/>" for i in many)
    uses = "".join(f"<geom type='mesh' mesh='m{i}'/>" for i in many)
    return {
        "sizes.urdf": f"<robot name='r'><link name='l'>{meshes}</link></robot>",
        "balls.xml": f"<mujoco><worldbody>{balls}</worldbody></mujoco>",
        "sizes.xml": f"<mujoco><asset>{assets}</asset><worldbody>{uses}</worldbody></mujoco>",
        "numbers.xml": f"<mujoco><asset><mesh name='m' vertex='{'0 ' * 3000}'/></asset>"
        "<worldbody><geom mesh='m' type='mesh'/></worldbody></mujoco>",
        "elements.xml": f"<mujoco>{'<a/>' * 600}</mujoco>",
        "includes.xml": "<mujoco><include file='part1.xml'/><include file='part2.xml'/></mujoco>",
    }


@pytest.mark.long
@pytest.mark.parametrize("name", list(bombs()))
def test_bomb_ends_with_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However it asks for more; with a larger budget the same file is read."""
    stl(tmp_path / "m.stl")
    for part in ("part1.xml", "part2.xml"):
        (tmp_path / part).write_text(f"<mujoco>{'<a/>' * 300}</mujoco>")
    path = tmp_path / name
    path.write_text(bombs()[name])
    most = {"elements": 500, "triangles": 2000, "numbers": 2000}
    with monkeypatch.context() as patch:
        patch.setattr(inputs, "MOST", {**inputs.MOST, **most})
        assert "There are more than" in said_of("check", path, capsys)
    assert run("check", path) == 0


def test_default_classes_take_no_room_for_each_other(tmp_path: Path) -> None:
    """Twice as many tags and classes take twice the room, not four times."""
    import tracemalloc

    taken = []
    for count in (300, 600):
        tags = "".join(f"<a{i}/>" for i in range(count))
        classes = "".join(f"<default class='c{i}'/>" for i in range(count))
        path = tmp_path / "a.xml"
        path.write_text(f"<mujoco><default>{tags}{classes}</default><worldbody/></mujoco>")
        tracemalloc.start()
        assert run("info", path) == 0
        taken.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert taken[1] < 3 * taken[0]


def test_fence_keeps_meshes_and_includes_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a robot names outside of the folder is named and not read."""
    inside = tmp_path / "in"
    inside.mkdir()
    stl(tmp_path / "m.stl")
    mesh = "<visual><geometry><mesh filename='../m.stl'/></geometry></visual>"
    robot = inside / "a.urdf"
    robot.write_text(f"<robot name='r'><link name='l'>{mesh}</link></robot>")
    assert main(["check", str(robot)]) == 0
    assert "not read" not in capsys.readouterr().out
    assert main(["check", "--inside", str(inside), str(robot)]) == 0
    assert "outside of" in capsys.readouterr().out
    (inside / "b.xml").symlink_to(tmp_path / "b.xml")
    (tmp_path / "b.xml").write_text("<mujoco/>")
    model = inside / "a.xml"
    model.write_text("<mujoco><include file='b.xml'/></mujoco>")
    assert main(["check", "--inside", str(inside), str(model)]) == 3
    assert "outside of" in capsys.readouterr().err
