# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the virtual environments that the Makefile works in, on demand.

    bootstrap.py python NAME   print the path of that environment's Python; NAME is default, check,
                               kernel, manual, usd-core, dask, real-blender or a Blender version
    bootstrap.py default       print the Blender version that `make test` takes
    bootstrap.py node          fetch the Khronos validator, print its folder

Only the answer goes to standard output; what is being done goes to standard error.
OMI_VENVS names another folder than `.venv` for the environments, so that clones can share them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time

from build_kernel import ZIG
from pythons import answered_version, find_python
from system_libraries import apt_install, ensure_libraries

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENVS = os.path.abspath(os.environ.get("OMI_VENVS") or os.path.join(ROOT, ".venv"))

BLENDERS = {"4.5.15": "3.11", "5.0.1": "3.11", "5.2.3": "3.13"}
"""Blender version -> the only Python that its wheel runs on."""

PREFERRED = ("5.2.3", "5.0.1")
"""Blender versions for `make demo` and `make test`, the first that can run here."""

TEST_PINS = (
    "hatchling==1.33.0",
    "hypothesis==6.170.15",
    "jsonschema==4.26.0",
    "pygltflib==1.16.5",
    "pytest==9.2.0",
    "pytest-xdist==3.8.0",
    "scipy==1.17.1",
)
CHECK_PINS = (*TEST_PINS, "mypy==2.4.1", "numpy==2.4.6", "ruff==0.17.5")
CHECK_PYTHONS = ("3.11", "3.13", "3.12")
KERNEL_PINS = (ZIG,)
MANUAL_PINS = ("mkdocs==1.6.1", "mkdocs-material==9.8.1")
USD_PINS = ("usd-core==26.11", *TEST_PINS, "numpy==2.4.6")
DASK_PINS = ("distributed==2026.8.0",)
REAL_BLENDER_PINS = ("pytest==9.2.0", "pytest-blender==3.0.8")
OTHERS = {
    "check": CHECK_PINS,
    "kernel": KERNEL_PINS,
    "manual": MANUAL_PINS,
    "usd-core": USD_PINS,
    "dask": DASK_PINS,
    "real-blender": REAL_BLENDER_PINS,
}
"""Environments without Blender as a module -> what they hold."""
KHRONOS_PIN = "gltf-validator@2.0.0-dev.3.10"

STAMP = "omi_pins.txt"


class CannotError(Exception):
    """Something that the user must know and do; its text is one sentence."""


def say(line: str) -> None:
    """Tell the user what is being done."""
    print(line, file=sys.stderr, flush=True)


def default_blender() -> str:
    """Return the Blender version that `make demo` and `make test` use here.

    Raises:
        CannotError: If no Python for any of them is found.
    """
    for fetch in (False, True):
        for version in PREFERRED:
            if find_python(BLENDERS[version], fetch):
                return version
    raise CannotError(
        "No Python 3.13 or 3.11 found: Blender's wheels run on these only. "
        "Install one of them, or uv, which fetches one."
    )


def runnable_blenders() -> list[str]:
    """Return the Blender versions that can run here."""
    return [version for version, python in BLENDERS.items() if find_python(python)]


def python_of(name: str) -> str:
    """Return the path of the Python in the environment `name`, made if need be.

    Args:
        name: "default", "check", "kernel", "manual", "usd-core", "dask", "real-blender", or a
            Blender version.

    Raises:
        CannotError: If it cannot be made.
    """
    if name in OTHERS:
        return _ensure_venv(name, _first_python(CHECK_PYTHONS), OTHERS[name])
    version = default_blender() if name == "default" else name
    if version not in BLENDERS:
        raise CannotError("No environment %s; there are: %s" % (name, ", ".join(BLENDERS)))
    problem = ensure_libraries()
    if problem:
        raise CannotError(problem)
    python = _first_python((BLENDERS[version],))
    return _ensure_venv("bpy-" + version, python, ("bpy==" + version, *TEST_PINS))


def _first_python(versions: tuple[str, ...]) -> str:
    for fetch in (False, True):
        for version in versions:
            python = find_python(version, fetch)
            if python:
                return python
    raise CannotError(
        "No Python %s found; install it, or uv, which fetches one." % " or ".join(versions)
    )


def _ensure_venv(name: str, python: str, pins: tuple[str, ...]) -> str:
    """Return the Python of the venv `name`, made afresh unless its stamp holds these pins."""
    folder = os.path.join(VENVS, name)
    inside = os.path.join(
        folder, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python"))
    )
    stamp = "\n".join((answered_version(python) or "", *pins)) + "\n"
    if _read(os.path.join(folder, STAMP)) == stamp and answered_version(inside):
        return inside
    shutil.rmtree(folder, ignore_errors=True)
    start = time.monotonic()
    say("making %s with %s" % (folder, pins[0]))
    if pins[0].startswith("bpy=="):
        say("downloading Blender as a wheel, about 400 MB, once")
    if pins == KERNEL_PINS:
        say("downloading zig, a C compiler for all systems, about 100 MB, once")
    _create_venv(python, folder)
    try:
        pip_install(inside, pins)
    except CannotError:
        shutil.rmtree(folder, ignore_errors=True)  # others take one that is there as whole
        raise
    if pins[0].startswith("bpy=="):
        _check_bpy(inside)
    with open(os.path.join(folder, STAMP), "w", encoding="utf-8") as file:
        file.write(stamp)
    say("made in %.0f s" % (time.monotonic() - start))
    return inside


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def _create_venv(python: str, folder: str) -> None:
    """Run `python -m venv`; Debian keeps it in a package of its own."""
    if _run([python, "-m", "venv", folder]) is None:
        return
    package = "python%s-venv" % answered_version(python)
    shutil.rmtree(folder, ignore_errors=True)
    if apt_install([package]) and _run([python, "-m", "venv", folder]) is None:
        return
    shutil.rmtree(folder, ignore_errors=True)
    raise CannotError(
        "%s cannot make virtual environments. Install with: sudo apt-get install -y %s"
        % (python, package)
    )


def pip_install(python: str, pins: tuple[str, ...]) -> None:
    """Install with pip, quietly; try once more if that fails.

    Raises:
        CannotError: If it fails twice.
    """
    command = [python, "-m", "pip", "install", "-q", "--no-input", "--disable-pip-version-check"]
    problem = _run([*command, *pins])
    if problem is not None:
        say("pip failed; trying once more")
        problem = _run([*command, *pins])
    if problem is not None:
        raise CannotError("pip could not install %s: %s" % (" ".join(pins), problem))


def _check_bpy(python: str) -> None:
    """See that Blender really starts in the new environment."""
    with tempfile.TemporaryDirectory() as profile:
        environment = dict(os.environ, BLENDER_USER_RESOURCES=profile)
        problem = _run([python, "-c", "import bpy, os; os._exit(0)"], environment)
    if problem is not None:
        raise CannotError("Blender's wheel does not start: " + problem)


def _run(command: list[str], environment: dict[str, str] | None = None) -> str | None:
    """Run quietly; return None if all went well, else the last line of what it printed."""
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "exit code %d" % done.returncode


def ensure_node() -> str:
    """Fetch the Khronos validator with npm; return the folder that holds `node_modules`.

    Raises:
        CannotError: If Node.js or npm is missing or npm fails.
    """
    npm = shutil.which("npm")
    if not npm or not shutil.which("node"):
        raise CannotError("Node.js with npm is not here, so the Khronos validator is not either.")
    folder = os.path.join(VENVS, "node")
    if _read(os.path.join(folder, STAMP)) == KHRONOS_PIN:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    say("fetching %s with npm" % KHRONOS_PIN)
    command = [npm, "install", "--prefix", folder, "--no-fund", "--no-audit", "--loglevel=error"]
    problem = _run([*command, KHRONOS_PIN])
    if problem is not None:
        raise CannotError("npm could not install %s: %s" % (KHRONOS_PIN, problem))
    with open(os.path.join(folder, STAMP), "w", encoding="utf-8") as file:
        file.write(KHRONOS_PIN)
    return folder


def main(arguments: list[str]) -> int:
    """Run one of the commands of the module's docstring; return 0, or 2 for what cannot be."""
    try:
        if len(arguments) == 2 and arguments[0] == "python":
            print(python_of(arguments[1]))
        elif arguments == ["default"]:
            print(default_blender())
        elif arguments == ["node"]:
            print(ensure_node())
        else:
            say((__doc__ or "").strip())
            return 2
    except CannotError as problem:
        say("omi_physics_joint: %s" % problem)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
