"""A home and a project of its own for every test, and the routes in this process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from console.api.routes import ROUTES

# An address no request is made to, so that nothing needs a socket.
NO_SERVER = "none://here"


@pytest.fixture
def home(tmp_path: Path, machine_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without settings; the variables of whoever runs the tests are away."""
    for name in [name for name in os.environ if name.startswith("REFLECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OLLAMA_HOST", NO_SERVER)
    monkeypatch.setenv("XDG_CACHE_HOME", str(machine_cache))
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def served(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory the server serves."""
    served = tmp_path / "served"
    served.mkdir()
    monkeypatch.chdir(served)
    return served


@pytest.fixture
def client(served: Path) -> TestClient:
    return TestClient(Starlette(routes=ROUTES), base_url="http://localhost")
