"""The last check before a report goes out, what may be cited, and how often a sentence is reworded."""

from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph

from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.research.analyst import checked
from nodes.research.citations import cited_numbers
from nodes.research.format import format_result
from nodes.research.state import AnalystOutput, ResearchState, Source
from nodes.research.writer import writer
from tests.nodes.research.corpus import DRAFT, GOOD_SENTENCE, PASS, QUERY, REPORT, researched

WRONG = "Lindow harbour handled 9.9 million tonnes of cargo in 2023 {cite:1}."
# Tokens of a window that holds the writer's prompt and no source.
NARROW = 900


async def alone(node: Any, state: ResearchState, root: Path, model: str) -> ResearchState:
    """What one node makes of a state."""
    graph = StateGraph(ResearchState, context_schema=RunContext)
    graph.add_node("one", node)
    graph.add_edge(START, "one")
    graph.add_edge("one", END)
    context = RunContext(root=str(root), model=model, settings={"experience.enabled": False})
    return ResearchState.model_validate(await graph.compile().ainvoke(state, context=context))


async def test_the_last_check_takes_out_what_came_in_after_the_first(tmp_path: Path) -> None:
    state = await researched(tmp_path, "last", analyst=[DRAFT], critic=[PASS], writer=[REPORT])
    for report in (f"{GOOD_SENTENCE} {WRONG}", f"## In 1871\n\n{GOOD_SENTENCE}"):
        given = state.model_copy(update={"report": report, "removed": [], "query_id": "last-again"})
        found = await alone(format_result, given, tmp_path, "embedded")
        facts = found.result[0]["schema_object"]
        assert facts["@type"] == "ResearchReport" and len(facts["removed_sentences"]) == 1
        assert {one["verdict"] for one in facts["sentences"]} == {"supported"}
        assert "9.9" not in found.result[0]["description"] and "1871" not in found.result[0]["description"]


def test_a_draft_cites_only_what_was_shown() -> None:
    sources = [
        Source(number=n, url=f"https://a{n}.example/1", name="", site="", stored="") for n in (1, 2, 3)
    ]
    found = AnalystOutput(status="DRAFT_READY", draft="One {cite:1}. Two {cite:2}. Three {cite:3}.")
    told, notes = checked(found, ResearchState(query=QUERY, sources=sources, shown=[3]), {1})
    assert told.citations_used == [1, 3] and "{cite:2}" not in told.draft and len(notes) == 1


async def test_a_report_cites_only_what_was_shown(tmp_path: Path) -> None:
    words = f"{GOOD_SENTENCE} Lindow harbour handled 3.9 million tonnes of cargo in 2023 {{cite:2}}."
    wide = await researched(
        tmp_path, "shown", analyst=[DRAFT], critic=[PASS], writer=[{**REPORT, "final_report": words}]
    )
    assert cited_numbers(wide.report) == [1, 2]
    register_script("narrow", Script(roles={"writer": [{**REPORT, "final_report": words}]}))
    narrow = wide.model_copy(update={"shown": [1], "windows": {"writer": NARROW}})
    found = await alone(writer, narrow, tmp_path, "scripted:narrow")
    assert 2 not in found.shown
    assert cited_numbers(found.report) == [1]
    assert any("of the report name no source that was shown" in note for note in found.notes)


async def test_failing_sentences_are_reworded_once(tmp_path: Path) -> None:
    again: list[Any] = [
        {"fixes": [{"number": 1, "replacement": WRONG.replace("9.9", one)}]} for one in ("7.9", "8.9")
    ]
    state = await researched(
        tmp_path,
        "fixes",
        analyst=[DRAFT],
        critic=[PASS],
        writer=[{**REPORT, "final_report": f"{GOOD_SENTENCE} {WRONG}"}, *again],
    )
    assert state.fixes == state.limits.fixes == 1 and state.usage["writer"].calls == 2
    assert not state.unfixed
    removed = [one["sentence"] for one in state.result[0]["schema_object"]["removed_sentences"]]
    assert ["9.9" in removed[0], "7.9" in removed[1]] == [True, True] and len(removed) == 2
    assert "4.2 million" in state.result[0]["description"]
