# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the compiled kernel into the wheel of the package, which then is for one system.

Hatchling runs this where pip builds or installs the package. This machine's C compiler makes the
kernel, or zig, which pip fetches where no compiler answers. Where neither can be had, as without
a network, the wheel has no kernel and is for every system; zig is not asked for then, else pip
would install nothing at all. OMI_KERNEL_WHEEL is a wheel made by `build_kernel.py wheels`, whose
kernel and system are taken instead.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # hatchling loads this file alone
import build_kernel


class KernelHook(BuildHookInterface[Any]):
    """Adds the kernel, or says why there is none."""

    def dependencies(self) -> list[str]:
        """Return what is to be fetched before: zig, where it alone can compile and is to be had."""
        try:
            is_needed = build_kernel.c_compiler() is None and build_kernel.own_platform_tag()
        except build_kernel.NoCompilerError:
            return []
        return [build_kernel.ZIG] if is_needed and not _is_nowhere(build_kernel.ZIG) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the kernel before the wheel is written."""
        if version == "editable":  # the package stays in the checkout, and has its kernel there
            build_kernel.ensure_checkout_kernel()
            return
        self._folder = tempfile.TemporaryDirectory()
        wheel = os.environ.get("OMI_KERNEL_WHEEL", "")
        try:
            library = self._taken(wheel) if wheel else self._compiled()
        except build_kernel.CannotBuildError as problem:
            said = "A textbook in NumPy will move mechanisms, slowly (%s): install this again "
            self.app.display_warning((said + "with a C compiler or a network.") % problem)
            return
        system = wheel[:-4].rpartition("-")[2] or _own_system()
        build_data["force_include"][library] = "omi_physics_joint/" + os.path.basename(library)
        build_data.update(pure_python=False, tag="py3-none-" + system)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the kernel once it is in the wheel."""
        if version != "editable":
            self._folder.cleanup()

    def _compiled(self) -> str:
        library = os.path.join(self._folder.name, build_kernel.library_name(sys.platform))
        compiler, flags = build_kernel.compiler_for()
        build_kernel.compile_kernel(compiler, library, flags)
        return library

    def _taken(self, wheel: str) -> str:
        with zipfile.ZipFile(wheel) as archive:
            (name,) = (one for one in archive.namelist() if "/omi_kernel." in one)
            return archive.extract(name, self._folder.name)


def _is_nowhere(pin: str) -> bool:
    """Say whether pip answers that it finds no such package anywhere.

    It looks where its settings and PIP_... send it, since options of the command that has this
    built are not known here. Where no pip answers, as in an environment made by uv, nothing is
    known, and the package is asked for.
    """
    name, version = pin.split("==")
    # Isolated, else the environment that pip has made for the build would hide pip.
    ask = [sys.executable, "-I", "-m", "pip", "index", "versions", name]
    done = subprocess.run(
        [*ask, "--retries", "2", "--timeout", "15"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        return "No matching distribution" in said
    return version not in re.split(r"[\s,()]+", said)


def _own_system() -> str:
    """Return the tag of this machine's system, which promises nothing about others."""
    tags = platform_tags()
    return next(one for one in tags if "linux" not in one or one.startswith("linux"))
