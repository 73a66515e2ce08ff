"""What the files of a game say, read by plain code that knows nothing of provers and generators."""

import ast
import configparser
import difflib
import fnmatch
import json
import re
import tomllib
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import yaml

from nodes.tutor.claims import Claim

Files = Mapping[str, str]


def is_true(files: Files, claim: Claim) -> bool:
    """True if a claim of one of the forms that games ask for is so."""
    return bool(JUDGES[claim.predicate](files, claim))


def word_in(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def below(files: Files, scope: str) -> dict[str, str]:
    return {path: text for path, text in files.items() if scope == "." or path.startswith(f"{scope}/")}


def parsed(path: str, text: str) -> Any:
    match path.rsplit(".", 1)[1]:
        case "json":
            return json.loads(text)
        case "yaml":
            return yaml.safe_load(text)
        case "toml":
            return tomllib.loads(text)
        case "ini":
            reader = configparser.ConfigParser()
            reader.read_string(text)
            return {name: dict(reader[name]) for name in reader.sections()}
    raise AssertionError(path)


def at_key(document: Any, key: str) -> Any:
    """The value of a key path, or KeyError."""
    for part in key.split("."):
        if not isinstance(document, dict):
            raise KeyError(key)
        document = document[part]
    return document


def line_at(files: Files, place: str) -> str | None:
    path, _, number = place.rpartition(":")
    if path not in files or not number.isdecimal():
        return None
    lines = files[path].splitlines()
    return lines[int(number) - 1] if 0 < int(number) <= len(lines) else None


@lru_cache(maxsize=512)
def imported(path: str, text: str) -> list[tuple[str, dict[str, str]]]:
    """Modules a file imports, each with what it takes from it: name here -> name there."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [(alias.name, {}) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = path.rsplit("/", node.level)[0].replace("/", ".") if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            found.append((module, {alias.asname or alias.name: alias.name for alias in node.names}))
    return found


def defined(text: str) -> dict[str, str]:
    kinds = {ast.FunctionDef: "function", ast.ClassDef: "class"}
    return {node.name: kinds[type(node)] for node in ast.parse(text).body if type(node) in kinds}


def file_of(files: Files, dotted: str, above: str = "") -> str:
    stem = above + dotted.replace(".", "/")
    return f"{stem}.py" if f"{stem}.py" in files else f"{stem}/__init__.py"


def import_graph(files: Files, place: str) -> dict[str, set[str]]:
    """Which modules below a directory import which others of them."""
    inside = {
        path[len(place) + 1 :]: text for path, text in below(files, place).items() if path.endswith(".py")
    }
    names = {path: path.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for path in inside}
    known = set(names.values())
    return {
        names[path]: {module for module, _ in imported(path, text) if module in known}
        for path, text in inside.items()
    }


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """All simple cycles, each once, beginning with its least name."""
    found: list[list[str]] = []

    def walk(path: list[str]) -> None:
        for following in graph[path[-1]]:
            if following == path[0]:
                found.append(path)
            elif following > path[0] and following not in path:
                walk([*path, following])

    for start in graph:
        walk([start])
    return found


def instant(line: str) -> datetime:
    return datetime.fromisoformat(line.split(" ", 1)[0])


def corrected(files: Files, place: str, clocks: str) -> datetime:
    line = line_at(files, place)
    assert line is not None
    return instant(line) - timedelta(seconds=json.loads(files[clocks])[place.rpartition(":")[0]])


def changed_lines(old: str, new: str) -> list[list[str]]:
    first, second = old.splitlines(), new.splitlines()
    blocks = difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return [
        [one, other]
        for kind, a, b, c, d in blocks
        if kind == "replace"
        for one, other in zip(first[a:b], second[c:d], strict=True)
    ]


def cause_of(files: Files, error: str) -> str:
    """The configuration line a program failed on: from the traceback that ends with the error line."""
    log, _, number = error.rpartition(":")
    above = files[log].splitlines()[: int(number)]
    frame = next(line for line in reversed(above) if line.startswith('  File "'))
    source, at = re.findall(r'"(.+)", line (\d+)', frame)[0]
    section, key = re.findall(r'settings\["(\w+)"\]\["(\w+)"\]', files[source].splitlines()[int(at) - 1])[0]
    config = next(path for path in re.findall(r'(?:open|read)\("([^"]+)"', files[source]))
    inside = False
    for place, line in enumerate(files[config].splitlines(), 1):
        if re.fullmatch(rf'\[{section}\]|{section}:|  "{section}": {{', line):
            inside = True
        elif inside and re.match(rf'\s*"?{key}"?\s*[:=]', line):
            return f"{config}:{place}"
    raise AssertionError(config)


def _contains(files: Files, claim: Claim) -> bool:
    texts = [files[claim.subject]] if claim.subject in files else list(below(files, claim.subject).values())
    return any(word_in(text, claim.value) for text in texts)


def _count(files: Files, claim: Claim) -> bool:
    assert isinstance(claim.scope, str)
    named = {
        path: text
        for path, text in below(files, claim.scope).items()
        if fnmatch.fnmatchcase(path.rpartition("/")[2], claim.subject)
    }
    return type(claim.value) is int and claim.value == sum(text.count("\n") for text in named.values())


def _value_of(files: Files, claim: Claim) -> bool:
    assert isinstance(claim.scope, str)
    try:
        value = at_key(parsed(claim.scope, files[claim.scope]), claim.subject)
    except KeyError:
        return False
    return type(value) is type(claim.value) and value == claim.value


def _imports(files: Files, claim: Claim) -> bool:
    path = claim.subject
    return (
        path.endswith(".py")
        and path in files
        and any(module == claim.value for module, _ in imported(path, files[path]))
    )


def _defines(files: Files, claim: Claim) -> bool:
    path = claim.subject
    return path.endswith(".py") and path in files and defined(files[path]).get(claim.value) == claim.unit


def _cycle(files: Files, claim: Claim) -> bool:
    graph, modules = import_graph(files, claim.subject), claim.value
    if len(modules) < 2 or len(set(modules)) < len(modules) or any(name not in graph for name in modules):
        return False
    return all(after in graph[here] for here, after in zip(modules, [*modules[1:], modules[0]], strict=True))


def _before(files: Files, claim: Claim) -> bool:
    clocks = str(claim.scope).removeprefix("corrected by ")
    logs = json.loads(files[clocks])
    for place in (claim.subject, claim.value):
        if place.rpartition(":")[0] not in logs or line_at(files, place) is None:
            return False
    return corrected(files, claim.subject, clocks) < corrected(files, claim.value, clocks)


def _changed_between(files: Files, claim: Claim) -> bool:
    assert isinstance(claim.scope, tuple)
    old, new = (files.get(f"{version}/{claim.subject}") for version in claim.scope)
    return old is not None and new is not None and claim.value in changed_lines(old, new)


JUDGES = {
    "contains": _contains,
    "count": _count,
    "value_of": _value_of,
    "imports": _imports,
    "defines": _defines,
    "cycle": _cycle,
    "equals": lambda files, claim: line_at(files, claim.subject) == claim.value,
    "causes": lambda files, claim: cause_of(files, claim.value) == claim.subject,
    "before": _before,
    "changed_between": _changed_between,
}
