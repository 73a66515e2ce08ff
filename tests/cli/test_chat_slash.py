from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.chat_choices import Choices
from cli.chat_session import SEVERITY, Chat
from cli.chat_slash import COMMANDS, completions, obey
from cli.chat_why import why
from cli.running import EXIT_BY_STATUS, EXIT_ENVIRONMENT, EXIT_WAITING
from configs.errors import ReflectError, SettingsError, UsageError
from models.errors import ModelForbidden, ModelIdInvalid
from nodes.reflective.state import (
    Plan,
    PlanStep,
    ReasoningState,
    ReflectionAttempt,
    RoleUsage,
    TaskComplexity,
)


@pytest.fixture
def chat(home: Path) -> Chat:
    opened = Chat(Choices(home, model="scripted:none"), "t", quiet=False, as_json=False)
    opened.threads = ["t", "other"]
    return opened


def completed(chat: Chat, text: str) -> list[str]:
    return [text[: len(text) - replaced] + way for way, replaced in completions(chat, text)]


def test_commands_and_what_may_follow_them_are_completed(chat: Chat) -> None:
    assert completed(chat, "/thr") == ["/thread", "/threads"]
    assert completed(chat, "/thread o") == ["/thread other"]
    assert completed(chat, "/approval d") == ["/approval dry_run"]
    assert "/settings graph.max_iterations" in completed(chat, "/settings graph.max")
    assert completed(chat, "how") == completed(chat, "/th\nx") == completed(chat, "/nothing x") == []


@given(st.text(max_size=20))
def test_every_completion_begins_with_what_was_typed(text: str) -> None:
    opened = Chat(Choices(Path()), "t", quiet=True, as_json=False)
    assert all(way.startswith(f"/{text}") for way in completed(opened, f"/{text}"))


@pytest.mark.parametrize(
    ("line", "error", "said"),
    [
        ("/nothing", UsageError, "no command /nothing"),
        ("/", UsageError, "no command /"),
        ("/modle x", UsageError, "Did you mean /model?"),
        ("/model x", ModelIdInvalid, "names no model"),
        ("/strategy graph_v99", SettingsError, "graph_v30"),
        ("/profile cautious", SettingsError, "sovereign"),
        ("/approval maybe", SettingsError, "dry_run"),
        ("/settings graph.max_iterations many", SettingsError, "max_iterations"),
        ("/settings graph.max_iterations [1]", UsageError, "no single value"),
        ("/settings graph.max_iterations {", UsageError, "no value"),
        ("/settings graph.max_iteration", UsageError, "graph.max_iterations"),
        ("/fork", UsageError, "/steps"),
        ("/fork 1", UsageError, "no thread"),
        ("/why", UsageError, "Nothing was asked"),
        ("/history", UsageError, "Nothing was asked"),
        ("/evidence", UsageError, "Nothing was asked"),
        ("/trace", UsageError, "no trace"),
        ("/steps", UsageError, "no thread"),
    ],
)
async def test_what_a_command_cannot_do_is_told_and_changes_nothing(
    chat: Chat, line: str, error: type[ReflectError], said: str
) -> None:
    before = chat.choices
    with pytest.raises(error, match=r"(?s).") as raised:
        await obey(chat, line)
    assert said in str(raised.value) and chat.choices == before


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("/model embedded", "model", "embedded"),
        ("/strategy loop_v1", "reasoning.strategy", "loop_v1"),
        ("/profile dev", "profile", "dev"),
        ("/approval dry-run", "tools.approval", "dry_run"),
        ("/settings graph.max_iterations 7", "graph.max_iterations", 7),
        ("/settings experience.enabled false", "experience.enabled", False),
    ],
)
async def test_what_is_chosen_holds_for_the_runs_to_come(chat: Chat, line: str, key: str, value: Any) -> None:
    assert await obey(chat, line) == 0
    assert chat.choices.context().flags()[key] == value


async def test_a_profile_that_forbids_the_model_is_refused(chat: Chat) -> None:
    chat.choices = chat.choices.with_(model="openai:gpt")
    with pytest.raises(ModelForbidden):
        await obey(chat, "/profile sovereign")
    assert chat.choices.profile is None


def test_every_exit_code_of_a_run_has_its_place() -> None:
    assert {*EXIT_BY_STATUS.values(), EXIT_ENVIRONMENT, EXIT_WAITING} == set(SEVERITY)


def test_every_command_has_its_words() -> None:
    assert {name for name in COMMANDS if not COMMANDS[name].help} == set()


def test_why_tells_the_run() -> None:
    attempt = ReflectionAttempt(timestamp="", failed_step=1, error="exit 1", diagnosis="No such file.")
    state = ReasoningState(
        goal="how long is a.md?",
        said="how long is it?",
        complexity=TaskComplexity.SIMPLE,
        complexity_source="recipe",
        plan=Plan(objective="", steps=[PlanStep(num=1, description="count")], source="model"),
        reflection_attempts=[attempt],
        usage={"planner": RoleUsage(calls=2, prompt_tokens=10, completion_tokens=3, seconds=1.0)},
        status="partial",
        stop_reason="partial_success",
        notes=["a note"],
    )
    text = "\n".join(why(state))
    for said in ("how long is it?", "simple (by recipe)", "No such file.", "Plan from model", "asked 2 times",
                 "partial (partial_success)", "a note", "Not put to VERIFY"):  # fmt: skip
        assert said in text
