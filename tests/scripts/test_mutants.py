# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that are put into the package: what they break, what they spare, and who is asked."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from scripts.mutants.faults import Fault, faults_of
from scripts.mutants.handmade import HANDMADE, Handmade, located
from scripts.mutants.reach import Reach, changed_files, within
from scripts.mutants.text_faults import text_faults_of

ROOT = Path(__file__).resolve().parents[2]


def broken(text: str) -> set[str]:
    """Return a text with each of its faults."""
    return {fault.applied(text) for fault in faults_of("file.py", text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = a < b", {"x = a <= b"}),
        ("x = a is not None", {"x = a is None"}),
        ("x = a not in b", {"x = a in b"}),
        ("x = a < b <= c", {"x = a <= b <= c", "x = a < b < c"}),
        ("x = (a) + (b)", {"x = (a) - (b)"}),
        ("x = a ** b", {"x = a * b"}),
        ("x = a @ b", set()),
        ("x = a and b and c", {"x = a or b and c", "x = a and b or c"}),
        ("x = not a", {"x =  a"}),
        ("x = -a", {"x = a"}),
        ("x = 3", {"x = 4"}),
        ("x = 0.5", {"x = 1.0"}),
        ("x = 0.0", {"x = 1.0"}),
        ("x = True", {"x = False"}),
        ("x = 'name'", {"x = 'XXname'"}),
        ("x += a", {"x -= a", "pass"}),
        ("x.y = a", {"pass"}),
        ("f(a)", {"pass"}),
        ("if a:\n    f = b", {"if not (a):\n    f = b"}),
        ("x = a if b else c", {"x = a if not (b) else c"}),
        ("x = [a for a in b if a]", {"x = [a for a in b if not (a)]"}),
        ("def f():\n    return a", {"def f():\n    return None"}),
        ("def f():\n    return", {"def f():\n    pass"}),
        ("for a in b:\n    break", {"for a in b:\n    pass"}),
        ("raise a", {"pass"}),
        (
            "x = 'Größe' if a == b else c",
            {
                "x = 'XXGröße' if a == b else c",
                "x = 'Größe' if a != b else c",
                "x = 'Größe' if not (a == b) else c",
            },
        ),
    ],
)
def test_every_way_to_break_a_line(text: str, expected: set[str]) -> None:
    """Each operator breaks what it is for, at its place alone, also behind letters of two bytes."""
    assert broken(text) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.c", "    x = a < b;", {"    x = a <= b;", "    ;"}),
        ("a.c", "    x += a[2];", {"    x -= a[2];", "    x += a[3];", "    ;"}),
        ("a.c", "    f(x);", {"    ;"}),
        ("a.c", "    double x[3], y[4];", set()),
        ("a.c", "    double x = 0.5;", {"    double x = 1.0;"}),
        ("a.c", "    if (!f(a)) b", {"    if (!(!f(a))) b", "    if (f(a)) b"}),
        ("a.c", "    return (-a);", {"    return (a);"}),
        ("a.c", "    continue;", {"    ;"}),
        ("a.c", "#include <a.h> /* 3 - 2 */", set()),
        ("a.gd", "\tx = not a", {"\tx = a", "\tpass"}),
        ("a.gd", "\tif a and b:", {"\tif not (a and b):", "\tif a or b:"}),
        ("a.gd", '\tx["name"] = y', {'\tx["XXname"] = y', "\tpass"}),
        ("a.gd", '\tf("a whole sentence")  # 3 + 4', set()),
        ("a.gd", "func f(a := 3) -> int:", set()),
        ("a.gd", "\treturn true", {"\treturn false"}),
        ("a.gd", "\treturn", {"\tpass"}),
    ],
)
def test_every_way_to_break_a_line_of_another_language(
    name: str, text: str, expected: set[str]
) -> None:
    """C and GDScript are broken as Python is; what is declared, included or prose is spared."""
    assert {fault.applied(text) for fault in text_faults_of(name, text)} == expected


@pytest.mark.parametrize(
    "text",
    [
        '"""Words."""',
        "def f(a: Literal[3] = b) -> Array[4]: ...",
        "x: Final[3]",
        "@once(3)\ndef f(): ...",
        "from a import b",
        "x = 'a whole sentence'",
        "x = f'{a} of 3'",
    ],
)
def test_what_no_test_should_hold_is_spared(text: str) -> None:
    """Prose, annotations, decorators and imports are left alone."""
    assert {one for one in broken(text) if one != "pass"} <= {"pass"}


def test_faults_of_the_package_are_programs() -> None:
    """A file with a fault can still be read by Python: what is noticed is the fault itself."""
    package = ROOT / "omi_physics_joint"
    files = sorted(package.glob("model/**/*.py")) + sorted(package.glob("solver/*.py"))
    chosen = random.Random(3)
    for path in chosen.sample(files, 12):
        text = path.read_text("utf-8")
        found = faults_of("file.py", text)
        for fault in chosen.sample(found, min(12, len(found))):
            ast.parse(fault.applied(text))
            assert fault.lines[0] <= fault.line <= fault.lines[1], fault


def reach() -> Reach:
    """Return what four tests reach of one file."""
    return Reach(
        {"tests/solver/test_a.py::slow": 9.0, "tests/solver/test_a.py::fast": 1.0}
        | {"tests/cli/test_b.py::fast": 0.1, "tests/blender/test_c.py::fast": 0.2},
        {
            "solver/a.py:3": ["tests/solver/test_a.py::slow", "tests/solver/test_a.py::fast"],
            "solver/a.py:4": ["tests/cli/test_b.py::fast"],
            "solver/a.py:9": ["tests/blender/test_c.py::fast"],
        },
        {"tests/solver/test_a.py": "1", "tests/cli/test_b.py": "2"},
    )


def fault_at(*lines: int) -> Fault:
    """Return a fault in a statement of these lines."""
    return Fault("omi_physics_joint/solver/a.py", lines[0], (lines[0], lines[-1]), 0, 1, "", "", "")


def test_tests_that_reach_a_fault_are_asked_the_nearest_and_fastest_first() -> None:
    """Asked is who reaches a line of its statement; where nobody does, who reaches the file."""
    known = reach()
    slow, fast = "tests/solver/test_a.py::slow", "tests/solver/test_a.py::fast"
    assert known.of(fault_at(3)) == [fast, slow]
    assert known.of(fault_at(3, 4)) == [fast, slow, "tests/cli/test_b.py::fast"]
    everyone = known.of(fault_at(1))
    assert everyone == [fast, slow, "tests/cli/test_b.py::fast", "tests/blender/test_c.py::fast"]
    pure, in_blender = within(everyone, known.seconds, 2.0)
    assert pure == [fast, "tests/cli/test_b.py::fast"]
    assert in_blender == ["tests/blender/test_c.py::fast"]


def test_only_tests_that_changed_are_measured_again() -> None:
    """What other files reach is kept; a test that is gone reaches nothing."""
    known = reach()
    now = {"tests/solver/test_a.py": "1", "tests/cli/test_b.py": "new"}
    (changed,) = changed_files(known, now)
    assert changed == "tests/cli/test_b.py"
    fresh = Reach({"tests/cli/test_b.py::other": 0.3}, {"solver/a.py:3": [changed + "::other"]}, {})
    both = known.without([changed]).joined(fresh, now)
    assert both.of(fault_at(4)) == both.of(fault_at(1))
    assert changed + "::fast" not in both.seconds
    assert changed + "::other" in both.of(fault_at(3))


def test_a_fault_made_by_hand_is_found_by_its_text() -> None:
    """It stands where its text stands, and nowhere if there are two or none."""
    made = Handmade("a word", "test_a.py", "solver/a.py", "b = 2", "b = 3")
    fault = made.located("a = 1\nb = 2\n")
    assert fault is not None
    assert (fault.line, fault.applied("a = 1\nb = 2\n")) == (2, "a = 1\nb = 3\n")
    assert made.located("b = 2\nb = 2\n") is None
    assert made.located("a = 1\n") is None


def test_every_fault_made_by_hand_is_where_it_says() -> None:
    """Its text has moved nowhere, it is another afterwards, and the tests that notice it are there.

    A path that is gone would count as noticed, since pytest ends with an error.
    """
    found, moved = located(lambda path: (ROOT / path).read_text("utf-8"))
    assert moved == []
    assert [str(fault) for fault, _ in found if fault.old == fault.new] == []
    for test in {one.test for one in HANDMADE}:
        path, _, name = test.partition("::")
        assert f"def {name}" in (ROOT / "tests" / path).read_text("utf-8"), test
