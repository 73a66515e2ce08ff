"""Code that is the same up to comments, whitespace and formatting. Pure."""

from __future__ import annotations

import ast
import re
import warnings
from difflib import SequenceMatcher

LONGEST = 20_000
_SQL = re.compile(
    r"^\s*(?:select|insert|update|delete|create|alter|drop|with)\b", re.IGNORECASE | re.MULTILINE
)
# A comment, or a text in quotes, in which nothing is a comment.
_LEXEME = re.compile(
    r"(?P<text>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`]*`)|(?P<block>/\*.*?\*/|<!--.*?-->)|(?P<line>(?<![:\w])//[^\n]*|(?<![\w$\[{])#(?![\w!{\[])[^\n]*|(?:(?<=\s)|^)--\s[^\n]*)"
    r"|(?P<word>\w+)|(?P<space>\s+)|(?P<sign>.)",
    re.DOTALL | re.MULTILINE,
)
_ASSIGNMENT = re.compile(r"^(?:>>>|\$)\s+", re.MULTILINE)


def same_code(one: str, other: str) -> bool:
    """True if two pieces of code are one: the same syntax tree as Python, else the same tokens without comments."""
    if max(len(one), len(other)) > LONGEST:
        return one.strip() == other.strip()
    first, second = _tree(one), _tree(other)
    if first is not None and second is not None:
        return first == second
    return _tokens(one) == _tokens(other)


def _tree(code: str) -> str | None:
    """Python code as its syntax tree, without docstrings; None for other languages."""
    code = _ASSIGNMENT.sub("", code.strip("\n"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    _drop_docstrings(tree)
    try:
        return ast.dump(_Renamed().visit(tree))
    except RecursionError:
        # A sum of a thousand terms nests a thousand deep.
        return None


def _drop_docstrings(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = node.body[0] if node.body else None
            if (
                len(node.body) > 1
                and isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:]


class _Renamed(ast.NodeTransformer):
    """Functions with their own names numbered: code is one whatever its parameters and variables are called."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """With what it binds numbered."""
        return _numbered(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """As any function."""
        return _numbered(node)


def _numbered(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
    """What a function binds as numbers, in the order it comes; what it declares as another's stays."""
    inside = list(ast.walk(node))
    others = {name for one in inside if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names}
    bound = [one.arg for one in inside if isinstance(one, ast.arg)]
    bound += [one.id for one in inside if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    own = [name for name in dict.fromkeys(bound) if name not in others]
    numbered = {name: f"_{at}" for at, name in enumerate(own)}
    for one in inside:
        if isinstance(one, ast.arg):
            one.arg = numbered.get(one.arg, one.arg)
        elif isinstance(one, ast.Name):
            one.id = numbered.get(one.id, one.id)
    return node


def _tokens(code: str) -> list[str]:
    """Tokens in order; those of SQL in lower case; a semicolon at the end says nothing."""
    code = _ASSIGNMENT.sub("", code)
    found: list[str] = []
    sql = _SQL.search(code) is not None
    for match in _LEXEME.finditer(code):
        kind = match.lastgroup
        if kind == "text":
            found.append(match[0] if match[0][0] != "'" else f'"{match[0][1:-1]}"')
        elif kind in ("word", "sign"):
            found.append(match[0].lower() if sql else match[0])
    while found and found[-1] == ";":
        found.pop()
    return [token for at, token in enumerate(found) if not (token == ";" and found[at + 1 : at + 2] == ["}"])]


def code_apart(one: str, other: str) -> float:
    """Share of tokens that differ, 0 to 1 (1 - Ratcliff and Obershelp's ratio); 0 only for the same code."""
    if same_code(one, other):
        return 0.0
    first, second = sorted((_tokens(one[:LONGEST]), _tokens(other[:LONGEST])))
    ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
    return max(1.0 - ratio, 1.0 / (1 + max(len(first), len(second))))
