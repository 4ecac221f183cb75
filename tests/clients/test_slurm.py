# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe for Slurm, handed to a real one: a controller and a node, both on this machine."""

from __future__ import annotations

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from night_project import WHOLE, environment_with_blender, recipe, states, written

PROGRAMS = ("slurmctld", "slurmd", "slurmstepd", "sbatch", "sinfo")
PLUGINS = "lib/x86_64-linux-gnu/slurm-wlm"
"""Where Debian has them, below the folder of folders of programs."""
CONFIGURATION = """ClusterName=night
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
PluginDir={plugins}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes={host} Default=YES State=UP
"""
pytestmark = pytest.mark.long


def free_ports(count: int) -> list[int]:
    """Return numbers of ports that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    numbers = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return numbers


@pytest.fixture
def slurm(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment for users of a cluster of one node, with Blender on the path."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (Debian: slurmctld slurmd slurm-client)")
    for name in ("state", "spool"):
        (tmp_path / name).mkdir()
    host = socket.gethostname().partition(".")[0]
    controller, step = (Path(shutil.which(name) or "") for name in ("slurmctld", "slurmstepd"))
    text = CONFIGURATION.format(
        host=host,
        ports=free_ports(2),
        user=getpass.getuser(),
        plugins=controller.resolve().parents[1] / PLUGINS,
        folder=tmp_path,
    )
    (tmp_path / "slurm.conf").write_text(text, "utf-8")
    environment = environment_with_blender(tmp_path / "programs")
    environment["SLURM_CONF"] = str(tmp_path / "slurm.conf")
    commands = (("slurmctld", "-D"), ("slurmd", "-D", "-d", str(step)))
    with (tmp_path / "slurm.log").open("wb") as log:
        running = [
            subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            for command in commands
        ]
    last = time.monotonic() + 60
    while "idle" not in said(environment, "sinfo", "--noheader"):
        assert time.monotonic() < last, (tmp_path / "slurm.log").read_text()
        time.sleep(0.2)
    yield environment
    for process in running:
        process.terminate()
        process.wait()


def said(environment: dict[str, str], *words: str) -> str:
    """Return what a program prints."""
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    return done.stdout


def test_the_array_exports_the_whole_night(slurm: dict[str, str], project: Path) -> None:
    """The script as it stands on the page: forty jobs, of which each does its part and reports."""
    (project / "night.sh").write_text(recipe("**Slurm**"), "utf-8")
    words = ("sbatch", "--wait", "night.sh")
    done = subprocess.run(
        words, cwd=project, env=slurm, capture_output=True, text=True, timeout=400, check=False
    )
    logs = "".join(one.read_text() for one in sorted(project.glob("slurm-*.out")))
    assert done.returncode == 0, done.stdout + done.stderr + logs
    assert written(project / "build") == WHOLE
    reports = [states(project / f"build/night_{part}.jsonl") for part in range(1, 41)]
    assert [state for report in reports for state in report] == ["ok"] * len(WHOLE)
