"""What a Python file imports, resolved against its place below the sandbox."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from nodes.tutor.proving.contents import Content
from nodes.tutor.proving.places import below
from nodes.tutor.proving.python_source import Function, Placed, calls_by_name, names_bound, parsed, statements
from nodes.tutor.proving.world import World

_DYNAMIC = frozenset(("import_module", "__import__", "exec", "eval", "run_module", "run_path", "importlib"))


@dataclass(frozen=True)
class Imported:
    """One import.

    Attributes:
        module: dotted; of a relative import, resolved against the directories from the sandbox on; it
            begins with a dot if the sandbox itself would have to be its package.
        name: what is taken from the module by `from`, "*" for everything, "" if there is no `from`.
        runs: False if a condition known before the program starts may leave it out.
        line: where it stands.
        relative: True if dots led to the module.
    """

    module: str
    name: str
    runs: bool
    line: int
    relative: bool


def imports_of(path: str, module: ast.Module) -> list[Imported]:
    """Every import of a file, those in its functions as well."""
    return [imported for placed in _everywhere(module) for imported in _imported(path, placed)]


def imports_dynamically(module: ast.Module) -> bool:
    """True if the file may import by other means than import statements."""
    return calls_by_name(module, _DYNAMIC)


def _everywhere(module: ast.Module) -> Iterator[Placed]:
    scopes: list[tuple[ast.Module | ast.ClassDef | Function, bool]] = [(module, True)]
    while scopes:
        scope, runs = scopes.pop()
        for placed in statements(scope):
            whole = placed._replace(runs=placed.runs and runs)
            yield whole
            if isinstance(placed.node, Function | ast.ClassDef):
                scopes.append((placed.node, whole.runs))


def _imported(path: str, placed: Placed) -> Iterator[Imported]:
    node = placed.node
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Imported(alias.name, "", placed.runs, node.lineno, False)
    elif isinstance(node, ast.ImportFrom):
        module = _absolute(path, node)
        if module is not None:
            runs = placed.runs and not module.startswith(".")
            for alias in node.names:
                yield Imported(module, alias.name, runs, node.lineno, node.level > 0)


def _absolute(path: str, node: ast.ImportFrom) -> str | None:
    """The module in full; with a dot before it if the sandbox would have to be its package, None if above."""
    if not node.level:
        return node.module
    package = posixpath.dirname(path).split("/") if posixpath.dirname(path) else []
    up = len(package) - (node.level - 1)
    if up <= 0:
        return "." + (node.module or "") if up == 0 else None
    return ".".join(package[:up] + ([node.module] if node.module else []))


def submodule(imported: Imported, roots: tuple[str, ...], world: World) -> tuple[str, frozenset[str]] | None:
    """The file of the module that `from module import name` imports, if `name` is one for certain.

    It is one if its file is there, in one of the places only, and nothing that is known of the package, which
    has the first say, speaks of the name as something else.

    Args:
        imported: with a name.
        roots: directories in which modules are looked for.
        world: what is known.

    Returns:
        The file, and the observations this follows from.
    """
    places = ("",) if imported.relative else roots
    packages = [below(root or ".", imported.module.replace(".", "/")) for root in places]
    found = [(package, *module_file(package, imported.name, world)) for package in packages]
    there = [(package, file, used) for package, file, used in found if file is not None]
    if len(there) != 1:
        return None
    package, file, used = there[0]
    own = world.content(below(package, "__init__.py"))
    if own.lines_text is None:
        return None if _is_mentioned(imported.name, own) else (file, used)
    return (file, used | own.lines_text.used) if _leaves_alone(own.lines_text.value, imported.name) else None


def _is_mentioned(name: str, content: Content) -> bool:
    """True if a line that is known holds a name, or something that may bind any."""
    shown = [line.value for line in content.numbered.values()]
    shown += [line for lines, _ in content.unplaced for line in lines.lines]
    word = re.compile(rf"\b(?:{re.escape(name)}|__getattr__|globals|import\s*\*)(?!\w)")
    return any(word.search(line) for line in shown)


def module_file(directory: str, dotted: str, world: World) -> tuple[str | None, frozenset[str]]:
    """The file of a module below a directory, if one of its two possible files is known to be there."""
    stem = below(directory, dotted.replace(".", "/"))
    found = []
    for path in (stem + ".py", stem + "/__init__.py"):
        known = world.lines_text(path)
        if known is not None:
            found.append((path, known.used))
            continue
        kind = world.kind(path)
        if kind is not None and kind.value == "file":
            found.append((path, kind.used))
    return found[0] if len(found) == 1 else (None, frozenset())


def _leaves_alone(text: str, name: str) -> bool:
    """True if a package's own file binds a name to nothing but the module of that name."""
    module = parsed(text)
    if module is None or imports_dynamically(module):
        return False
    for placed in statements(module):
        node = placed.node
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is None:
            # `from . import name`, which binds the module itself.
            if any(one.asname == name and one.name != name for one in node.names):
                return False
            continue
        if names_bound(node) & {name, "*", "__getattr__"}:
            return False
    return not any(isinstance(node, ast.Global) and name in node.names for node in ast.walk(module))
