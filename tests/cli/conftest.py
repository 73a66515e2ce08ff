from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from models.scripted import Script, register_script

# An address no request is made to, so that no check needs a socket.
NO_SERVER = "none://here"


@dataclass(frozen=True)
class Ran:
    """What one command gave."""

    code: int
    out: str
    err: str


Reflect = Callable[..., Ran]
Scripted = Callable[..., str]


@pytest.fixture
def home(tmp_path: Path, machine_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without settings; the variables of whoever runs the tests are away."""
    for name in [name for name in os.environ if name.startswith("REFLECT_")]:
        monkeypatch.delenv(name)
    # main() sets these for good; now they are put back after the test.
    for name in (
        "LANGSMITH_TRACING",
        "LANGGRAPH_NO_VERSION_CHECK",
        "ANONYMIZED_TELEMETRY",
        "ORT_DISABLE_TELEMETRY",
    ):
        monkeypatch.setenv(name, os.environ.get(name, ""))
        monkeypatch.delenv(name)
    monkeypatch.setenv("OLLAMA_HOST", NO_SERVER)
    monkeypatch.setenv("XDG_CACHE_HOME", str(machine_cache))
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def project(home: Path, built: Path) -> Path:
    return Path(shutil.copytree(built, home / "project", symlinks=True))


@pytest.fixture
def reflect(home: Path, capsys: pytest.CaptureFixture[str]) -> Reflect:
    """Run the command line in this process."""

    def run(*argv: str | Path) -> Ran:
        code = main([str(word) for word in argv])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run


@pytest.fixture
def scripted(request: pytest.FixtureRequest) -> Scripted:
    """Register replies by role for this test; gives the model's name."""

    def register(**roles: list[Any]) -> str:
        name = request.node.name
        register_script(name, Script(roles=roles))
        return f"scripted:{name}"

    return register
