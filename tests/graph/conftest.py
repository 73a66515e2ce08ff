from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from configs.settings import Strategy
from evals.ask import ask
from evals.fixture_repository import build_fixture_repository
from models.scripted import Script, register_script
from nodes.reflective.state import ReasoningState

Asked = Callable[..., Awaitable[ReasoningState]]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield build_fixture_repository(tmp_path_factory.mktemp("graph"))


@pytest.fixture
def asked(project: Path, request: pytest.FixtureRequest) -> Asked:
    """Ask the graph with replies by role; memory is off unless a test sets it."""
    return _asked(project, request.node.name, {})


@pytest.fixture(params=get_args(Strategy))
def asked_each(project: Path, request: pytest.FixtureRequest) -> Asked:
    """The same in every strategy, for what must hold whatever the wiring."""
    return _asked(project, request.node.name, {"reasoning__strategy": request.param})


def _asked(project: Path, name: str, always: dict[str, Any]) -> Asked:
    async def run(goal: str, *, settings: dict[str, Any] | None = None, **roles: list[Any]) -> ReasoningState:
        register_script(name, Script(roles=roles))
        chosen = {"experience__enabled": False, **always, **(settings or {})}
        return await ask(goal, project, f"scripted:{name}", name, **chosen)

    return run
