"""What a run opens: by its caller's choices, once, and never more than the profile allows."""

from pathlib import Path
from typing import Any

import pytest

from configs.errors import ReflectError, SettingsError, UsageError
from models.errors import ModelError
from nodes.reflective.context import RunContext
from nodes.reflective.services import OPEN_RUNS, close_models, open_model_name, open_services, services_of
from nodes.reflective.state import ReasoningState
from tests.nodes.reflective.bench import Bench


class Opened:
    """A node that keeps the services it was given."""

    def __init__(self, *, fresh: bool = False) -> None:
        self.fresh = fresh
        self.seen: list[Any] = []

    async def node(self, state: ReasoningState, runtime: Any) -> dict[str, Any]:
        self.seen.append(await services_of(runtime, fresh=self.fresh))
        return {}


STATE = ReasoningState(goal="g")


async def test_the_nodes_of_a_run_share_their_services(bench: Bench) -> None:
    opened, context = Opened(), bench.context()
    for _ in range(3):
        await bench.visit(opened.node, STATE, context)
    assert opened.seen[0] is opened.seen[1] is opened.seen[2]
    assert opened.seen[0].root == bench.root.resolve()


async def test_a_new_run_of_the_thread_opens_them_anew_and_later_nodes_use_those(bench: Bench) -> None:
    opened, context = Opened(), bench.context()
    fresh = Opened(fresh=True)
    await bench.visit(opened.node, STATE, context)
    await bench.visit(fresh.node, STATE, context)
    await bench.visit(opened.node, STATE, context)
    assert fresh.seen[0] is not opened.seen[0] and opened.seen[1] is fresh.seen[0]


async def test_threads_and_choices_are_kept_apart(bench: Bench) -> None:
    opened, context = Opened(), bench.context()
    await bench.visit(opened.node, STATE, context)
    await bench.visit(opened.node, STATE, bench.context())
    other = Bench(bench.root, "another-thread")
    await other.visit(opened.node, STATE, context)
    assert len({id(services) for services in opened.seen}) == 3


async def test_only_recent_runs_stay_open(bench: Bench) -> None:
    opened, context = Opened(), bench.context()
    await bench.visit(opened.node, STATE, context)
    assert open_model_name(context, bench.name) == context.model
    for number in range(OPEN_RUNS):
        await Bench(bench.root, f"thread-{number}").visit(opened.node, STATE, context)
    assert open_model_name(context, bench.name) == ""


def test_a_run_that_was_never_opened_has_no_model_name(bench: Bench) -> None:
    assert open_model_name(bench.context(), "never") == ""


async def test_the_models_of_a_run_that_was_never_opened_can_be_closed(bench: Bench) -> None:
    async def node(state: ReasoningState, runtime: Any) -> dict[str, Any]:
        await close_models(runtime)
        return {"notes": ["closed"]}

    assert (await bench.visit(node, STATE, bench.context())).notes == ["closed"]


@pytest.mark.parametrize(("profile", "tools", "memory"), [("safe", False, False), ("dev", True, True)])
def test_a_profile_decides_what_is_opened(
    remembering: Bench, profile: str, tools: bool, memory: bool
) -> None:
    services = open_services(remembering.context(profile=profile))
    assert (services.toolbox is not None, services.experience is not None) == (tools, memory)
    assert (services.trace("s") is not None) is memory


@pytest.mark.parametrize(("profile", "probes"), [("safe", False), ("dev", True)])
def test_a_profile_whose_reflection_is_simple_runs_no_probes(
    remembering: Bench, profile: str, probes: bool
) -> None:
    assert open_services(remembering.context(profile=profile)).settings.reflect.use_shell is probes


def test_memory_can_be_turned_off(bench: Bench) -> None:
    services = open_services(bench.context())
    assert services.experience is None and services.trace("s") is None and services.toolbox is not None


def test_a_model_far_away_is_refused_where_only_local_ones_may_run(bench: Bench) -> None:
    context = RunContext(
        root=str(bench.root),
        model="openai:gpt-x",
        profile="sovereign",
        settings={"models.default.base_url": "https://api.example.org/v1"},
    )
    with pytest.raises(ReflectError) as told:
        open_services(context)
    assert "sovereign" in str(told.value) and told.value.remedy


@pytest.mark.parametrize("root", ["missing", "notes.txt", "\0"])
def test_a_root_that_is_no_directory_is_a_mistake_of_the_caller(bench: Bench, root: str) -> None:
    with pytest.raises(UsageError):
        open_services(RunContext(root=str(bench.root / root), model="scripted:x"))


@pytest.mark.parametrize("settings", [{"graph.max_iterations": "many"}, {"graph.nothing": 1}])
def test_a_wrong_setting_is_told(bench: Bench, settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        open_services(RunContext(root=str(bench.root), model="scripted:x", settings=settings))


def test_a_model_nobody_provides_is_told(bench: Bench) -> None:
    with pytest.raises((ModelError, ReflectError)):
        open_services(RunContext(root=str(bench.root), model="nobody:x"))


def test_the_choices_of_a_caller_win_over_further_settings() -> None:
    context = RunContext(model="scripted:a", profile="safe", settings={"model": "scripted:b", "x": 1})
    assert context.flags() == {"model": "scripted:a", "profile": "safe", "x": 1}
    assert RunContext().flags() == {}


def test_a_context_cannot_be_changed_or_hold_anything_unknown() -> None:
    with pytest.raises(ValueError):
        RunContext(anything="x")  # type: ignore[call-arg]  # the point of the test
    with pytest.raises(ValueError):
        RunContext().root = "/"  # type: ignore[misc]  # the point of the test


def test_the_embedder_is_opened_only_when_asked_for(bench: Bench, tmp_path: Path) -> None:
    services = open_services(bench.context())
    first = services.embedder()
    assert first.embed(["a"]).shape == (1, first.dimension)
