# SPDX-License-Identifier: GPL-3.0-or-later
"""What reviewers of extensions and readers of a release would stumble on."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tarfile
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from scripts.build_kernel import KERNEL_TARGETS, kernel_number
from scripts.first_step import steps, write
from scripts.release import missing

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = [ROOT / "__init__.py", *sorted((ROOT / "omi_physics_joint").rglob("*.py"))]
RUN_TEXT = {"exec", "eval", "compile", "runpy", "execfile"}


@pytest.mark.long
def test_shipped_code_runs_no_text_and_leaves_import_paths_alone() -> None:
    """Nowhere in the package is text run as Python, nor sys.path touched."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}"
        for path in SHIPPED
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Name) and node.id in RUN_TEXT)
        or (isinstance(node, ast.alias) and node.name in RUN_TEXT)
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.path", "utils.execfile"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("website", "title", "tag", "count"),
    [
        ("https://github.com/somebody/omi_physics_joint", "1.2.0", "v1.2.0", 0),
        ("https://github.com/somebody/omi_physics_joint", "1.2.0", "", 0),
        ("https://github.com/OWNER/omi_physics_joint", "1.2.0", "v1.2.0", 1),
        ("https://github.com/somebody/omi_physics_joint", "Unreleased", "v1.2.0", 1),
        ("https://github.com/somebody/omi_physics_joint", "1.3.0\n\n## 1.2.0", "v1.2.0", 1),
        ("https://github.com/somebody/omi_physics_joint", "1.2.0", "v1.2", 1),
    ],
)
def test_a_release_is_refused_while_anything_is_missing(
    tmp_path: Path, website: str, title: str, tag: str, count: int
) -> None:
    """The address, the tag and the changelog each have their sentence."""
    manifest = f'version = "1.2.0"\nwebsite = "{website}"\n'
    (tmp_path / "blender_manifest.toml").write_text(manifest, "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {title}\n\n## 1.1.0\n", "utf-8")
    assert len(list(missing(tmp_path, tag))) == count


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """Run a script of ours."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_release_is_whole_and_has_checksums(tmp_path: Path) -> None:
    """All that publishing.md lists and nothing else, each with the checksum of its bytes."""
    version = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))["version"]
    text = (ROOT / "docs/developers/publishing.md").read_text("utf-8")
    listed = re.findall(r"^ *\| `([\w.-]+\.(?:zip|whl|tgz|tar\.gz))` \|", text, re.MULTILINE)
    names = {
        name.replace("VERSION", version)
        .replace("NUMBER", str(kernel_number()))
        .replace("SYSTEM", system)
        for name in listed
        for system in KERNEL_TARGETS
    }
    assert len(names) == 4 + 2 * len(KERNEL_TARGETS)
    for name in names:
        (tmp_path / name).write_text(name, "utf-8")
    assert run("scripts/release.py", "sums", tmp_path).returncode == 0
    lines = (tmp_path / "SHA256SUMS").read_text("utf-8").splitlines()
    assert lines == [f"{sha256(name.encode()).hexdigest()}  {name}" for name in sorted(names)]
    (tmp_path / "stray.zip").touch()
    assert "odd ['stray.zip']" in run("scripts/release.py", "sums", tmp_path).stderr


def test_the_workflow_publishes_what_the_command_makes() -> None:
    """One command makes it, here and there, into one folder, and all of that is uploaded."""
    workflow = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (folder,) = re.findall(r"^RELEASE = (.+)$", makefile, re.MULTILINE)
    make, create = re.findall(r"- run: (.+)$", workflow, re.MULTILINE)
    assert make == 'make release TAG="$TAG"'
    assert create.endswith(f" {folder}/*")


def test_the_npm_package_is_what_its_description_names(tmp_path: Path) -> None:
    """Those files with the version of the whole, in the same bytes each time."""
    done = [run("scripts/build_npm.py", "--output", tmp_path / one) for one in "ab"]
    first, second = (Path(one.stdout.strip()) for one in done)
    assert first.read_bytes() == second.read_bytes()
    sources = ROOT / "clients/gltf-transform"
    description = json.loads((sources / "package.json").read_text("utf-8"))
    files = {f"package/{name}" for name in ("package.json", *description["files"])}
    with tarfile.open(first) as archive:
        packed = {one.name: archive.extractfile(one) for one in archive.getmembers()}
        assert packed.keys() == files
        said = packed.pop("package/package.json")
        assert said is not None
        own = json.loads(said.read())
        for name, file in packed.items():
            assert file is not None
            assert file.read() == (sources / Path(name).name).read_bytes()
    version = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))["version"]
    assert own == {**description, "version": version}
    assert description["version"] == "0.0.0"  # it is said once, in the manifest


def test_pages_lead_to_a_release_only_where_there_can_be_one(tmp_path: Path) -> None:
    """All say the same, today or once released, and released is said with a known address alone."""
    said = {
        [step in (ROOT / page).read_text("utf-8") for step in texts].index(True)
        for page, texts in steps(ROOT).items()
    }
    website = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))["website"]
    assert said == {0} or (said == {1} and "OWNER" not in website)
    manifest = tmp_path / "blender_manifest.toml"
    manifest.write_text('website = "https://github.com/OWNER/omi"', "utf-8")
    for page, (now, _) in steps(tmp_path).items():
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / page).write_text(f"# Install\n\n{now}\n2. Drag it.\n", "utf-8")
    with pytest.raises(ValueError, match="address"):
        write(tmp_path, released=True)
    manifest.write_text('website = "https://github.com/somebody/omi"', "utf-8")
    write(tmp_path, released=True)
    for page in steps(tmp_path):
        text = (tmp_path / page).read_text("utf-8")
        assert "(https://github.com/somebody/omi/releases/latest)" in text
        assert "clone" not in text
        assert text.endswith("\n2. Drag it.\n")


def test_pre_commit_has_the_pinned_ruff() -> None:
    """Git's hook lints as `make check` does."""
    pins = (ROOT / "scripts/bootstrap.py").read_text("utf-8")
    (pinned,) = re.findall(r'"ruff==(.+?)"', pins)
    assert f"rev: v{pinned} " in (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
