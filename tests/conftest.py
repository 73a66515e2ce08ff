"""Fixtures every test may use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.processes import ollama_server

# `make check` is run many times a day; `make test`, and so CI, draws the full number of examples.
settings.register_profile("quick", max_examples=25)


@pytest.fixture(scope="session")
def ollama() -> Iterator[str]:
    """Address of a live server that speaks Ollama's protocol."""
    with ollama_server() as address:
        yield address
