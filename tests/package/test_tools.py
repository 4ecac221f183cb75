# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel, the GitHub Action and the pre-commit hook, run as those who use them run them."""

from __future__ import annotations

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from omi_documents import door, glb, keyed_door

CopySources = Callable[[Path], Path]
ROOT = Path(__file__).resolve().parent.parent.parent
PINS = ("pre-commit==4.7.0", "PyYAML")
COMMAND = "omi-physics-joint"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        bool(sys.modules["bpy"].app.binary_path if "bpy" in sys.modules else ""),
        reason="the Python inside a real Blender has neither pip nor venv",
    ),
    pytest.mark.skipif(os.name == "nt", reason="written for bash and for POSIX folders"),
]


@dataclass(frozen=True, slots=True)
class Done:
    """How a program ended."""

    code: int
    out: str
    err: str


def run(*command: object, cwd: Path, **environment: str) -> Done:
    """Run a program away from this process's Python and checkout."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "GIT_"))
    }
    for name in ("PYTHONPATH", "PYTHONHOME", "OMI_REQUIRE_BPY", "VIRTUAL_ENV"):
        kept.pop(name, None)
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def well(done: Done) -> str:
    """Return what a program printed that must have ended well."""
    assert done.code == 0, done.out + done.err
    return done.out


@pytest.fixture(scope="module")
def clone(copy_sources: CopySources, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit of these sources."""
    folder = copy_sources(tmp_path_factory.mktemp("clone") / "omi_physics_joint")
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    """Make a folder a repository, and commit all that is in it."""
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    git = shutil.which("git") or pytest.skip("git is not installed")
    for words in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-q", "-m", "All")):
        well(run(git, *words, cwd=folder))


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with pre-commit and a reader of YAML."""
    folder = tmp_path_factory.mktemp("tools")
    well(run(sys.executable, "-m", "venv", folder / "venv", cwd=folder))
    python = folder / "venv/bin/python"
    done = run(python, "-m", "pip", "install", "-q", *PINS, cwd=folder)
    if done.code and "No matching distribution" in done.err:
        pytest.skip("pre-commit cannot be fetched: no package index is in reach")
    well(done)
    return folder / "venv/bin"


@pytest.fixture(scope="module")
def hooks(tools: Path, quick_compiler: str) -> dict[str, str]:
    """The environment for pre-commit, which installs a repository once for all who name it."""
    return {
        "CC": quick_compiler,
        "PRE_COMMIT_HOME": str(tools.parent / "hooks"),
        "PATH": f"{tools}:{os.environ['PATH']}",
    }


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder with a good file and a bad one, whose names have blanks."""
    folder = tmp_path / "models"
    (folder / "some doors").mkdir(parents=True)
    (folder / "some doors/good door.glb").write_bytes(glb(door()))
    bad = door()
    bad["nodes"][3]["extensions"]["OMI_physics_joint"]["joint"] = 5
    (folder / "bad door.gltf").write_text(json.dumps(bad), "utf-8")
    return folder


def in_yaml(tools: Path, path: Path) -> Any:
    """Return what a YAML file says."""
    script = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
    return json.loads(well(run(tools / "python", "-c", script, path, cwd=path.parent)))


def test_wheel_is_a_command_without_blender(clone: Path, models: Path, tmp_path: Path) -> None:
    """Built and installed by pip into an empty environment, without Blender and without NumPy.

    What its kernel is made of is no matter here, so it has none.
    """
    quiet = ("-q", "--disable-pip-version-check", "--no-deps")
    wheels, site = tmp_path / "wheels", tmp_path / "venv"
    pip = (sys.executable, "-m", "pip")
    build = (*pip, "wheel", *quiet, "--no-build-isolation", "-w", wheels, ".")
    well(run(*build, cwd=clone, CC="no-such-compiler"))
    (wheel,) = wheels.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    well(run(sys.executable, "-m", "venv", "--without-pip", site, cwd=tmp_path))
    well(
        run(
            *pip,
            "--python",
            site / "bin/python",
            "install",
            *quiet,
            "--no-index",
            wheel,
            cwd=tmp_path,
        )
    )
    command = site / "bin" / COMMAND
    good, bad = "some doors/good door.glb", "bad door.gltf"
    assert run(command, "check", good, cwd=models).code == 0
    assert run(command, "check", bad, cwd=models).code == 1
    well(run(command, "convert", good, "out.gltf", "--dialect", "khr", cwd=models))
    assert well(run(command, "diff", good, "out.gltf", cwd=models)) == "no changes\n"
    script = "from omi_physics_joint import check, convert; print(len(check('bad door.gltf')) > 0)"
    assert well(run(site / "bin/python", "-c", script, cwd=models)) == "True\n"
    assert [one.name for one in site.glob("lib/*/site-packages/*/py.typed")] == ["py.typed"]
    done = run(command, "simulate", good, cwd=models)
    assert (done.code, "NumPy" in done.err) == (3, True)
    assert "NumPy" in well(run(command, "info", "--solver", cwd=models))


def test_hook_runs_in_pre_commit(
    clone: Path, tools: Path, models: Path, hooks: dict[str, str]
) -> None:
    """pre-commit installs the repository by itself, and hands over the glTF files of a commit."""
    (models / "notes.txt").write_text("no glTF", "utf-8")
    head = well(run("git", "rev-parse", "HEAD", cwd=clone)).strip()
    (models / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {clone}\n  rev: {head}\n  hooks:\n  - id: {COMMAND}\n", "utf-8"
    )
    commit(models)
    words = (tools / "pre-commit", "run", "--color", "never", "--files")
    good = run(*words, "some doors/good door.glb", "notes.txt", cwd=models, **hooks)
    assert "check physics joints" in well(good)
    assert "Passed" in good.out
    bad = run(*words, "bad door.gltf", "some doors/good door.glb", cwd=models, **hooks)
    assert bad.code == 1
    assert (
        'bad door.gltf: error: /nodes/3/extensions/OMI_physics_joint/joint "Door Hinge"' in bad.out
    )
    assert "Skipped" in well(run(*words, "notes.txt", cwd=models, **hooks))
    (models / "-x.gltf").write_bytes((models / "bad door.gltf").read_bytes())
    well(run("git", "add", "--", "-x.gltf", cwd=models))
    hyphen = run(*words[:-1], cwd=models, **hooks)
    assert (hyphen.code, "error: /nodes/3/" in hyphen.out) == (1, True)


def test_hook_takes_the_words_of_check(
    clone: Path, tools: Path, models: Path, hooks: dict[str, str]
) -> None:
    """Arguments of a user come before the names of files: what to require, for whom, what fails."""
    head = well(run("git", "rev-parse", "HEAD", cwd=clone)).strip()
    (models / "eaten.gltf").write_text('{"asset": {"version": "2.0"}}')
    commit(models)
    for words, said in (
        ("--require, joints", "eaten.gltf: error: file: It holds no joints."),
        ("--reader, unity, --fail-on, warning", "good door.glb: warning: "),
    ):
        (models / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {clone}\n  rev: {head}\n  hooks:\n  - id: {COMMAND}\n"
            f"    args: [{words}, --]\n",
            "utf-8",
        )
        names = ("eaten.gltf", "some doors/good door.glb")
        found = run(tools / "pre-commit", "run", "--files", *names, cwd=models, **hooks)
        assert (found.code, said in found.out) == (1, True), found.out


@pytest.fixture(scope="module")
def installed(
    clone: Path, tools: Path, quick_compiler: str, tmp_path_factory: pytest.TempPathFactory
) -> _Runner:
    """A runner that keeps its folders from run to run, with the first step of the action done."""
    folder = tmp_path_factory.mktemp("runner")
    runner = _Runner(in_yaml(tools, clone / "action.yml"), clone, folder, quick_compiler)
    well(runner.step("Install", runner.defaults, folder))
    return runner


@pytest.fixture
def runner(installed: _Runner) -> _Runner:
    """The same at the begin of another run."""
    installed.summary.unlink(missing_ok=True)
    return installed


def test_action_checks_what_it_is_given(runner: _Runner, models: Path) -> None:
    """Its steps, as a runner runs them: expressions put in, one bash each, PATH carried on."""
    assert runner.action["runs"]["using"] == "composite"
    uses = [step["uses"] for step in runner.action["runs"]["steps"] if "uses" in step]
    assert [name.split("@")[0] for name in uses] == ["actions/setup-python"]
    defaults = runner.defaults
    found = runner.step("Check", defaults, models)
    assert found.code == 1
    assert "bad door.gltf: error: /nodes/3" in found.out
    assert found.out.splitlines()[-1].startswith("2 files: 1 error")
    assert "::error file=bad door.gltf,title=index-out-of-range::/nodes/3" in found.err
    summary = runner.summary.read_text("utf-8")
    assert summary.startswith("### check: 1 lost, 1 ok\n") or summary.startswith("### check: 1 ok")
    assert "| bad door.gltf | lost | /nodes/3/" in summary
    good = {**defaults, "files": "some doors/*.glb\n", "flags": "--json"}
    report = json.loads(well(runner.step("Check", good, models)))
    assert [file["path"] for file in report["files"]] == ["some doors/good door.glb"]
    well(runner.step("Check", {**good, "flags": "", "require": "joints bodies colliders"}, models))
    for_unity = runner.step("Check", {**good, "reader": "unity", "fail-on": "warning"}, models)
    assert (for_unity.code, json.loads(for_unity.out)["files"][0]["state"]) == (1, "lost")
    flags = "--ignore 'unity-*' --ignore \"a b\""
    quoted = {**good, "reader": "unity", "fail-on": "warning", "flags": flags}
    well(runner.step("Check", quoted, models))
    (models / "eaten.gltf").write_text('{"asset": {"version": "2.0"}}')
    eaten = {**good, "files": "eaten.gltf\n", "require": "joints"}
    assert runner.step("Check", eaten, models).code == 1
    assert runner.step("Check", {**defaults, "files": "none/*.glb"}, models).code == 2
    missing = runner.step("Check", {**defaults, "files": "some doors/none.glb"}, models)
    assert (missing.code, "no such file" in missing.err) == (3, True)
    (models / "-x.gltf").write_bytes((models / "bad door.gltf").read_bytes())
    hyphen = runner.step("Check", {**defaults, "files": "*.gltf"}, models)
    assert (hyphen.code, "-x.gltf: error: /nodes/3" in hyphen.out) == (1, True)


def test_action_says_what_is_another_than_in_a_branch(runner: _Runner, tmp_path: Path) -> None:
    """In words, also where a buffer beside the file has changed alone; new files are named."""
    origin, work = tmp_path / "origin", tmp_path / "work"
    (origin / "keyed lid").mkdir(parents=True)
    (origin / "same").mkdir()
    keyed = keyed_door()
    data = base64.b64decode(keyed["buffers"][0]["uri"].partition(",")[2])
    keyed["buffers"][0]["uri"] = "lid.bin"
    (origin / "keyed lid/lid.gltf").write_text(json.dumps(keyed))
    (origin / "keyed lid/lid.bin").write_bytes(data)
    for name in ("door.glb", "same/door.glb", "tür.glb"):
        (origin / name).write_bytes(glb(door()))
    commit(origin)
    well(run("git", "branch", "release/1", cwd=origin))
    well(run("git", "clone", "-q", "--depth", "1", f"file://{origin}", work, cwd=tmp_path))
    wider = door()
    wider["extensions"]["OMI_physics_joint"]["physicsJoints"][0]["limits"][2]["max"] = 1.0
    (work / "door.glb").write_bytes(glb(wider))
    (work / "keyed lid/lid.bin").write_bytes(data[:-4] + struct.pack("<f", 1.25))
    (work / "new.glb").write_bytes(glb(door()))
    (work / "tür.glb").unlink()
    commit(work)
    defaults = runner.defaults
    before = well(run("git", "worktree", "list", cwd=work))
    for _ in range(2):  # a runner of one's own keeps its folders
        done = runner.step("Check", {**defaults, "base": "release/1"}, work)
        well(done)
        assert "door.glb, since release/1:\nDoor Hinge: " in done.err
        assert "::notice file=door.glb,title=changed::Door Hinge: " in done.err
        assert "::notice file=keyed lid/lid.gltf,title=changed::" in done.err
        assert "new.glb: not in release/1\n" in done.err
        assert "tür.glb: no longer here\n" in done.err
        assert "same/door.glb" not in done.err
    assert "### door.glb has changed\n\n- Door Hinge: " in runner.summary.read_text("utf-8")
    assert well(run("git", "worktree", "list", cwd=work)) == before
    assert runner.step("Check", {**defaults, "base": "no such branch"}, work).code == 128


class _Runner:
    """Does what a runner does with the steps of a composite action that are shell lines."""

    def __init__(self, action: Any, checkout: Path, temp: Path, compiler: str) -> None:
        self.action = action
        self.defaults = {name: one["default"] for name, one in action["inputs"].items()}
        self.summary = temp / "summary.md"
        self._steps = {step["name"]: step for step in action["runs"]["steps"] if "run" in step}
        self._github = {"github.action_path": str(checkout)}
        self._path_file = temp / "path.txt"
        self._path_file.touch()
        bin_folder = temp / "bin"
        bin_folder.mkdir()
        (bin_folder / "python").symlink_to(sys.executable)
        self._path = f"{bin_folder}:{os.environ['PATH']}"
        self._temp = temp
        self._compiler = compiler

    def step(self, name: str, inputs: dict[str, str], work: Path) -> Done:
        """Run one step with these inputs in a folder."""
        step = self._steps[name]
        assert step["shell"] == "bash"
        values = {**self._github, **{f"inputs.{key}": value for key, value in inputs.items()}}
        environment = {
            "CC": self._compiler,
            "PATH": ":".join([*reversed(self._path_file.read_text().split()), self._path]),
            "GITHUB_PATH": str(self._path_file),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(self._temp),
        }
        for key, text in step.get("env", {}).items():
            environment[key] = _evaluated(text, values)
        script = _evaluated(step["run"], values)
        bash = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
        return run(*bash, cwd=work, **environment)


def _evaluated(text: str, values: dict[str, str]) -> str:
    """Return a text with its expressions put in."""
    for name, value in values.items():
        text = text.replace(f"${{{{ {name} }}}}", value)
    assert "${{" not in text
    return text
