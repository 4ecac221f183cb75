# SPDX-License-Identifier: GPL-3.0-or-later
"""Words of commands that only some formats take."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.parser import parsed
from omi_physics_joint.cli.words import choices_of
from omi_physics_joint.library.formats import FOREIGN, Choices, format_of
from omi_physics_joint.model.target import Target

WORDS = {
    "prim": ("in.usda", "out.glb", ["--prim", "/A"], "/A"),
    "flat": ("in.glb", "out.usda", ["--flat"], True),
    "over": ("in.glb", "out.usda", ["--over", "a.usda"], Path("a.usda")),
    "base": ("in.xml", "out.glb", ["--base", "fixed"], "fixed"),
    "packages": ("in.urdf", "b.glb", ["--package", "a=b", "--package", "c=d"], ["a=b", "c=d"]),
    "mesh_uri": ("in.glb", "out.urdf", ["--mesh-uri", "package://a"], "package://a"),
}
"""Two files, words for what may be asked of their formats, and what it is then, by its field."""


@pytest.mark.parametrize("name", [one.name for one in fields(Choices)])
def test_each_choice_of_formats_has_a_word(name: str) -> None:
    """It says that one thing, and without a word nothing is asked."""
    read, written, words, value = WORDS[name]
    asked = choices_of(parsed(["convert", read, written, *words], "omi"))
    assert asked == replace(Choices(packages=[]), **{name: value})


@pytest.mark.parametrize("ending", FOREIGN)
def test_a_name_in_capitals_is_of_the_same_format(ending: str) -> None:
    """Some systems and people write endings so."""
    found = [format_of(Path(f"in{one}")) for one in (ending, ending.upper(), ending.title())]
    assert found[0] is found[1] is found[2] is not None


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ([], None),
        (["--target", "godot"], Target.GODOT),
        (["--target", "specified"], Target.SPECIFIED),
        (["--godot-angular-sign"], Target.GODOT),
        (["--no-godot-angular-sign"], Target.SPECIFIED),
    ],
)
def test_older_words_mean_what_those_of_now_do(words: list[str], target: Target | None) -> None:
    """Who reads the file is said in two ways; scripts of others have the first one still."""
    assert parsed(["export", "a.blend", *words], "omi").target == target


NO_ROBOT = ["door.glb", "door.usda", "door.blend"]


@pytest.mark.parametrize(
    ("words", "named", "reason"),
    [
        *((["check", one, "--base", "fixed"], "--base", "URDF and MJCF") for one in NO_ROBOT),
        *((["info", one, "--package", "a=b"], "--package", "URDF, and") for one in NO_ROBOT),
        (["simulate", "a.glb", "--base", "floating"], "--base", "none is read"),
        (["convert", "a.urdf", "b.glb", "--prim", "/World"], "--prim", "USD, and none is read"),
        (["convert", "a.usda", "b.glb", "--flat"], "--flat", "USD, and none is written"),
        (["convert", "a.usda", "b.glb", "--over", "c.usda"], "--over", "none is written"),
        (["convert", "a.urdf", "b.xml", "--mesh-uri", "package://a"], "--mesh-uri", "URDF"),
        (["convert", "a.glb", "b.urdf", "--dialect", "khr"], "--dialect", "glTF, and none"),
        (["export", "a.blend", "--format", "usda", "--dialect", "omi"], "--dialect", "glTF"),
        (["export", "a.blend", "--format", "urdf", "--target", "godot"], "--target", "glTF"),
        (
            ["convert", "a.glb", "--output-dir", "b", "--format", "gltf", "--flat"],
            "--flat",
            "none is written",
        ),
    ],
)
def test_a_word_that_none_of_the_files_takes_is_refused(
    words: list[str], named: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would change nothing, and who gave it would not see why."""
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"error: {named} is for" in line
    assert reason in line


@pytest.mark.parametrize(
    "words",
    [
        ["check", "a.glb", "b.urdf", "--base", "fixed"],
        ["check", "models", "--base", "fixed"],
        ["convert", "a.MJCF", "b.glb", "--base", "fixed", "--dialect", "khr"],
        ["convert", "a.glb", "b.usdc", "--flat"],
        ["convert", "a.usd", "b.urdf", "--prim", "/a", "--mesh-uri", "package://a"],
    ],
)
def test_a_word_that_one_of_the_files_may_take_is_not(words: list[str]) -> None:
    """Folders may hold what takes it."""
    assert main(words) == 3  # there is no such file


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", ""], "the name is empty"),
        (["export", "a.blend", "--output-dir", ""], "the name is empty"),
        (["convert", "a.glb", ""], "the name is empty"),
        (["diff", "", "a.glb"], "the name is empty"),
        (["export", "a.blend", "--target", "godot", "--dialect", "khr"], "leave --dialect out"),
        (["export", "a.blend", "out/b.glb"], "out/b.glb is no .blend file"),
    ],
)
def test_a_name_that_is_none_is_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A variable that nobody set is no folder, Godot's files are OMI's, and exports have no OUT."""
    assert main(words) == 2
    assert said in capsys.readouterr().err
