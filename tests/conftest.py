# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tests share: Blender in an empty profile, an empty scene each, the examples.

Tests below tests/blender and tests/package need Blender and are skipped where it is not installed;
with OMI_REQUIRE_BPY=1, as `make test` sets it, that is an error instead.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from example_files import write_examples

from omi_physics_joint.library import guarded
from omi_physics_joint.solver.engines.kernel import kernel
from scripts import build_kernel

ROOT = Path(__file__).resolve().parent.parent
BLENDER_TESTS = ROOT / "tests" / "blender"
NEEDS_BLENDER = (BLENDER_TESTS, ROOT / "tests" / "package")
NO_BLENDER = "Blender is not installed in this Python (no module bpy)"

# Blender reads this when it starts, and only an existing folder counts. Inside a real Blender,
# which has started already, the profile is the business of whoever started it.
PROFILE = None
if "bpy" not in sys.modules:
    PROFILE = tempfile.mkdtemp(prefix="omi_profile_")
    Path(PROFILE, "config").mkdir()
    os.environ["BLENDER_USER_RESOURCES"] = PROFILE

# As in a user's shell: with it, what a process cannot print is not held back until its end.
os.environ.pop("PYTHONUNBUFFERED", None)

# A shell starts what runs behind it (&, nohup) with Ctrl-C ignored, and so would be whatever a test
# starts and stops.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def blender_is_installed() -> bool:
    """Say whether `import bpy` can be expected to work, without starting Blender."""
    return "bpy" in sys.modules or importlib.util.find_spec("bpy") is not None


class SkippedModule(pytest.Module):
    """A test file that needs Blender, where there is none."""

    def collect(self) -> Iterator[pytest.Item]:
        """Skip the whole file with the reason."""
        pytest.skip(NO_BLENDER, allow_module_level=True)


class Collection:
    """Collection rules that hold for the whole checkout, hence a plugin and not a conftest's."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        """Have Python's collector leave alone what is collected: it stays until the end."""
        gc.disable()
        try:
            return (yield)
        finally:
            gc.enable()
            gc.freeze()

    @pytest.hookimpl
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Dir | None:
        """Take the checkout as a plain folder: its __init__.py is for Blender.

        As a package it would be imported under the folder's name, and a checkout may have any
        name, also that of the package inside it or of a package that the tests import.
        """
        return pytest.Dir.from_parent(parent, path=path) if path == ROOT else None

    @pytest.hookimpl
    def pytest_pycollect_makemodule(
        self, module_path: Path, parent: pytest.Collector
    ) -> pytest.Module | None:
        """Skip files that need Blender where it is not installed."""
        if blender_is_installed() or not set(NEEDS_BLENDER) & set(module_path.parents):
            return None
        return SkippedModule.from_parent(parent, path=module_path)


def pytest_configure(config: pytest.Config) -> None:
    """Register the collection rules, and compile the kernel of these sources if need be.

    Stops at once if Blender is required and missing, or if the kernel does not compile.
    """
    if os.environ.get("OMI_REQUIRE_BPY") == "1" and not blender_is_installed():
        raise pytest.UsageError(f"OMI_REQUIRE_BPY=1, but {NO_BLENDER}")
    if not os.environ.get("OMI_KERNEL"):
        try:
            build_kernel.ensure_checkout_kernel()
        except build_kernel.CannotBuildError as problem:
            raise pytest.UsageError(str(problem)) from None
    config.pluginmanager.register(Collection(), "omi_collection")
    if not os.environ.get("OMI_KERNEL") and kernel().library is None:
        from textbook_time import TextbookTime  # and with it NumPy and the textbook

        config.pluginmanager.register(TextbookTime(), "omi_textbook_time")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with files of long tests, lest one worker be left alone with them at the end."""
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in long)


EXIT_STATUS = pytest.StashKey[int]()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep the exit code for pytest_unconfigure."""
    session.config.stash[EXIT_STATUS] = int(session.exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process here if Blender ran in it: its own way out can crash or hang.

    All reports are written by now; in a worker of pytest-xdist the last message has been sent.
    """
    if PROFILE is not None:
        shutil.rmtree(PROFILE, ignore_errors=True)
    if "bpy" in sys.modules and EXIT_STATUS in config.stash:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[EXIT_STATUS])


def add_path_of_pxr() -> None:
    """Let Python find ``pxr`` where the wheel of Blender has it; Blender itself finds it there."""
    import bpy

    python = "python{}.{}".format(*sys.version_info)
    folder = Path(bpy.utils.resource_path("LOCAL"), "python", "lib", python, "site-packages")
    if folder.is_dir():
        sys.path.append(str(folder))


def save_short_home() -> None:
    """Have new files come with one workspace: with eleven each takes twice as long."""
    import bpy

    bpy.data.batch_remove([one for one in bpy.data.workspaces if one.name != "Layout"])
    bpy.ops.wm.save_homefile()


@pytest.fixture(scope="session")
def addon() -> object:
    """The package enabled as an add-on, under the name that the tests import it by."""
    import bpy  # noqa: F401 - puts Blender's own modules on the path
    import addon_utils

    if PROFILE is not None:
        save_short_home()
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    add_path_of_pxr()

    def give_up(error: Exception) -> None:
        raise error

    return addon_utils.enable("omi_physics_joint", default_set=True, handle_error=give_up)


@pytest.fixture(autouse=True)
def empty_scene(request: pytest.FixtureRequest) -> None:
    """Give each test below tests/blender the enabled add-on and a scene with nothing in it."""
    if BLENDER_TESTS in request.path.parents:
        import bpy

        request.getfixturevalue("addon")
        bpy.ops.wm.read_homefile(use_empty=True)


@pytest.fixture(scope="session", params=["own", "official"])
def example_files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of examples that scripts of ours make, and of the official ones of OMI.

    Those may lie beside a checkout; tests skip them where they do not.
    """
    if request.param == "own":
        return write_examples(tmp_path_factory.mktemp("examples"))
    folder = ROOT.parent / "shared" / "omi"
    if not folder.is_dir():
        pytest.skip("official OMI examples are not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def khronos_validate() -> Callable[..., list[dict[str, object]]]:
    """A function that runs the Khronos validator: paths in, one report a file out.

    Each report has `errors`, `warnings`, `infos`, `hints` and `messages`. The test is skipped where
    Node.js or the validator is missing; with OMI_REQUIRE_KHRONOS=1 that is an error.
    """
    node = shutil.which("node")
    folder = Path(os.environ.get("OMI_VENVS") or ROOT / ".venv") / "node" / "node_modules"
    if not node or not (folder / "gltf-validator").is_dir():
        reason = "the Khronos validator is not installed (scripts/bootstrap.py node)"
        if os.environ.get("OMI_REQUIRE_KHRONOS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)

    def validate(*paths: Path) -> list[dict[str, object]]:
        command = [node, str(ROOT / "scripts" / "khronos_validate.mjs"), *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        reports: list[dict[str, object]] = json.loads(done.stdout)
        return reports

    return validate


def give_up(reason: str) -> NoReturn:
    """Skip a test that needs the compiled kernel; with OMI_REQUIRE_KERNEL=1 that is an error."""
    if os.environ.get("OMI_REQUIRE_KERNEL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(autouse=True)
def faults_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the guard around readers hide no fault of ours; what runs apart is guarded as ever."""
    monkeypatch.setattr(guarded, "faults_pass", True)


@pytest.fixture
def contacts() -> None:
    """Leave a test out where there is no kernel: the textbook does not let bodies touch."""
    from omi_physics_joint.solver.engines.compiled import engine  # and with it NumPy

    if engine().name != "kernel":
        give_up("bodies touch by the compiled kernel alone, which is not here (make kernel)")


@pytest.fixture(scope="session")
def c_compiler() -> list[str]:
    """The command of this machine's C compiler; tests are skipped where there is none."""
    command = build_kernel.c_compiler()
    return command if command is not None else give_up("no C compiler that works")


@pytest.fixture(scope="session")
def quick_compiler(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `CC` is where it does not matter how fast a kernel is: a fifth of the time to compile.

    Nothing where there is no C compiler, or no shell.
    """
    command = build_kernel.c_compiler()
    if command is None or os.name == "nt":
        return ""
    script = tmp_path_factory.mktemp("compiler") / "cc"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@" -O0\n', "utf-8")
    script.chmod(0o755)
    return str(script)


@pytest.fixture(scope="session")
def kernel_library() -> Path:
    """The kernel of this checkout, compiled now unless it is there."""
    return Path(build_kernel.ensure_checkout_kernel() or give_up("no kernel and no compiler"))


@pytest.fixture(scope="session")
def zig_python() -> str:
    """A Python that has zig, which compiles for every system; tests are skipped without it."""
    folder = Path(os.environ.get("OMI_VENVS") or ROOT / ".venv") / "kernel"
    inside = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if inside.is_file():
        return str(inside)
    give_up("zig is not installed (scripts/bootstrap.py python kernel)")


@pytest.fixture(scope="session")
def arm_emulator() -> list[str]:
    """The command that runs a program of 64-bit Arm; tests are skipped where there is none."""
    command, system = shutil.which("qemu-aarch64"), Path("/usr/aarch64-linux-gnu")
    if command is None or not system.is_dir():
        give_up("Arm is not emulated here (apt-get install qemu-user libc6-arm64-cross)")
    return [command, "-L", str(system)]
