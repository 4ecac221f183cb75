# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be read: regular files, inside of the fence, within the budget."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import omi_physics_joint as library
from omi_physics_joint import ContentsError
from omi_physics_joint.files import inputs
from omi_physics_joint.files.inputs import (
    MOST,
    InputError,
    bounded,
    fenced,
    spend,
    why_closed,
)


@pytest.mark.parametrize("what", MOST)
def test_each_budget_is_said_when_it_is_spent(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once or bit by bit; a setting allows more."""
    with bounded():
        spend(what, MOST[what] - 1)
        spend(what)
        with pytest.raises(InputError, match=f"more than {MOST[what]} {what}.*OMI_BUDGET"):
            spend(what)
    monkeypatch.setenv("OMI_BUDGET", "2")
    with bounded():
        spend(what, 2 * MOST[what])
        with pytest.raises(InputError, match=f"{2 * MOST[what]} {what}"):
            spend(what)


def test_each_file_has_a_budget_of_its_own_and_what_it_takes_in_shares_it() -> None:
    """Nothing is bounded where nobody reads."""
    for _ in range(3):
        with bounded():
            spend("prims", MOST["prims"])
            with bounded(), pytest.raises(InputError):
                spend("prims")
    spend("prims", 10 * MOST["prims"])


def test_time_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes on spending nothing but time is stopped, and told how much it had."""
    monkeypatch.setattr(inputs, "SECONDS", -1.0)
    monkeypatch.setenv("OMI_BUDGET", "4")
    with bounded(), pytest.raises(InputError, match="more than -4 s to read"):
        list(map(spend, ["elements"] * inputs.PATIENCE, [0] * inputs.PATIENCE))


@pytest.mark.parametrize("said", ["", "much", "-3"])
def test_setting_that_says_nothing_opens_no_door(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is no number counts as one."""
    monkeypatch.setenv("OMI_BUDGET", said)
    with bounded(), pytest.raises(InputError):
        spend("prims", MOST["prims"] + 1)


def test_what_is_no_regular_file_is_closed(tmp_path: Path) -> None:
    """Pipes, devices, links in a circle and names that no file can have; each has its words."""
    plain = tmp_path / "plain"
    plain.write_text("")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "zero").symlink_to("/dev/zero")
    names = ("pipe", "zero", "circle", "n" * 300, "a\0b", f"{'d/' * 3000}x", "\udcff" * 300)
    assert why_closed(plain) == why_closed(tmp_path / "gone") == why_closed(plain / "below") == ""
    for name in names:
        assert why_closed(tmp_path / name), name


def test_fence_is_held_by_where_files_really_are(tmp_path: Path) -> None:
    """Neither .. nor links lead out; a file that the user has named may lie anywhere."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "file").write_text("")
    (inside / "link").symlink_to(outside / "file")
    (inside / "folder").symlink_to(outside)
    (outside / "back").symlink_to(inside / "file")
    with fenced(inside):
        assert not why_closed(inside / "file")
        assert not why_closed(outside / "back")
        assert not why_closed(outside / "file", named=True)
        for name in ("../out/file", "link", "folder/file"):
            assert "outside" in why_closed(inside / name)
    assert not why_closed(inside / "link")


@pytest.mark.parametrize("name", ["m.glb", "m.gltf", "m.urdf", "m.xml"])
def test_a_pointer_of_git_lfs_is_named_with_what_to_do(name: str, tmp_path: Path) -> None:
    """Of all formats, and of what a file names: a clone has them until somebody pulls."""
    path = tmp_path / name
    path.write_bytes(inputs.POINTER + b"/spec/v1\noid sha256:4d7a\nsize 12345\n")
    with pytest.raises(ContentsError, match="git lfs pull"):
        library.read(path)
    assert "git lfs pull" in why_closed(path)
    path.write_bytes(inputs.POINTER + b" " * inputs.SHORT)
    assert not why_closed(path)
