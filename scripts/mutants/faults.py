# SPDX-License-Identifier: GPL-3.0-or-later
"""All the ways in which one place of a source text can be broken.

A fault replaces a piece of the text and nothing else, so that line numbers stay. Left alone is what
no test should hold: prose, annotations, decorators, what is imported.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
QUIET_CALLS = {"super().__init__"}


@dataclass(frozen=True)
class Fault:
    """One replacement in one file.

    Attributes:
        path: Of the file, from the root of the project.
        line: Where it is, from 1.
        lines: First and last line of the statement or header that it is in.
        start: Where the replaced piece begins in the text, in characters.
        end: Where it ends.
        new: What stands there instead.
        kind: Which operator made it.
        old: What stood there.
    """

    path: str
    line: int
    lines: tuple[int, int]
    start: int
    end: int
    new: str
    kind: str
    old: str

    def applied(self, text: str) -> str:
        """Return the text of the file with this fault."""
        return text[: self.start] + self.new + text[self.end :]

    def is_same(self, other: Fault) -> bool:
        """Return whether both break the same text of the same file in the same way."""
        own = (self.path, self.kind, self.old, self.new)
        return own == (other.path, other.kind, other.old, other.new)

    def __str__(self) -> str:
        """Return what is broken, on one line."""
        old, new = (" ".join(piece.split()) for piece in (self.old, self.new))
        return f"{self.path}:{self.line} {self.kind}: {_short(old)} -> {_short(new)}"


def _short(piece: str) -> str:
    return piece if len(piece) <= 60 else piece[:57] + "..."


def faults_of(path: str, text: str) -> list[Fault]:
    """Return all faults of a file, in the order of their places."""
    finder = _Finder(path, text)
    finder.visit(ast.parse(text))
    return sorted(set(finder.found), key=lambda one: (one.start, one.end, one.new))


class _Finder(ast.NodeVisitor):
    """Walks a syntax tree and collects faults."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.found: list[Fault] = []
        self._lines = (1, 1)
        # A column counts bytes of UTF-8, a place in the text characters.
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._rows = text.splitlines()

    # -- places

    def _place(self, row: int, column: int) -> int:
        text = self._rows[row - 1].encode()[:column].decode()
        return self._starts[row - 1] + len(text)

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._place(node.lineno, node.col_offset),
            self._place(node.end_lineno, node.end_col_offset),
        )

    def _add(self, kind: str, span: tuple[int, int], new: str) -> None:
        old = self.text[span[0] : span[1]]
        line = self.text.count("\n", 0, span[0]) + 1
        if new != old:
            self.found.append(Fault(self.path, line, self._lines, *span, new, kind, old))

    def _swap_between(
        self, kind: str, left: ast.expr, right: ast.expr, signs: tuple[str, str]
    ) -> None:
        """Replace the sign that stands between two expressions."""
        low, high = self._span(left)[1], self._span(right)[0]
        at = self.text.find(signs[0], low, high)
        if at >= 0:
            self._add(kind, (at, at + len(signs[0])), signs[1])

    # -- what is left alone, and where statements are

    def visit(self, node: ast.AST) -> None:
        """Visit a node; note the lines of statements, of compound ones those of the header."""
        if not isinstance(node, ast.stmt):
            super().visit(node)
            return
        before = self._lines
        last = node.end_lineno or node.lineno
        body = getattr(node, "body", None)
        if isinstance(body, list) and body:
            last = max(node.lineno, body[0].lineno - 1)
        self._lines = (node.lineno, last)
        super().visit(node)
        self._lines = before

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for inner in node.body:
            self.visit(inner)

    visit_FunctionDef = _visit_function  # noqa: N815 - ast names what it calls
    visit_AsyncFunctionDef = _visit_function  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Visit the body alone."""
        for inner in node.body:
            self.visit(inner)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Visit the value, not the annotation."""
        if node.value is not None:
            self.visit(node.value)
        elif isinstance(node.annotation, ast.Call):
            self.visit(node.annotation)  # a property of Blender's

    def visit_Import(self, _node: ast.Import) -> None:
        """Leave it alone."""

    def visit_ImportFrom(self, _node: ast.ImportFrom) -> None:
        """Leave it alone."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave the prose alone, but not what is computed in it."""
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self.visit(value.value)

    # -- operators

    def visit_Compare(self, node: ast.Compare) -> None:
        """Swap comparisons for their neighbours or opposites."""
        left = node.left
        for sign, right in zip(node.ops, node.comparators):  # noqa: B905 - old Pythons read this
            self._swap_between("comparison", left, right, COMPARED[type(sign)])
            left = right
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Swap arithmetic."""
        if type(node.op) in COMPUTED:
            self._swap_between("arithmetic", node.left, node.right, COMPUTED[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Swap `and` and `or`."""
        signs = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:]):  # noqa: B905
            self._swap_between("and/or", left, right, signs)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Leave out signs, negations and inversions."""
        start, _ = self._span(node)
        inner, _ = self._span(node.operand)
        kind = "negation" if isinstance(node.op, ast.Not | ast.Invert) else "sign"
        # What stands between may be a bracket that still has to open.
        sign = len("not") if isinstance(node.op, ast.Not) else 1
        if inner > start:
            self._add(kind, (start, start + sign), "")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Leave alone whether `zip` is strict: what is as long as it should be means the same."""
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            for value in node.args:
                self.visit(value)
            return
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Swap the arithmetic, and leave the statement out."""
        if type(node.op) in COMPUTED:
            old, new = COMPUTED[type(node.op)]
            self._swap_between("arithmetic", node.target, node.value, (old + "=", new + "="))
        self._add("statement", self._span(node), "pass")
        self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Change numbers, truths, and strings that are no prose."""
        value, new = node.value, ""
        if isinstance(value, bool):
            new = str(not value)
        elif isinstance(value, int):
            new = str(value + 1)
        elif isinstance(value, float):
            new = "1.0" if value == 0.0 else repr(value * 2.0)
        elif isinstance(value, str) and value and " " not in value:
            new = repr("XX" + value)
        if new:
            self._add("constant", self._span(node), new)

    def _condition(self, test: ast.expr) -> None:
        start, end = self._span(test)
        self._add("condition", (start, end), f"not ({self.text[start:end]})")

    def visit_If(self, node: ast.If) -> None:
        """Negate the condition."""
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Negate the condition."""
        self._condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """Negate the condition."""
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Negate the conditions."""
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    # -- statements

    def visit_Expr(self, node: ast.Expr) -> None:
        """Leave a call out; a docstring is no statement."""
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Call):
            self._add("statement", self._span(node), "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Leave out what is stored in an attribute or an item; a name would be missing at once."""
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._add("statement", self._span(node), "pass")
        for target in node.targets:
            self.visit(target)
        self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Go on where something is wrong."""
        self._add("statement", self._span(node), "pass")

    def visit_Continue(self, node: ast.Continue) -> None:
        """Do not go on with the next."""
        self._add("statement", self._span(node), "pass")

    def visit_Break(self, node: ast.Break) -> None:
        """Do not stop."""
        self._add("statement", self._span(node), "pass")

    def visit_Return(self, node: ast.Return) -> None:
        """Return nothing, or do not return."""
        if node.value is None:
            self._add("statement", self._span(node), "pass")
            return
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._add("return", self._span(node), "return None")
        self.visit(node.value)
