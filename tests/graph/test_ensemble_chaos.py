"""Whatever models say or fail to say: an honest end within the budget, with nothing left open."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.ensemble import workflow
from nodes.collective import budgets
from nodes.collective.exchange import Finding
from nodes.collective.standing import MOST_OF_MODELS, unheld
from nodes.collective.state import CollectiveState
from tests.graph.talking import Talker, context_of

GOALS = ["How many lines does a.txt have?", "What is three times three?", "Which files mention quokkas?"]
SAID: list[Any] = [
    "Answer: 9",
    "Answer: 9",
    "a.txt has 41 lines.",
    "It is 17.",
    "I cannot answer that.",
    "",
    "]]} ?? (",
    "x" * 5000,
    "\ud800 \x00 ```",
    {"error": "failed"},
    {"error": "timeout"},
    {"passed": True, "reason": "yes", "confidence": 1.0},
    {"steps": [{"description": "look", "command": "cat a.txt"}]},
]


class Chaos(Talker):
    """Says anything at all, drawn by lot."""

    seed: int

    def decide(self, role: str, prompt: str) -> Any:
        lot = random.Random(f"{self.seed} {role} {len(self._asked)}")
        self._asked.append((role, prompt))
        return lot.choice(SAID)


@settings(max_examples=12)
@given(
    seed=st.integers(0, 10**6),
    goal=st.sampled_from(GOALS),
    calls=st.sampled_from([None, 1, 3, 8]),
    tokens=st.sampled_from([1, 900, 5000, 400_000]),
)
def test_a_run_always_ends_honestly(
    tmp_path_factory: Any, seed: int, goal: str, calls: int | None, tokens: int
) -> None:
    root: Path = tmp_path_factory.mktemp("chaos")
    (root / "a.txt").write_text("x\ny\n")
    script = Chaos(seed=seed)
    given = {"collective__max_tokens": tokens} | ({"collective__max_calls": calls} if calls else {})
    context = context_of(root, script, "chaos", **given)
    state = CollectiveState.model_validate(asyncio.run(workflow.ainvoke({"goal": goal}, context=context)))
    assert len(script.asked) <= (calls or 10**6) and not budgets._OPEN
    assert state.usage.prompt_tokens + state.usage.completion_tokens <= tokens
    ends_honestly(goal, state)


def ends_honestly(goal: str, state: CollectiveState) -> None:
    assert state.status in ("answered", "uncertain", "partial", "could_not", "error")
    assert set(state.findings) == {one.id for one in state.assignments}
    chosen = state.findings.get(state.chosen)
    assert (chosen is not None) == (state.status in ("answered", "uncertain", "partial"))
    if chosen is None:
        assert not state.confidence and (state.status == "could_not" or state.failure is not None)
        if state.final_answer:
            assert state.final_answer == state.findings["reflective"].answer
        return
    assert state.final_answer == chosen.answer and chosen.answers
    if not chosen.grounded:
        assert (state.confidence or 0) <= MOST_OF_MODELS
        assert not chosen.figures.get("needs_files")
    if state.status == "answered":
        held_by_evidence(goal, chosen)
    failed = {one.id for one in state.findings.values() if one.status == "error"}
    assert {note.split()[0] for note in state.notes if "took no part" in note} == failed


def held_by_evidence(goal: str, chosen: Finding) -> None:
    assert not unheld([goal], chosen.answer, chosen.evidence)
    assert chosen.status == "answered"
