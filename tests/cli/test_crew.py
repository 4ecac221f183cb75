# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers that die, hang, grow or are stopped: what comes of each request."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import threading
import time
from pathlib import Path

import pytest

from omi_physics_joint.cli.batch.crew import Crew, Ending, Limits, NoWorkerError, TaskEnd
from omi_physics_joint.cli.batch.tasks import Task
from omi_physics_joint.cli.batch.worker import packed
from omi_physics_joint.cli.reports.versions import versions

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import os, signal, sys, time
from pathlib import Path
from omi_physics_joint.cli.batch.worker import serve

def run(asked):
    print("at work on", asked.name, flush=True)
    first = not Path(asked.mark).exists()
    Path(asked.mark).touch()
    if asked.name == "dies" or (asked.name == "dies once" and first):
        os.kill(os.getpid(), signal.SIGSEGV)
    if asked.name == "ends":
        os._exit(3)
    if asked.name == "slow":
        time.sleep(0.5)
    if asked.name == "hangs":
        time.sleep(600)
    if asked.name == "grows":
        kept = bytearray(400 * 10**6)
        time.sleep(600)
    return {"name": asked.name, "process": os.getpid()}

serve(run)
"""
COMMAND = [sys.executable, "-c", SCRIPT]
pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]


def crew(tmp_path: Path, jobs: int = 1, **limits: float) -> Crew:
    """Return a crew whose workers do what the name of a request says."""
    return Crew(COMMAND, jobs, Limits(**limits), tmp_path)  # type: ignore[arg-type]


def ended(crew: Crew, tmp_path: Path, *names: str) -> list[Ending]:
    """Return what came of requests, in their own order."""
    asked = [
        packed(
            argparse.Namespace(name=name, mark=str(tmp_path / f"mark{number}")), Task(Path(name))
        )
        for number, name in enumerate(names)
    ]
    return sorted(crew.endings(asked), key=lambda ending: ending.number)


@pytest.fixture(autouse=True)
def _package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def test_who_dies_is_tried_once_more_and_named(tmp_path: Path) -> None:
    """One that dies once is done; one that always dies has the signal, and its own log."""
    names = ("a", "dies once", "dies", "ends", "b")
    workers = crew(tmp_path, 2)
    endings = ended(workers, tmp_path, *names)
    assert workers.versions.items() <= versions().items(), "said before the first request"
    ends = [one.end for one in endings]
    done, died = TaskEnd.REPLIED, TaskEnd.CRASHED
    assert ends == [done, done, died, died, done]
    assert "signal 11 (SIGSEGV)" in endings[2].why
    assert "Its worker ended with exit code 3" in endings[3].why
    assert [one.log.splitlines()[0] for one in endings] == [f"at work on {one}" for one in names]


def test_who_hangs_or_grows_is_ended(tmp_path: Path) -> None:
    """What took too long is out of time and is not tried again; the others are done."""
    limits = {"seconds": 5.0, "megabytes": 300.0}
    endings = ended(crew(tmp_path, 2, **limits), tmp_path, "hangs", "a", "grows", "b")
    ends = [one.end for one in endings]
    assert ends == [TaskEnd.TIMEOUT, TaskEnd.REPLIED, TaskEnd.CRASHED, TaskEnd.REPLIED]
    assert "more than 5 s" in endings[0].why
    assert "more than 300 MB" in endings[2].why


@pytest.mark.parametrize(
    ("limits", "processes"), [({}, 1), ({"recycle": 2}, 3), ({"recycle_megabytes": 1.0}, 5)]
)
def test_workers_are_kept_or_replaced(
    limits: dict[str, float], processes: int, tmp_path: Path
) -> None:
    """One worker does all five files, two each, or one each where it keeps too much memory."""
    endings = ended(crew(tmp_path, **limits), tmp_path, *"abcde")
    assert len({one.reply["process"] for one in endings}) == processes


def test_a_first_stop_finishes_what_is_in_hand(tmp_path: Path) -> None:
    """No further request is handed out, and who has died before is reported."""
    workers = crew(tmp_path)
    asked = [
        packed(
            argparse.Namespace(name=name, mark=str(tmp_path / f"mark{number}")), Task(Path(name))
        )
        for number, name in enumerate(("dies", "slow", "slow", "slow", "slow"))
    ]
    found = {}
    for ending in workers.endings(asked):
        found[ending.number] = ending.end
        workers.stop()
    assert found.pop(0) is TaskEnd.CRASHED
    assert found
    assert set(found.values()) == {TaskEnd.REPLIED}
    assert len(found) < 4


def test_a_second_stop_ends_at_once(tmp_path: Path) -> None:
    """Who is at work is killed, and its request has not been done."""
    workers = crew(tmp_path)

    def stop() -> None:
        while not (tmp_path / "mark0").exists():  # nobody is at work yet
            time.sleep(0.05)
        workers.stop()
        workers.stop()

    threading.Thread(target=stop, daemon=True).start()
    endings = ended(workers, tmp_path, "hangs", "a")
    assert [one.end for one in endings] == [TaskEnd.STOPPED]


@pytest.mark.parametrize(("letter", "letters"), [("x", 130), ("x", 260), ("\u0153", 90)])
def test_a_long_temporary_folder_is_no_obstacle(
    letter: str, letters: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sockets have short names, whatever the folder is called; nothing of them is left."""
    names, token = list[str](), secrets.token_hex
    monkeypatch.setattr(secrets, "token_hex", lambda count: names.append(token(count)) or names[-1])
    folder = tmp_path / (letter * max(20, letters - len(str(tmp_path))))
    folder.mkdir()
    (ending,) = ended(Crew(COMMAND, 1, Limits(), folder), tmp_path, "a")
    assert ending.end is TaskEnd.REPLIED
    assert len(names) == 1
    assert not Path(f"/tmp/omi_{names[0]}.socket").exists()


def test_a_program_that_is_not_there_ends_the_run(tmp_path: Path) -> None:
    """Whatever happens in a thread of the supervisor, nobody waits for ever."""
    with pytest.raises(NoWorkerError, match="No worker can be started"):
        ended(Crew(["/none/such"], 2, Limits(), tmp_path), tmp_path, "a", "b")


def test_no_worker_at_all_is_an_error(tmp_path: Path) -> None:
    """It says what the program that should have been one has printed."""
    lame = Crew([sys.executable, "-c", "exit('no Blender here')"], 2, Limits(), tmp_path)
    with pytest.raises(NoWorkerError, match=r"exit code 1\. no Blender here"):
        ended(lame, tmp_path, "a", "b", "c")


LATE = """
import os, sys, time
from pathlib import Path
place = Path(sys.argv[1])
try:
    place.open("x").close()
except FileExistsError:  # the second: it says that it is there, and never comes up
    place.with_suffix(".late").write_text(str(os.getpid()))
    time.sleep(600)
while not place.with_suffix(".late").exists():
    time.sleep(0.01)
sys.exit(3)
"""


def test_where_no_worker_comes_up_none_is_left_behind(tmp_path: Path) -> None:
    """The first to fail ends the run, and who is still starting is ended with it."""
    mark = tmp_path / "first"
    workers = Crew([sys.executable, "-c", LATE, str(mark)], 2, Limits(), tmp_path)
    with pytest.raises(NoWorkerError):
        ended(workers, tmp_path, "a", "b")
    late = int(mark.with_suffix(".late").read_text() or 0)
    for _ in range(500):
        try:
            os.kill(late, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    pytest.fail("a worker that was starting is still there")
