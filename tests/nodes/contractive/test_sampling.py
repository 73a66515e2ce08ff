"""Samples that tell too little: too few of them, or cut off before they stated an answer."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from pydantic import PrivateAttr

from configs.contractive import ContractiveSettings
from configs.settings import Settings
from memory.call_journal import CallJournal
from models.identifiers import ModelId
from models.reply import Reply
from models.roles import RoleModels
from models.scripted import Script, register_script
from models.selection import ModelChoice
from nodes.contractive.calls import Calls, Place, Said
from nodes.contractive.sampling import Drawn, is_cut_off, sample
from nodes.contractive.state import ROOT, Question
from nodes.contractive.tasks import Task
from tests.graph.test_contractive import APPLES, BOX, FALLEN, SPLIT
from tests.nodes.contractive.thinker import Thinker, sure, thought

WORKED = "A full box holds 12 apples and 3 fall out.\n"
FAILED = {"error": "failed"}


class InTurn(Script):
    """Its replies in turn, over and over."""

    replies: list[Any]
    _made: int = PrivateAttr(default=0)

    def decide(self, role: str, prompt: str) -> Any:
        self._made += 1
        return self.replies[(self._made - 1) % len(self.replies)]


class CutShort(RoleModels):
    """Models whose replies all stop at the limit of tokens."""

    async def text(self, *args: Any, **more: Any) -> Reply:
        return replace(await super().text(*args, **more), truncated=True)


async def drawn(replies: list[Any], kind: type[RoleModels] = RoleModels, **limits: Any) -> Drawn:
    register_script("in-turn", InTurn(replies=replies))
    models = kind(Settings(), ModelChoice(ModelId.parse("scripted:in-turn"), "as asked"))
    chosen = ContractiveSettings(**limits)
    task = Task(question=Question(id=ROOT, text=APPLES), root=APPLES, run_id="r", limits=chosen)
    calls = Calls(models, chosen, CallJournal(None), None)
    return await sample(calls, task, Place("solve", ROOT), [HumanMessage(APPLES)], judge=None, embedder=None)


@pytest.mark.parametrize("came", [1, 2])
async def test_samples_too_few_to_agree_are_not_sure(came: int) -> None:
    told = await drawn(["Answer: 9"] * came + [FAILED] * (10 - came))
    assert (told.measured.answer, told.measured.samples) == ("9", came)
    assert told.measured.uncertainty == 1.0
    assert told.measured.support == pytest.approx(came / 3, abs=1e-6)


@pytest.mark.parametrize(("reply", "cut_off"), [("So it is 9", True), ("Answer: 9\nSince 12", False)])
async def test_what_all_samples_broke_off_in_is_known_as_cut_off(reply: str, cut_off: bool) -> None:
    told = await drawn([reply], CutShort)
    assert (told.measured.samples, told.measured.truncated) == (4, cut_off)
    assert not (await drawn([reply])).measured.truncated


async def test_as_many_as_the_settings_allow_are_enough() -> None:
    told = await drawn(["Answer: 9"], k_entropy_samples=1, k_max_samples=1)
    assert (told.measured.uncertainty, told.measured.support) == (0.0, 1.0)


@pytest.mark.parametrize("budget", [800, 1000, 1300, 1600])
async def test_an_answer_is_not_sure_because_there_was_no_budget_to_doubt_it(
    tmp_path: Path, budget: int
) -> None:
    state = await thought(tmp_path, Thinker(says={APPLES: sure(9)}), APPLES, max_global_tokens=budget)
    assert state.metrics.tokens <= budget
    came = state.root.tried.samples if state.root.tried is not None else 0
    assert (state.status == "answered") == (came >= 3)
    assert came >= 3 or state.confidence <= came / 3 + 1e-6


async def test_a_merge_of_one_sample_replaces_nothing(tmp_path: Path) -> None:
    """The first sample of a merge came, and nothing after it."""
    most = [f"Answer: {answer}" for answer in (9, 9, 4, 31)]
    script = Thinker(
        says={APPLES: most, BOX: sure(12), FALLEN: sure(3)},
        knows={APPLES: [*sure(400), *[FAILED] * 9]},
        splits=SPLIT,
    )
    state = await thought(tmp_path, script, APPLES, max_loops=1, k_max_samples=4)
    assert not state.root.merges[0].kept and state.short_answer == "9"
    assert state.status == "uncertain"


@pytest.mark.parametrize(
    ("text", "cut_off"),
    [
        (f"{WORKED}That is 12 - 3 = ", True),
        (f"{WORKED}Answer: 1", True),
        (f"{WORKED}Answer: 9\nThe reason", False),
        (f"{WORKED}**Answer:** 9\nThe reason", False),
        (f"{WORKED}Answer:\nThe", True),
    ],
)
def test_a_reply_at_the_limit_is_cut_off_unless_it_had_stated_its_answer(text: str, cut_off: bool) -> None:
    assert is_cut_off(Said(text, truncated=True)) == cut_off
    assert not is_cut_off(Said(text, truncated=False))
