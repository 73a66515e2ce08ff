"""What a run tells the outside."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.events import ReasoningEvent
from nodes.reflective.emit import now, progress, record
from nodes.reflective.state import ReasoningState
from tests.nodes.reflective.bench import Bench


def event() -> ReasoningEvent:
    return ReasoningEvent(timestamp=now(), session_id="s", event_type="execution", goal="count the files")


def files_of_memory(root: Path) -> list[Path]:
    return [path for path in (root / ".reflect").rglob("*.jsonl") if path.stat().st_size]


async def test_an_event_goes_to_the_corpus_and_to_the_sessions_trace(remembering: Bench) -> None:
    services = remembering.services()
    assert services.experience is not None
    await record(services, event())
    texts = [path.read_text() for path in files_of_memory(remembering.root)]
    assert len(texts) == 2
    assert all(json.loads(text)["goal"] == "count the files" for text in texts)


async def test_nothing_is_written_when_memory_is_off(bench: Bench) -> None:
    await record(bench.services(), event())
    assert files_of_memory(bench.root) == []


async def test_nothing_is_traced_when_traces_are_off(remembering: Bench) -> None:
    services = remembering.services(traces__enabled=False)
    assert services.trace("s") is None
    await record(services, event())
    assert len(files_of_memory(remembering.root)) == 1


async def test_progress_reaches_whoever_watches(bench: Bench) -> None:
    async def node(state: ReasoningState) -> dict[str, Any]:
        progress("step", num=3)
        return {}

    _, sent = await bench.watched(node, ReasoningState(goal="g"), bench.context())
    assert sent == [{"kind": "step", "num": 3}]


def test_time_is_told_in_utc_and_can_be_read_back() -> None:
    moment = datetime.fromisoformat(now())
    assert moment.utcoffset() == UTC.utcoffset(None)
    assert abs((datetime.now(UTC) - moment).total_seconds()) < 60


def test_progress_outside_a_run_is_a_mistake() -> None:
    with pytest.raises(RuntimeError):
        progress("step")
