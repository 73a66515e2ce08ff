"""What Python sources define and import, told from their tokens."""

from __future__ import annotations

import io
import itertools
import tokenize
from collections.abc import Iterator, Sequence

from evals.soundness.tree import Tree

STATEMENT_ENDS = (tokenize.NEWLINE, tokenize.ENDMARKER)
PASSED_OVER = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)


def _statements(source: str) -> Iterator[tuple[int, list[str]]]:
    """Column and words of every logical line; a string is one word with its quotes."""
    words: list[str] = []
    column = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in PASSED_OVER:
            continue
        if token.type in STATEMENT_ENDS:
            if words:
                yield column, words
            words = []
            continue
        if not words:
            column = token.start[1]
        words.append(token.string)


def defines(tree: Tree, path: str, name: str, unit: str | None) -> bool:
    """True if a function or class of that name is defined at the top of a module."""
    introduced = {"function": (["def"], ["async", "def"]), "class": (["class"],)}
    wanted = [words for kind, some in introduced.items() if unit in (None, kind) for words in some]
    source = tree.text(path)
    return source is not None and any(
        column == 0 and words[: len(start) + 1] == [*start, name]
        for column, words in _statements(source)
        for start in wanted
    )


def imports(tree: Tree, path: str, module: str) -> bool:
    """True if a source imports a module directly; relative imports are resolved by its path."""
    source = tree.text(path)
    return source is not None and module in imported(tree, path, source)


def imported(tree: Tree, path: str, source: str, top: str = "") -> set[str]:
    """Dotted names of the modules a source imports; `top` is the directory names begin at, with its slash."""
    package = path.removeprefix(top).split("/")[:-1]
    found: set[str] = set()
    for _, words in _statements(source):
        if words[0] == "import":
            found |= {name for name, _ in _listed(words[1:])}
        elif words[0] == "from" and "import" in words:
            at = words.index("import")
            written = "".join(words[1:at])
            level = len(written) - len(written.lstrip("."))
            base = package[: len(package) - level + 1] if level else []
            dotted = ".".join([*base, *filter(None, [written.lstrip(".")])])
            found |= {dotted} if dotted else set()
            names = [name for name, _ in _listed([w for w in words[at + 1 :] if w not in "()"])]
            under = [f"{dotted}.{name}".lstrip(".") for name in names]
            found |= {name for name in under if _source_of(tree, name, top) is not None}
    return found


def _listed(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names and aliases of an import's list."""
    for comma, group in itertools.groupby(words, lambda word: word == ","):
        if not comma:
            name, _, alias = " ".join(group).partition(" as ")
            yield name.replace(" ", ""), alias


def _source_of(tree: Tree, module: str, top: str) -> str | None:
    path = top + module.replace(".", "/")
    return next((file for file in (f"{path}.py", f"{path}/__init__.py") if tree.text(file) is not None), None)


def is_cycle(tree: Tree, directory: str, modules: Sequence[str]) -> bool:
    """True if each module imports the next one, and the last the first."""
    top = "" if directory == "." else directory.rstrip("/") + "/"
    for module, following in zip(modules, [*modules[1:], *modules[:1]], strict=True):
        file = _source_of(tree, module, top)
        if file is None or following not in imported(tree, file, tree.files[file], top):
            return False
    return len(modules) > 1 and len(set(modules)) == len(modules)
