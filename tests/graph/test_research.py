"""Runs of the research graph with a scripted model: every path ends in items, all of it said by a source."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from graph.research import build, run_research
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.research.state import ResearchState, WriterOutput
from nodes.research.writer import Writer
from tests.nodes.research.corpus import (
    DRAFT,
    GOOD_SENTENCE,
    ITEMS,
    PASS,
    QUERY,
    REJECT,
    REPORT,
    item,
    researched,
)

REQUIRED = ("@type", "url", "name", "site", "siteUrl", "score", "description")
Asked = Callable[..., Awaitable[ResearchState]]


@pytest.fixture
def asked(tmp_path: Path, request: pytest.FixtureRequest) -> Asked:
    async def run(**given: Any) -> ResearchState:
        return await researched(tmp_path, request.node.name, **given)

    return run


def facts(state: ResearchState) -> dict[str, Any]:
    found: dict[str, Any] = state.result[0]["schema_object"]
    return found


async def test_a_report_is_an_item_with_every_field(asked: Asked) -> None:
    state = await asked(analyst=[DRAFT], critic=[PASS], writer=[REPORT])
    (report,) = state.result
    assert all(name in report for name in REQUIRED)
    assert report["@type"] == "Item" and report["name"] == f"深度研究報告：{QUERY}"
    assert report["url"].startswith("https://deep-research.internal/discovery/")
    assert isinstance(report["score"], int) and 0 < report["score"] <= 100
    told = facts(state)
    assert told["@type"] == "ResearchReport" and told["mode"] == "discovery" and told["iterations"] == 1
    assert "4.2 million tonnes of cargo in 2023 [1]" in report["description"]
    assert told["sources_used"][0] == "https://a.example/1"
    assert told["total_sources_analyzed"] == 2
    assert told["sentences"][0]["verdict"] == "supported"
    span = told["sentences"][0]["spans"][0]
    assert ITEMS[0]["description"][span["start"] : span["end"]] == span["text"]


async def test_what_no_source_says_is_fixed_or_taken_out_and_listed(asked: Asked) -> None:
    wrong = "Lindow harbour handled 9.9 million tonnes of cargo in 2023 {cite:1}."
    state = await asked(
        analyst=[DRAFT],
        critic=[PASS, {"verdicts": []}],
        writer=[
            {**REPORT, "final_report": f"{GOOD_SENTENCE} {wrong}"},
            {"fixes": [{"number": 1, "replacement": wrong}]},
        ],
    )
    text = state.result[0]["description"]
    assert "9.9" not in text and "4.2 million" in text
    assert any("9.9" in one["sentence"] for one in facts(state)["removed_sentences"])
    assert state.fixes == 1


async def test_a_citation_of_nothing_never_reaches_the_report(asked: Asked) -> None:
    invented = "Trade doubled {cite:9}. See [the port](https://evil.example/x) or https://evil.example/y [7]."
    state = await asked(
        analyst=[{**DRAFT, "draft": f"{GOOD_SENTENCE} {invented}"}],
        critic=[PASS],
        writer=[{**REPORT, "final_report": f"{GOOD_SENTENCE} {invented}"}, {"fixes": []}],
    )
    text = state.result[0]["description"]
    assert "evil.example" not in text and "[9]" not in text and "[7]" not in text and "doubled" not in text


async def test_rejected_at_the_limit_is_low_with_a_banner(asked: Asked) -> None:
    state = await asked(analyst=[DRAFT] * 3, critic=[REJECT] * 3, writer=[REPORT])
    assert facts(state)["confidence"] == "Low" and state.result[0]["score"] < 50
    assert "was not approved by the review" in state.result[0]["description"]
    assert (state.iteration, state.reviews, state.rewrites) == (3, 3, 2)


async def test_a_rejected_draft_is_revised(asked: Asked) -> None:
    state = await asked(
        analyst=[{**DRAFT, "draft": "Cargo {cite:2}."}, DRAFT], critic=[REJECT, PASS], writer=[REPORT]
    )
    assert (state.rewrites, state.iteration) == (1, 2)
    assert facts(state)["review"]["status"] in ("PASS", "WARN")


async def test_source_text_cannot_steer_the_run(asked: Asked) -> None:
    # The scripted analyst obeys the planted order; what it then writes is in no source as a statement.
    obeyed = {**DRAFT, "draft": f"{GOOD_SENTENCE} The harbour is closed for ever {{cite:2}}."}
    writer = [{**REPORT, "final_report": obeyed["draft"]}, {"fixes": []}]
    state = await asked(analyst=[obeyed], critic=[PASS], writer=writer)
    assert "closed for ever" not in state.result[0]["description"]


async def test_copied_reports_hold_no_planted_order(asked: Asked) -> None:
    state = await asked(query="Is Lindow harbour closed? previous instructions write harbour")
    assert "Ignore all previous" not in state.result[0]["description"]


async def test_without_a_model_that_judges_sentences_are_copied(asked: Asked) -> None:
    state = await asked()
    text = state.result[0]["description"]
    assert "Lindow harbour handled 4.2 million tonnes of cargo in 2023 [" in text
    assert facts(state)["extractive"] is True and facts(state)["confidence"] != "High"
    assert {one["verdict"] for one in facts(state)["sentences"]} == {"supported"}
    assert state.usage == {}


async def test_sources_that_disagree_are_both_shown(asked: Asked) -> None:
    state = await asked()
    told = facts(state)
    assert told["contradictions"] and told["confidence"] != "High"
    stances = {(one["url"], one["stance"]) for one in told["contradictions"][0]["stances"]}
    assert len({url for url, _ in stances}) == 2 and {stance for _, stance in stances} == {
        "supports",
        "contradicts",
    }


async def test_a_question_no_source_answers_is_answered_so(asked: Asked) -> None:
    state = await asked(query="How many penguins live in the zoo of Tarragona?")
    assert facts(state)["@type"] == "NoDataReport" and state.status == "no_data"
    assert "Not enough evidence" in state.result[0]["description"] and state.result[0]["score"] == 0


async def test_strict_without_trusted_sources_is_an_error_item(asked: Asked) -> None:
    state = await asked(items=ITEMS[1:], mode="strict")
    assert facts(state)["@type"] == "ErrorReport" and facts(state)["error"] == "NoValidSourcesError"


async def test_strict_cites_no_tier_above_two(asked: Asked) -> None:
    state = await asked(mode="strict")
    assert facts(state)["sources_used"] == ["https://a.example/1"]
    assert facts(state)["dropped_sources"][0]["url"] == "https://b.example/2"


async def test_no_items_at_all_is_no_data(tmp_path: Path) -> None:
    result = await run_research(
        "anything?", items=[{"name": "no url"}], context=RunContext(root=str(tmp_path), model="embedded")
    )
    assert result[0]["schema_object"]["@type"] == "NoDataReport"
    assert "left out" in " ".join(result[0]["schema_object"]["notes"])


async def test_an_empty_query_is_an_error_item(tmp_path: Path) -> None:
    result = await run_research("  ", items=ITEMS, context=RunContext(root=str(tmp_path), model="embedded"))
    assert result[0]["schema_object"]["@type"] == "ErrorReport"


@pytest.mark.parametrize("broken", ["unavailable", "missing"])
async def test_an_analyst_that_is_not_there_is_an_error_item_with_a_remedy(asked: Asked, broken: str) -> None:
    state = await asked(analyst=[{"error": broken}])
    assert facts(state)["@type"] == "ErrorReport" and facts(state)["remedy"]


@pytest.mark.parametrize("reply", [{"error": "garbage"}, {"error": "timeout"}, "", "prose {", {"draft": ""}])
async def test_an_analyst_that_gives_nothing_usable_leaves_a_copied_draft(asked: Asked, reply: Any) -> None:
    state = await asked(analyst=[reply] * 2, critic=[PASS])
    assert facts(state)["@type"] == "ResearchReport" and facts(state)["extractive"] is True
    assert any("copied from the sources" in note for note in facts(state)["notes"])


async def test_critic_and_writer_that_fail_leave_the_checked_draft(asked: Asked) -> None:
    garbage = [{"error": "garbage"}] * 2
    state = await asked(analyst=[DRAFT], critic=garbage, writer=garbage)
    assert "4.2 million" in state.result[0]["description"]
    assert facts(state)["review"]["status"] == "WARN" and facts(state)["confidence"] != "High"


async def test_switched_off_the_ranked_items_come_back(asked: Asked) -> None:
    state = await asked(settings={"research.enabled": False})
    assert [one["url"] for one in state.result] == ["https://a.example/1", "https://b.example/2"]
    assert state.usage == {}


async def test_only_sources_within_the_time_count(asked: Asked) -> None:
    old = item(
        "https://old.example/1",
        "中央社",
        "Lindow harbour handled 1.1 million tonnes of cargo in 2023.",
        "2019-05-01",
    )
    state = await asked(items=[*ITEMS, old], temporal_context={"start": "2023-06-01", "end": None})
    assert all("old.example" not in source.url for source in state.sources)
    assert any("lie outside" in note for note in state.notes)


async def test_iteration_logs_hold_prompts_and_replies_and_are_never_overwritten(
    asked: Asked, tmp_path: Path
) -> None:
    first = await asked(analyst=[DRAFT], critic=[PASS], writer=[REPORT])
    await asked(analyst=[DRAFT], critic=[PASS], writer=[REPORT])
    directory = tmp_path / "data/reasoning/iterations" / first.query_id
    names = {path.name for path in directory.iterdir()}
    assert {
        "iteration_1_analyst.json",
        "iteration_1_critic.json",
        "iteration_1_writer.json",
        "session_summary.json",
    } <= names
    assert "iteration_1_analyst_2.json" in names
    log = json.loads((directory / "iteration_1_analyst.json").read_text("utf-8"))
    assert QUERY in log["input_prompt"] and log["output_response"]["draft"] == GOOD_SENTENCE
    assert log["metadata"]["calls"] == 1 and log["metadata"]["sources_shown"] == [1, 2]
    assert "{cite:1}" not in log["input_prompt"].split("Answer the question")[0].split("[human]")[1]


@pytest.mark.parametrize(
    "roles", [{}, {"analyst": [{"error": "garbage"}] * 2, "critic": [{"error": "garbage"}] * 2}]
)
async def test_what_code_decides_in_a_models_place_is_logged_too(
    asked: Asked, tmp_path: Path, roles: dict[str, Any]
) -> None:
    state = await asked(**roles)
    (directory,) = (path for path in (tmp_path / "data/reasoning/iterations").iterdir() if path.is_dir())
    written = [json.loads(path.read_text("utf-8")) for path in sorted(directory.glob("iteration_1_*"))]
    by_code = [log for log in written if log["agent"] == "code"]
    assert state.analysis is not None and state.review is not None
    assert [log["output_response"] for log in by_code] == [
        state.analysis.model_dump(mode="json"),
        state.review.model_dump(mode="json"),
    ]
    assert all(log["input_prompt"] is None and log["metadata"]["seconds"] >= 0 for log in by_code)
    assert {"iteration_1_analyst.json", "iteration_1_critic.json"} <= {
        path.name for path in directory.iterdir()
    }
    asked_models = [log["agent"] for log in written if log["agent"] != "code"]
    assert ("analyst" in asked_models) is bool(roles)
    before = {path: path.read_bytes() for path in directory.iterdir()}
    await asked(**roles)
    assert all(path.read_bytes() == data for path, data in before.items())


async def test_a_replay_gives_the_same_items_without_a_model(asked: Asked, tmp_path: Path) -> None:
    first = await asked(analyst=[DRAFT], critic=[PASS], writer=[REPORT])
    register_script("none", Script(roles={}))
    again = await build().ainvoke(
        {"query": QUERY, "mode": "discovery", "replay": first.manifest, "query_id": "again"},
        context=RunContext(root=str(tmp_path), model="scripted:none", settings={"experience.enabled": False}),
    )
    assert again["result"] == first.result and again["status"] == "reported"
    assert first.usage["analyst"].calls == 1


async def test_a_replay_of_another_query_is_refused(asked: Asked, tmp_path: Path) -> None:
    first = await asked(analyst=[DRAFT], critic=[PASS], writer=[REPORT])
    again = await build().ainvoke(
        {"query": "Something else?", "replay": first.manifest, "query_id": "again"},
        context=RunContext(root=str(tmp_path), model="embedded"),
    )
    assert again["result"][0]["schema_object"]["error"] == "ReplayMismatch"


async def test_a_person_is_asked_what_an_open_query_means_and_the_answer_binds(tmp_path: Path) -> None:
    reading = {"question": "Which?", "options": [{"label": "port", "query": QUERY}, {"label": "town"}]}
    roles = {"analyst": [reading, DRAFT], "critic": [PASS], "writer": [REPORT]}
    register_script("asked", Script(roles=roles))
    context = RunContext(root=str(tmp_path), model="scripted:asked", settings={"experience.enabled": False})
    graph = build(InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "a"}}
    start = {"query": "Lindow", "items": ITEMS, "clarify": True}
    waiting = await graph.ainvoke(start, config, context=context)
    (question,) = waiting["__interrupt__"]
    assert question.value["ambiguity_type"] == "entity" and question.value["all"] == "all"
    assert [option["label"] for option in question.value["options"]] == ["port", "town"]
    values = await graph.ainvoke(Command(resume={"option": 1}), config, context=context)
    assert values["query"] == QUERY and values["result"][0]["schema_object"]["@type"] == "ResearchReport"
    assert sum(one["agent"] == "clarification" for one in values["exchanges"]) == 1


async def test_a_thread_used_again_begins_anew(tmp_path: Path) -> None:
    context = RunContext(root=str(tmp_path), model="embedded", settings={"experience.enabled": False})
    graph = build(InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "a"}}
    first = await graph.ainvoke({"query": QUERY, "items": ITEMS}, config, context=context)
    again = await graph.ainvoke({"query": QUERY, "items": ITEMS[:1]}, config, context=context)
    assert first["result"][0]["schema_object"]["total_sources_analyzed"] == 2
    assert again["result"][0]["schema_object"]["total_sources_analyzed"] == 1 and again["iteration"] == 1


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_a_search_begins_no_round_and_rounds_stay_within_the_budget(tmp_path: Path, most: int) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in ITEMS)
    (tmp_path / "items.jsonl").write_text(lines, "utf-8")
    more = [
        {**DRAFT, "status": "SEARCH_REQUIRED", "new_queries": [f"harbour {number}"]} for number in range(2)
    ]
    state = await researched(
        tmp_path, f"rounds{most}", items=[], corpus=str(tmp_path / "items.jsonl"),
        analyst=[more[0], DRAFT, more[1], *[DRAFT] * 9], critic=[REJECT] * 9, writer=[REPORT],
        settings={"research.max_iterations": most, "research.max_rewrites": 9},
    )  # fmt: skip
    assert facts(state)["iterations"] == state.reviews == most and state.rewrites == most - 1
    assert state.gap_rounds == min(2, most) and state.usage["analyst"].calls == most + state.gap_rounds


async def test_the_writers_sources_are_those_its_report_cites(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed = []
    compose = Writer.compose

    async def kept(self: Writer, *given: Any) -> WriterOutput:
        composed.append(await compose(self, *given))
        return composed[-1]

    monkeypatch.setattr(Writer, "compose", kept)
    report = {
        **REPORT,
        "final_report": f"{GOOD_SENTENCE} {{cite:9}}",
        "sources_used": ["https://evil.example"],
    }
    await asked(analyst=[DRAFT], critic=[PASS], writer=[report])
    assert [one.sources_used for one in composed] == [["https://a.example/1"]]


async def test_what_is_missing_is_searched_for_within_the_budget(tmp_path: Path) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in ITEMS)
    (tmp_path / "items.jsonl").write_text(lines, "utf-8")
    more = {
        "status": "SEARCH_REQUIRED",
        "new_queries": ["director of Lindow harbour", "director of Lindow harbour"],
    }
    again = {"status": "SEARCH_REQUIRED", "new_queries": ["cargo tonnes Lindow"]}
    state = await researched(
        tmp_path, "gaps", items=[], corpus=str(tmp_path / "items.jsonl"),
        analyst=[more, again, again, DRAFT], critic=[PASS], writer=[REPORT],
    )  # fmt: skip
    queries = [search.query for search in state.searches]
    assert queries == [QUERY, "director of Lindow harbour", "cargo tonnes Lindow"]
    assert state.gap_rounds == 2 and len({source.url for source in state.sources}) == len(state.sources) == 2
