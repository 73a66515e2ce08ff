"""What a contractive run tells: every event typed, streamed once, and kept once."""

from pathlib import Path
from typing import Any

import pytest

from graph.contractive import build
from nodes.contractive.event_facts import FACTS, facts_of
from nodes.contractive.events import event_line, events_of, read_lines, result_of
from nodes.contractive.mermaid import to_mermaid
from nodes.contractive.state import ContractiveState
from nodes.contractive.trace_export import read_trace, trace_of, trace_text
from nodes.reflective.context import RunContext
from tests.cli.thinking import BANK, SUM, TOWERS, plain_project, script
from tests.nodes.contractive.diagram import read

# A script that knows nobody's review: what fails is told as well.
RUNS = {
    "towers": (TOWERS, {"contractive.peer": "full"}, {"decomposed", "merged", "reviewed"}),
    "torn": (SUM, {"contractive.max_global_tokens": 1500}, {"budget_refused"}),
    "refusing": (SUM, {}, {"call_failed", "pruned"}),
    "ambiguous": (BANK, {"contractive.normalize": "model"}, {"normalized"}),
}


@pytest.mark.parametrize("name", sorted(RUNS))
async def test_every_event_is_typed_streamed_once_and_kept_once(tmp_path: Path, name: str) -> None:
    question, settings, wanted = RUNS[name]
    root = plain_project(tmp_path)
    context = RunContext(root=str(root), model=script(tmp_path, name), settings=settings)
    streamed: list[Any] = []
    values: dict[str, Any] = {}
    async for mode, chunk in build().astream(  # type: ignore[misc]  # a pair, with several modes
        {"question": question, "context": ""}, context=context, stream_mode=["values", "custom"]
    ):
        if mode == "custom":
            streamed.append(chunk)
        else:
            values = chunk
    kept = events_of(values)
    lines = read_lines("".join(map(event_line, streamed)))
    assert sorted(map(str, lines)) == sorted(map(str, read_lines("".join(map(event_line, kept)))))
    kinds = {event.type for event in kept}
    assert wanted | {"started", "node_created", "sampled", "finished"} <= kinds <= set(FACTS)
    assert [facts_of(event) for event in kept]
    state = ContractiveState.model_validate(values)
    path = tmp_path / "trace.json"
    path.write_text(trace_text(trace_of(state, root)), "utf-8")
    assert len(read_trace(path).events) == len(kept) and str(tmp_path) not in path.read_text("utf-8")
    assert len(read(to_mermaid(values["tree"])).labels) == len(state.tree)
    assert result_of(state, "t").metrics.questions == len(state.tree)
