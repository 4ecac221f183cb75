# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the compiled kernel, and says which solver runs and why. See ARCHITECTURE.md.

It is looked for where OMI_KERNEL says, in the wheel that came with the extension, in the package
that pip has built, and where ``make kernel`` puts it in a checkout. Whatever is wrong with it, the
textbook moves things instead: slower, see ``solver.textbook``.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from .kernel_structs import KERNEL_VERSION, STRUCTS

VARIABLE = "OMI_KERNEL"
"""Environment variable: "textbook", or the path of a library; empty leaves it to us."""

ROOT = Path(__file__).resolve().parents[3]
"""The folder of the extension or of the checkout, or where pip has put the package."""

LIBRARY = {"win32": "omi_kernel.dll", "darwin": "omi_kernel.dylib"}.get(
    sys.platform, "omi_kernel.so"
)


@dataclass(frozen=True, slots=True)
class Kernel:
    """The compiled kernel, or why there is none.

    Attributes:
        library: None where the textbook has to do.
        path: Of the library; empty without one.
        reason: Why there is none; empty with one.
    """

    library: ctypes.CDLL | None
    path: str = ""
    reason: str = ""

    @property
    def name(self) -> str:
        """Which solver runs; without the kernel, also why."""
        return "compiled kernel" if self.library else f"textbook in NumPy, slow: {self.reason}"

    @property
    def sentence(self) -> str:
        """Which solver runs, and why, in one line."""
        where = f", version {KERNEL_VERSION}, from {self.path}" if self.library else ""
        return self.name + where


@cache
def kernel() -> Kernel:
    """Return the kernel of this process. Never raises."""
    return find_kernel(os.environ.get(VARIABLE, ""), ROOT)


def find_kernel(asked: str, root: Path) -> Kernel:
    """Look for what OMI_KERNEL says, from the folder of extension or checkout. Never raises."""
    if asked.lower() == "textbook":
        return Kernel(None, reason=f"{VARIABLE}=textbook asks for it")
    if asked:
        return load(Path(asked))
    packaged, installed = _in_the_wheel(root), root / "omi_physics_joint" / LIBRARY
    if packaged or installed.is_file():
        return load(packaged or installed)
    if installed.with_name("blender_manifest.toml").is_file():  # pip alone puts it there
        to_do = "install this package again with a C compiler or a network"
        return Kernel(None, reason=f"pip could not compile the kernel ({to_do})")
    if (root / "kernel").is_dir():
        # There scripts/build_kernel.py puts the library of this machine.
        machine = f"{sys.platform}-{platform.machine().lower()}"
        built = root / "build" / "kernel" / machine / LIBRARY
        problem = _behind(built, root / "kernel")
        return Kernel(None, reason=f"{problem} (make kernel)") if problem else load(built)
    system = f"{platform.system()} on {platform.machine()}"
    return Kernel(None, reason=f"no compiled kernel came along for {system}")


def load(path: Path) -> Kernel:
    """Load a library and see whether it is the one that this package expects. Never raises."""
    try:
        library = ctypes.CDLL(str(path.absolute()))
        problem = _disagreement(library)
    except (OSError, ValueError) as error:
        problem = f"cannot be loaded ({str(error).removeprefix(f'{path}: ')})"
    except AttributeError as error:
        problem = f"is no kernel ({error})"
    if problem:
        return Kernel(None, reason=f"{path} {problem}")
    return Kernel(library, str(path))


def _disagreement(library: ctypes.CDLL) -> str:
    """Return in what a library is not as expected; empty where it is."""
    version = library.omi_kernel_version()
    if version != KERNEL_VERSION:
        return f"is version {version}, and version {KERNEL_VERSION} is needed"
    for which, (name, struct) in enumerate(STRUCTS.items()):
        size = library.omi_size_of(which)
        if size != struct.itemsize:
            return f"has {size} bytes for omi_{name}, and {struct.itemsize} are needed"
    return ""


def _in_the_wheel(root: Path) -> Path | None:
    """Return the library in the wheel that the manifest lists, where Blender has unpacked it."""
    try:
        manifest = tomllib.loads((root / "blender_manifest.toml").read_text("utf-8"))
        project, version = manifest["wheels"][0].split("/")[-1].split("-")[:2]
        spec = find_spec(f"{project}_{version.rpartition('.')[2]}")
    except (OSError, ValueError, LookupError, ImportError, TypeError, AttributeError):
        return None  # there is none, or no wheel of ours: a checkout, or installed by pip
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0]) / LIBRARY if folders else None


def _behind(built: Path, sources: Path) -> str:
    """Return why the library of a checkout is not that of its sources; empty where it is.

    ``make kernel`` dates it as the newest of them.
    """
    if not built.is_file():
        return "no compiled kernel in this checkout"
    newest = max((path.stat().st_mtime for path in sources.glob("*.[ch]")), default=0.0)
    return "the compiled kernel is older than its sources" if built.stat().st_mtime < newest else ""
