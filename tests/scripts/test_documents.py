# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents: every link leads to a file and a heading, and the manual lists every page."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for folder, pattern in ((ROOT, "*.md"), (DOCS, "**/*.md"), (ROOT / "clients", "**/README.md"))
    for path in folder.glob(pattern)
    if "node_modules" not in path.parts
)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(
    r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)"  # [text](link "title")
    r"|<(?:a|img)\s[^>]*?(?:href|src)=\"([^\"]+)\""
)
INCLUDED = re.compile(r"^--8<-- \"([^\":]+)(?::\w+)?\"$", re.MULTILINE)
ELSEWHERE = ("http://", "https://", "mailto:")
PACKAGE = ROOT / "omi_physics_joint"
BLENDERS = {"Ctrl A", "Esc", "Export glTF 2.0", "F2", "Frame Selected", "Item", "N", "Scale"}
"""Keys, and what Blender itself calls things."""
PROGRAMS = {"omi-physics-joint", "omi-physics-joint-kernel", "qemu-user", "usd-core"}
"""What is called as codes are and is installed."""
ON_THE_HOST = {"../../issues"}
"""What only the web page of the repository has."""


@cache
def text_of(page: Path) -> str:
    """Return a page without its examples of code."""
    return FENCE.sub("", page.read_text("utf-8"))


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """Return what a link to a page may name: headings, as MkDocs and GitHub spell them; ids."""
    text = text_of(page)
    found = set(re.findall(r"\bid=\"([^\"]+)\"", text))
    for heading in re.findall(r"^#+ (.+?)\s*$", text, re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain).strip())
        assert slug not in found, f"{page.name} has {heading!r} twice"
        found.add(slug)
    for included in INCLUDED.findall(text):
        found |= anchors_of(ROOT / included)
    return frozenset(found)


def links_of(page: Path) -> list[str]:
    """Return the links of a page that lead to a file of the repository."""
    links = ("".join(one) for one in LINK.findall(text_of(page)))
    return [one for one in links if not one.startswith(ELSEWHERE) and one not in ON_THE_HOST]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """The files and headings that are named exist, and docs link within docs."""
    for link in links_of(page):
        name, _, anchor = unquote(link).partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if page.is_relative_to(DOCS):
            assert target.is_relative_to(DOCS), f"{link}: the built manual does not have it"
        if anchor:
            assert anchor in anchors_of(target), link


def test_the_manual_lists_every_page() -> None:
    """The navigation has every page of docs once, and no other."""
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:\n")[1]
    listed = re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.glob("**/*.md"))


def test_no_page_waits_for_the_address_once_it_is_known() -> None:
    """OWNER stands for the address as long as the manifest, which says it, does not know it."""
    website = tomllib.loads((ROOT / "blender_manifest.toml").read_text("utf-8"))["website"]
    waiting = [str(page.relative_to(ROOT)) for page in PAGES if "OWNER" in page.read_text("utf-8")]
    assert "OWNER" in website or not waiting, f"put {website} into {waiting}"


@pytest.mark.parametrize("page", ["README.md", "docs/manual/door.md"])
def test_what_is_pressed_for_a_door_is_called_so(page: str) -> None:
    """Bold words in the steps to a first door are labels of ours, or Blender's own."""
    sources = "".join(one.read_text("utf-8") for one in PACKAGE.rglob("*.py"))
    steps = re.findall(r"^\d\. .*(?:\n   .*)*", text_of(ROOT / page), re.MULTILINE)
    words = {word for step in steps for word in re.findall(r"\*\*([^*]+)\*\*", step)}
    assert {"Joints", "Hinge", "Export glTF..."} <= words
    assert {word for word in words - BLENDERS if f'"{word}"' not in sources} == set()


@pytest.mark.long
def test_what_examples_import_is_there() -> None:
    """Lines of Python that import something of ours find it."""
    line = re.compile(r"^ *from (omi_physics_joint[\w.]*) import (.+)$", re.MULTILINE)
    examples = [found for page in PAGES for found in line.findall(page.read_text("utf-8"))]
    assert examples
    for module, names in examples:
        found = import_module(module)
        assert [name for name in names.split(", ") if not hasattr(found, name)] == [], module


def test_every_picture_is_shown() -> None:
    """No picture lies in docs that no page shows."""
    shown = {(page.parent / link).resolve() for page in PAGES for link in links_of(page)}
    assert {path for path in (DOCS / "images").iterdir()} - shown == set()


def test_every_code_that_is_named_is_one() -> None:
    """What a page sets as the code of a finding stands in the package under that name."""
    sources = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    named = {
        code for page in PAGES for code in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", text_of(page))
    }
    assert len(named) > 60
    assert {code for code in named - PROGRAMS if f'"{code}"' not in sources} == set()
