"""Fixtures every test may use."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from evals.fixture_repository import build_fixture_repository
from tests.support.processes import ollama_server

# Read when numpy is loaded. Its library's threads spin while they wait for a product of some hundred numbers
# (9 of 45 s of tests/graph), and two processes of tests share two cores as it is.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Little of what 500 modules of tests make when they are imported is garbage; Python's own threshold is 700.
gc.set_threshold(20_000, *gc.get_threshold()[1:])

# `make check` is run many times a day; `make test`, and so CI, draws the full number of examples.
QUICK = 25
# Whether an example takes 200 ms depends on who else uses the machine; no test asserts a time.
settings.register_profile("quick", max_examples=QUICK, deadline=None)
settings.register_profile("full", deadline=None)
settings.load_profile("full")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that name a number of examples themselves draw no more than the others in a quick round."""
    if settings.default is None or settings.default.max_examples > QUICK:
        return
    for item in items:
        # A property's own settings, which hypothesis keeps with the function and reads when it runs.
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        chosen = getattr(test, "_hypothesis_internal_use_settings", None)
        if chosen is not None and chosen.max_examples > QUICK:
            test._hypothesis_internal_use_settings = settings(chosen, max_examples=QUICK)


def pytest_collection_finish() -> None:
    """What was collected stays to the end, and is not looked through for garbage time and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def machine_cache() -> Path:
    """Where vectors of unchanged texts and assembled weights are kept, for tests that move the home.

    Its files are named by a hash of what they were computed from: made once per machine, not once per home.
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that each test gets a copy of: git makes its commits once."""
    return build_fixture_repository(tmp_path_factory.mktemp("built") / "project")


@pytest.fixture(scope="session")
def ollama() -> Iterator[str]:
    """Address of a live server that speaks Ollama's protocol."""
    with ollama_server() as address:
        yield address
