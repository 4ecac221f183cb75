# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared libraries that Blender's wheel loads on Linux, and how to get the missing ones."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys

PACKAGES = {
    "libX11.so.6": "libx11-6",
    "libXrender.so.1": "libxrender1",
    "libXfixes.so.3": "libxfixes3",
    "libXi.so.6": "libxi6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1 libgl1-mesa-dri",
}
"""Library name -> Debian and Ubuntu packages that hold it; the last is for drawing offscreen."""


def missing_libraries() -> list[str]:
    """Return the names of the libraries that do not load here; empty where not on Linux."""
    if not sys.platform.startswith("linux"):
        return []
    return [name for name in PACKAGES if not _loads(name)]


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def ensure_libraries() -> str | None:
    """Install what is missing where that is allowed.

    Returns:
        None when everything is there, else one sentence that says what the user must do.
    """
    missing = missing_libraries()
    if not missing:
        return None
    packages = " ".join(PACKAGES[name] for name in missing).split()
    print("missing system libraries: " + " ".join(missing), file=sys.stderr)
    if apt_install(packages) and not missing_libraries():
        return None
    return "Blender needs %s. Install with: %s" % (
        ", ".join(missing_libraries()),
        "sudo apt-get install -y --no-install-recommends " + " ".join(packages),
    )


def apt_install(packages: list[str]) -> bool:
    """Install Debian packages if this is root on a machine with apt-get; say so."""
    apt = shutil.which("apt-get")
    if not apt or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    print("installing with apt-get: " + " ".join(packages), file=sys.stderr)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for arguments in (
        ["update", "-q"],
        ["install", "-qy", "--no-install-recommends", *packages],
    ):
        done = subprocess.run(
            [apt, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode != 0 and arguments[0] == "install":
            print(done.stdout.decode(errors="replace")[-2000:], file=sys.stderr)
            return False
    return True
