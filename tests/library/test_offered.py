# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package offers to other Python: what its page promises, and what importing it costs."""

from __future__ import annotations

import ast
import doctest
import json
import pickle
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from math import acos
from pathlib import Path
from typing import Any

import pytest
from numpy.linalg import LinAlgError

import omi_physics_joint as package
from omi_physics_joint import ContentsError, Mechanism, check, convert, load, read, simulate
from omi_physics_joint.gltf.document.files import load as gltf_in
from omi_physics_joint.gltf.document.members import Place
from omi_physics_joint.library.converted import Converted
from omi_physics_joint.library.formats import Choices, format_of
from omi_physics_joint.library.motion import from_file
from omi_physics_joint.library.offered import pointed
from omi_physics_joint.model.contents import Package
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.model.mechanism import Node
from scripts.library_reference import PAGE, page
from tests.omi_documents import keyed_door

ROOT = Path(__file__).resolve().parents[2]
DOOR = ROOT / "examples/glb/door.glb"
EXAMPLE = re.compile(r"^```python\n(>>> .*?)^```$", re.MULTILINE | re.DOTALL)
NOT_LOADED = ("numpy", "bpy", "pxr", "json", "omi_physics_joint.")
"""What begins the names of modules that the import of the package alone must not load."""


def test_the_page_is_written_of_the_code() -> None:
    """The page has the names and words of now; else run `python -m scripts.library_reference`."""
    text = PAGE.read_text("utf-8")
    assert page(text) == text


@pytest.mark.parametrize("name", ["load", "read", "check", "convert", "simulate"])
def test_its_examples_do_what_they_say(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has one of each function, and it gives what stands below it."""
    shutil.copy(DOOR, tmp_path)
    monkeypatch.chdir(tmp_path)
    (example,) = (one for one in EXAMPLE.findall(PAGE.read_text("utf-8")) if f" {name}(" in one)
    offered = {one: getattr(package, one) for one in package.__all__}
    test = doctest.DocTestParser().get_doctest(example, offered, name, str(PAGE), 0)
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("words", [{}, {"steps": "godot", "beside": True}, {"contacts": True}])
def test_what_is_returned_goes_to_another_process(words: dict[str, Any]) -> None:
    """Pools of processes pickle it: a motion says there what it says here."""
    motion = simulate(DOOR, seconds=0.05, **words)
    for one in (read(DOOR), check(DOOR), convert(DOOR, "door.urdf"), motion):
        assert type(pickle.loads(pickle.dumps(one))) is type(one)
    sent = pickle.loads(pickle.dumps(motion))
    assert sent.document() == motion.document()
    assert (*sent.summary(), *sent.issues) == (*motion.summary(), *motion.issues)


def test_what_is_offered_is_there_also_for_who_checks_types() -> None:
    """Names that are found when asked for are those that type checkers see imported."""
    tree = ast.parse((ROOT / "omi_physics_joint/__init__.py").read_text("utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in typed.body if isinstance(node, ast.ImportFrom)]
    assert sorted(alias.name for one in imports for alias in one.names) == package.__all__
    for one in imports:
        module = import_module(f"omi_physics_joint.{one.module}")
        for alias in one.names:
            assert getattr(package, alias.name) is getattr(module, alias.name)
    assert (ROOT / "omi_physics_joint/py.typed").is_file()


def test_the_import_alone_loads_nothing() -> None:
    """Neither Blender, NumPy nor any room of ours is loaded before something is asked for."""
    script = "import sys, omi_physics_joint; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert [name for name in done.stdout.split() if name.startswith(NOT_LOADED)] == []


def test_bytes_are_as_good_as_the_path(tmp_path: Path) -> None:
    """Of a .glb and of a .gltf: the same mechanism, with its meshes, and the same motion."""
    data = DOOR.read_bytes()
    assert read(data).mechanism == read(DOOR).mechanism
    assert [one.code for one in check(data)] == [one.code for one in check(str(DOOR))]
    text = json.dumps({"asset": {"version": "2.0"}}).encode()
    assert load(text).json["asset"] == {"version": "2.0"}
    made = convert(data, tmp_path / "door.urdf").package.main
    assert made == convert(load(DOOR), tmp_path / "door.urdf").package.main


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is read, in any format, and of what is written."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for before, after in ((DOOR, "~/door.urdf"), ("~/door.urdf", "~/again.glb")):
        convert(before, after).write()
    assert (tmp_path / "again.glb").is_file()
    assert len(check("~/again.glb")) == len(check(tmp_path / "again.glb"))


def test_what_is_printed_by_chance_is_short() -> None:
    """In a notebook the last line of a cell shows what was read, without its megabytes."""
    for one in (load(DOOR), read(DOOR), convert(DOOR, "out.glb")):
        assert len(repr(one)) < 3000, repr(one)[:500]


def test_what_was_changed_is_what_is_checked_and_moved() -> None:
    """A mechanism with another number in it is judged and simulated as it is now."""
    reading = read(DOOR)

    def ajar(mechanism: Mechanism) -> Mechanism:
        settings, *others = mechanism.settings
        limits = tuple(
            one if one.is_lock else replace(one, min=0.5, max=0.25) for one in settings.limits
        )
        return replace(mechanism, settings=(replace(settings, limits=limits), *others))

    changed = replace(reading, mechanism=ajar(reading.mechanism))
    new = {one.code for one in check(changed)} - {one.code for one in check(reading)}
    assert "limit-reversed" in new


def test_a_motion_stands_in_arrays_by_names() -> None:
    """The value of the hinge is how far the door has turned, in a file as in an array."""
    motion = simulate(DOOR, seconds=1.0, fps=30.0)
    values, door = motion.values["Door Hinge"], motion.bodies["Door"]
    assert (values.shape, door.rotation.shape, motion.times[-1]) == ((31, 6), (31, 4), 1.0)
    turned = 2.0 * acos(abs(float(door.rotation[0] @ door.rotation[-1])))
    assert turned > 0.1
    assert values[-1, 4] - values[0, 4] == pytest.approx(turned, abs=1e-6)
    assert abs(values[:, (0, 1, 2, 3, 5)]).max() < 1e-6
    written = motion.document()["bodies"]["Door"]
    assert written["translation"] == door.translation.tolist()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("nowhere.glb", "no such file"),
        ("door.txt", "can be read, not '.txt'"),
        ("scene.blend", "written by export"),
        (b"glTF", "cut off"),
    ],
)
def test_what_cannot_be_read_is_one_error_with_a_sentence(source: str | bytes, said: str) -> None:
    """Whichever of the functions is called."""
    for call in (load, read, check, simulate, lambda one: convert(one, "out.urdf")):
        with pytest.raises(ContentsError, match=said):
            call(source)


@pytest.mark.parametrize("output", ["out.gltf", "out.glb", "out.urdf", "out.xml"])
def test_what_is_animated_and_cannot_be_read_is_named_by_each(output: str) -> None:
    """Whether a file is read, judged or converted, with glTF on the way or without."""
    gltf = keyed_door()
    gltf["accessors"][1]["count"] = 9
    data = json.dumps(gltf).encode()
    for found in (read(data).issues, check(data), convert(data, output).issues):
        assert "animation-not-read" in {one.code for one in found}


def test_wrong_words_are_errors_of_the_caller() -> None:
    """They are named before the file is looked at, and are no fault of it."""
    with pytest.raises(ValueError, match="nobody"):
        check(DOOR, ["nobody"])
    with pytest.raises(ValueError, match="all"):
        convert(DOOR, "out.glb", dialect="all")
    for seconds, fps in ((0.0, 60.0), (1.0, 0.0), (1.0, -1.0), (float("nan"), 60.0), (1e9, 60.0)):
        with pytest.raises(ValueError, match="frames"):
            simulate(DOOR, seconds=seconds, fps=fps)


def test_nothing_is_written_over_unless_told(tmp_path: Path) -> None:
    """The source stays, until that is asked for; before ``write`` there is no file at all."""
    path = tmp_path / "door.glb"
    shutil.copy(DOOR, path)
    before = path.read_bytes()
    converted = convert(path, path, dialect="khr")
    with pytest.raises(ContentsError, match="is a file that is read"):
        converted.write()
    assert path.read_bytes() == before
    converted.write(overwrite=True)
    assert path.read_bytes() == converted.package.main != before


def test_a_file_beside_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    """Though the older output has it too: who reads a file reads what that names."""
    buffer = tmp_path / "door.bin"
    buffer.write_bytes(b"old")
    text = json.dumps({"asset": {"version": "2.0"}, "buffers": [{"uri": buffer.name}]})
    for name in ("source.gltf", "door.gltf"):
        (tmp_path / name).write_text(text, "utf-8")
    package = Package(b"{}", {buffer.name: b"new"})
    source = gltf_in(tmp_path / "source.gltf")
    made = Converted(tmp_path / "door.gltf", package, (), source)
    with pytest.raises(ContentsError, match=r"door\.bin is a file that is read"):
        made.write()
    assert buffer.read_bytes() == b"old"


@pytest.mark.parametrize("output", ["lamp.glb", "lamp.urdf", "lamp.xml"])
def test_a_file_without_physics_is_told_of_in_each_format(output: str) -> None:
    """As after an optimiser that drops it: a robot without links would look as if all were well."""
    lamp = {"asset": {"version": "2.0"}, "nodes": [{"name": "Lamp"}], "scenes": [{"nodes": [0]}]}
    source = json.dumps(lamp).encode()
    assert [one.code for one in convert(source, output).issues] == ["no-physics"]
    assert "no-physics" not in {one.code for one in convert(DOOR, output).issues}


@pytest.mark.parametrize("name", ["Door", ""])
def test_what_is_said_of_a_node_stands_where_it_is_in_the_file(name: str) -> None:
    """However an issue calls it, also where it has no name; what is said of parts of it stays."""
    mechanism = Mechanism((Node("First"), Node(name)), (), (), ())
    for where in (name, mechanism.name_of(1), str(Place("/nodes/1", name))):
        issue = Issue(Severity.ERROR, "a-code", where, "It is wrong.", "Mend it.", node=1)
        (glb,) = pointed([issue], mechanism, Path("x.glb"))
        assert glb.where == str(Place("/nodes/1", name))
        (usd,) = pointed([issue], mechanism, Path("x.usda"))
        assert usd.where == name
    part = replace(issue, where="limit 2 of Door")
    assert pointed([part], mechanism, Path("x.glb")) == (part,)


def test_what_was_not_read_is_of_no_node_of_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its nodes have other numbers than those that were read: a number would name another one."""
    path = tmp_path / "robot.urdf"
    path.write_text('<robot name="r"><link name="base"/></robot>', "utf-8")
    form = format_of(path)
    assert form is not None
    contents, issues = form.read(path, Choices())
    told = (*issues, Issue(Severity.WARNING, "a-code", "base", "It is left out.", node=0))
    monkeypatch.setattr(form, "read", lambda *_: (contents, told))
    assert load(path).unread == tuple(replace(one, node=None) for one in told)


@pytest.mark.parametrize(
    "error", [OverflowError, ZeroDivisionError, FloatingPointError, ValueError, LinAlgError]
)
def test_whatever_numbers_do_to_a_computation_is_said_of_the_file(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of arithmetic or of linear algebra is no fault of who calls."""

    def fail(*_arguments: object, **_options: object) -> None:
        raise error("a test")

    path = tmp_path / "door.gltf"
    path.write_text(json.dumps(keyed_door()))
    for step in ("kinematic_motions", "measured_mechanism"):
        with monkeypatch.context() as patch:
            patch.setattr(from_file, step, fail)
            with pytest.raises(ContentsError, match="beyond what can be computed"):
                simulate(read(load(path)), seconds=0.1)
