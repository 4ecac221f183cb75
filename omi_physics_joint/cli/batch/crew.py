# SPDX-License-Identifier: GPL-3.0-or-later
"""The supervisor's side of workers: starts them, hands out tasks, replaces who dies or hangs.

Each worker has a thread here that waits for it. Workers are in a process group of their own, so
that Ctrl-C reaches the supervisor alone, which decides what becomes of the files in hand.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

from .worker import ADDRESS, KEY

WAITS = 0.05
"""s between two looks at a worker that has not replied."""
STARTS_WITHIN = 120.0
"""s for Blender to start."""
LONGEST_SOCKET = 100
"""Bytes of the name of a socket, of some 104 that systems take."""
TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""Names in the environment of the folder whose contents nobody misses when a run is over."""
TAIL = 2000
"""Characters of the log of who died."""


class TaskEnd(StrEnum):
    """How a worker's task ended."""

    REPLIED = "replied"
    CRASHED = "crashed"
    TIMEOUT = "timeout"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may take.

    Attributes:
        seconds: For one file; 0 is endless.
        megabytes: Of resident memory, where the system says it; 0 is endless.
        recycle: Files until it is replaced; 0 is never.
        recycle_megabytes: Of memory after a file, from which on it is replaced; 0 is never.
    """

    seconds: float = 0.0
    megabytes: float = 0.0
    recycle: int = 0
    recycle_megabytes: float = 0.0


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of one request.

    Attributes:
        number: Of the request, from 0.
        end: How it ended.
        reply: The worker's; empty where there is none.
        why: One sentence where there is no reply.
        seconds: How long it took.
        log: What was printed meanwhile, also by Blender.
    """

    number: int
    end: TaskEnd
    reply: dict[str, Any]
    why: str
    seconds: float
    log: str


Waiting = queue.SimpleQueue[tuple[int, bytes]]
"""Requests that nobody has in hand, with their numbers."""


class NoWorkerError(Exception):
    """Not one worker came up; its text says why."""


class Worker:
    """One process, and the connection to it."""

    def __init__(self, command: Sequence[str], folder: Path, name: str) -> None:
        """Start it; in ``folder`` are its log and socket, called ``name``, and what it leaves."""
        self.files = 0
        self.versions: dict[str, str] = {}
        self._connection: Connection | None = None
        self._key = secrets.token_bytes(16)
        self._address = _address(folder, name)
        self._log_path = folder / f"{name}.log"
        self._read = 0
        own = {ADDRESS: self._address, KEY: self._key.hex()}
        own |= dict.fromkeys(TEMPORARY, str(folder))
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **own},
                start_new_session=os.name != "nt",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )

    def is_up(self, stopping: threading.Event) -> bool:
        """Wait until it says who it is; return whether it ever does."""
        last = time.monotonic() + STARTS_WITHIN
        while self._process.poll() is None and time.monotonic() < last and not stopping.is_set():
            try:
                if self._connection is None:
                    self._connection = Client(self._address, authkey=self._key)
                if self._connection.poll(WAITS):
                    self.versions = json.loads(self._connection.recv_bytes())
                    return True
            except (OSError, EOFError, AuthenticationError):  # not there yet, or about to die
                time.sleep(WAITS)
        return False

    def done(self, number: int, request: bytes, limits: Limits, kill: threading.Event) -> Ending:
        """Let it do one request; whoever does not reply is killed."""
        began = time.monotonic()
        end, reply, why = TaskEnd.REPLIED, {}, ""
        try:
            end, why = self._waited(request, limits, kill)
            if end is TaskEnd.REPLIED:
                assert self._connection is not None
                reply = json.loads(self._connection.recv_bytes())
        except (EOFError, OSError):
            self._process.wait()
            end, why = TaskEnd.CRASHED, _how_it_died(self._process.returncode)
        self.files += 1
        if end is not TaskEnd.REPLIED:
            self.kill()
        return Ending(number, end, reply, why, time.monotonic() - began, self.log())

    def _waited(self, request: bytes, limits: Limits, kill: threading.Event) -> tuple[TaskEnd, str]:
        """Hand a request over and wait; return how that ended, and in words why."""
        connection = self._connection
        assert connection is not None
        connection.send_bytes(request)
        last = time.monotonic() + limits.seconds
        while not connection.poll(WAITS):
            if kill.is_set():
                return TaskEnd.STOPPED, "It was stopped."
            if self._process.poll() is not None:
                raise EOFError
            if limits.seconds and time.monotonic() > last:
                return TaskEnd.TIMEOUT, f"It took more than {limits.seconds:g} s and was stopped."
            if limits.megabytes and self.megabytes > limits.megabytes:
                return TaskEnd.CRASHED, f"It took more than {limits.megabytes:g} MB of memory."
        return TaskEnd.REPLIED, ""

    @property
    def megabytes(self) -> float:
        """Resident memory in MB; 0 where the system does not say."""
        try:
            statm = Path(f"/proc/{self._process.pid}/statm")
            if statm.exists():
                return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
            asked = ["ps", "-o", "rss=", "-p", str(self._process.pid)]
            return int(subprocess.check_output(asked)) * 1024 / 1e6
        except (OSError, ValueError, IndexError, subprocess.SubprocessError):
            return 0.0

    def log(self) -> str:
        """Return what was printed since this was asked last."""
        with suppress(OSError), self._log_path.open("rb") as file:
            file.seek(self._read)
            text = file.read()
            self._read += len(text)
            return text.decode("utf-8", "replace")
        return ""

    def how_it_failed(self) -> str:
        """Return in words why it did not come up."""
        is_late = self._process.poll() is None
        self.kill()
        died = _how_it_died(self._process.returncode)
        why = f"It did not start within {STARTS_WITHIN:g} s." if is_late else died
        return f"{why} {self.log()[-TAIL:].strip()}".strip()

    def is_spent(self, limits: Limits) -> bool:
        """Return whether another worker should take over."""
        many = limits.recycle and self.files >= limits.recycle
        much = limits.recycle_megabytes and self.megabytes > limits.recycle_megabytes
        return bool(many or much) or self._process.poll() is not None

    def leave(self) -> None:
        """Let it end by itself, or else kill it."""
        with suppress(OSError, subprocess.TimeoutExpired):
            if self._connection is not None:
                self._connection.send_bytes(b"")
            self._process.wait(5.0)
        self.kill()

    def kill(self) -> None:
        """End it and what it has started, at once."""
        with suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if os.name != "nt":
            Path(self._address).unlink(missing_ok=True)
        for end in (self._process.stdin, self._connection):
            with suppress(OSError):
                if end is not None:
                    end.close()


def _address(folder: Path, name: str) -> str:
    """Return where a worker listens: in a folder, unless that is too long for a socket."""
    token = secrets.token_hex(8)
    if os.name == "nt":
        return rf"\\.\pipe\omi_{token}"
    place = str(folder / f"{name}.socket")
    return place if len(os.fsencode(place)) <= LONGEST_SOCKET else f"/tmp/omi_{token}.socket"


def _how_it_died(code: int) -> str:
    if code >= 0:
        return f"Its worker ended with exit code {code}."
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "unknown"
    why = ", perhaps by the system, for want of memory" if name == "SIGKILL" else ""
    return f"Its worker was ended by signal {-code} ({name}){why}."


Done = queue.SimpleQueue[Ending | NoWorkerError | None]
"""What came of requests; None of a seat that is empty now."""


class Crew:
    """Some workers that share the requests of a run."""

    def __init__(self, command: Sequence[str], jobs: int, limits: Limits, folder: Path) -> None:
        """Plan it; nobody is started before there is work.

        Args:
            command: What starts a worker.
            jobs: How many at once.
            limits: What each may take.
            folder: For logs and sockets.
        """
        self._command, self._jobs, self._limits, self._folder = command, jobs, limits, folder
        self._stopping, self._killing = threading.Event(), threading.Event()
        self.versions: dict[str, str] = {}
        self._numbers = count(1)

    @property
    def is_stopping(self) -> bool:
        """Whether no further request is handed out."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Finish the requests in hand and no others; when called again, not even those."""
        if self._stopping.is_set():
            self._killing.set()
        self._stopping.set()

    def endings(self, requests: Sequence[bytes]) -> Iterator[Ending]:
        """Yield what came of each request, in the order in which they end.

        Whose worker died is tried once more when all others are done, with nobody beside it.

        Raises:
            NoWorkerError: not one worker came up.
        """
        again: list[Ending] = []
        for ending in self._shared(list(enumerate(requests)), self._jobs):
            if ending.end is TaskEnd.CRASHED and not self._killing.is_set():
                again.append(ending)
            else:
                yield ending
        for first in again:
            if self._stopping.is_set():
                yield first
                continue
            yield from self._shared([(first.number, requests[first.number])], 1)

    def _shared(self, requests: Sequence[tuple[int, bytes]], jobs: int) -> Iterator[Ending]:
        waiting: Waiting = queue.SimpleQueue()
        done: Done = queue.SimpleQueue()
        for one in requests:
            waiting.put(one)
        seats = min(jobs, len(requests))
        for _ in range(seats):
            threading.Thread(target=self._guarded_seat, args=(waiting, done), daemon=True).start()
        while seats:
            try:
                ending = done.get(timeout=1.0)  # not endless: signals are to be heard
            except queue.Empty:
                continue
            if ending is None:
                seats -= 1
            elif isinstance(ending, NoWorkerError):
                self.stop()
                self.stop()
                raise ending
            else:
                yield ending

    def _guarded_seat(self, waiting: Waiting, done: Done) -> None:
        """Work, and say so where that cannot be: nobody waits for a thread that is gone."""
        try:
            self._seat(waiting, done)
        except Exception as error:  # noqa: BLE001 - whatever it is, the run is to end with it
            done.put(NoWorkerError(f"No worker can be started: {error}"))
        done.put(None)

    def _seat(self, waiting: Waiting, done: Done) -> None:
        """Take request after request, with a worker or several, one after the other."""
        worker: Worker | None = None
        while not self._stopping.is_set():
            try:
                number, request = waiting.get_nowait()
            except queue.Empty:
                break
            if worker is None:
                worker = Worker(self._command, self._folder, str(next(self._numbers)))
            if not worker.files and not worker.is_up(self._killing):
                why = worker.how_it_failed()
                worker = None
                if self.versions or self._killing.is_set():
                    done.put(Ending(number, TaskEnd.CRASHED, {}, why, 0.0, ""))
                    continue
                done.put(NoWorkerError(f"{why} It was started with {self._command[0]}."))
                break
            self.versions = worker.versions
            ending = worker.done(number, request, self._limits, self._killing)
            done.put(ending)
            if ending.end is not TaskEnd.REPLIED:
                worker = None
            elif worker.is_spent(self._limits):
                worker.leave()
                worker = None
        if worker is not None:
            worker.leave()
