"""Imports: the modules a Python file itself imports, not what those import in turn."""

from __future__ import annotations

import posixpath
import re

from nodes.tutor.claims import Claim
from nodes.tutor.proving import paths
from nodes.tutor.proving.python_imports import Imported, imports_dynamically, imports_of, submodule
from nodes.tutor.proving.python_source import is_python, parsed
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def prove_imports(claim: Claim, world: World) -> Verdict:
    """An import statement of the file, wherever in it, names the module.

    `from a import b` names `a`, and `a.b` only if `b` is seen to be a module. An import in a function
    counts: the statement is there, and it imports when the function is called.
    """
    path = paths.normal(claim.subject)
    if path is None or not is_python(path) or not isinstance(claim.value, str):
        return undecidable("A Python file and a dotted module are needed.")
    known = world.lines_text(path)
    module = parsed(known.value) if known is not None else None
    if known is None or module is None or not _DOTTED.fullmatch(claim.value):
        return undecidable(f"The whole of {path} would have to be seen, without errors of syntax.")
    imports = imports_of(path, module)
    for imported in imports:
        if imported.runs and claim.value == imported.module:
            return validated(f"Line {imported.line} of {path} imports it.", known.used)
    found = _as_submodule(claim.value, imports, path, world)
    if found is not None:
        return validated(f"An import of {path} is of {found[0]}.", known.used | found[1])
    for imported in imports:
        if _may_be(imported, claim.value):
            return undecidable(
                f"Line {imported.line} of {path} may import it: whether it is run, and what "
                f"{imported.module} is, would have to be seen (its own file and its __init__.py)."
            )
    if imports_dynamically(module):
        return undecidable(f"{path} may import while it runs; its text does not tell all.")
    return refuted(f"No import of {path} names it.", known.used)


def _as_submodule(
    name: str, imports: list[Imported], path: str, world: World
) -> tuple[str, frozenset[str]] | None:
    for imported in imports:
        if imported.runs and imported.name and name == f"{imported.module}.{imported.name}":
            found = submodule(imported, roots_of(path), world)
            if found is not None:
                return found
    return None


def roots_of(path: str) -> tuple[str, ...]:
    """Directories from which modules may be found: the sandbox, and those that lead to the file."""
    parts = posixpath.dirname(path).split("/") if posixpath.dirname(path) else []
    return tuple("/".join(parts[:depth]) for depth in range(len(parts) + 1))


def _may_be(imported: Imported, name: str) -> bool:
    """True if an import could be of a module in some world, under some directory of modules."""
    module = imported.module.rstrip(".")
    names = [module, f"{module}.{imported.name}"] if imported.name else [module]
    if imported.name == "*" and name.startswith(imported.module + "."):
        return True
    return any(
        one == name
        or one.endswith("." + name)
        or name.endswith("." + one.lstrip("."))
        or one.startswith(name + ".")
        for one in names
    )
