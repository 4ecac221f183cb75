# SPDX-License-Identifier: GPL-3.0-or-later
"""Wheels of the compiled kernel: right, small, the same each time, in need of no library."""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import shutil
import struct
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from email.parser import Parser
from itertools import chain, count, islice
from pathlib import Path

import pytest

from benchmarks.kernel_fuzz.harness_input import record
from benchmarks.kernel_fuzz.random_islands import random_cases
from benchmarks.kernel_fuzz.run import HARNESS
from omi_physics_joint.solver.engines.kernel import LIBRARY
from scripts.build_kernel import KERNEL, KERNEL_TARGETS, kernel_number

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))
LARGEST = 140_000
"""Bytes of one wheel without its licence: six are downloaded with every copy of the extension."""

ISLANDS = 300
"""How many the libraries of other systems move, by eight calls each."""

Build = Callable[..., list[Path]]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A function that makes wheels in a process, and returns their paths."""

    def run(python: str, *words: str) -> list[Path]:
        folder = tmp_path_factory.mktemp("wheels")
        script = str(ROOT / "scripts" / "build_kernel.py")
        command = [python, script, "wheels", str(folder), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        paths = [Path(line) for line in done.stdout.splitlines()]
        assert sorted(paths) == sorted(folder.glob("*"))
        return paths

    return run


@pytest.fixture(scope="module")
def own_wheel(build: Build, c_compiler: list[str]) -> Path:
    """The wheel that this machine's compiler makes."""
    (path,) = build(sys.executable, "--own")
    return path


@pytest.fixture(scope="module")
def all_wheels(build: Build, zig_python: str) -> dict[str, Path]:
    """Platform tag -> wheel, for all systems."""
    return {path.stem.split("-")[-1]: path for path in build(zig_python)}


def library_in(wheel: Path) -> bytes:
    """Return the compiled kernel in a wheel."""
    with zipfile.ZipFile(wheel) as file:
        (name,) = (name for name in file.namelist() if "/omi_kernel." in name)
        return file.read(name)


def check_wheel(path: Path) -> None:
    """Hold a wheel to what the binary distribution format says."""
    project, version, python, abi, tag = path.stem.split("-")
    assert version == f"{MANIFEST['version']}.{kernel_number()}"
    assert (python, abi) == ("py3", "none")
    with zipfile.ZipFile(path) as file:
        content = {name: file.read(name) for name in file.namelist()}
    info = f"{project}-{version}.dist-info"
    package = f"{project}_{kernel_number()}"
    assert {name.split("/")[0] for name in content} == {info, package}
    assert f"{package}/__init__.py" in content
    metadata = Parser().parsestr(content[f"{info}/METADATA"].decode())
    assert metadata["Name"].replace("-", "_") == project
    assert metadata["Version"] == version
    assert metadata["Project-URL"] == f"Source, {MANIFEST['website']}"
    said, of_sources, _ = (ROOT / "kernel/README.md").read_text("utf-8").partition("\n## For who ")
    assert of_sources
    assert metadata.get_payload() == said
    assert (
        content[f"{info}/licenses/{metadata['License-File']}"]
        == (ROOT / "kernel" / "LICENSE").read_bytes()
    )
    wheel = Parser().parsestr(content[f"{info}/WHEEL"].decode())
    assert (wheel["Wheel-Version"], wheel["Tag"]) == ("1.0", f"py3-none-{tag}")
    records = [line.split(",") for line in content.pop(f"{info}/RECORD").decode().splitlines()]
    assert records.pop() == [f"{info}/RECORD", "", ""]
    expected = []
    for name, data in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        expected.append([name, f"sha256={digest}", str(len(data))])
    assert records == expected


def test_own_wheel_is_a_wheel(own_wheel: Path) -> None:
    """Names, metadata and the record of its files are as readers of wheels want them."""
    check_wheel(own_wheel)


def test_all_wheels_are_wheels(all_wheels: dict[str, Path]) -> None:
    """There is one for each of six systems, and none is large."""
    assert all_wheels.keys() == KERNEL_TARGETS.keys()
    for path in all_wheels.values():
        check_wheel(path)
        with zipfile.ZipFile(path) as file:
            (licence,) = (one for one in file.infolist() if one.filename.endswith("LICENSE"))
        assert path.stat().st_size - licence.compress_size < LARGEST


def test_wheels_are_the_same_each_time(
    all_wheels: dict[str, Path], build: Build, zig_python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same sources make the same bytes, whatever the clock says and wherever it is done."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1234567890")
    again = {path.name: path for path in build(zig_python)}
    for path in all_wheels.values():
        assert again[path.name].read_bytes() == path.read_bytes()


def test_own_wheel_installs_with_pip(own_wheel: Path, tmp_path: Path) -> None:
    """The wheel of this machine installs with pip, and the library lands in its package."""
    words = ["install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check", "--target"]
    pip = subprocess.run(
        [sys.executable, "-m", "pip", *words, str(tmp_path), str(own_wheel)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert pip.returncode == 0, pip.stderr
    package = tmp_path / f"omi_physics_joint_kernel_{kernel_number()}"
    assert (package / LIBRARY).is_file()


def machine_of(library: bytes) -> tuple[str, int]:
    """Return the format of a library and the machine that it says it is for."""
    if library[:4] == b"\x7fELF":
        return "ELF", struct.unpack_from("<H", library, 18)[0]
    if library[:2] == b"MZ":
        (start,) = struct.unpack_from("<I", library, 0x3C)
        assert library[start : start + 4] == b"PE\0\0"
        return "PE", struct.unpack_from("<H", library, start + 4)[0]
    magic, machine = struct.unpack_from("<II", library)
    assert magic == 0xFEEDFACF
    return "Mach-O", machine


MACHINES = {
    "manylinux_2_17_x86_64": ("ELF", 62),
    "manylinux_2_17_aarch64": ("ELF", 183),
    "win_amd64": ("PE", 0x8664),
    "win_arm64": ("PE", 0xAA64),
    "macosx_11_0_x86_64": ("Mach-O", 0x01000007),
    "macosx_11_0_arm64": ("Mach-O", 0x0100000C),
}


@pytest.mark.parametrize("tag", KERNEL_TARGETS)
def test_library_is_for_its_system(all_wheels: dict[str, Path], tag: str) -> None:
    """Each wheel holds a library of the format and machine that its tag names."""
    assert machine_of(library_in(all_wheels[tag])) == MACHINES[tag]


def load_commands(library: bytes) -> dict[int, bytes]:
    """Return the load commands of a Mach-O library by kind; the last of each kind."""
    (count,) = struct.unpack_from("<I", library, 16)
    found, place = {}, 32
    for _ in range(count):
        kind, size = struct.unpack_from("<II", library, place)
        found[kind] = library[place : place + size]
        place += size
    return found


def taken_from_elsewhere(library: bytes) -> set[bytes]:
    """Return the names of what a Mach-O library wants of others."""
    commands = load_commands(library)
    symbols, _, names, _ = struct.unpack_from("<4I", commands[2], 8)
    first, count = struct.unpack_from("<2I", commands[0xB], 24)
    found = set()
    for place in range(symbols + 16 * first, symbols + 16 * (first + count), 16):
        name = names + struct.unpack_from("<I", library, place)[0]
        found.add(library[name : library.index(0, name)])
    return found


def test_macs_take_their_library(all_wheels: dict[str, Path]) -> None:
    """It is for macOS 11 and later, and signed for Apple's processors, which load no other."""
    for tag in ("macosx_11_0_arm64", "macosx_11_0_x86_64"):
        commands = load_commands(library_in(all_wheels[tag]))
        _, _, platform, oldest = struct.unpack_from("<IIII", commands[0x32])
        assert (platform, oldest) == (1, 11 << 16)
        assert 0x1D in commands or tag.endswith("x86_64")


def test_nothing_else_is_needed(all_wheels: dict[str, Path]) -> None:
    """No library names another one, so that none can be missing or be too old.

    On a Mac each library names the system's own one, whether it takes anything from it or not.
    """
    for tag, path in all_wheels.items():
        library = library_in(path)
        if tag.startswith("win"):
            (start,) = struct.unpack_from("<I", library, 0x3C)
            optional = start + 24
            assert struct.unpack_from("<H", library, optional) == (0x20B,)
            assert struct.unpack_from("<I", library, optional + 112 + 8) == (0,)  # imports
        elif tag.startswith("manylinux"):
            assert b"GLIBC" not in library
            assert b".so." not in library
        else:
            assert b"libSystem" in load_commands(library).get(0xC, b"libSystem")
            assert taken_from_elsewhere(library) <= {b"dyld_stub_binder"}  # what loads it


def moved(*command: str | Path) -> list[str]:
    """Return a line for each island that a command has moved, with a hash of all it wrote."""
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().splitlines()


@pytest.fixture(scope="module")
def islands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of islands, as the solver hands them to the kernel."""
    path = tmp_path_factory.mktemp("islands") / "islands"
    cases = islice(chain.from_iterable(map(random_cases, count())), ISLANDS)
    path.write_bytes(b"".join(map(record, cases)))
    return path


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="libraries of other systems are loaded by Linux on x86-64",
)
def test_libraries_of_all_systems_give_the_same_bits(
    all_wheels: dict[str, Path],
    kernel_library: Path,
    islands: Path,
    c_compiler: list[str],
    zig_python: str,
    arm_emulator: list[str],
    tmp_path: Path,
) -> None:
    """What Windows and 64-bit Arm get moves 300 islands as the kernel of this machine does."""
    libraries = {"own": kernel_library}
    for tag in ("manylinux_2_17_x86_64", "manylinux_2_17_aarch64", "win_amd64"):
        libraries[tag] = tmp_path / tag / LIBRARY
        libraries[tag].parent.mkdir()
        libraries[tag].write_bytes(library_in(all_wheels[tag]))

    def built(tag: str, compiler: list[str], *flags: str | Path) -> Path:
        program = tmp_path / f"moves_{tag}"
        own = ["-std=gnu11", "-O1", f"-I{KERNEL}", HARNESS, "-o", program]
        subprocess.run([*compiler, *own, *flags, "-lm"], check=True)
        return program

    def linked(tag: str, *compiler: str) -> Path:
        folder = libraries[tag].parent
        return built(tag, list(compiler), libraries[tag], f"-Wl,-rpath,{folder}")

    zig = (zig_python, "-m", "ziglang", "cc", "-target", KERNEL_TARGETS["manylinux_2_17_aarch64"])
    expected = moved(linked("own", *c_compiler), islands)
    assert len(expected) == ISLANDS
    assert moved(linked("manylinux_2_17_x86_64", *c_compiler), islands) == expected
    arm = linked("manylinux_2_17_aarch64", *zig)
    assert moved(*arm_emulator, arm, islands) == expected
    windows = built("win_amd64", c_compiler, "-DOMI_WINDOWS_LIBRARY")
    assert moved(windows, islands, libraries["win_amd64"]) == expected


@pytest.mark.skipif(os.name == "nt", reason="the folder of an environment is laid out otherwise")
def test_without_a_compiler_it_is_said(tmp_path: Path) -> None:
    """Where no C compiler is nor zig can be fetched, building says so and is no failure."""
    scripts = tmp_path / "clone/scripts"
    shutil.copytree(KERNEL, tmp_path / "clone/kernel")
    shutil.copytree(ROOT / "scripts", scripts, ignore=shutil.ignore_patterns("*cache*"))
    done = subprocess.run(
        [sys.executable, str(scripts / "build_kernel.py")],
        env={"PATH": str(tmp_path), "OMI_VENVS": str(tmp_path), "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    message = "no C compiler that works, nor zig: a textbook in NumPy moves, slowly\n"
    assert done.stderr.endswith(message), done.stderr
    assert not (tmp_path / "kernel").exists()
