# SPDX-License-Identifier: GPL-3.0-or-later
"""What reviewers of extensions and readers of a release would stumble on."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

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


def test_pre_commit_has_the_pinned_ruff() -> None:
    """Git's hook lints as `make check` does."""
    pins = (ROOT / "scripts/bootstrap.py").read_text("utf-8")
    (pinned,) = re.findall(r'"ruff==(.+?)"', pins)
    assert f"rev: v{pinned} " in (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
