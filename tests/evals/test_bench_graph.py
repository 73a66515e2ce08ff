"""What the graph is measured with: the same visits, updates and state in ours and in the bare graph."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from configs.settings import Settings
from evals.bare_graph import Visit, bare_graph
from evals.bench_graph import Bench, measure, verdicts
from evals.fixture_repository import build_fixture_repository
from evals.graph_workloads import BYPASS, MODERATE, WORKLOADS
from evals.hashed_corpus import HashedWords
from memory.recipes.reading import read_goal
from nodes.reflective.state import ReasoningState
from tools.protocol import ToolCall
from tools.toolbox import Toolbox


def test_no_two_runs_ask_the_same_and_no_word_changes_what_is_asked() -> None:
    rng = random.Random(0)
    goals = [MODERATE.goal(rng) for _ in range(200)]
    assert len(set(goals)) == len(goals)
    asked = {(reading.asks, reading.mentions, reading.literal) for reading in map(read_goal, goals)}
    assert len(asked) == 1


async def test_the_bare_graph_returns_what_was_recorded_and_does_the_work(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("x\n")
    visits = [
        Visit("classify", {"iterations": 1, "goal": "g"}, words=[3]),
        Visit("execute", {"iterations": 2}, [ToolCall(tool="command", args={"command": "wc -l x.txt"})]),
        Visit("execute", {"iterations": 3}),
        Visit("respond", {"iterations": 4, "final_answer": "a"}),
    ]
    made = []

    class Counting(Toolbox):
        async def run(self, call: ToolCall, **options: object) -> object:  # type: ignore[override]  # passes it on
            result = await super().run(call)
            made.append(result)
            return result

    toolbox = Counting(tmp_path, Settings().tools, "read_write", timeout=30)
    final = await bare_graph(visits, toolbox).ainvoke({"goal": "g", "iterations": 0})
    assert (final["iterations"], final["final_answer"]) == (4, "a")
    assert [result.stdout for result in made] == ["1 x.txt\n"]
    idle = await bare_graph(visits, None).ainvoke({"goal": "g", "iterations": 0})
    assert idle == final and len(made) == 1


def test_vectors_of_hashed_words_have_the_shape_of_the_models() -> None:
    vectors = HashedWords("m", 384).embed(["a b", "b a", ""])
    assert (
        vectors.shape == (3, 384)
        and (vectors[0] == vectors[1]).all()
        and abs((vectors**2).sum(1) - 1).max() < 1e-5
    )


def test_a_missed_target_is_not_called_met() -> None:
    runs = [
        {"times_bare": 1.4, "times_bare_with_lookups": 1.1, "ours_ms": 10.0, "ours_cpu_ms": 5.0},
        {"times_bare": 1.6, "times_bare_with_lookups": 1.2, "ours_ms": 20.0, "ours_cpu_ms": 5.0},
    ]
    slower = [
        {"times_bare": 1.2, "times_bare_with_lookups": 1.3, "ours_ms": 10.1, "ours_cpu_ms": 5.0},
        {"times_bare": 1.3, "times_bare_with_lookups": 1.0, "ours_ms": 40.0, "ours_cpu_ms": 6.0},
    ]
    sizes = [
        {"runs": runs, "at_once": [{"ours_share_of_ideal": 0.9}]},
        {"runs": slower, "at_once": [{"ours_share_of_ideal": 0.7}]},
    ]
    told = verdicts(sizes)
    assert {name: (one["worst"], one["met"]) for name, one in told.items()} == {
        "times_bare": (1.6, False),
        "flat_in_events": (2.0, False),
        "share_of_ideal": (0.7, False),
    }
    assert told["flat_in_events"]["worst_by_processor"] == 1.2
    assert told["times_bare"]["worst_with_lookups_in_both"] == 1.3


@pytest.mark.integration
async def test_every_workload_goes_its_way_in_both_graphs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    figures = await measure(0, 1, 2, tmp_path)
    assert [(row["workload"], row["visits"]) for row in figures["runs"][::3]] == [
        (workload.name, len(workload.visits)) for workload in WORKLOADS
    ]
    assert [row["tool_calls"] for row in figures["runs"][::3]] == [0, 4, 10]
    assert all(row["ours_ms"] > 0 and row["bare_ms"] > 0 for row in figures["runs"])


@pytest.mark.integration
async def test_the_bare_state_is_as_large_as_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    bench = Bench(build_fixture_repository(tmp_path / "project"))
    visits = await bench.recorded(BYPASS)
    final = await bare_graph(visits, None).ainvoke({"goal": "hello", "iterations": 0})
    ours = ReasoningState()
    for visit in visits:
        ours = ReasoningState.model_validate(ours.model_dump(mode="json") | visit.update)
    assert ReasoningState.model_validate(final) == ours
