"""Which file of the tree an import names: packages, `src` layouts, namespace packages, relative imports."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import dirname, join

from tools.audit.python_facts import Imported
from tools.audit.report import Import

_INIT = "__init__.py"
_SRC = "src"


def imports_of(files: Mapping[str, Sequence[Imported]]) -> Iterator[Import]:
    """Imports with their targets; of `from package import a, b`, one for each submodule among the names.

    A relative import is followed by its path. Another name is looked for from the directory that holds the
    importing file's outermost package, then from each directory above it, then from the root and its `src`;
    at last from all directories that hold packages or scripts, if only one of them has it. A name of the
    standard library is that library's, unless the root or its `src` has one. A tree that is itself a package
    goes by the name under which most of its own imports ask for what it holds.

    Args:
        files: the Python files of the tree, and what each asks for.
    """
    targets = _Targets(files)
    for file, asked in files.items():
        for imported in asked:
            for module, target in targets.of(file, imported):
                yield Import(file=file, line=imported.line, module=module, target=target, lazy=imported.lazy)


class _Targets:
    """Files by the names they are imported by; a directory is a path without a slash at its end."""

    def __init__(self, files: Mapping[str, Sequence[Imported]]) -> None:
        self._files = frozenset(files)
        self._packages = frozenset(dirname(file) for file in files if file.rpartition("/")[2] == _INIT)
        self._places = tuple(sorted({self._place(dirname(file)) for file in files}))
        self._known: dict[tuple[str, str], str | None] = {}
        self._own_name = self._most_asked_for(files) if "" in self._packages else ""

    def of(self, file: str, imported: Imported) -> Iterator[tuple[str, str | None]]:
        """Modules that an import statement names, and their files."""
        if imported.level:
            yield from self._relative(file, imported)
            return
        place = self._place(dirname(file))
        found = {
            module: target
            for module in {f"{imported.module}.{name}" for name in imported.names}
            if (target := self._absolute(place, module)) is not None
        }
        yield from sorted(found.items())
        if not imported.names or len(found) < len(set(imported.names)):
            yield imported.module, self._absolute(place, imported.module)

    def _relative(self, file: str, imported: Imported) -> Iterator[tuple[str, str | None]]:
        directory: str | None = dirname(file)
        for _ in range(imported.level - 1):
            directory = dirname(directory) if directory else None
        if directory is None:
            yield "." * imported.level + imported.module, None
            return
        base = join(directory, *imported.module.split(".")) if imported.module else directory
        found = {
            self._dotted(join(base, name)): target
            for name in imported.names
            if (target := self._at(join(base, name))) is not None
        }
        yield from sorted(found.items())
        if len(found) < len(set(imported.names)):
            yield self._dotted(base), self._at(base)

    def _absolute(self, place: str, module: str) -> str | None:
        key = (place, module)
        if key not in self._known:
            self._known[key] = self._looked_up(place, module)
        return self._known[key]

    def _looked_up(self, place: str, module: str) -> str | None:
        path = module.replace(".", "/")
        top, _, rest = path.partition("/")
        if top == self._own_name:
            return self._at(rest)
        standard = top in sys.stdlib_module_names
        for directory in [*([] if standard else _upward(place)), "", _SRC]:
            if (found := self._at(join(directory, path))) is not None:
                return found
        elsewhere = {
            found for directory in self._places if (found := self._at(join(directory, path))) is not None
        }
        return elsewhere.pop() if len(elsewhere) == 1 and not standard else None

    def _at(self, path: str) -> str | None:
        """The file of a module or package at a path without its ending."""
        for file in (join(path, _INIT), f"{path}.py"):
            if file in self._files:
                return file
        return None

    def _place(self, directory: str) -> str:
        """Where the outermost package that a directory belongs to lies; of no package, itself."""
        while directory and directory in self._packages:
            directory = dirname(directory)
        return directory

    def _dotted(self, path: str) -> str:
        """The name a path is imported by where its package lies; in a namespace package, from the top."""
        package = path if path in self._packages else dirname(path)
        place = self._place(package) if package in self._packages else ""
        below = path.removeprefix(f"{place}/") if place else path.removeprefix(f"{_SRC}/")
        name = below.replace("/", ".")
        return f"{self._own_name}.{name}".strip(".") if self._own_name and not place else name

    def _most_asked_for(self, files: Mapping[str, Sequence[Imported]]) -> str:
        asked: Counter[str] = Counter()
        for imported in (one for every in files.values() for one in every if not one.level):
            top, _, rest = imported.module.partition(".")
            if rest and top not in sys.stdlib_module_names and self._at(top) is None:
                asked[top] += self._at(rest.replace(".", "/")) is not None
        names: Iterable[str] = sorted(asked, key=lambda name: (-asked[name], name))
        return next((name for name in names if asked[name]), "")


def _upward(directory: str) -> Iterator[str]:
    """A directory and all above it, but for the root."""
    while directory:
        yield directory
        directory = dirname(directory)
