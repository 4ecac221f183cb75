# SPDX-License-Identifier: GPL-3.0-or-later
"""A checkout works under any name, beside any neighbours, and installs with pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from omi_physics_joint.solver.engines.kernel import LIBRARY, load
from omi_physics_joint.solver.engines.kernel_structs import KERNEL_VERSION
from scripts.build_kernel import ZIG

CopySources = Callable[[Path], Path]
ROOT = Path(__file__).resolve().parents[2]
OFFLINE = ("--disable-pip-version-check", "--no-deps", "--no-index", "--no-build-isolation")

pytestmark = pytest.mark.skipif(
    bool(sys.modules["bpy"].app.binary_path if "bpy" in sys.modules else ""),
    reason="the Python inside a real Blender has neither pip nor the tests' packages of its own",
)

NEIGHBOURS = ("json", "omi_physics_joint", "pytest")
"""Folders beside the checkout that would be found first if its parent were searched for modules."""
ALL = ("-k", "imports", "-m", "not long", "--ignore=tests/blender", "--ignore=tests/package")
"""Every file without Blender is collected, and those about imports are run."""
SOME = ("tests/gltf/test_document.py", "tests/library/test_offered.py")


def run(*command: object, cwd: Path, **variables: str) -> str:
    """Run Python without this process's surroundings; return what it printed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    for name in ("PYTHONPATH", "OMI_REQUIRE_BPY"):
        kept.pop(name, None)
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("name", "tests"),
    [("my clone (1)", SOME), ("omi_physics_joint", ALL), ("pygltflib", SOME), ("1.0", SOME)],
)
def test_clone_may_have_any_name(
    copy_sources: CopySources,
    quick_compiler: str,
    tmp_path: Path,
    name: str,
    tests: tuple[str, ...],
) -> None:
    """The tests are collected and pass in a checkout of any name beside any neighbours."""
    for neighbour in NEIGHBOURS:
        (tmp_path / neighbour).mkdir(exist_ok=True)
        (tmp_path / neighbour / "__init__.py").write_text("raise RuntimeError(__name__)\n", "utf-8")
    clone = copy_sources(tmp_path / name)
    assert " passed" in run("-m", "pytest", "-q", *tests, cwd=clone, CC=quick_compiler)
    assert "omi_physics_joint" in run("-m", "omi_physics_joint", "--help", cwd=clone)


def in_site(site: Path, *words: str) -> str:
    """Return what the command prints that pip has installed into a folder, run from elsewhere."""
    elsewhere = site.with_name("elsewhere")
    elsewhere.mkdir(exist_ok=True)
    start = f"import sys, runpy; sys.path.insert(0, {str(site)!r}); sys.argv[1:] = {words!r}; "
    start += "runpy.run_module('omi_physics_joint', run_name='__main__', alter_sys=True)"
    return run("-c", start, cwd=elsewhere, OMI_KERNEL="")


@pytest.mark.long
def test_sources_alone_install_with_their_kernel(
    copy_sources: CopySources, c_compiler: list[str], quick_compiler: str, tmp_path: Path
) -> None:
    """What is packed for pip becomes a command from any folder, and moves by the kernel."""
    clone = copy_sources(tmp_path / "clone")
    run("-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=clone)
    shutil.rmtree(clone)
    (packed,) = tmp_path.glob("*.tar.gz")
    site = tmp_path / "site"
    install = ("-m", "pip", "install", *OFFLINE, "-q", "--target", site, packed)
    run(*install, cwd=tmp_path, CC=quick_compiler)
    assert "omi_physics_joint" in in_site(site, "--help")
    assert list((site / "omi_physics_joint/presets").rglob("*.*"))
    library = site / "omi_physics_joint" / LIBRARY
    words = f"compiled kernel, version {KERNEL_VERSION}, from {library}\n"
    assert in_site(site, "info", "--solver") == words
    (about,) = site.glob("*.dist-info/WHEEL")
    assert "Root-Is-Purelib: false" in about.read_text("utf-8")


@pytest.mark.long
def test_without_a_compiler_pip_installs_all_but_the_kernel(
    copy_sources: CopySources, tmp_path: Path
) -> None:
    """Offline, with no program on the path: what moves mechanisms, and what to do, is said."""
    clone, site = copy_sources(tmp_path / "clone"), tmp_path / "site"
    log = tmp_path / "log"  # what -v shows
    install = ("-m", "pip", "install", *OFFLINE, "--log", log, "--target", site, ".")
    run(*install, cwd=clone, PATH=str(tmp_path), CC="")
    (said,) = (line for line in log.read_text("utf-8").splitlines() if "textbook" in line)
    assert "A textbook in NumPy will move mechanisms, slowly (" in said
    assert said.endswith("install this again with a C compiler or a network.")
    to_do = "install this package again with a C compiler or a network"
    solver = in_site(site, "info", "--solver")
    assert solver.endswith(f": pip could not compile the kernel ({to_do})\n")


ASK = "from hatchling.build import get_requires_for_build_wheel; "
ASK += "print(*get_requires_for_build_wheel())"


def only_from(folder: Path, *wheels: str) -> dict[str, str]:
    """Return what has pip look nowhere but into a new folder with wheels of these names."""
    folder.mkdir()
    for name in wheels:
        (folder / name).touch()
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": os.devnull}


@pytest.mark.long
def test_pip_fetches_zig_only_where_no_compiler_answers(tmp_path: Path) -> None:
    """It is asked for as the wheel is built, and 100 MB are fetched by nobody else."""
    there = only_from(tmp_path / "there", f"{ZIG.replace('==', '-')}-py3-none-any.whl")
    assert run("-c", ASK, cwd=ROOT, CC="no-such-compiler", **there) == f"{ZIG}\n"
    assert run("-c", ASK, cwd=ROOT, PATH=str(tmp_path), CC="", **there) == f"{ZIG}\n"


@pytest.mark.long
def test_pip_fetches_no_zig_where_a_compiler_answers(c_compiler: list[str]) -> None:
    """Nor is pip asked whether there is one."""
    assert run("-c", ASK, cwd=ROOT) == "\n"


@pytest.mark.long
@pytest.mark.parametrize("wheels", [(), ("ziglang-0.9.0-py3-none-any.whl",)], ids=["no", "old"])
def test_pip_is_not_asked_for_zig_that_is_nowhere(tmp_path: Path, wheels: tuple[str, ...]) -> None:
    """Without a network, or from a store without it, pip installs the package all the same."""
    nowhere = only_from(tmp_path / "there", *wheels)
    assert run("-c", ASK, cwd=ROOT, CC="no-such-compiler", **nowhere) == "\n"


@pytest.mark.long
def test_zig_compiles_where_nothing_else_does(zig_python: str, tmp_path: Path) -> None:
    """The wheel is for this system, and its kernel is loaded."""
    where = "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parents[1])"
    done = subprocess.run([zig_python, "-c", where], capture_output=True, text=True, check=True)
    zig = {"PATH": str(tmp_path), "CC": "", "PYTHONPATH": done.stdout.strip()}
    run("-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=ROOT, **zig)
    (wheel,) = tmp_path.glob("*.whl")
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-py3-none-{system}.whl") or sys.platform == "darwin"
    with zipfile.ZipFile(wheel) as archive:
        library = archive.extract(f"omi_physics_joint/{LIBRARY}", tmp_path)
    assert load(Path(library)).reason == ""


@pytest.mark.long
def test_what_is_published_takes_the_kernels_of_the_extension(tmp_path: Path) -> None:
    """A wheel with a kernel makes the package for its system, with that library to the byte."""
    kernel = tmp_path / "omi_physics_joint_kernel-0.1.0.77-py3-none-win_amd64.whl"
    with zipfile.ZipFile(kernel, "w") as archive:
        archive.writestr("omi_physics_joint_kernel_77/__init__.py", "")
        archive.writestr("omi_physics_joint_kernel_77/omi_kernel.dll", b"compiled")
    build = ("-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "made")
    run(*build, cwd=ROOT, OMI_KERNEL_WHEEL=str(kernel))
    (made,) = (tmp_path / "made").iterdir()
    assert made.name.endswith("-py3-none-win_amd64.whl")
    with zipfile.ZipFile(made) as archive:
        assert archive.read("omi_physics_joint/omi_kernel.dll") == b"compiled"
