from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evals.bench_memory import TARGETS, linear_scan, measure
from evals.memory_events import made_up_events, paraphrased_queries
from memory.experience.recollection import recollect


def test_the_events_are_varied_worth_recalling_and_the_same_for_a_seed() -> None:
    events = [event.model_dump() for event in made_up_events(200, seed=3)]
    recalled = [recollect(event) for event in events]
    assert all(recalled) and len({one.indexed_text for one in recalled if one}) == 200
    again = [event.goal for event in made_up_events(200, seed=3)]
    assert again == [event["goal"] for event in events]
    assert not set(paraphrased_queries(100)) & set(again)


def test_the_scan_finds_words_and_leaves_out_what_is_old(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    now = datetime.now(UTC)
    goals = {"count the tests": 0, "count": 1, "count the tests too": 40, "nothing alike": 0}
    lines = [
        {"timestamp": (now - timedelta(days=days)).isoformat(), "goal": goal} for goal, days in goals.items()
    ]
    path.write_text("\n".join([*map(json.dumps, lines), "garbage"]))
    assert [found["goal"] for found in linear_scan(path, "count tests")] == ["count the tests", "count"]


@pytest.mark.integration
def test_a_small_corpus_can_be_measured(tmp_path: Path) -> None:
    figures = measure(60, 10, tmp_path)
    assert figures["events"] == figures["texts"] == 60
    assert all(figures[name] > 0 for name in ("append_p50_ms", "search_p50_ms", "scan_p50_ms"))
    assert set(TARGETS) <= set(figures)
