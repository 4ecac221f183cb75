# SPDX-License-Identifier: GPL-3.0-or-later
"""XML of strangers: bounded, and nothing that a document type declares is ever read."""

from __future__ import annotations

from pathlib import Path

import pytest
from robot_models import body, read

from omi_physics_joint.files.inputs import MOST, InputError, bounded
from omi_physics_joint.model.contents import ContentsError
from omi_physics_joint.robots.element import (
    DEEPEST,
    LARGEST_FILE,
    Element,
    XmlError,
    parsed,
    xml_text,
)
from omi_physics_joint.robots.mjcf.compiler import compiler_of

LAUGHS = "".join(
    f'<!ENTITY l{i} "{"".join(f"&l{i - 1};" for _ in range(10)) if i else "ha"}">'
    for i in range(10)
)


@pytest.mark.parametrize(
    "text",
    [
        f"<!DOCTYPE mujoco [{LAUGHS}]><mujoco>&l9;</mujoco>",
        '<!DOCTYPE mujoco [<!ENTITY x SYSTEM "file:///etc/hostname">]><mujoco>&x;</mujoco>',
        '<!DOCTYPE mujoco SYSTEM "http://localhost/x.dtd"><mujoco/>',
        '<!DOCTYPE mujoco [<!ENTITY % x SYSTEM "x.dtd"> %x;]><mujoco/>',
        "<!DOCTYPE mujoco><mujoco/>",
    ],
    ids=["billion laughs", "external entity", "external DTD", "parameter entity", "empty DTD"],
)
@pytest.mark.parametrize("name", ["model.xml", "model.urdf"])
def test_a_document_type_is_refused_at_its_first_word(text: str, name: str, tmp_path: Path) -> None:
    """Entities are never expanded and no other file is opened: the file is refused."""
    with pytest.raises(ContentsError, match="document type"):
        read(text, tmp_path, name)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    """100 MB are refused before they are in memory."""
    path = tmp_path / "large.xml"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    from omi_physics_joint.robots.mjcf.read import read_mjcf

    with pytest.raises(ContentsError, match=f"{LARGEST_FILE // 2**20} MB"):
        read_mjcf(path)


@pytest.mark.long
def test_deep_nesting_is_refused_and_what_is_allowed_is_read(tmp_path: Path) -> None:
    """A chain may be as long as nesting is allowed to be deep; more says so, nothing overflows."""
    deep = DEEPEST - 5
    text = f"<mujoco><worldbody>{'<body>' * deep}{'</body>' * deep}</worldbody></mujoco>"
    contents, _ = read(text, tmp_path)
    assert len(contents.mechanism.nodes) == deep + 1
    with pytest.raises(XmlError, match="deep"):
        parsed(b"<a>" * (DEEPEST + 1), "x.xml")


@pytest.mark.long
def test_too_many_elements_are_refused() -> None:
    """A small file of many empty elements does not fill the memory."""
    with pytest.raises(InputError, match="elements"), bounded():
        parsed(b"<a>" + b"<b/>" * MOST["elements"] + b"</a>", "x.xml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no XML"),
        (b"not at all", "no XML"),
        (b"<mujoco>", "no XML"),
        (b"<?xml version='1.0' encoding='nobody-knows'?><a/>", "x.xml"),
        (b"\xff\xfe\x00<", "no XML"),
    ],
)
def test_what_is_no_xml_says_so(content: bytes, words: str) -> None:
    """Text that is no XML is one sentence, not a traceback."""
    with pytest.raises(XmlError, match=words):
        parsed(content, "x.xml")


def test_text_is_read_as_it_was_written() -> None:
    """Whatever stands in names is escaped on the way out and the same on the way in."""
    root = Element("robot", {"name": 'a "b" <c> & d\n'})
    root.add("link", name="ä").add("inner", x="1", empty=None)
    again = parsed(xml_text(root).encode(), "x.xml")
    assert again.attributes == root.attributes
    assert again.children[0].attributes == {"name": "ä"}
    assert again.children[0].children[0].attributes == {"x": "1"}


@pytest.mark.parametrize(
    ("between", "inside"), [("<!-- -->", []), ("<b>two</b>", ["two"]), ("<b/> three", [""])]
)
def test_of_words_in_an_element_the_first_count(between: str, inside: list[str]) -> None:
    """Whatever else stands in it behind them."""
    found = parsed(f"<a>\n one {between}\n</a>".encode(), "x.xml")
    assert [one.words for one in (found, *found.children)] == ["one", *inside]


@pytest.mark.parametrize("odd", ["\0", "\x01", "\x0b", "\x1f", "\ud800", "\ufffe", "\uffff"])
def test_what_no_xml_can_say_is_left_out_of_names_and_words(odd: str) -> None:
    """A node of any name is a robot that others open; what they can say stays to the letter."""
    root = Element("robot", {"name": f"a{odd}b\t\x7f\u2028\U0001f600"}, words=f"c{odd}d")
    again = parsed(xml_text(root).encode(), "x.xml")
    assert again.text("name") == "a_b\t\x7f\u2028\U0001f600"
    assert again.words == "c_d"


def test_files_are_included_from_below_the_model_only(tmp_path: Path) -> None:
    """An include reads below the folder of the model, each file once, and nothing above."""
    inside = tmp_path / "model"
    (inside / "parts").mkdir(parents=True)
    (tmp_path / "secret.xml").write_text("<mujoco><worldbody><body/></worldbody></mujoco>")
    (inside / "parts/more.xml").write_text(
        "<mujocoinclude><body name='more'><freejoint/></body></mujocoinclude>"
    )
    text = "<mujoco><worldbody><include file='{}'/></worldbody></mujoco>"
    contents, _ = read(text.format("parts/more.xml"), inside)
    assert any(node.name == "more" for node in contents.mechanism.nodes)
    for elsewhere in ("../secret.xml", str(tmp_path / "secret.xml"), ""):
        with pytest.raises(ContentsError, match="not below"):
            read(text.format(elsewhere), inside)
    (inside / "parts/more.xml").write_text(
        "<mujocoinclude><include file='model.xml'/></mujocoinclude>"
    )
    with pytest.raises(ContentsError, match="twice"):
        read(text.format("parts/more.xml"), inside)


@pytest.mark.parametrize(
    "inside",
    [
        "<joint axis='0 0'/>",
        "<joint range='nan 1'/>",
        "<joint class='nobody'/>",
        "<geom size='x'/>",
        "<geom size='0.1' quat='1 0 0'/>",
    ],
)
def test_numbers_that_are_none_are_named_with_their_line(inside: str, tmp_path: Path) -> None:
    """A model with a damaged number is refused in one sentence that says where."""
    with pytest.raises(ContentsError, match="line 1"):
        read(body(inside), tmp_path)


def test_of_what_a_model_says_twice_the_last_counts() -> None:
    """As models do that include others; what only the first says stays."""
    said = ('<compiler angle="degree" eulerseq="zyx"/>', '<compiler angle="radian"/>')
    root = parsed(f"<mujoco>{''.join(said)}</mujoco>".encode(), "mujoco")
    compiler = compiler_of(root)
    assert compiler.angle(1.0) == 1.0
    assert compiler.said.text("eulerseq") == "zyx"


@pytest.mark.parametrize("said", ["", " {}=''", " {}='Own'"])
@pytest.mark.parametrize(
    ("name", "word", "text"),
    [
        ("hand.xml", "model", "<mujoco{}><worldbody/></mujoco>"),
        ("hand.urdf", "name", "<robot{}><link name='a'/></robot>"),
    ],
)
def test_a_robot_without_a_name_has_that_of_its_file(
    name: str, word: str, text: str, said: str, tmp_path: Path
) -> None:
    """In both formats what it is all below has a name that a user knows."""
    contents, _ = read(text.format(said.format(word)), tmp_path, name)
    assert contents.mechanism.nodes[0].name == ("Own" if "Own" in said else "hand")
