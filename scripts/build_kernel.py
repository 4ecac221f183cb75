# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the solver's kernel.

    build_kernel.py                      with this machine's compiler, for this checkout
    build_kernel.py wheels FOLDER        with zig, wheels for every system in KERNEL_TARGETS
    build_kernel.py wheels FOLDER --own  with this machine's compiler, the wheel of this system

The first puts the library where the solver looks for it. Where there is no C compiler that works
it fetches zig; where that cannot be had it says so, and that is no failure: a textbook
in NumPy moves, slowly. `CC` names another compiler. The others print the paths of the wheels. zig
is that of this Python (PyPI: ziglang), so it runs as
`$(bootstrap.py python kernel) build_kernel.py wheels FOLDER`.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KERNEL = os.path.join(ROOT, "kernel")

LANGUAGE = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion")
EXACT = ("-ffreestanding", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")
"""No C library and no fused operations: each system rounds as every other does. `sqrt` may be one
instruction; nobody asks for traps of the processor."""
LIBRARY = ("-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-s")
SMALL = (
    "-nostdlib",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
)
LINKED = {
    "linux": ("-Wl,-z,defs",),
    "darwin": ("-Wl,-install_name,@rpath/omi_kernel.dylib",),
    "win32": (),
}
"""By system: what is missing is said when it is linked, as elsewhere anyhow; a library on a Mac
holds its own path, else the one where it was compiled."""

KERNEL_TARGETS = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "win_amd64": "x86_64-windows-gnu",
    "win_arm64": "aarch64-windows-gnu",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
}
"""Platform tag of a wheel -> what zig calls that system."""

ZIG = "ziglang==0.17.1"
"""A C compiler for all systems, as pip fetches it."""


class CannotBuildError(Exception):
    """The kernel could not be compiled; its text says why."""


class NoCompilerError(CannotBuildError):
    """Nothing is here that compiles it."""


def kernel_sources() -> list[str]:
    """Return the paths of the C files, in order."""
    return [
        os.path.join(KERNEL, name) for name in sorted(os.listdir(KERNEL)) if name.endswith(".c")
    ]


def kernel_digest() -> str:
    """Return eight characters that change whenever the compiled kernel may."""
    flags = sum((LINKED[system] for system in sorted(LINKED)), LANGUAGE + EXACT + LIBRARY + SMALL)
    found = hashlib.sha256(" ".join(flags).encode())
    for name in sorted(os.listdir(KERNEL)):
        if name.endswith((".c", ".h")):
            with open(os.path.join(KERNEL, name), "rb") as file:
                found.update(b"%s\0%s\0" % (name.encode(), file.read().replace(b"\r\n", b"\n")))
    return found.hexdigest()[:8]


def kernel_number() -> int:
    """Return the digest as a number, as a version of a wheel may hold it."""
    return int(kernel_digest(), 16)


def library_name(system: str) -> str:
    """Return the file name of the library on a system, "linux", "darwin" or "win32"."""
    return "omi_kernel" + {"win32": ".dll", "darwin": ".dylib"}.get(system, ".so")


def checkout_library() -> str:
    """Return where the library of this machine lies in a checkout."""
    machine = "%s-%s" % (sys.platform, platform.machine().lower())
    return os.path.join(ROOT, "build", "kernel", machine, library_name(sys.platform))


def c_compiler() -> list[str] | None:
    """Return the command of this machine's C compiler, None if there is none that works.

    What `CC` names counts alone. A fresh Mac has a `cc` that only asks for its tools.
    """
    named = os.environ.get("CC", "")
    for command in (named,) if named.strip() else ("cc", "gcc", "clang"):
        if _compiles(command):
            return command.split()
    return None


@lru_cache(maxsize=None)
def _compiles(command: str) -> bool:
    """Say whether a compiler makes a library of one line."""
    words = command.split()
    if not shutil.which(words[0]):
        return False
    with tempfile.TemporaryDirectory() as folder:
        source, library = os.path.join(folder, "line.c"), os.path.join(folder, "line.so")
        with open(source, "w", encoding="utf-8") as file:
            file.write("int omi_line(void) { return 1; }\n")
        done = subprocess.run(
            [*words, "-std=c11", "-fPIC", "-shared", "-o", library, source],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode == 0 and os.path.isfile(library)


def compile_kernel(compiler: list[str], target: str, flags: tuple[str, ...]) -> None:
    """Compile the kernel to the file `target`, which is either whole or as it was before.

    Raises:
        CannotBuildError: If the compiler refuses.
    """
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as own:
        made = os.path.join(own, os.path.basename(target))
        command = [*compiler, *LANGUAGE, *EXACT, *flags, "-o", made, *kernel_sources()]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode != 0:
            said = done.stdout.decode(errors="replace")
            raise CannotBuildError("%s\n%s" % (" ".join(command), said))
        os.replace(made, target)


def ensure_checkout_kernel() -> str | None:
    """Compile the kernel for this checkout unless it is there; None without a compiler.

    What is there is what the sources and the compiler make, whatever their dates; without a
    compiler here it may be what another has made of them. It is dated as the newest source, so
    that the loader sees when a source has changed since.

    Returns:
        The path of the library.

    Raises:
        CannotBuildError: If the compiler refuses.
    """
    library = checkout_library()
    stamp = library + ".digest"
    built_as = _read(stamp) if os.path.isfile(library) else None
    newest = max(os.stat(os.path.join(KERNEL, name)).st_mtime_ns for name in os.listdir(KERNEL))
    try:
        compiler, flags = compiler_for()
    except NoCompilerError:
        if not (built_as or "").startswith(kernel_digest()):
            return None
    else:
        to_be = "%s %s" % (kernel_digest(), " ".join(compiler))
        if built_as != to_be:
            compile_kernel(compiler, library, flags)
            with open(stamp, "w", encoding="utf-8") as file:
                file.write(to_be)
    if os.stat(library).st_mtime_ns != newest:
        os.utime(library, ns=(newest, newest))
    return library


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def own_platform_tag() -> str:
    """Return the tag of this machine's wheel.

    Raises:
        NoCompilerError: If there is no wheel for such a machine, nor what zig makes.
    """
    system = {"linux": "manylinux", "win32": "win", "darwin": "macosx"}.get(sys.platform, "")
    machine = platform.machine().lower()
    names = {"amd64", "x86_64"} if machine in ("amd64", "x86_64") else {"aarch64", "arm64"}
    for tag in KERNEL_TARGETS:
        if system and tag.startswith(system) and any(tag.endswith("_" + name) for name in names):
            return tag
    raise NoCompilerError("there is no wheel for %s on %s" % (sys.platform, machine))


def compiler_for(tag: str = "") -> tuple[list[str], tuple[str, ...]]:
    """Return what compiles a kernel and the flags of its library.

    Args:
        tag: Platform tag, for which zig compiles; empty for this machine, which its own C compiler
            does, and zig where there is none.

    Raises:
        NoCompilerError: If it is not here.
    """
    own = None if tag else c_compiler()
    if own is not None:
        return own, LIBRARY + LINKED.get(sys.platform, ())
    tag = tag or own_platform_tag()
    return [*_zig(), "-target", KERNEL_TARGETS[tag]], LIBRARY + LINKED[_system_of(tag)] + SMALL


def build_wheels(folder: str, own: bool) -> list[str]:
    """Make the wheels, and remove what was in the folder before.

    Args:
        folder: Where to put them.
        own: This machine's compiler and its wheel only.

    Returns:
        Their paths.

    Raises:
        CannotBuildError: If a compiler is missing or refuses.
    """
    from kernel_wheels import write_wheel

    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if name.endswith(".whl"):
            os.remove(os.path.join(folder, name))
    paths = []
    with tempfile.TemporaryDirectory() as made:
        for tag in (own_platform_tag(),) if own else KERNEL_TARGETS:
            library = os.path.join(made, tag, library_name(_system_of(tag)))
            compiler, flags = compiler_for("" if own else tag)
            compile_kernel(compiler, library, flags)
            paths.append(write_wheel(library, folder, tag, kernel_number()))
    return paths


def _system_of(tag: str) -> str:
    return "win32" if tag.startswith("win") else "darwin" if tag.startswith("mac") else "linux"


def _zig() -> list[str]:
    """Return the command of zig's C compiler; what it makes for itself goes beside it."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise NoCompilerError("%s has no zig, which pip calls ziglang" % sys.executable)
    cache = os.path.join(os.path.dirname(spec.origin), "zig-cache")
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", cache)
    os.environ.setdefault("ZIG_LOCAL_CACHE_DIR", os.environ["ZIG_GLOBAL_CACHE_DIR"])
    return [sys.executable, "-m", "ziglang", "cc"]


def _with_fetched_zig() -> bool:
    """Compile the kernel of this checkout with zig, fetched if need be; say whether it could be."""
    try:
        own_platform_tag()
    except NoCompilerError:
        return False
    fetch = [os.path.join(ROOT, "scripts", "bootstrap.py"), "python", "kernel"]
    done = subprocess.run([sys.executable, *fetch], stdout=subprocess.PIPE, check=False)
    python = done.stdout.decode().strip()
    if not python:
        return False
    return subprocess.run([python, os.path.abspath(__file__)], check=False).returncode == 0


def main() -> int:
    """Build from the command line."""
    parser = argparse.ArgumentParser(description="Compile the solver's kernel.")
    what = parser.add_subparsers(dest="what")
    wheels = what.add_parser("wheels")
    wheels.add_argument("folder")
    wheels.add_argument("--own", action="store_true")
    options = parser.parse_args()
    try:
        if options.what == "wheels":
            print("\n".join(build_wheels(os.path.abspath(options.folder), options.own)))
        elif ensure_checkout_kernel() is None and not _with_fetched_zig():
            named = " (CC=%s)" % os.environ["CC"] if os.environ.get("CC") else ""
            message = "no C compiler that works%s, nor zig: a textbook in NumPy moves, slowly"
            print(message % named, file=sys.stderr)
    except CannotBuildError as problem:
        print("omi_physics_joint: %s" % problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
