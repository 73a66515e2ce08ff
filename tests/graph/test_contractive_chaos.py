"""Whatever a model says or fails to say: an honest end, within the budget, with nothing left under way."""

import asyncio
import random
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.open_calls import _OPEN
from nodes.contractive.state import ROOT, ContractiveState
from tests.nodes.contractive.thinker import Thinker, parts, thought

QUESTION = "How many litres of paint does the fence of the yard take?"
SAID = [
    "Answer: 12 litres",
    "Answer: 12 litres",
    "Answer: 40 litres",
    "It is 12.\nAnswer: 12",
    "I cannot answer that.",
    "",
    "How many litres of paint does the fence of the yard take?",
    "]]} ?? (",
    "Answer: unknown",
    "x" * 5000,
    "\ud800 \x00 ```",
    {"error": "failed"},
    {"error": "timeout"},
]
SPLITS: list[Any] = [
    parts("How long is the fence?", "How many litres does a metre of fence take?", needs={2: [1, 7]}),
    parts(*(f"How many litres does side {side} of the fence take?" for side in range(1, 9)), kind="OR"),
    {"kind": "AND", "parts": [{"question": QUESTION, "depends_on": [1]}]},
    {"kind": "AND", "parts": []},
    {"kind": "XOR", "parts": "none"},
    "no json at all",
    {"error": "failed"},
]  # fmt: skip
REVIEWS: list[Any] = [
    {"verdict": "approved", "score": 0.9, "issues": [], "advice": ""},
    {"verdict": "minor_revision", "score": 7, "issues": ["unit"], "advice": "Name the unit."},
    {"verdict": "reject", "score": 0.1, "issues": ["wrong"], "advice": "Count again."},
    "not incorrect",
    {"error": "failed"},
]


class Chaos(Thinker):
    """Says anything at all, drawn by lot."""

    seed: int

    def decide(self, role: str, prompt: str) -> Any:
        lot = random.Random(f"{self.seed} {role} {len(self._prompts)}")
        self._prompts.append((role, prompt))
        pool = {"planner": SPLITS, "critic": REVIEWS, "verifier": [{"verdict": "neutral"}, "?"]}.get(
            role, SAID
        )
        return lot.choice(pool)


@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    budget=st.sampled_from([1, 700, 3000, 9000, 64_000]),
    peer=st.sampled_from(["none", "light", "full"]),
    depth=st.integers(0, 3),
    loops=st.integers(1, 4),
    samples=st.integers(1, 5),
)
def test_a_run_always_ends_honestly(
    tmp_path_factory: Any, seed: int, budget: int, peer: str, depth: int, loops: int, samples: int
) -> None:
    root: Path = tmp_path_factory.mktemp("chaos")
    state = asyncio.run(
        thought(
            root,
            Chaos(seed=seed),
            QUESTION,
            "chaos",
            max_global_tokens=budget,
            max_branch_tokens=max(1, budget // 2),
            peer=peer,
            max_depth=depth,
            max_loops=loops,
            k_entropy_samples=samples,
        )
    )
    ends_honestly(state)
    is_a_tree(state)
    assert state.metrics.tokens <= budget
    assert len(state.passes) <= loops
    assert state.run_id not in _OPEN


def ends_honestly(state: ContractiveState) -> None:
    assert state.stop_reason is not None and state.status != "running"
    assert bool(state.final_answer) == bool(state.short_answer) == (state.status in ("answered", "uncertain"))
    assert (state.confidence > 0) == bool(state.short_answer)
    best = state.root.best
    if state.short_answer:
        assert best is not None and best.measured.answer == state.short_answer
        assert any(cluster.answer == state.short_answer[:300] for cluster in best.measured.clusters)
        assert state.short_answer != QUESTION
    if state.status == "answered":
        assert best is not None
        assert best.measured.uncertainty < state.limits.entropy_collapse_threshold
        assert best.measured.samples >= min(3, state.limits.k_max_samples)
        assert state.root.verdict not in ("major_revision", "reject")
    if state.status == "error":
        assert state.failure is not None and state.failure.what


def is_a_tree(state: ContractiveState) -> None:
    assert ROOT in state.tree
    for question in state.tree.values():
        assert question.depth <= state.limits.max_depth
        assert all(state.tree[name].parent == question.id for name in question.children)
        siblings = state.tree[question.parent].children if question.parent else []
        for name in question.depends_on:
            assert siblings.index(name) < siblings.index(question.id)
        for merge in question.merges:
            fell = merge.before - merge.after
            assert not merge.kept or fell >= state.limits.entropy_gamma_min_reduction or merge.before == 1.0
            assert not merge.kept or merge.support_after >= merge.support_before
        assert [event.facts["after"] for event in question.events if event.type == "state_changed"] != []
