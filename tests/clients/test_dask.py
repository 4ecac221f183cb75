# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports on a cluster of Dask: a real scheduler, and two real workers of which one is killed."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from night_project import ROOT, WHOLE, Run, environment_with_blender, recipe, states, written

CLIENT = ROOT / "clients/dask/omi_physics_dask.py"
DASK = Path(os.environ.get("OMI_VENVS") or ROOT / ".venv") / "dask/bin/python"
EXPORT = ("scenes", "-r", "--output-dir", "build", "--tree", "--scripts", "allow")
SLEEPER = """
import os, pathlib, time
try:
    with open(os.environ["NIGHT_MARK"], "x") as mark:
        mark.write(f"{os.environ['NIGHT_WORKER']} {os.getpid()}")
    time.sleep(100)
except FileExistsError:
    pass
"""
"""What a scene does when it is opened: the first time it takes so long that it can be killed."""
ADD_SCRIPT = """
import bpy, os, sys
bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
text = bpy.data.texts.new("sleeper.py")
text.write(sys.argv[2])
text.use_module = True
bpy.ops.wm.save_mainfile()
os._exit(0)
"""
pytestmark = pytest.mark.long


@pytest.mark.parametrize("code", [0, 3])
def test_the_keeper_ends_as_whom_it_keeps(code: int) -> None:
    """The exit code of a shard is that of its command; of one that was killed it is 4."""
    keeper = CLIENT.read_text("utf-8").split('KEEPER = """')[1].split('"""')[0]
    for line, expected in ((f"raise SystemExit({code})", code), ("import os; os.abort()", 4)):
        words = [sys.executable, "-c", keeper, sys.executable, "-c", line]
        with subprocess.Popen(words, stdin=subprocess.PIPE) as running:
            assert running.wait(30) == expected


def within(seconds: float, ready: Callable[[], Any]) -> Any:
    """Wait until something is there, and return it."""
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        if found := ready():
            return found
        time.sleep(0.05)
    pytest.fail(f"It was not there after {seconds:g} s.")


def json_in(place: Path) -> Any:
    """Return what a file of JSON says; None while it is not there, or is still being written."""
    try:
        return json.loads(place.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return None


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path, project: Path) -> None:
        """Start a scheduler."""
        if not DASK.is_file():
            reason = "distributed is not installed (scripts/bootstrap.py python dask)"
            (pytest.fail if os.environ.get("OMI_REQUIRE_DASK") == "1" else pytest.skip)(reason)
        self.environment = environment_with_blender(folder / "programs")
        self.mark = folder / "mark"
        self.environment["NIGHT_MARK"] = str(self.mark)
        self._folder, self._project = folder, project
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        place = folder / "scheduler.json"
        quiet = ("--scheduler-file", place, "--no-dashboard", "--host", "127.0.0.1")
        self._start("scheduler", *quiet, "--port", "0")
        self.address = within(60, lambda: json_in(place))["address"]

    def add_worker(self, name: str) -> None:
        """Start a worker that does one task at a time."""
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name)
        self._start("worker", self.address, *alone, NIGHT_WORKER=name)

    def client(self, *words: object) -> list[str]:
        """Return a command of our client."""
        return [str(word) for word in (DASK, CLIENT, self.address, *words)]

    def _start(self, kind: str, *words: object, **more: str) -> None:
        command = [DASK, "-m", f"distributed.cli.dask_{kind}", *words]
        name = more.get("NIGHT_WORKER", kind)
        with (self._folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [str(word) for word in command],
                cwd=self._project,
                env={**self.environment, **more},
                stdout=log,
                stderr=log,
            )

    def end(self) -> None:
        """Kill what is still there."""
        for process in self.processes.values():
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path, project: Path) -> Iterator[Cluster]:
    """A scheduler with a worker."""
    made = Cluster(tmp_path, project)
    made.add_worker("one")
    yield made
    made.end()


@pytest.fixture
def slow(project: Path) -> None:
    """Have a scene that takes long when it is first opened."""
    words = ("-c", ADD_SCRIPT, project / "scenes/parts/scene.blend", SLEEPER)
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def is_there(number: int) -> bool:
    """Return whether there is a process of that number which still runs."""
    stat = Path(f"/proc/{number}/stat")
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.usefixtures("slow")
def test_a_killed_worker_costs_nothing(cluster: Cluster, project: Path, run: Run) -> None:
    """Three shards on two workers, one killed in mid-file: all is there, as of one machine."""
    cluster.add_worker("two")
    command = cluster.client(3, "night.jsonl", *EXPORT)
    with subprocess.Popen(command, cwd=project, env=cluster.environment) as client:
        worker, blender = within(
            90, lambda: cluster.mark.is_file() and cluster.mark.read_text()
        ).split()
        cluster.processes[worker].send_signal(signal.SIGKILL)
        within(20, lambda: not is_there(int(blender)))
        assert client.wait(240) == 0
    lines = [json.loads(line) for line in (project / "night.jsonl").open(encoding="utf-8")]
    files = [one for one in lines if one["kind"] == "file"]
    assert {one["state"] for one in files} == {"ok"}
    assert sorted(one["path"] for one in files) == [f"scenes/{one[:-4]}.blend" for one in WHOLE]
    assert all(one["joints"] for one in files)
    alone = ("scenes", "-r", "--output-dir", "alone", "--tree", "--scripts", "deny")
    run("blender", "-b", "--command", "omi_physics_joint", "export", *alone, cwd=project)
    assert written(project / "build") == written(project / "alone") == WHOLE
    for name in WHOLE:
        assert (project / "build" / name).read_bytes() == (project / "alone" / name).read_bytes()


@pytest.mark.usefixtures("slow")
def test_who_stops_the_client_stops_the_work(cluster: Cluster, project: Path) -> None:
    """Ctrl-C ends what runs on workers, Blenders too, and workers are free for others."""
    command = cluster.client(1, "night.jsonl", *EXPORT)
    with subprocess.Popen(command, cwd=project, env=cluster.environment) as client:
        words = within(180, lambda: cluster.mark.is_file() and cluster.mark.read_text())
        client.send_signal(signal.SIGINT)
        within(20, lambda: not is_there(int(words.split()[1])))
        assert client.wait(30) != 0
    assert all(process.poll() is None for process in cluster.processes.values())


def test_a_wrong_call_is_said(cluster: Cluster, project: Path) -> None:
    """What the command says of its words comes to whoever called it."""
    command = cluster.client(2, "night.jsonl", "scenes", "--no-such-word")
    done = subprocess.run(
        command, cwd=project, env=cluster.environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "--no-such-word" in done.stderr) == (4, True)


def test_the_recipe_of_the_manual(cluster: Cluster, project: Path) -> None:
    """The line as it stands on the page, but for the address of the scheduler."""
    (project / "clients").symlink_to(ROOT / "clients")
    line = recipe("**Dask**").replace("tcp://head:8786", cluster.address)
    assert cluster.address in line
    subprocess.run(
        ["sh", "-c", f'PATH="{DASK.parent}:$PATH"; {line}'],
        cwd=project,
        env=cluster.environment,
        check=True,
    )
    assert written(project / "build") == WHOLE
    assert states(project / "build/night.jsonl") == ["ok"] * len(WHOLE)


def test_the_worst_code_counts_whichever_shard_ends_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A shard that failed, one that is well, one that broke off and one that is well again."""
    ends: list[tuple[int, str] | None] = [(1, "a\n"), (0, "b\n"), None, (0, "c\n")]
    tasks = [
        SimpleNamespace(exception=lambda one=one: not one, result=lambda one=one: one)
        for one in ends
    ]
    cluster = SimpleNamespace(
        upload_file=lambda _: None, map=lambda *_, **__: tasks, cancel=lambda _: None
    )
    stub = SimpleNamespace(
        Client=None, Event=lambda *_: SimpleNamespace(set=lambda: None), as_completed=iter
    )
    monkeypatch.setitem(sys.modules, "distributed", stub)
    client = runpy.run_path(str(CLIENT))
    report = tmp_path / "night" / "report.jsonl"
    assert client["export"](cluster, len(ends), report, ()) == client["DIED"]
    assert report.read_text("utf-8") == "a\nb\nc\n"
