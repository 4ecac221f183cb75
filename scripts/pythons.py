# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds Pythons that really run: on the PATH, among pyenv's, and through uv."""

from __future__ import annotations

import functools
import glob
import os
import shutil
import subprocess
import sys
from typing import Iterator

_QUESTION = "import sys; print('%d.%d' % sys.version_info[:2])"


@functools.lru_cache(maxsize=None)
def find_python(version: str, fetch: bool = False) -> str | None:
    """Return the path of a Python that answers and is of `version`, such as "3.13".

    A name on the PATH may be a shim that refuses to run, so each candidate is asked.

    Args:
        version: Major and minor number.
        fetch: Let uv, where it is installed, fetch one if there is none.

    Returns:
        The path, or None if there is none.
    """
    for candidate in _candidates(version):
        if answered_version(candidate) == version:
            return candidate
    return _python_from_uv(version, fetch)


def answered_version(python: str) -> str | None:
    """Return the major and minor version that `python` says of itself, or None."""
    try:
        answer = subprocess.run(
            [python, "-c", _QUESTION],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.decode().strip() if answer.returncode == 0 else None


def _candidates(version: str) -> Iterator[str]:
    """Yield paths that may be a Python of `version`, each once."""
    seen = set()
    for path in _possible_paths(version):
        if path not in seen and os.access(path, os.X_OK):
            seen.add(path)
            yield path


def _possible_paths(version: str) -> Iterator[str]:
    if "%d.%d" % sys.version_info[:2] == version:
        yield sys.executable
    names = ["python" + version, "python3", "python"]
    folders = os.get_exec_path()
    for name in names:
        for folder in folders:
            yield os.path.join(folder, name)
    for root in _pyenv_roots():
        for folder in sorted(
            glob.glob(os.path.join(root, "versions", version + "*")), reverse=True
        ):
            yield os.path.join(folder, "bin", "python" + version)


def _pyenv_roots() -> Iterator[str]:
    if "PYENV_ROOT" in os.environ:
        yield os.environ["PYENV_ROOT"]
    yield os.path.join(os.path.expanduser("~"), ".pyenv")
    pyenv = shutil.which("pyenv")
    if pyenv:
        answer = subprocess.run([pyenv, "root"], stdout=subprocess.PIPE, check=False)
        if answer.returncode == 0:
            yield answer.stdout.decode().strip()


def _python_from_uv(version: str, fetch: bool) -> str | None:
    """Ask uv, where it is installed, for a Python of `version`."""
    uv = shutil.which("uv")
    if not uv:
        return None
    found = _uv_find(uv, version)
    if found is None and fetch:
        print("fetching Python %s with uv" % version, file=sys.stderr)
        fetched = subprocess.run([uv, "python", "install", version], stdout=sys.stderr, check=False)
        found = _uv_find(uv, version) if fetched.returncode == 0 else None
    return found


def _uv_find(uv: str, version: str) -> str | None:
    answer = subprocess.run(
        [uv, "python", "find", version],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    path = answer.stdout.decode().strip()
    return path if answer.returncode == 0 and answered_version(path) == version else None
