from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from configs.settings import Settings
from evals.postgres_server import Server, postgres_server, programs
from memory.effects import EffectJournal
from memory.effects.opening import project_journal
from memory.ownership.session import close_sessions


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if programs() is None:
        pytest.skip("no Postgres server is installed (apt-get install postgresql)")
    with postgres_server() as running:
        yield running


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    """Address of an empty database."""
    names = {row[0] for row in server.execute("SELECT datname FROM pg_database")}
    name = f"d{len(names)}"
    server.execute(f"CREATE DATABASE {name}")
    yield server.url(name)
    close_sessions()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.fixture
def chosen(database: str) -> Settings:
    return Settings.model_validate({"checkpoints": {"path": database}})


@pytest.fixture
def open_journal(chosen: Settings, root: Path) -> Callable[[], EffectJournal]:
    """The journal, as this process sees it, opened after a fork where there is one."""
    return lambda: project_journal(root, chosen)
