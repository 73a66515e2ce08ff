"""Cycle: modules of a directory, each of which imports the next, and the last the first."""

from __future__ import annotations

import posixpath
from typing import Literal, NamedTuple

from nodes.tutor.claims import Claim
from nodes.tutor.proving import paths
from nodes.tutor.proving.imports import roots_of
from nodes.tutor.proving.places import below
from nodes.tutor.proving.python_imports import Imported, imports_dynamically, imports_of, submodule
from nodes.tutor.proving.python_source import parsed
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated

_MOST = 200


class _Module(NamedTuple):
    """A module of the list: its name, its file, and the observations that show the file."""

    name: str
    path: str
    used: frozenset[str]


def prove_cycle(claim: Claim, world: World) -> Verdict:
    """Every module of the list, which names each once, imports the one after it."""
    directory = paths.normal(claim.subject)
    names = claim.value
    if directory is None or not isinstance(names, list) or not 0 < len(names) <= _MOST:
        return undecidable("A directory and a list of modules are needed.")
    if not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        return undecidable(
            "Every module has to be named once, in order; the first is not repeated at the end."
        )
    modules = []
    for name in names:
        module = _module(directory, name, world)
        if module is None:
            return undecidable(f"The whole file of {name} below {directory} would have to be seen.")
        modules.append(module)
    if len({module.path for module in modules}) < len(modules):
        return undecidable("Two names of the list are of one file.")
    return _judged(directory, modules, world)


def _judged(directory: str, modules: list[_Module], world: World) -> Verdict:
    used: frozenset[str] = frozenset()
    open_: str | None = None
    for one, following in zip(modules, modules[1:] + modules[:1], strict=True):
        answer, needed = _imports(directory, one, following, world)
        if answer == "no":
            return refuted(f"{one.name} does not import {following.name}.", needed)
        if answer == "open":
            open_ = open_ or f"Whether {one.name} imports {following.name} cannot be told from what was seen."
        used |= needed
    return undecidable(open_) if open_ else validated("Each imports the next.", used)


def _module(directory: str, name: str, world: World) -> _Module | None:
    """The one file of a module: named from the directory, or with the directory's own name before it."""
    stems = {below(directory, name.replace(".", "/"))}
    parts = [] if directory == "." else directory.split("/")
    for at in range(len(parts)):
        prefix = ".".join(parts[at:]) + "."
        if name.startswith(prefix):
            stems.add(below(directory, name.removeprefix(prefix).replace(".", "/")))
        elif name + "." == prefix:
            stems.add(directory)
    found = []
    for stem in sorted(stems):
        for path in (stem + ".py", stem + "/__init__.py"):
            text = world.lines_text(path)
            if text is not None:
                found.append(_Module(name, path, text.used))
    return found[0] if len(found) == 1 else None


def _imports(
    directory: str, one: _Module, following: _Module, world: World
) -> tuple[Literal["yes", "no", "open"], frozenset[str]]:
    """Whether a module imports another, and the observations that show it."""
    text = world.lines_text(one.path)
    assert text is not None
    module = parsed(text.value)
    if module is None:
        return "open", frozenset()
    roots = tuple(dict.fromkeys(("" if directory == "." else directory, *roots_of(below(directory, "x")))))
    open_ = imports_dynamically(module)
    for imported in imports_of(one.path, module):
        answer, used = _leads_to(imported, following, roots, world)
        if answer == "yes" and imported.runs:
            return "yes", one.used | following.used | used
        open_ = open_ or answer != "no"
    return ("open", frozenset()) if open_ else ("no", one.used | following.used)


def _leads_to(
    imported: Imported, module: _Module, roots: tuple[str, ...], world: World
) -> tuple[Literal["yes", "no", "open"], frozenset[str]]:
    if imported.module.startswith("."):
        return "open", frozenset()
    searched = ("",) if imported.relative else roots
    stems = {root: below(root or ".", imported.module.replace(".", "/")) for root in searched}
    wanted = _stem(module.path)
    if wanted in stems.values():
        # The same name may be found in another directory of modules first.
        rivals = [stem for stem in stems.values() if stem != wanted and _is_there(stem, world)]
        return ("open", frozenset()) if rivals else ("yes", frozenset())
    if imported.name and any(below(stem, imported.name) == wanted for stem in stems.values()):
        found = submodule(imported, searched, world)
        return ("yes", found[1]) if found is not None and found[0] == module.path else ("open", frozenset())
    # Importing a module imports the packages it is in; a star may import anything below.
    parent = any(stem.startswith(wanted + "/") for stem in stems.values())
    star = imported.name == "*" and any(wanted.startswith(stem + "/") for stem in stems.values())
    return ("open", frozenset()) if parent or star else ("no", frozenset())


def _stem(path: str) -> str:
    stem = path.removesuffix(".py")
    return posixpath.dirname(stem) or "." if posixpath.basename(stem) == "__init__" else stem


def _is_there(stem: str, world: World) -> bool:
    return any(world.lines_text(path) is not None for path in (stem + ".py", stem + "/__init__.py"))
