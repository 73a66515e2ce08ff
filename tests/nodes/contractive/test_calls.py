"""Calls within budgets: never more than allowed, never more at once, each made and paid for once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from pydantic import BaseModel, PrivateAttr

from configs.contractive import ContractiveSettings
from configs.settings import Settings
from memory.call_journal import CallJournal
from models.errors import ModelError, ModelTimeout
from models.identifiers import ModelId
from models.roles import RoleModels
from models.sampling import Sampling
from models.scripted import Script, register_script
from models.selection import ModelChoice
from nodes.contractive.calls import Calls, Place
from nodes.errors import CallRefused

ROOT_PLACE = Place("solve", "0")
LIMIT = 64


class Counting(Script):
    """Counts calls, and how many of them are under way at once."""

    replies: list[Any]
    _made: int = PrivateAttr(default=0)

    def decide(self, role: str, prompt: str) -> Any:
        reply = self.replies[self._made % len(self.replies)]
        self._made += 1
        return reply

    @property
    def made(self) -> int:
        return self._made


def calls_to(script: Script, path: Path | None = None, deadline: float | None = None, **limits: Any) -> Calls:
    register_script("calls", script)
    models = RoleModels(Settings(), ModelChoice(ModelId.parse("scripted:calls"), "as asked"))
    return Calls(models, ContractiveSettings(**limits), CallJournal.read(path), deadline)


def asking(number: int, words: int = 3) -> list[HumanMessage]:
    return [HumanMessage(f"question {number} " + "word " * words)]


async def one(calls: Calls, number: int, branch: str = "", words: int = 3) -> str | Exception:
    place = Place("solve", f"{branch or 0}", branch, (number,))
    try:
        return (await calls.text(place, "worker", asking(number, words), max_tokens=LIMIT)).text
    except (ModelError, CallRefused) as error:
        return error


@settings(deadline=None, max_examples=25)
@given(
    sizes=st.lists(
        st.tuples(st.integers(0, 60), st.sampled_from(["", "0.1", "0.2"])), min_size=1, max_size=30
    ),
    budget=st.integers(50, 2500),
    branch_budget=st.integers(50, 1500),
    at_once=st.integers(1, 8),
)
def test_no_budget_is_ever_passed(
    sizes: list[tuple[int, str]], budget: int, branch_budget: int, at_once: int
) -> None:
    """Whatever is asked at once: what was taken stays below every budget, and a refused call was not made."""
    script = Counting(replies=["some words of an answer " * 4, {"error": "failed"}, "4"])
    calls = calls_to(
        script, max_global_tokens=budget, max_branch_tokens=branch_budget, max_concurrent_calls=at_once
    )

    async def run() -> list[str | Exception]:
        return await asyncio.gather(
            *(one(calls, number, branch, words) for number, (words, branch) in enumerate(sizes))
        )

    told = asyncio.run(run())
    refused = [reply for reply in told if isinstance(reply, CallRefused)]
    metrics = calls.metrics()
    assert metrics.tokens <= budget
    for branch in ("0.1", "0.2"):
        assert calls.taken(branch) <= branch_budget
    assert script.made == len(sizes) - len(refused) == metrics.calls
    assert metrics.refused_calls == len(refused)
    assert calls.under_way == 0 and calls.reserved() == 0


async def test_a_call_that_does_not_fit_waits_for_those_under_way() -> None:
    """Each reserves far more than it takes, so two at once would not fit, and one after the other does."""
    script = Counting(replies=[{"delay": 0.02, "reply": "4"}])
    one_call = sum(calls_to(script).models.most_tokens("worker", asking(0), LIMIT))
    calls = calls_to(script, max_global_tokens=int(one_call * 1.5), max_concurrent_calls=4)
    told = await asyncio.gather(*(one(calls, number) for number in range(2)))
    assert told == ["4", "4"]


async def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    script = Counting(replies=["4", "5", "6", "7"])
    path = tmp_path / "run.jsonl"
    first = calls_to(script, path)
    told = [await one(first, number) for number in range(3)]
    again = calls_to(script, path)
    assert [await one(again, number) for number in range(4)] == [*told, "7"]
    assert script.made == 4
    assert again.metrics().repeated_calls == 3 and again.metrics().calls == 4


async def test_a_failure_that_may_pass_is_tried_again_and_each_try_counts(tmp_path: Path) -> None:
    script = Counting(replies=[{"error": "lost"}, {"error": "lost"}, "4"])
    calls = calls_to(script, tmp_path / "run.jsonl")
    assert await one(calls, 0) == "4"
    metrics = calls.metrics()
    assert (metrics.calls, metrics.failed_calls, script.made) == (3, 2, 3)


async def test_a_failure_that_stays_is_an_error_and_is_remembered(tmp_path: Path) -> None:
    script = Counting(replies=[{"error": "failed"}])
    for _ in range(2):
        told = await one(calls_to(script, tmp_path / "run.jsonl"), 0)
        assert isinstance(told, ModelError) and "failed" in told.what
    assert script.made == 1


async def test_no_more_calls_at_once_than_allowed() -> None:
    under_way: list[int] = []

    class Watching(Counting):
        def decide(self, role: str, prompt: str) -> Any:
            under_way.append(calls.under_way)
            return {"delay": 0.01, "reply": "4"}

    calls = calls_to(Watching(replies=["4"]), max_concurrent_calls=3)
    await asyncio.gather(*(one(calls, number) for number in range(12)))
    assert len(under_way) == 12 and max(under_way) == 3


async def test_a_slow_call_ends_at_the_limit_and_is_paid_for_in_full() -> None:
    calls = calls_to(Counting(replies=[{"delay": 5, "reply": "4"}]), timeout_sec=0.05)
    told = await one(calls, 0)
    assert isinstance(told, ModelTimeout)
    assert calls.metrics().tokens == sum(calls.models.most_tokens("worker", asking(0), LIMIT))


async def test_after_the_deadline_nothing_is_begun() -> None:
    script = Counting(replies=["4"])
    told = await one(calls_to(script, deadline=0.0), 0)
    assert isinstance(told, CallRefused) and told.limit == "timeout" and script.made == 0


async def test_a_cancelled_call_leaves_nothing_under_way_and_counts_in_full(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    calls = calls_to(Counting(replies=[{"delay": 5, "reply": "4"}]), path)
    task = asyncio.create_task(one(calls, 0))
    while not calls.under_way:
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    most = sum(calls.models.most_tokens("worker", asking(0), LIMIT))
    assert calls.under_way == 0 and calls.reserved() == 0
    assert calls.metrics().tokens == most == CallJournal.read(path).tokens


class Verdict(BaseModel):
    right: bool


async def test_a_typed_answer_is_read_back_typed(tmp_path: Path) -> None:
    script = Counting(replies=["garbage", {"right": True}])
    for _ in range(2):
        calls = calls_to(script, tmp_path / "run.jsonl")
        assert await calls.structured(ROOT_PLACE, "critic", asking(1), Verdict) == Verdict(right=True)
    assert script.made == 2 and calls.metrics().calls == 2


async def test_another_seed_is_another_call(tmp_path: Path) -> None:
    script = Counting(replies=["4", "5"])
    calls = calls_to(script, tmp_path / "run.jsonl")
    told = [
        await calls.text(ROOT_PLACE, "worker", asking(0), sampling=Sampling(0.7, seed)) for seed in (1, 2, 1)
    ]
    assert [said.text for said in told] == ["4", "5", "4"]


async def test_a_journal_that_cannot_be_written_lets_no_call_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")
    script = Counting(replies=["4"])
    calls = calls_to(script, tmp_path / "file" / "run.jsonl")
    with pytest.raises(Exception, match="file"):
        await one(calls, 0)
    assert script.made == 0 and calls.reserved() == 0 and calls.taken() == 0
