"""What a call costs where the server, the model or the process did not say."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from configs.contractive import ContractiveSettings
from configs.settings import Settings
from memory.call_journal import CallJournal
from models.errors import ModelError, ModelFailed, ModelMissing, ModelReplyInvalid, ModelTimeout
from models.identifiers import ModelId
from models.prompt_size import estimate_prompt
from models.roles import RoleModels
from models.scripted import Script, register_script
from models.selection import ModelChoice
from models.usage import Usage
from nodes.contractive.call_costs import Heard, taken, taken_in_vain
from nodes.contractive.calls import Calls, Place

ASKED = [HumanMessage("How many crates are in the hall?")]
MOST = (40, 64)
COUNTS = st.integers(0, 100)


def calls_from(path: Path, **limits: Any) -> Calls:
    register_script("paid", Script(default=["4"], repeat_last=True))
    models = RoleModels(Settings(), ModelChoice(ModelId.parse("scripted:paid"), "as asked"))
    return Calls(models, ContractiveSettings(**limits), CallJournal.read(path), None)


async def test_a_branch_pays_for_its_calls_that_were_killed(tmp_path: Path) -> None:
    """The budget of a branch holds over a kill as that of the whole run does."""
    path = tmp_path / "run.jsonl"
    await CallJournal(path).began("a", 70, {"phase": "solve", "node": "0.1.2", "branch": "0.1"})
    calls = calls_from(path)
    assert (calls.taken(), calls.taken("0.1"), calls.taken("0.2")) == (70, 70, 0)


async def test_of_calls_that_were_killed_twice_both_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    for _ in range(2):
        await CallJournal(path).began("a", 70)
    assert calls_from(path).metrics().calls == 2 and calls_from(path).taken() == 140


@given(prompt=COUNTS, completion=COUNTS)
def test_a_server_that_counts_half_of_a_call_gives_away_nothing(prompt: int, completion: int) -> None:
    said = "It holds nine crates and a half.\nAnswer: 9.5"
    told = taken(Heard({}, Usage("worker", "m", 1, prompt, completion), said), ASKED, MOST)
    assert told >= prompt + completion
    assert told > completion and told > prompt
    if completion and not prompt:
        assert told - completion == min(estimate_prompt(ASKED), MOST[0])


def test_thinking_costs_as_much_as_an_answer() -> None:
    nothing = Usage("worker", "m", 1)
    aloud = taken(Heard({"text": "9"}, nothing, "9" + "so it goes on " * 4), ASKED, MOST)
    assert aloud > taken(Heard({"text": "9"}, nothing, "9"), ASKED, MOST)


def test_of_two_tries_nobody_counted_all_that_was_reserved_is_taken() -> None:
    assert taken(Heard({}, Usage("critic", "m", 2), "{}"), ASKED, MOST) == sum(MOST)


@pytest.mark.parametrize(
    ("error", "counted", "cost"),
    [
        # The first try was counted, the second was cut off by time: it may have taken the rest.
        (ModelTimeout("late", ""), 30, sum(MOST)),
        (ModelFailed("broke off", ""), 30, 30 + MOST[0]),
        (ModelFailed("broke off", ""), 0, MOST[0]),
        (ModelFailed("broke off", ""), 5000, 5000),
        (ModelMissing("gone", ""), 30, 30),
        (ModelMissing("gone", ""), 0, 0),
    ],
)
def test_a_call_that_failed_costs_what_was_counted_and_what_may_have_been_taken(
    error: ModelError, counted: int, cost: int
) -> None:
    error.usage = Usage("worker", "m", 2, counted, 0)
    assert taken_in_vain(error, MOST) == cost


@pytest.mark.parametrize(("counted", "cost"), [(0, sum(MOST)), (33, 33)])
def test_replies_nobody_can_read_cost_as_counted_or_all(counted: int, cost: int) -> None:
    error = ModelReplyInvalid("no JSON", "", "?", Usage("critic", "m", 2, counted, 0))
    assert taken_in_vain(error, MOST) == cost


async def test_a_prompt_that_lost_some_of_itself_is_told_after_a_resume_too(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    long = [HumanMessage("one two three four five. " * 2000)]
    for _ in range(2):
        calls = calls_from(path)
        await calls.text(Place("solve", "0"), "worker", long)
        assert calls.metrics().cut > 10_000
