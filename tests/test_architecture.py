# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of the house, held by tests: who imports whom, sizes, names, docstrings.

A change of the plan changes this file, with its reason, in the same commit.
"""

from __future__ import annotations

import ast
import graphlib
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "omi_physics_joint"

ROOMS = {
    "model": {"model"},
    "weighing": {"weighing", "model", "numpy"},
    "solver": {"solver", "weighing", "model", "numpy"},
    "posing": {"posing", "solver", "model", "numpy"},
    "drawing": {"drawing", "model", "numpy"},
    "files": {"files"},
    "gltf": {"gltf", "files", "model"},
    "usd": {"usd", "files", "model", "weighing", "numpy"},
    "robots": {"robots", "files", "model", "weighing", "numpy"},
    "library": {"library", "files", "model", "weighing", "solver", "gltf", "usd", "robots"}
    | {"numpy"},
    "cli": {"cli", "library", "files", "model", "solver", "gltf"},
}
"""Package -> what it may import beside the standard library."""

DOORS = {
    "usd/stage.py": {"pxr"},
    "usd/authoring.py": {"pxr"},
    "usd/reading/bodies/shapes.py": {"coacd"},
    "robots/mesh_files.py": {"trimesh"},
    "cli/blender_door.py": {"blender", "bpy"},
}
"""File -> what it may import beyond its room's rule, inside functions only."""

FLOORS = (
    {"registration"},
    {"interface"},
    {"data"},
    {"bridge"},
    {"between_bodies", "purpose", "overlay", "simulated", "migration"},
    {"joints"},
    {"articulation", "create", "play", "presets"},
    {"bodies"},
    {"check"},
    {"handles", "timeline", "imported"},
    {"posing", "gltf_hooks", "usd_hooks", "handlers", "menus"},
    {"batch", "robots"},
)
"""What lies inside blender/, lowest first: each imports from its own floor and those below."""

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}
MAX_LINES = 400
MAX_FILES = 12


@dataclass(frozen=True, slots=True)
class Import:
    """One name that a file imports.

    Attributes:
        name: Dotted path inside our package ("model.joint"), or of a foreign module ("numpy").
        ours: Whether it lies inside our package.
        lazy: Whether it is imported inside a function.
        line: Line number in the file.
    """

    name: str
    ours: bool
    lazy: bool
    line: int

    @property
    def head(self) -> str:
        """The first part of the name."""
        return self.name.split(".")[0]


def source_files(*endings: str) -> list[Path]:
    """Return all Python files of the project or those of other kinds, without what tools made."""
    made = {"build", "dist", "node_modules", "__pycache__"}
    return [
        path
        for ending in endings or ("py",)
        for path in sorted(ROOT.rglob(f"*.{ending}"))
        if not any(
            part in made or part.startswith(".") for part in path.relative_to(ROOT).parts[:-1]
        )
    ]


def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def lazy_nodes(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes that lie inside functions."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found: set[ast.AST] = set()
    for node in ast.walk(tree):  # outer functions come first, and hold all that is in inner ones
        if isinstance(node, functions) and node not in found:
            found.update(ast.walk(node))
    return found


@cache
def read(path: Path) -> tuple[list[Import], list[str]]:
    """Return what a file of ours imports, and its classes."""
    tree = parsed(path)
    lazy = lazy_nodes(tree)
    # The package of the file, as folders below ours: () for omi_physics_joint itself.
    folders = path.relative_to(PACKAGE).parent.parts
    imports, classes = [], []
    for node in ast.walk(tree):
        for name, ours in imported_names(node, folders):
            imports.append(Import(name, ours, node in lazy, getattr(node, "lineno", 0)))
        if isinstance(node, ast.ClassDef):
            classes.append(node.name)
    return imports, classes


def imports_of(path: Path) -> list[Import]:
    """Return what a file inside our package imports, names of modules resolved."""
    return read(path)[0]


def imported_names(node: ast.AST, folders: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Yield the dotted names that one node imports, and whether each is ours."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name, False
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield node.module or "", False
    elif isinstance(node, ast.ImportFrom):
        base = folders[: len(folders) - (node.level - 1)]
        inside = (*base, *(node.module or "").split(".")) if node.module else base
        for alias in node.names:
            yield ".".join((*inside, alias.name)), True


def files_in(room: str) -> list[Path]:
    """Return the Python files of one package of ours; none where it does not exist yet."""
    return sorted((PACKAGE / room).rglob("*.py"))


def relative(path: Path) -> str:
    """Return a path as a message should show it."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_room_imports_only_what_the_plan_allows(room: str) -> None:
    """A Blender-free package imports the standard library and what its row in the table names."""
    wrong = []
    for path in files_in(room):
        door = DOORS.get(path.relative_to(PACKAGE).as_posix(), set())
        for one in imports_of(path):
            standard = not one.ours and one.head in sys.stdlib_module_names
            through_door = one.head in door and one.lazy
            if not (standard or one.head in ROOMS[room] or through_door):
                wrong.append(f"{relative(path)}:{one.line} imports {one.name}")
    assert wrong == []


def test_posing_needs_nothing_that_steps() -> None:
    """Posing reads joints and turns bodies as the solver does, and says no direction twice."""
    parts = {
        ".".join(one.name.split(".")[1:3])
        for path in files_in("posing")
        for one in imports_of(path)
        if one.ours and one.head == "solver"
    }
    turning = {"kinematics.rotation", "kinematics.together"}
    assert parts == {"reading.joints", "reading.mending"} | turning


def test_imports_inside_the_package_are_relative() -> None:
    """Nothing imports our package by its full name, which is another one once it is installed."""
    wrong = [
        f"{relative(path)}:{one.line} imports {one.name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for one in imports_of(path)
        if not one.ours and one.head in {"omi_physics_joint", "bl_ext"}
    ]
    assert wrong == []


def test_package_itself_imports_no_blender_at_the_top() -> None:
    """`import omi_physics_joint` and `python -m omi_physics_joint` start without Blender."""
    wrong = [
        f"{relative(path)}:{one.line} imports {one.name}"
        for path in sorted(PACKAGE.glob("*.py"))
        for one in imports_of(path)
        if not one.lazy and (one.head not in {*sys.stdlib_module_names, *ROOMS})
    ]
    assert wrong == []


def floor_of(name: str) -> int | None:
    """Return the floor of a module or package inside blender/, None if the plan has none."""
    return next((floor for floor, names in enumerate(FLOORS) if name in names), None)


def blender_rooms() -> list[str]:
    """Return the names of what lies directly inside blender/."""
    folder = PACKAGE / "blender"
    return sorted(
        path.stem
        for path in folder.glob("*")
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").exists()
    )


def test_every_room_in_blender_has_a_floor() -> None:
    """A module or package inside blender/ stands in the plan above."""
    assert [name for name in blender_rooms() if floor_of(name) is None] == []


def imports_of_blender_room(room: str) -> list[tuple[str, Import]]:
    """Return the imports of other rooms inside blender/, each with the file that has it."""
    paths = [*files_in(f"blender/{room}"), PACKAGE / f"blender/{room}.py"]
    found = [(path, one) for path in paths if path.exists() for one in imports_of(path)]
    return [
        (relative(path), one)
        for path, one in found
        if one.ours and one.head == "blender" and neighbour_of(one) not in ("", room)
    ]


def neighbour_of(one: Import) -> str:
    """Return the room inside blender/ that an import names."""
    return one.name.split(".")[1] if "." in one.name else ""


@pytest.mark.parametrize("room", blender_rooms())
def test_blender_room_imports_its_floor_or_below(room: str) -> None:
    """Inside blender/ imports go down: properties, bridge, hooks and presets, operators, ui."""
    own = floor_of(room)
    wrong = []
    for path, one in imports_of_blender_room(room):
        other = floor_of(neighbour_of(one))
        if own is not None and other is not None and other > own:
            wrong.append(f"{path}:{one.line} imports {one.name}")
    assert wrong == []


def test_blender_rooms_import_in_no_circle() -> None:
    """No room inside blender/ imports itself through others, also not on one floor."""
    graph = {
        room: {neighbour_of(one) for _, one in imports_of_blender_room(room)}
        for room in blender_rooms()
    }
    graphlib.TopologicalSorter(graph).prepare()


def test_play_and_timeline_stand_side_by_side() -> None:
    """Neither imports the other: what both need lies in ``simulated``."""
    assert "timeline" not in {neighbour_of(one) for _, one in imports_of_blender_room("play")}
    assert "play" not in {neighbour_of(one) for _, one in imports_of_blender_room("timeline")}


def test_panels_name_operators_by_id() -> None:
    """Panels, lists, menus and gizmos never import an operator: they name it by its id."""
    drawn = ("panel", "panels", "list", "lists", "menus", "sidebar")
    wrong = [
        f"{relative(path)}:{one.line} imports {one.name}"
        for path in files_in("blender")
        if path.stem.endswith(drawn) or path.parent.name == "gizmos"
        for one in imports_of(path)
        if any(part.endswith("operators") for part in one.name.split("."))
    ]
    assert wrong == []


def test_folders_are_small() -> None:
    """No folder of the package has more than a dozen files of Python."""
    counts = {
        relative(folder): len(list(folder.glob("*.py")))
        for folder in {path.parent for path in PACKAGE.rglob("*.py")}
    }
    assert {name: count for name, count in counts.items() if count > MAX_FILES} == {}


def test_files_are_short() -> None:
    """No file of Python or C is longer than 400 lines."""
    paths = source_files("py", "c", "h")
    lengths = {relative(path): len(path.read_text("utf-8").splitlines()) for path in paths}
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_names_say_what_is_inside() -> None:
    """No file or folder has a name that could hold anything."""
    wrong = [
        relative(path)
        for path in source_files("py", "c", "h")
        if VAGUE_NAMES & {*path.relative_to(ROOT).parts[:-1], path.stem}
    ]
    assert wrong == []


def test_class_names_are_unique() -> None:
    """No two classes of the package have one name."""
    names = Counter(name for path in PACKAGE.rglob("*.py") for name in read(path)[1])
    assert [name for name, count in names.items() if count > 1] == []


def test_every_file_has_a_license_header() -> None:
    """Every file of Python or C begins with its licence; what is for other programs is MIT."""
    begins = {".py": "#", ".c": "/*", ".h": "/*"}
    wrong = []
    for path in source_files("py", "c", "h"):
        free = path.relative_to(ROOT).parts[0] in {"clients", "kernel"}
        terms = "MIT" if free else "GPL-3.0-or-later"
        if f"{begins[path.suffix]} SPDX-License-Identifier: {terms}" not in path.read_text("utf-8"):
            wrong.append(relative(path))
    assert wrong == []


def test_kernel_is_small_and_includes_nothing_else() -> None:
    """The kernel is 5,650 lines at most without comments, and uses no headers but its own."""
    paths = sorted((ROOT / "kernel").glob("*.[ch]"))
    code = re.sub(r"(?s)/\*.*?\*/", "", "".join(path.read_text("utf-8") for path in paths))
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= 5650
    assert {x for x in lines if x.startswith("#include")} <= {f'#include "{p.name}"' for p in paths}


def lines_of_code(path: Path) -> int:
    """Count lines that are neither blank, comment nor docstring, of attributes too."""
    docstrings = {
        line
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
        if isinstance(node.value.value, str)
    }
    left_out = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    with path.open("rb") as file:
        code = {
            line
            for token in tokenize.tokenize(file.readline)
            if token.type not in {*left_out, tokenize.ENCODING, tokenize.ENDMARKER}
            for line in range(token.start[0], token.end[0] + 1)
        }
    return len(code - docstrings)


def test_solver_and_posing_are_small() -> None:
    """The Python of both together is 5,110 lines of code at most."""
    paths = [path for room in ("solver", "posing") for path in (PACKAGE / room).rglob("*.py")]
    assert sum(lines_of_code(path) for path in paths) <= 5110
