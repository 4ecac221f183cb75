# SPDX-License-Identifier: MIT
"""Exports many .blend files on a cluster of Dask that is up already: a task for each shard.

    python omi_physics_dask.py tcp://head:8786 40 night.jsonl scenes -r --output-dir build --tree

The scheduler, how many shards, the report, and words of ``omi-physics-joint export``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path

from distributed import Client, Event, as_completed

DIED = 4  # the exit code of the command where something ended that should not have
KEEPER = """
import os, subprocess, sys, threading, time
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
def end_with_parent():
    sys.stdin.buffer.read()
    for _ in range(2):  # once stops after the files in hand, twice at once
        child.terminate()
        time.sleep(0.5)
threading.Thread(target=end_with_parent, daemon=True).start()
os._exit(code if (code := child.wait()) >= 0 else 4)  # the thread holds what exit would close
"""
"""A program that runs another one, and ends it when whoever started it is gone or lets go."""


def export_shard(shard: str, words: Sequence[str], stop: str) -> tuple[int, str]:
    """Export ``"3/40"`` here, until the event ``stop``; return the exit code and the report.

    Raises:
        RuntimeError: there is no report; its text is what the command said.
    """
    stopped = Event(stop)
    with tempfile.TemporaryDirectory() as folder, Path(folder, "said").open("w+b") as said:
        report = Path(folder, "report.jsonl")
        command = [sys.executable, "-c", KEEPER, sys.executable, "-m", "omi_physics_joint"]
        command += ["export", "--shard", shard, "--report", str(report), *words]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=said, stderr=said, start_new_session=True
        ) as running:  # leaving, however that comes about, closes the input of the keeper
            while running.poll() is None and not stopped.wait(timeout=1):
                pass
        if not report.is_file():
            said.seek(0)
            raise RuntimeError(said.read()[-2000:].decode(errors="replace"))
        return running.returncode, report.read_text("utf-8")


def export(client: Client, shards: int, report: Path, words: Sequence[str]) -> int:
    """Export all shards, put their reports into one, and return the largest exit code."""
    client.upload_file(__file__)
    stop, codes = f"omi-{uuid.uuid4()}", [0]
    names = [f"{number}/{shards}" for number in range(1, shards + 1)]
    tasks = client.map(export_shard, names, words=list(words), stop=stop, pure=False)
    report.parent.mkdir(parents=True, exist_ok=True)
    try:
        with report.open("w", encoding="utf-8") as file:
            for task in as_completed(tasks):
                error = task.exception()
                code, lines = (DIED, "") if error else task.result()
                print(lines, end="", file=file, flush=True)
                print(f"error: {error}" if error else "a shard is done", file=sys.stderr)
                codes.append(code)
    finally:
        Event(stop, client).set()
        client.cancel(tasks)
    return max(codes)


if __name__ == "__main__":
    with Client(sys.argv[1]) as cluster:
        sys.exit(export(cluster, int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]))
