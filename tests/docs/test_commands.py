"""Commands that pages show exist, with the options they show."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.eval_command import SUITES
from cli.main import COMMANDS, parser
from tests.docs.pages import Fence, commands, pages
from tests.support.processes import ROOT

PAGES = pages()
FENCES = [fence for page in PAGES for fence in page.fences]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
NAMES = {name.__name__.rpartition(".")[2].removesuffix("_command") for name in COMMANDS} - {"collective"}


def shown(program: str) -> Iterator[tuple[Fence, list[str]]]:
    """Every command of a program in the shell blocks of pages, without its name."""
    for fence in FENCES:
        for words in commands(fence):
            if words[0] in (program, f".venv/bin/{program}"):
                yield fence, words[1:]


def test_every_reflect_command_parses(capsys: pytest.CaptureFixture[str]) -> None:
    seen, whole = 0, parser()
    for fence, words in shown("reflect"):
        try:
            whole.parse_args(words)
        except SystemExit as end:
            assert end.code == 0, f"{fence.place}: reflect {' '.join(words)}: {capsys.readouterr().err}"
        seen += 1
    assert seen > 80


def _options(words: list[str]) -> set[str]:
    return {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}


def _source(module: str) -> str:
    """The text of a module, or of all modules of a package."""
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None, module
    origin = Path(spec.origin)
    files = sorted(origin.parent.rglob("*.py")) if origin.name == "__init__.py" else [origin]
    return "".join(path.read_text("utf-8") for path in files)


def test_every_suite_has_the_options_that_are_shown() -> None:
    shared = _source("evals.report.options") + _source("evals.table_command")
    for fence, words in shown("reflect"):
        if words[0] == "eval":
            known = _source(SUITES[words[1]][0]) + shared
            unknown = {option for option in _options(words) if f'"{option}"' not in known}
            assert unknown == set(), fence.place


def _modules() -> Iterator[tuple[str, list[str]]]:
    for fence, words in shown("python"):
        if words[:1] == ["-m"]:
            yield fence.place, words[1:]
    for page in PAGES:
        for code in page.code:
            if code.startswith("python -m "):
                yield page.name, code.split()[2:]


def test_every_measurement_that_is_named_exists_with_its_options() -> None:
    seen = 0
    for place, (module, *words) in _modules():
        if module.partition(".")[0] != "evals":
            continue
        known = _source(module) + _source("evals.report.options") + _source("evals.table_command")
        unknown = {option for option in _options(words) if f'"{option}"' not in known}
        assert unknown == set(), f"{place}: python -m {module}"
        missing = [word for word in words if word.startswith("evals/") and not (ROOT / word).exists()]
        assert missing == [], f"{place}: python -m {module}"
        seen += 1
    assert seen > 15


def test_every_command_in_a_sentence_exists() -> None:
    known = parser().format_help()
    for page in PAGES:
        for code in page.code:
            match = re.match(r"reflect ([a-z]+)\b", code)
            assert match is None or re.search(rf"^    {match[1]}\b", known, re.MULTILINE), (
                f"{page.name}: {code}"
            )


def test_every_make_target_exists() -> None:
    told = [(fence.place, words[0]) for fence, words in shown("make") if words]
    told += [
        (page.name, code.split()[1]) for page in PAGES for code in page.code if re.match(r"make [a-z]", code)
    ]
    assert told
    for place, target in told:
        assert re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE), f"{place}: make {target}"
