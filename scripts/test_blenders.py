# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs all tests on one Blender or on several, and says which were left out and why.

test_blenders.py default|all|VERSION... [--skip VERSION] [-- PYTEST ARGUMENTS]

With "all" the tests in which no Blender takes part run on one Python, and the short ones of them
once on each other; two versions share one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

import bootstrap

WITH_BLENDER = ["tests/blender", "tests/clients", "tests/package", "tests/usd"]
OF_PYTHON = ["tests/clients", "tests/package/test_checkout.py", "tests/package/test_tools.py"]
"""What these say is the same on any Blender of one Python."""


def run_tests(version: str, pytest_arguments: list[str], what: str, **variables: str) -> str:
    """Run tests in the Python of one Blender; return how it went, "passed in 90 s"."""
    python = bootstrap.python_of(version)
    bootstrap.say("== tests on %s" % what)
    environment = dict(os.environ, OMI_REQUIRE_BPY="1", **variables)
    workers = str((os.cpu_count() or 1) + 1)  # one more, as some tests wait
    order = ["--dist", "loadfile", "--no-loadscope-reorder"]
    command = [python, "-m", "pytest", "-q", "-n", workers, *order, *pytest_arguments]
    start = time.monotonic()
    code = subprocess.run(command, cwd=bootstrap.ROOT, env=environment, check=False).returncode
    word = "passed" if code == 0 else "FAILED (pytest exit code %d)" % code
    return "%s in %.0f s" % (word, time.monotonic() - start)


def main(arguments: list[str]) -> int:
    """Run as the module's docstring says; return 0 if all tests passed."""
    pytest_arguments = []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, pytest_arguments = arguments[:cut], arguments[cut + 1 :]
    skipped = arguments[arguments.index("--skip") + 1] if "--skip" in arguments else None
    names = [name for name in arguments if name not in ("--skip", skipped)]
    _fetch_khronos_validator()
    lines = []
    pythons = {bootstrap.BLENDERS[skipped]} if skipped else set()
    for version in _versions(names):
        if version == skipped:
            lines.append("Blender %s: left out, its tests have just been run" % version)
            continue
        chosen = {"": pytest_arguments}
        if names == ["all"] and not pytest_arguments:
            chosen = _runs(bootstrap.BLENDERS[version], pythons)
        pythons.add(bootstrap.BLENDERS[version])
        for what, words in chosen.items():
            went = run_tests(version, words, "Blender %s%s" % (version, what))
            lines.append("Blender %s%s: %s" % (version, what, went))
    for version in bootstrap.BLENDERS:
        if names == ["all"] and not any("Blender %s:" % version in line for line in lines):
            lines.append(
                "Blender %s: left out, no Python %s here" % (version, bootstrap.BLENDERS[version])
            )
    print("\n".join(sorted(lines)))
    return 1 if any("FAILED" in line for line in lines) else 0


def _runs(python: str, known: set[str]) -> dict[str, list[str]]:
    """Return what pytest runs on a Python after those that are known: words by what it is."""
    if python in known:
        left = [path for path in WITH_BLENDER if path not in OF_PYTHON]
        return {"": [*left, *("--ignore=" + path for path in OF_PYTHON)]}
    if not known:
        return {"": []}
    others = ["-m", "not long", *("--ignore=" + path for path in WITH_BLENDER)]
    return {"": WITH_BLENDER, ", short tests without it": others}


def _versions(names: list[str]) -> list[str]:
    if names == ["default"]:
        return [bootstrap.default_blender()]
    return bootstrap.runnable_blenders() if names == ["all"] else names


def _fetch_khronos_validator() -> None:
    try:
        bootstrap.ensure_node()
    except bootstrap.CannotError as problem:
        bootstrap.say("%s The tests with it are skipped." % problem)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except bootstrap.CannotError as problem:
        bootstrap.say("omi_physics_joint: %s" % problem)
        sys.exit(2)
