"""Fixtures every test may use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.processes import ollama_server


@pytest.fixture(scope="session")
def ollama() -> Iterator[str]:
    """Address of a live server that speaks Ollama's protocol."""
    with ollama_server() as address:
        yield address
