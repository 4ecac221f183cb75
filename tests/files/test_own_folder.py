# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of one run: what is in use stays, what a killed run has left goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest

from omi_physics_joint.files import outputs
from omi_physics_joint.files.outputs import ABANDONED, IN_USE, OwnFolder, remove_abandoned

ROOT = Path(__file__).resolve().parents[2]
HOLDER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from omi_physics_joint.files.outputs import OwnFolder
folder = OwnFolder("own_", Path(sys.argv[2]))
(folder.path / "half.bin").write_bytes(b"half")
print(folder.path, flush=True)
time.sleep(60)
"""


def test_a_folder_is_gone_after_its_block(tmp_path: Path) -> None:
    """It is new and empty at first, and removed with what is in it."""
    with OwnFolder("own_", tmp_path) as folder:
        assert folder.path.parent == tmp_path
        (folder.path / "deep").mkdir()
    assert not any(tmp_path.iterdir())


def test_what_a_killed_run_left_goes_and_what_is_in_use_stays(tmp_path: Path) -> None:
    """The next run removes the folder of a run that was killed, and no other."""
    words = [sys.executable, "-c", HOLDER, str(ROOT), str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        path = Path(other.stdout.readline().strip())
        with OwnFolder("own_", tmp_path), OwnFolder("own_", tmp_path):
            assert (path / "half.bin").exists()
            assert len(list(tmp_path.iterdir())) == 3
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert path.exists()
    with OwnFolder("else_", tmp_path):
        assert path.exists()
    with OwnFolder("own_", tmp_path):
        assert not path.exists()


def test_what_is_in_use_stops_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before and after folders in use, as the disk lists them, those go that runs have left."""
    left = [tmp_path / "own_000", tmp_path / "own_zzz_left"]
    for folder in left:
        folder.mkdir()
        (folder / IN_USE).touch()
    scan = os.scandir

    def in_order(place: object) -> object:
        found = scan(place)  # type: ignore[call-overload]
        return sorted(found, key=lambda one: one.name) if place == tmp_path else found

    monkeypatch.setattr(outputs.os, "scandir", in_order)
    with monkeypatch.context() as patch:
        patch.setattr(outputs, "remove_abandoned", lambda *_: None)
        used = [OwnFolder("own_", tmp_path) for _ in range(2)]
    remove_abandoned("own_", tmp_path)
    assert not any(folder.exists() for folder in left)
    assert all(folder.path.exists() for folder in used)
    for one in used:
        one.remove()


def test_who_is_killed_while_it_removes_its_folder_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock goes last: a folder that is half removed is removed by the next run."""
    folder = OwnFolder("own_", tmp_path)
    (folder.path / "deep").mkdir()
    seen: list[bool] = []
    plain = outputs.shutil.rmtree

    def noting(path: object, **options: bool) -> None:
        seen.append((folder.path / IN_USE).exists())
        plain(path, **options)

    monkeypatch.setattr(outputs.shutil, "rmtree", noting)
    folder.remove()
    assert seen == [True, True]
    assert not folder.path.exists()


@pytest.mark.parametrize("old", [False, True])
def test_a_folder_without_a_lock_goes_when_it_is_old(old: bool, tmp_path: Path) -> None:
    """A run may be killed before its lock is there; a new folder may be about to get one."""
    folder = tmp_path / "own_x"
    folder.mkdir()
    then = time.time() - (ABANDONED + 60.0 if old else 60.0)
    os.utime(folder, (then, then))
    remove_abandoned("own_", tmp_path)
    assert folder.exists() is not old


def test_links_and_files_are_left_alone(tmp_path: Path) -> None:
    """Nothing is followed, and a place that is not there is no trouble."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "mine").touch()
    (tmp_path / "own_link").symlink_to(kept)
    (tmp_path / "own_file").touch()
    os.utime(kept, (0.0, 0.0))
    remove_abandoned("own_", tmp_path)
    remove_abandoned("own_", tmp_path / "nowhere")
    assert {path.name for path in tmp_path.iterdir()} == {"kept", "own_link", "own_file"}
    assert (kept / "mine").exists()


@pytest.mark.parametrize("has_locks", [True, False])
def test_a_folder_is_in_use_as_soon_as_it_looks_so(
    has_locks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sees a lock that is free while it is not; a disk without locks has none to be seen."""
    lock, seen = outputs._lock, []

    def asked(file: IO[bytes]) -> None:
        seen.extend(tmp_path.glob(f"own_*/{IN_USE}"))
        if not has_locks:
            raise OSError
        lock(file)

    monkeypatch.setattr(outputs, "_lock", asked)
    with OwnFolder("own_", tmp_path) as folder:
        assert seen == []
        assert (folder.path / IN_USE).exists() is has_locks
        then = time.time() - ABANDONED - 60.0
        os.utime(folder.path, (then, then))
        remove_abandoned("own_", tmp_path)
        assert folder.path.exists() is has_locks
