# SPDX-License-Identifier: GPL-3.0-or-later
"""A stage is read in a process of its own, whose end is certain, and within the fence."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pxr", reason="USD takes pxr: pip install usd-core")

from usd.authored import elbow

from omi_physics_joint.cli.command import main
from omi_physics_joint.files import inputs
from omi_physics_joint.files.inputs import fenced
from omi_physics_joint.model.issue import Issue, Severity
from omi_physics_joint.usd import apart, stage
from omi_physics_joint.usd.prim import Stage

REFERRING = '#usda 1.0\n(metersPerUnit = 1\nupAxis = "Y")\ndef Xform "A" (\n{arc}\n) {{}}\n'
WHOLE = '#usda 1.0\n(\ndefaultPrim = "B"\n)\ndef Xform "B" {}\n'


def test_records_come_as_they_are_read_here(tmp_path: Path) -> None:
    """With what lacks, and of a part alone."""
    path = tmp_path / "elbow.usda"
    made = elbow()
    made.GetPrimAtPath("/").GetStage().DefinePrim("/Gone").GetReferences().AddReference("no.usda")
    made.GetRootLayer().Export(str(path))
    assert apart.read_apart(path) == stage.read(path)
    assert stage.read(path).troubles
    for prim in stage.read(path).prims[:2]:
        assert apart.read_apart(path, prim.path) == stage.read(path, prim.path)


def test_records_come_whatever_python_makes_of_enumerations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python 3.11.2, Debian's own, writes members as calls that are not answered."""
    monkeypatch.setattr(Severity, "__reduce_ex__", lambda one, _: (getattr, (Severity, one.name)))
    found = Stage(troubles=(Issue(Severity.WARNING, "unread", "stage", "It lacks."),))
    assert apart.loaded(pickle.dumps(found)) is None
    assert apart.loaded(apart.dumped(found)) == found


def test_what_is_wrong_is_the_same_sentence(tmp_path: Path) -> None:
    """No such prim, no stage, no file."""
    (tmp_path / "whole.usda").write_text(WHOLE)
    (tmp_path / "damaged.usda").write_text("#usda 1.0\ndef {{{")
    for name, below in (("whole.usda", "/Gone"), ("damaged.usda", ""), ("gone.usda", "")):
        texts = []
        for read in (stage.read, apart.read_apart):
            with pytest.raises(stage.StageError) as error:
                read(tmp_path / name, below)
            texts.append(str(error.value))
        assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("os.kill(os.getpid(), 11)", "breaks off"),
        ("sys.exit(0)", "breaks off"),
        ("bytearray(1 << 40)", "breaks off"),
        ("exec('while 1: pass')", "more than"),
        ("__import__('time').sleep(60)", "more than"),
        ("os.write(1, b'\\x80\\x05\\x8c\\x02os\\x8c\\x06system\\x93.')", "breaks off"),
    ],
)
def test_process_that_fails_is_one_sentence(
    does: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It crashes, ends, takes all memory, never ends, waits for ever, or answers something else."""
    if "bpy" in sys.modules:
        pytest.skip("Blender runs in this process, where stages are read too")
    bounds = "import os, sys; from omi_physics_joint.usd import apart; apart._limit(1, 1 << 30); "
    monkeypatch.setattr(apart, "WORDS", ("-P", "-c", bounds + does))
    monkeypatch.setattr(inputs, "SECONDS", 2.0)
    path = tmp_path / "a.usda"
    path.write_text(WHOLE)
    assert main(["check", str(path)]) == 3
    heard = capfd.readouterr()
    assert said in heard.err
    assert len(heard.err.splitlines()) == 1


def test_a_process_has_the_seconds_that_it_is_given_beside_those_of_its_start() -> None:
    """However long Python took to come so far."""
    pytest.importorskip("resource", reason="this system bounds no processes")
    program = (
        "import resource, time\nfrom omi_physics_joint.usd.apart import _limit\n"
        "while time.process_time() < 0.5: pass\n_limit(7.0, 2**40)\n"
        "print(resource.getrlimit(resource.RLIMIT_CPU)[0])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=apart._environment()
    )
    assert 8 <= int(found.stdout) <= 12


def test_answer_makes_records_and_nothing_else() -> None:
    """What a process sends cannot have anything run here."""
    for thing in (os.system, Path("a"), stage.StageError("a")):
        assert apart.loaded(pickle.dumps(thing)) is None
    assert apart.loaded(pickle.dumps("a")) == "a"
    assert apart.loaded(b"") is None


def instances(levels: int, width: int = 10) -> str:
    """Return a stage of instances in instances."""
    arcs = "".join(f'class Xform "L{level}" {{\n' + "".join(
        f'def Xform "c{i}" (\ninstanceable = true\nreferences = </L{level + 1}>\n) {{}}\n'
        for i in range(width)
    ) + "}\n" for level in range(levels))  # fmt: skip
    last = f'class Xform "L{levels}" {{\ndef Cube "Leaf" {{}}\n}}\n'
    return f'#usda 1.0\ndef Xform "W" (\nreferences = </L0>\n) {{}}\n{arcs}{last}'


def test_bombs_end_with_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Instances of instances, and long lists."""
    monkeypatch.setattr(inputs, "MOST", {**inputs.MOST, "prims": 500, "numbers": 3000})
    bomb, points = tmp_path / "bomb.usda", tmp_path / "points.usda"
    bomb.write_text(instances(levels=3))
    many = ", ".join(["(0, 0, 0)"] * 2000)
    points.write_text(f'#usda 1.0\ndef Points "P" {{\npoint3f[] points = [{many}]\n}}\n')
    for path, what in ((bomb, "prims"), (points, "numbers")):
        with pytest.raises(inputs.InputError, match=f"more than .* {what}"), inputs.bounded():
            stage.read(path)


@pytest.mark.parametrize(
    "arc", ["references = @{0}@", "payload = @{0}@</B>", "references = [@in.usda@, @{0}@]"]
)
@pytest.mark.parametrize("apartly", [True, False])
def test_fence_holds_for_layers(arc: str, apartly: bool, tmp_path: Path) -> None:
    """By .., by an absolute path, by a link; without a fence they are read, as USD is used.

    A process of its own does the same by each: it is started for the link alone.
    """
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / f"{folder.name}.usda").write_text(WHOLE)
    (inside / "link.usda").symlink_to(outside / "out.usda")
    read = apart.read_apart if apartly else stage.read
    path = inside / "a.usda"
    names = ("link.usda", "../out/out.usda", str(outside / "out.usda"))
    for name in names[:1] if apartly else names:
        path.write_text(REFERRING.format(arc=arc.format(name)))
        assert not read(path).troubles
        with fenced(inside), pytest.raises(stage.StageError, match="outside of"):
            read(path)
    path.write_text(REFERRING.format(arc="references = @in.usda@"))
    with fenced(inside):
        assert not read(path).troubles


def test_layer_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Of the stage itself, and of what it names at any depth."""
    os.mkfifo(tmp_path / "pipe.usda")
    (tmp_path / "b.usda").write_text(REFERRING.format(arc="references = @pipe.usda@"))
    (tmp_path / "a.usda").write_text(REFERRING.format(arc="references = @b.usda@"))
    for name in ("pipe", "b", "a"):
        with pytest.raises(stage.StageError, match="no regular file"):
            stage.read(tmp_path / f"{name}.usda")


def test_commands_read_stages_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a damaged stage cannot take the command with it, whatever it does to USD."""
    path = tmp_path / "a.usda"
    path.write_text(WHOLE)
    monkeypatch.setitem(sys.modules, "bpy", None)
    monkeypatch.delitem(sys.modules, "bpy")

    def never(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(stage, "read", never)
    for command in ("check", "info", "simulate"):
        assert main([command, str(path)]) == 0
    assert main(["diff", str(path), str(path)]) == 0
    out = str(tmp_path / "o.xml")
    assert main(["convert", str(path), out]) == 0
