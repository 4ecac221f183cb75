# SPDX-License-Identifier: GPL-3.0-or-later
"""Files are replaced all together, or nothing has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from omi_physics_joint.files import outputs
from omi_physics_joint.files.outputs import ASIDE, obstacle, put_all, real, replace


def new_files(folder: Path, *names: str) -> list[Path]:
    """Return new files in a folder of their own."""
    folder.mkdir()
    paths = [folder / name for name in names]
    for path in paths:
        path.write_text("new")
    return paths


def texts(folder: Path) -> dict[str, str]:
    """Return what is below a folder."""
    return {
        str(path.relative_to(folder)): path.read_text() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }


def test_all_files_come_to_their_places(tmp_path: Path) -> None:
    """Old ones are replaced with their permissions, folders that are missing are made."""
    home = tmp_path / "out"
    home.mkdir()
    (home / "a.bin").write_text("old")
    (home / "a.bin").chmod(0o640)
    a, b = new_files(tmp_path / "aside", "a.bin", "b.png")
    replace([(a, home / "a.bin"), (b, home / "deep" / "er" / "b.png")])
    assert texts(home) == {"a.bin": "new", "deep": "", "deep/er": "", "deep/er/b.png": "new"}
    assert (home / "a.bin").stat().st_mode & 0o777 == 0o640


def test_who_has_the_same_bytes_keeps_its_time(tmp_path: Path) -> None:
    """Of three that are written again, the one that is as it was is left alone.

    Another may have its size, and even its time, as what comes out of archives has.
    """
    home = tmp_path / "out"
    home.mkdir()
    for name, text in (("a.bin", "new"), ("b.png", "old"), ("c.glb", "old")):
        (home / name).write_text(text)
        os.utime(home / name, (1, 1))
    a, b, c = new_files(tmp_path / "aside", "a.bin", "b.png", "c.glb")
    os.utime(c, (1, 1))
    replace([(path, home / path.name) for path in (a, b, c)])
    assert texts(home) == {"a.bin": "new", "b.png": "new", "c.glb": "new"}
    assert (home / "a.bin").stat().st_mtime == 1
    assert (home / "b.png").stat().st_mtime > 1


def test_a_failure_in_the_middle_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third of three cannot be replaced: the first two are as they were, and nothing is new."""
    home = tmp_path / "out"
    home.mkdir()
    for name in ("a.bin", "c.gltf"):
        (home / name).write_text("old")
    before = texts(home)
    paths = new_files(tmp_path / "aside", "a.bin", "b.png", "c.gltf")
    places = [home / "a.bin", home / "pictures" / "b.png", home / "c.gltf"]
    plain = os.replace

    def failing(source: Path, target: Path) -> None:
        if Path(target).name == "c.gltf":
            raise PermissionError(13, "in use", str(target))
        plain(source, target)

    monkeypatch.setattr(outputs.os, "replace", failing)
    with pytest.raises(PermissionError):
        replace(list(zip(paths, places, strict=True)))
    assert texts(home) == before


def test_a_file_from_another_disk_is_first_copied_beside_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fills up while it is copied leaves the old file, and nothing beside it."""
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second disk here")
    (path,) = new_files(other / f"omi_test_{os.getpid()}", "a.glb")
    try:
        place = tmp_path / "a.glb"
        place.write_text("old")
        copy = outputs.shutil.copyfile
        monkeypatch.setattr(outputs.shutil, "copyfile", _full)
        with pytest.raises(OSError, match="No space"):
            replace([(path, place)])
        assert texts(tmp_path) == {"a.glb": "old"}
        monkeypatch.setattr(outputs.shutil, "copyfile", copy)
        replace([(path, place)])
        assert texts(tmp_path) == {"a.glb": "new"}
    finally:
        path.unlink(missing_ok=True)
        path.parent.rmdir()


def _full(_source: Path, _target: Path) -> None:
    raise OSError(28, "No space left on device")


def test_a_file_is_written_aside_and_through_links(tmp_path: Path) -> None:
    """A link stays one, what it points to is replaced, and an old file outlives a failure."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "out.json"
    link.symlink_to("real/motion.json")
    put_all({real(link): b"ab\n"})
    assert link.is_symlink()
    assert (tmp_path / "real" / "motion.json").read_text() == "ab\n"

    with pytest.raises(OSError, match="No such file"):
        put_all({real(tmp_path / "new.json"): b"half", real(link): tmp_path / "gone.json"})
    assert link.read_text() == "ab\n"
    assert not (tmp_path / "new.json").exists()
    assert not list(tmp_path.rglob(f"{ASIDE}*"))


def test_what_cannot_be_written_is_told_beforehand(tmp_path: Path) -> None:
    """Folders, pipes and files below files are no places for files."""
    pipe = tmp_path / "pipe.glb"
    os.mkfifo(pipe)
    (tmp_path / "file").touch()
    assert "a folder" in obstacle([tmp_path])
    assert "no regular file" in obstacle([pipe])
    assert "no folder" in obstacle([tmp_path / "file" / "x.glb"])
    assert obstacle([tmp_path / "new" / "x.glb", tmp_path / "file"]) == ""
    assert real(tmp_path / "x" / ".." / "y") == (tmp_path / "y").resolve()


def test_no_folder_is_left_of_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However deep the folders are that were made for it; one that was there stays."""
    (tmp_path / "there").mkdir()
    paths = new_files(tmp_path / "aside", "a", "b")
    monkeypatch.setattr(outputs.os, "replace", lambda *_: _full(*paths))
    places = [tmp_path / "there" / "x" / "y" / "a", tmp_path / "new" / "z" / "b"]
    with pytest.raises(OSError, match="No space"):
        replace(list(zip(paths, places, strict=True)))
    assert {name for name in texts(tmp_path) if "." not in name} == {
        "aside",
        "aside/a",
        "aside/b",
        "there",
    }
