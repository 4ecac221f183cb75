# SPDX-License-Identifier: GPL-3.0-or-later
"""One run over sound files and a dozen faults: each costs itself alone, and is named."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
from nights import ENVIRONMENT, GREEDY, SEGFAULT, files_of, kept, saved
from scenes import door

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        bool(bpy.app.binary_path) or os.name == "nt",
        reason="workers are started by a Python with bpy, and killed by signals of POSIX",
    ),
]
SECONDS = 15
OLD = b"what was there before"
LOOP = """
import bpy, time
def looped():
    while True:
        time.sleep(0.1)
bpy.app.driver_namespace["looped"] = looped
"""
FULL = """
import resource, bpy
usual = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (10**5, usual[1]))
def given_back(*_):
    resource.setrlimit(resource.RLIMIT_FSIZE, usual)
bpy.app.handlers.load_pre.append(given_back)
"""
"""A disk that has no room for more than 100 kB, until the next file is opened."""
KILLED = """
import os, pathlib, signal
mark = pathlib.Path({mark!r})
if not mark.exists():
    mark.touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""
LONG = "name " + "x" * 239


def corrupt(path: Path) -> None:
    """Write a sound file with bytes of another in its middle."""
    saved(path)
    data = bytearray(path.read_bytes())
    data[20:] = random.Random(1).randbytes(len(data) - 20)
    path.write_bytes(data)


def without_library(path: Path) -> None:
    """Link a mesh of a file that is gone then."""
    library = saved(path.parents[2] / "parts.blend")
    bpy.ops.wm.read_homefile(use_empty=True)
    door()
    with bpy.data.libraries.load(str(library), link=True) as (there, here):
        here.meshes = there.meshes[:1]
    linked = bpy.data.objects.new("Linked", here.meshes[0])
    bpy.context.scene.collection.objects.link(linked)
    kept(path)
    library.unlink()


def looping(path: Path) -> None:
    """Have a driver that never ends."""
    bpy.ops.wm.read_homefile(use_empty=True)
    door()
    bpy.app.driver_namespace["looped"] = lambda: 0.0
    curve = bpy.context.scene.objects[0].driver_add("location", 2)
    curve.driver.expression = "looped()"
    kept(path, LOOP)


def too_large(path: Path) -> None:
    """Save more than the disk has room for."""
    bpy.ops.wm.read_homefile(use_empty=True)
    door()
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=90, y_subdivisions=90)
    kept(path, FULL)


def killed_once(path: Path) -> None:
    """Kill the worker that opens it first."""
    saved(path, KILLED.format(mark=str(path.with_suffix(".mark"))))


Make = Callable[[Path], object]
FAULTS: dict[str, tuple[Make, str, str]] = {
    "corrupt/door": (corrupt, "unreadable", "cannot open"),
    "library/door": (without_library, "refused", "strict refuses"),
    "segfault/door": (lambda path: saved(path, SEGFAULT), "crashed", "signal 11"),
    "driver/door": (looping, "timeout", f"more than {SECONDS} s"),
    "memory/door": (lambda path: saved(path, GREEDY), "crashed", "more than 1500 MB"),
    "disk full/door": (too_large, "unreadable", "too large"),
    "blocked/door": (saved, "unreadable", "cannot be made"),
    "killed/door": (killed_once, "ok", ""),
    "two/DOOR": (saved, "ok", ""),
    "two/door": (saved, "unreadable", "written over"),
    "größe 名前 'é'/дверь": (saved, "ok", ""),
    f"long/{LONG}": (saved, "ok", ""),
    **{f"sound {number}/door": (saved, "ok", "") for number in range(2)},
}
"""Name of a file -> what makes it, what is reported of it, and why."""
if hasattr(os, "geteuid") and os.geteuid():  # nothing is write-protected for root
    FAULTS["locked/door"] = (saved, "unreadable", "ermission denied|write-protected")


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A folder with all of these files, and older outputs of those that will not be written."""
    home = tmp_path / "home"
    for name, (make, state, _) in FAULTS.items():
        make(home / "night" / f"{name}.blend")
        place = home / "out" / f"{name}.glb"
        if state != "ok" and name not in ("two/door", "blocked/door"):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(OLD)
    (home / "out" / "blocked").write_bytes(OLD)
    if (home / "out" / "locked").exists():
        (home / "out" / "locked").chmod(0o555)
    return home


def command(home: Path, *words: object) -> list[str]:
    """Return the words of an export of the folder."""
    own = ("export", home / "night", "-r", "--output-dir", home / "out", "--tree", "-j", 2)
    limits = ("--timeout", SECONDS, "--memory", 1500, "--scripts", "allow", "--strict")
    report = ("--report", home / "report.jsonl", "--changed-only")
    asked = (*own, *limits, *report, *words)
    return [sys.executable, "-m", "omi_physics_joint", *map(str, asked)]


def named(path: str | Path, folder: Path) -> str:
    """Return a file as the table calls it."""
    return Path(path).relative_to(folder).with_suffix("").as_posix()


def test_a_dozen_faults_cost_themselves_alone(night: Path) -> None:
    """A supervisor that is killed in between goes on; then each fault is told, and no other.

    Nothing of Blenders that were killed is left in the temporary folder.
    A file whose time is set back far behind its output is exported anew, and that alone.
    """
    out, report, temporary = night / "out", night / "report.jsonl", night / "temporary"
    temporary.mkdir()
    environment = {**ENVIRONMENT, "TMPDIR": str(temporary)}
    with subprocess.Popen(
        command(night), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while len(report.read_bytes().splitlines() if report.exists() else ()) < 3:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    done = subprocess.run(
        command(night, "--resume"), env=environment, capture_output=True, check=False, timeout=500
    )
    assert done.returncode == 4
    files = {named(one["path"], night / "night"): one for one in files_of(report)}
    assert {name: one["state"] for name, one in files.items()} == {
        name: state for name, (_, state, _) in FAULTS.items()
    }
    for name, (_, _, why) in FAULTS.items():
        assert any(one in files[name]["error"] for one in why.split("|")), files[name]["error"]
    assert json.loads(report.read_text("utf-8").splitlines()[-1])["kind"] == "summary"
    whole = {one.read_bytes() for one in out.rglob("*.glb")} - {OLD}
    assert len(whole) == 1, "all doors are the same, and none is half written"
    old = {named(one, out) for one in out.rglob("*.glb") if one.read_bytes() == OLD}
    faulty = {name for name, (_, state, _) in FAULTS.items() if state != "ok"}
    assert old == faulty - {"two/door", "blocked/door"}
    assert not list(out.rglob(".omi_physics_joint_*"))
    assert not list(temporary.iterdir())
    for name in faulty:
        (night / "night" / f"{name}.blend").unlink()
    changed = saved(night / "night/sound 1/door.blend", "changed = True")
    os.utime(changed, (1, 1))
    report.unlink()
    subprocess.run(command(night), env=environment, capture_output=True, check=True, timeout=200)
    states = {Path(one["path"]).parent.name: one["state"] for one in files_of(report)}
    assert {name for name, state in states.items() if state == "ok"} == {"sound 1"}
    assert set(states.values()) == {"ok", "unchanged"}
