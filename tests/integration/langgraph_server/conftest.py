"""One server for all tests of this folder that do not end it, and what is said to it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from evals.fixture_repository import build_fixture_repository
from tests.support.langgraph_server import Served, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
async def client(server: Served) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=server.url) as opened:
        yield opened


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return build_fixture_repository(tmp_path / "project")


def scripted(folder: Path, roles: dict[str, list[Any]], default: list[Any] | None = None) -> str:
    """A model that follows a script, which a server of another process can read."""
    path = folder / "script.json"
    path.write_text(json.dumps({"roles": roles, "default": default or [], "repeat_last": True}), "utf-8")
    return f"scripted:{path}"
