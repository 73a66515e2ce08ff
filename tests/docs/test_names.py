"""Files, settings, Python names and counts that pages state are those of the repository."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable

import pytest

from configs.keys import parse_key, place_at
from configs.settings import Settings
from evals.entropy.sample_set import sample_sets
from memory.recipes.recipe import load_recipes
from models.telemetry import names as telemetry
from nodes.routing.exemplars import load_exemplars
from tests.docs.pages import Page, pages
from tests.support.processes import ROOT
from tools.audit.languages import PYTHON, SUFFIXES

PAGES = {page.name: page for page in pages()}
PACKAGES = ("cli", "configs", "console", "evals", "graph", "memory", "models", "nodes", "tools", "tests")
FILE = re.compile(rf"(?:{'|'.join(PACKAGES)}|notebooks|docs)/[\w./-]+")
DOTTED = re.compile(r"[a-z][\w]*(?:\.[\w]+)+(?::\w+)?")
ATTRIBUTES = {value for value in vars(telemetry).values() if isinstance(value, str)}
"""Names of what spans and counters hold, some of which begin like a package of ours."""


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_every_file_that_is_named_exists(page: Page) -> None:
    named = {code for code in page.code if FILE.fullmatch(code) and "NAME" not in code}
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def _is_setting(name: str) -> bool:
    return place_at(parse_key(name)) is not None


def _is_python(name: str) -> bool:
    module, colon, attribute = name.partition(":")
    parts = [*module.split("."), *([attribute] if colon else [])]
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return found is not None
    return False


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_every_setting_and_every_python_name_exists(page: Page) -> None:
    ours = {*PACKAGES, *Settings.model_fields}
    named = {code for code in page.code if DOTTED.fullmatch(code) and code.partition(".")[0] in ours}
    named -= ATTRIBUTES
    rows = {name for name in named if not re.search(r"\.(ROLE|NAME)\b|\.(md|py|sqlite|yaml|json)$", name)}
    assert sorted(name for name in rows if not (_is_setting(name) or _is_python(name))) == []


def _scenarios() -> int:
    scenarios = (ROOT / "evals" / "reflective" / "scenarios").glob("*.yaml")
    return sum(len(re.findall(r"^- id:", path.read_text("utf-8"), re.MULTILINE)) for path in scenarios)


COUNTS: dict[str, Callable[[], int]] = {
    r"(\d+) recipes": lambda: len(load_recipes()),
    r"(\d+) labelled\s+goals in six languages": lambda: len(load_exemplars()),
    r"(\d+) scenarios": _scenarios,
    r"(\d+) labelled sets of answers": lambda: len(sample_sets()),
    r"(\d+) other languages": lambda: len(set(SUFFIXES) - {PYTHON}),
}


@pytest.mark.parametrize("pattern", COUNTS, ids=lambda pattern: pattern.split(") ")[1])
def test_every_count_is_still_true(pattern: str) -> None:
    told = [int(found) for page in PAGES.values() for found in re.findall(pattern, page.text)]
    assert told and set(told) == {COUNTS[pattern]()}
