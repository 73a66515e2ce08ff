"""The page of a thread, of whichever graph: nothing in a state becomes a tag, whoever wrote it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from console.api.answering import PAGE_POLICY
from console.api.graphs import STATES
from memory.project_directory import DIRECTORY
from memory.threads import artifact_directory
from nodes.tutor.open_games import game_of
from nodes.tutor.state import TutorState
from tests.console.api.kept_threads import SERVED, keep
from tools.artifacts import store
from tools.audit.report import Audit

TAGS = set(
    "html head meta title style body main header h1 h2 h3 p ul ol li a span section article aside div dl dt"
    " dd strong code details summary pre table thead tbody tr th td wbr svg g path line text rect circle"
    " polyline footer blockquote br marker defs desc".split()
)
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</pre></details></style><b>",
    "<!--",
    "javascript:alert(1)",
    "$title ${answer}",
    "\u202egnp.exe\x00\x1b[31m\r\n",
    "\ufffe\ufeff",
]
# No half characters and no longer integers: a checkpoint cannot hold them.
SIGNS = st.characters(exclude_categories=("Cs",))
TEXTS = st.sampled_from(HOSTILE) | st.text(SIGNS, max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXTS
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
FIELDS = sorted({name for one in STATES.values() for name in one.model_fields})
CHANGES = st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4)
HOSTILE_EVIDENCE = {"kind": "tool", "where": HOSTILE[1], "text": HOSTILE[2]}
SHARED = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40
)
KINDS = {
    "ensemble": {"engine": "ensemble"},
    "hybrid": {"engine": "hybrid"},
    "hierarchy": {"engine": "hierarchy"},
    "specialists": {"engine": "specialists"},
    "auto": {"engine": "auto"},
}


class Strict(HTMLParser):
    """Refuses what this program never writes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert not name.startswith("on") and name not in ("src", "srcset", "style"), (tag, name)
            assert name != "href" or re.match(r"#|https?://", value or ""), value

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"comment: {data}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def words_of(page: str) -> str:
    parser = Strict()
    parser.feed(page)
    parser.close()
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)
    return " ".join(" ".join(parser.words).split())


def page(client: TestClient, thread: str = SERVED) -> str:
    answer = client.get(f"/console/api/threads/{thread}/report")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-security-policy"] == PAGE_POLICY
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return words_of(answer.text)


ASKED = {"question": "Which <b>?", "goal": "Which <b>?", "query": "Which <b>?"}
FINDING = {
    "id": "one",
    "worker": "reflective",
    "question": "A part?",
    "status": "partial",
    "answer": "Part of it.",
    "grounded": True,
    "evidence": [{"kind": "tool", "where": "wc -l a.py", "text": "49 a.py"}],
}
ASSIGNMENTS = [
    {"id": "one", "worker": "reflective", "question": "A part?"},
    {"id": "two", "worker": "direct", "question": "The rest?"},
]


def state(graph: str) -> dict[str, Any]:
    """A state as the graph leaves it, with an answer, evidence, parts and a note."""
    question = next(name for name in ("question", "query", "goal") if name in STATES[graph].model_fields)
    values: dict[str, Any] = {question: "Which <b>?", "notes": ["A note."], **KINDS.get(graph, {})}
    fields = STATES[graph].model_fields
    if "final_answer" in fields:
        values |= {"final_answer": "49 lines.", "status": "answered"}
    if "tree" in fields:
        best = {"measured": {"answer": "49 lines."}}
        values["tree"] = {
            "0": {
                "id": "0",
                "text": "Which <b>?",
                "children": ["0.1"],
                "best": best,
            },
            "0.1": {"id": "0.1", "parent": "0", "depth": 1, "text": "A part?"},
        }
    if "findings" in fields and graph != "research":
        name = "0.1" if "tree" in fields else "one"
        values["findings"] = {name: FINDING | {"id": name}}
    if "assignments" in fields:
        values["assignments"] = ASSIGNMENTS
    if graph == "reflective":
        step = {"num": 1, "description": "Count the lines", "status": "success"}
        step["result"] = {"tool": "wc", "returncode": 0, "stdout": "49 a.py", "command": "wc -l a.py"}  # type: ignore[assignment]
        values |= {"plan": {"objective": "o", "steps": [step]}, "completed": [step]}
        values["evidence"] = [{"source": "tool", "step": 1, "command": "wc -l a.py", "text": "49 a.py"}]
    return STATES[graph].model_validate(values).model_dump(mode="json", exclude={"remaining_steps"})


@pytest.mark.parametrize("graph", ["reflective", "contractive", "ensemble", "hybrid", "hierarchy", "auto"])
def test_an_answer_stands_with_what_it_rests_on(client: TestClient, served: Path, graph: str) -> None:
    keep(served, SERVED, state(graph))
    words = page(client)
    for said in ("Which <b>?", "49 lines.", "A note.", f"Graph {graph}"):
        assert said in words
    if graph != "contractive":
        assert "wc -l a.py" in words and "49 a.py" in words
    if graph in ("ensemble", "hybrid"):
        assert "A part?" in words and "The rest?" in words and "no answer yet" in words
    assert graph != "reflective" or words.count("Count the lines") == 1


def test_a_run_that_is_not_done_says_so(client: TestClient, served: Path) -> None:
    keep(served, SERVED, {"goal": "g", "status": "running", "branch:to:plan": None})
    assert "not at its end; next comes plan" in page(client)
    keep(served, SERVED, {"goal": "g", "status": "running"}, waits=True)
    assert "waits for a person" in page(client)
    keep(served, "unbegun", {"__start__": {"goal": "g"}})
    assert client.get("/console/api/threads/unbegun/report").status_code == 404


def test_a_long_output_is_cut_and_says_so(client: TestClient, served: Path) -> None:
    values = state("reflective")
    values["evidence"] = [{"source": "tool", "step": 1, "command": "cat", "text": "x" * 30_000}] * 201
    keep(served, SERVED, values)
    words = page(client)
    assert "10000 more characters" in words and "Not shown: 1 more." in words


def test_a_report_of_research_is_its_own_page(client: TestClient, served: Path) -> None:
    item = {
        "@type": "Item",
        "name": "n",
        "description": "# On <i>ports</i>\n\nThe port is 9000.",
        "schema_object": {"@type": "ResearchReport", "confidence": "High"},
    }
    keep(served, SERVED, {"query": "q", "result": [item], "status": "reported"})
    words = page(client)
    assert "On <i>ports</i>" in words and "The port is 9000." in words and "confidence High" in words
    keep(served, SERVED, {"query": "q", "result": [], "status": "no_data", "no_data": "Nothing says so."})
    assert "Nothing says so." in page(client)


def game(served: Path, **changed: Any) -> dict[str, Any]:
    kept = artifact_directory(served / DIRECTORY, SERVED) / "B01-0-name"
    (kept / "files").mkdir(parents=True, exist_ok=True)
    node = {"id": "g", "kind": "goal", "turn": 0, "data": {"text": game_of(TutorState()).goal}}
    fresh = TutorState(name="B01-0-name", place=str(kept), directory=str(kept / "files"), model="person")
    return fresh.model_dump(mode="json", exclude={"remaining_steps"}) | {"nodes": {"g": node}, **changed}


def test_a_game_is_its_own_page(client: TestClient, served: Path) -> None:
    keep(served, SERVED, game(served))
    assert "Proof game · seed 0" in page(client)


@pytest.mark.parametrize("place", ["/etc", "..", "\0", "~root", ""])
def test_a_game_that_names_other_files_is_shown_without_them(
    client: TestClient, served: Path, place: str
) -> None:
    keep(served, SERVED, game(served, place=place))
    words = page(client)
    assert "Proof game · seed" not in words and "Notes" in words


def test_an_audit_is_its_own_page_while_it_lies_there_unaltered(client: TestClient, served: Path) -> None:
    kept = store(artifact_directory(served / DIRECTORY, SERVED), Audit().to_json().encode())
    values = state("specialists") | {"audit": {"name": kept.name}}
    keep(served, SERVED, values)
    assert "Audit of served" in page(client)
    kept.write_text("{}")
    assert "was altered" in page(client)
    kept.unlink()
    kept.symlink_to("/etc/passwd")
    words = page(client)
    assert "leads out" in words and "root:" not in words
    keep(served, SERVED, values | {"audit": {"name": "../../../../../../etc/passwd"}})
    assert "root:" not in page(client)


@SHARED
@given(graph=st.sampled_from(list(STATES)), changes=CHANGES)
@example("reflective", {"plan": {"objective": HOSTILE[0], "steps": [{"num": 1, "description": HOSTILE[1]}]}})
@example("ensemble", {"findings": {"one": FINDING | {"answer": HOSTILE[0], "evidence": [HOSTILE_EVIDENCE]}}})
@example("research", {"result": [{"schema_object": {"sources": [{"url": HOSTILE[5], "name": HOSTILE[0]}]}}]})
@example("tutor", {"nodes": {"g": {}}, "turns": [{}], "place": "x"})
def test_no_state_breaks_the_page_or_writes_on_it(
    client: TestClient, served: Path, graph: str, changes: dict[str, Any]
) -> None:
    keep(served, SERVED, state(graph) | changes | KINDS.get(graph, {}))
    answer = client.get(f"/console/api/threads/{SERVED}/report")
    assert answer.status_code in (200, 400, 404), answer.text
    if answer.status_code == 200:
        words_of(answer.text)
