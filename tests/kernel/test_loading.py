# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernel is found, or it is said in plain words why the textbook does its work."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from omi_physics_joint.cli.command import main
from omi_physics_joint.cli.reports.versions import versions
from omi_physics_joint.library.motion import recorded_motion
from omi_physics_joint.solver.engines import kernel as loading
from omi_physics_joint.solver.engines.kernel import (
    LIBRARY,
    ROOT,
    VARIABLE,
    Kernel,
    find_kernel,
    load,
)
from omi_physics_joint.solver.engines.kernel_structs import KERNEL_VERSION, STRUCTS
from scripts import build_kernel

SIZES = {name: struct.itemsize for name, struct in STRUCTS.items()}
MakeLibrary = Callable[..., Path]


@pytest.fixture
def make_library(c_compiler: list[str], tmp_path: Path) -> MakeLibrary:
    """A function that compiles a library which says what it is told of itself."""

    def make(version: int | None = None, sizes: Mapping[str, int] = SIZES) -> Path:
        source, library = tmp_path / "said.c", tmp_path / LIBRARY
        answers = ", ".join(map(str, sizes.values()))
        said = f"""int omi_kernel_version(void) {{ return {version}; }}
            static const int bytes[] = {{{answers}}};
            int omi_size_of(int which) {{ return bytes[which]; }}"""
        source.write_text("int omi_nothing;" if version is None else said, "utf-8")
        command = [*c_compiler, "-shared", "-fPIC", "-o", str(library), str(source)]
        subprocess.run(command, check=True)
        return library

    return make


def test_right_library_is_loaded(make_library: MakeLibrary) -> None:
    """A library that agrees in everything is taken, and the sentence says where it is."""
    path = make_library(KERNEL_VERSION)
    found = load(path)
    assert found.library is not None
    assert found.sentence == f"compiled kernel, version {KERNEL_VERSION}, from {path}"


def test_library_of_another_version_is_refused(make_library: MakeLibrary) -> None:
    """It is not taken, and the reason is said."""
    found = load(path := make_library(99))
    assert found.library is None
    words = f"is version 99, and version {KERNEL_VERSION} is needed"
    assert found.sentence == f"textbook in NumPy, slow: {path} {words}"


@pytest.mark.parametrize("name", SIZES)
def test_library_with_another_struct_is_refused(make_library: MakeLibrary, name: str) -> None:
    """Whichever it is, it is named with both sizes."""
    found = load(path := make_library(KERNEL_VERSION, {**SIZES, name: 8}))
    assert found.library is None
    words = f"has 8 bytes for omi_{name}, and {SIZES[name]} are needed"
    assert found.sentence == f"textbook in NumPy, slow: {path} {words}"


def test_another_library_is_refused(make_library: MakeLibrary) -> None:
    """A library that is none of ours is not taken."""
    assert " is no kernel (" in load(make_library()).reason


@pytest.mark.parametrize("content", [None, b"", b"no library at all", b"\x7fELF\x02\x01\x01"])
def test_what_is_no_library_is_refused(tmp_path: Path, content: bytes | None) -> None:
    """A file that is missing or cannot be loaded is named, and nothing raises."""
    path = tmp_path / LIBRARY
    if content is not None:
        path.write_bytes(content)
    found = find_kernel(str(path), tmp_path)
    assert found.library is None
    assert found.reason.startswith(f"{path} cannot be loaded (")


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    """OMI_KERNEL may hold anything."""
    assert find_kernel("a\0b", tmp_path).library is None


def test_numpy_can_be_asked_for(kernel_library: Path) -> None:
    """OMI_KERNEL=textbook leaves a kernel alone that is there."""
    asked = find_kernel("Textbook", ROOT)
    assert find_kernel("", ROOT).path == str(kernel_library)
    assert asked.sentence == f"textbook in NumPy, slow: {VARIABLE}=textbook asks for it"


def test_a_path_can_be_asked_for(kernel_library: Path, tmp_path: Path) -> None:
    """OMI_KERNEL names a library that lies anywhere."""
    path = shutil.copy(kernel_library, tmp_path)
    assert find_kernel(str(path), ROOT).path == str(path)


def checkout(tmp_path: Path, library: Path) -> tuple[Path, Path]:
    """Return a source and the library in a folder that is laid out as a checkout."""
    source, built = tmp_path / "kernel/factor.c", tmp_path / library.relative_to(ROOT)
    for path in (source, built):
        path.parent.mkdir(parents=True)
    source.touch()
    shutil.copy(library, built)
    os.utime(built, ns=(source.stat().st_mtime_ns,) * 2)
    return source, built


def test_checkout_with_newer_sources_refuses_its_kernel(
    kernel_library: Path, tmp_path: Path
) -> None:
    """What was compiled before a source changed is not taken, and the command is named."""
    source, built = checkout(tmp_path, kernel_library)
    assert find_kernel("", tmp_path).path == str(built)
    later = built.stat().st_mtime_ns + 1_000_000
    os.utime(source, ns=(later, later))
    reason = "the compiled kernel is older than its sources (make kernel)"
    assert find_kernel("", tmp_path).reason == reason


def test_kernel_is_compiled_when_sources_change(
    c_compiler: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of a source is compiled, whatever its date; a touched one is only dated anew.

    Without a compiler what another has made of the same sources is good.
    """
    source = tmp_path / "kernel/handshake.c"
    source.parent.mkdir()
    monkeypatch.setattr(build_kernel, "ROOT", str(tmp_path))
    monkeypatch.setattr(build_kernel, "KERNEL", str(source.parent))

    def version(value: int, date: int) -> tuple[int, int]:
        seen = '__attribute__((visibility("default")))'
        source.write_text(f"{seen} int omi_kernel_version(void) {{ return {value}; }}", "utf-8")
        os.utime(source, ns=(date, date))
        path = build_kernel.ensure_checkout_kernel()
        assert path is not None
        copy = shutil.copy(path, tmp_path / f"{value} {date}{LIBRARY}")
        found = Path(path).stat()
        assert found.st_mtime_ns == date
        return ctypes.CDLL(str(copy)).omi_kernel_version(), found.st_ino

    first = version(5, 10**18)
    assert first[0] == 5
    assert version(5, 2 * 10**18) == first
    monkeypatch.setenv("CC", "no-such-compiler")
    assert version(5, 3 * 10**18) == first
    monkeypatch.setenv("CC", c_compiler[0])
    assert version(6, 10**18)[0] == 6
    monkeypatch.setenv("CC", "no-such-compiler")
    source.write_text("int changed;", "utf-8")
    assert build_kernel.ensure_checkout_kernel() is None


def test_checkout_without_a_kernel_says_how_to_make_it(tmp_path: Path) -> None:
    """Where the C sources are and the library is not, the command that makes it is named."""
    (tmp_path / "kernel").mkdir()
    reason = find_kernel("", tmp_path).reason
    assert reason == "no compiled kernel in this checkout (make kernel)"


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "wheels = []",
        "wheels = 3",
        "wheels = [3]",
        "wheels = ['']",
        "wheels = ['./wheels/another-1.0-py3-none-any.whl']",
        "wheels = ['./wheels/omi_physics_joint_kernel-0.1.0.0-py3-none-any.whl']",
        "= no manifest",
        None,
    ],
)
def test_extension_without_a_fitting_wheel_says_so(tmp_path: Path, manifest: str | None) -> None:
    """Whatever the manifest says, or if there is none, an installed copy falls back to NumPy."""
    if manifest is not None:
        (tmp_path / "blender_manifest.toml").write_text(manifest, "utf-8")
    assert find_kernel("", tmp_path).reason.startswith("no compiled kernel came along for ")


def test_library_is_found_in_the_wheel_of_the_manifest(
    make_library: MakeLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel that the manifest lists is taken, and not one of another number beside it."""
    site = tmp_path / "site"
    for number in ("1111", "2222"):
        package = site / f"omi_physics_joint_kernel_{number}"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        shutil.copy(make_library(KERNEL_VERSION), package)
    monkeypatch.syspath_prepend(str(site))
    wheel = "./wheels/omi_physics_joint_kernel-0.1.0.2222-py3-none-any.whl"
    (tmp_path / "blender_manifest.toml").write_text(f"wheels = ['{wheel}']", "utf-8")
    expected = site / "omi_physics_joint_kernel_2222" / LIBRARY
    assert find_kernel("", tmp_path).path == str(expected)


def test_library_is_found_where_pip_puts_it(make_library: MakeLibrary, tmp_path: Path) -> None:
    """In the package; where it could not be compiled the reason says what to do."""
    package = tmp_path / "omi_physics_joint"
    package.mkdir()
    (package / "blender_manifest.toml").touch()
    (tmp_path / "kernel").mkdir()  # of another package
    assert find_kernel("", tmp_path).reason.startswith("pip could not compile the kernel (install ")
    library = shutil.copy(make_library(KERNEL_VERSION), package)
    assert find_kernel("", tmp_path).path == str(library)


def test_command_line_says_which_solver_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`info --solver` prints the sentence, also in its JSON."""
    monkeypatch.setattr(loading, "kernel", lambda: Kernel(None, reason="a test"))
    assert main(["info", "--solver"]) == 0
    assert capsys.readouterr().out == "textbook in NumPy, slow: a test\n"
    assert main(["info", "--solver", "--json"]) == 0
    assert '"solver": "textbook in NumPy, slow: a test"' in capsys.readouterr().out


@pytest.mark.parametrize("compiled", [False, True])
def test_versions_say_which_solver_runs(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports name the kernel where it is loaded, and the textbook elsewhere."""
    library = SimpleNamespace() if compiled else None
    monkeypatch.setattr(loading, "kernel", lambda: Kernel(library, reason="a test"))  # type: ignore[arg-type]
    assert versions()["solver"] == (f"kernel {KERNEL_VERSION}" if compiled else "textbook")
    assert "solver" not in versions(solver=False)


def test_info_without_anything_to_say_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    """`info` wants files, unless the solver is asked for."""
    assert main(["info"]) == 2
    assert "FILE" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("value", ["textbook", "/nowhere/omi_kernel.so", "a;b"])
def test_environment_variable_reaches_the_command_line(value: str) -> None:
    """OMI_KERNEL is read by a process as it starts; a wrong one is said, and is no failure."""
    done = subprocess.run(
        [sys.executable, "-m", "omi_physics_joint", "info", "--solver"],
        cwd=ROOT,
        env={**os.environ, VARIABLE: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("textbook in NumPy, slow: ")
    assert value in done.stdout


@pytest.mark.parametrize("has_kernel", [True, False], ids=["kernel", "textbook"])
def test_simulate_says_so_where_the_textbook_moves(
    has_kernel: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits longer than others is told why."""
    if not has_kernel:
        monkeypatch.setattr(recorded_motion, "kernel", lambda: Kernel(None, reason="a test"))
    door = str(ROOT / "examples" / "glb" / "door.glb")
    assert main(["simulate", "--seconds", "0.1", door]) == 0
    assert ("Solver: textbook in NumPy, slow: a test\n" in capsys.readouterr().out) != has_kernel


@pytest.mark.long
@pytest.mark.parametrize(("value", "name"), [("", "kernel"), ("textbook", "textbook")])
def test_what_is_said_is_what_computes(kernel_library: Path, value: str, name: str) -> None:
    """The engine is the kernel where one is loaded, and the textbook where it is asked for."""
    words = "from omi_physics_joint.solver.engines.compiled import engine; print(engine().name)"
    done = subprocess.run(
        [sys.executable, "-c", words],
        cwd=kernel_library.parents[3],
        env={**os.environ, VARIABLE: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{name}\n", done.stderr
