# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs all tests inside a real Blender with pytest-blender, which is left as it was.

    test_real_blender.py /path/to/blender [PYTEST ARGUMENTS]

What the tests need goes into a folder beside the virtual environments, made for that Blender's
Python; nothing is installed into Blender and its profile is a temporary one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile

import bootstrap

_QUESTION = "import sys; print('OMI_PYTHON=%d.%d' % sys.version_info[:2])"


def python_version_of(blender: str) -> str:
    """Return the version of the Python inside `blender`.

    Raises:
        CannotError: If it does not start.
    """
    command = [blender, "-b", "--factory-startup", "--python-expr", _QUESTION]
    try:
        answer = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
    except OSError as error:
        raise bootstrap.CannotError("%s does not start: %s" % (blender, error)) from error
    found = re.search(r"OMI_PYTHON=(\S+)", answer.stdout.decode(errors="replace"))
    if not found:
        raise bootstrap.CannotError("%s is no Blender that starts in the background" % blender)
    return found.group(1)


def ensure_test_packages(python: str, version: str) -> str:
    """Return a folder with the tests' packages for Python `version`, filled by `python`'s pip."""
    folder = os.path.join(bootstrap.VENVS, "site-" + version)
    stamp = os.path.join(folder, bootstrap.STAMP)
    pins = "\n".join(bootstrap.TEST_PINS)
    if os.path.isfile(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == pins:
                return folder
    shutil.rmtree(folder, ignore_errors=True)
    bootstrap.say("making %s" % folder)
    target = ["--target", folder, "--python-version", version, "--only-binary=:all:"]
    bootstrap.pip_install(python, (*target, *bootstrap.TEST_PINS))
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(pins)
    return folder


def main(arguments: list[str]) -> int:
    """Run the tests; return pytest's exit code, or 2 for wrong use."""
    if not arguments:
        bootstrap.say((__doc__ or "").strip())
        return 2
    blender = shutil.which(arguments[0])
    if not blender:
        raise bootstrap.CannotError("%s is no program" % arguments[0])
    python = bootstrap.python_of("real-blender")
    packages = ensure_test_packages(python, python_version_of(blender))
    with tempfile.TemporaryDirectory() as profile:
        environment = dict(
            os.environ,
            BLENDER_USER_RESOURCES=profile,
            OMI_REQUIRE_BPY="1",
            PYTHONPATH=packages,
            PYTHONDONTWRITEBYTECODE="1",
        )
        # pytest-blender reads its settings in a way that pytest warns of.
        command = [python, "-W", "ignore:config.inicfg", "-m", "pytest"]
        command += ["--blender-executable", os.path.abspath(blender)]
        command += ["-q", *arguments[1:], "--", "--factory-startup", "--python-use-system-env"]
        return subprocess.run(command, cwd=bootstrap.ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except bootstrap.CannotError as problem:
        bootstrap.say("omi_physics_joint: %s" % problem)
        sys.exit(2)
