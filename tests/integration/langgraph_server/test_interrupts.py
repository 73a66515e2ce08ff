"""What graphs ask people in the middle of a run, and what becomes of each answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient

from nodes.tutor.games.generating import generate
from tests.integration.langgraph_server.conftest import scripted
from tests.nodes.research.corpus import DRAFT, ITEMS, PASS, QUERY, REPORT

pytestmark = pytest.mark.integration
WANTED = "create a new file that is called new.txt and says something new"
STEP = {"description": "write", "tool": "write_file", "args": {"path": "new.txt", "content": "new\n"}}
WRITER = {
    "planner": [{"objective": "x", "steps": [STEP]}],
    "verifier": [{"passed": True, "reason": "done", "confidence": 0.9}],
}


class Asked:
    """A thread that waits for a person."""

    def __init__(self, client: LangGraphClient, graph: str, context: Any) -> None:
        self.client, self.graph, self.context = client, graph, context
        self.thread = ""

    async def begin(self, given: Any) -> list[Any]:
        self.thread = (await self.client.threads.create())["thread_id"]
        await self.client.runs.wait(self.thread, self.graph, input=given, context=self.context)
        return await self.questions()

    async def answer(self, value: Any) -> Any:
        await self.client.runs.wait(self.thread, self.graph, command={"resume": value}, context=self.context)
        return (await self.client.threads.get_state(self.thread))["values"]

    async def questions(self) -> list[Any]:
        return [one["value"] for one in await self.interrupts()]

    async def interrupts(self) -> list[Any]:
        return list((await self.client.threads.get_state(self.thread))["interrupts"])


@pytest.fixture
def writing(client: LangGraphClient, project: Path, tmp_path: Path) -> Asked:
    return Asked(client, "reflective", {"root": str(project), "model": scripted(tmp_path, WRITER)})


async def test_a_change_waits_for_an_approval(writing: Asked, project: Path) -> None:
    [question] = await writing.begin({"goal": WANTED})
    assert question["tool"] == "write_file" and "+new" in question["preview"]
    listed = await writing.client.threads.get(writing.thread)
    assert listed["status"] == "interrupted" and not (project / "new.txt").exists()
    values = await writing.answer({"decision": "approve"})
    assert values["status"] == "answered", values["last_error"]
    assert (project / "new.txt").read_text() == "new\n"


async def test_a_change_that_is_edited_is_shown_again_and_done_as_edited(
    writing: Asked, project: Path
) -> None:
    await writing.begin({"goal": WANTED})
    await writing.answer({"decision": "edit", "args": {"path": "other.txt", "content": "edited\n"}})
    [question] = await writing.questions()
    assert "+edited" in question["preview"] and not (project / "other.txt").exists()
    await writing.answer({"decision": "approve"})
    assert (project / "other.txt").read_text() == "edited\n" and not (project / "new.txt").exists()


@pytest.mark.parametrize("value", [{"decision": "reject", "reason": "no"}, "reject"])
async def test_a_change_that_is_rejected_is_not_done(writing: Asked, project: Path, value: Any) -> None:
    await writing.begin({"goal": WANTED})
    values = await writing.answer(value)
    while await writing.questions():
        values = await writing.answer(value)
    assert values["status"] != "answered" and not (project / "new.txt").exists()


@pytest.mark.parametrize(
    "value", [None, "", 7, {"decision": "perhaps"}, {"resume": {"decision": "approve"}}, []]
)
async def test_an_answer_that_cannot_be_read_does_nothing_and_is_asked_again(
    writing: Asked, project: Path, value: Any
) -> None:
    await writing.begin({"goal": WANTED})
    await writing.answer(value)
    [question] = await writing.questions()
    assert question["tool"] == "write_file" and not (project / "new.txt").exists()
    values = await writing.answer({"decision": "approve"})
    assert values["status"] == "answered" and (project / "new.txt").exists()


async def test_research_asks_which_reading_is_meant(
    client: LangGraphClient, project: Path, tmp_path: Path
) -> None:
    reading = {"question": "Which?", "options": [{"label": "port", "query": QUERY}, {"label": "town"}]}
    model = scripted(tmp_path, {"analyst": [reading, DRAFT], "critic": [PASS], "writer": [REPORT]})
    asked = Asked(client, "research", {"root": str(project), "model": model})
    [question] = await asked.begin({"query": "Lindow", "items": ITEMS, "clarify": True})
    assert [option["label"] for option in question["options"]] == ["port", "town"]
    values = await asked.answer({"option": 1})
    assert values["query"] == QUERY and values["status"] == "reported"


async def test_contractive_reasoning_asks_which_reading_is_meant(
    client: LangGraphClient, project: Path, tmp_path: Path
) -> None:
    apples = "How many apples are left if three fall out?"
    planner = {"question": apples, "readings": ["apples in the box", "apples on the floor"]}
    model = scripted(tmp_path, {"planner": [planner]}, ["Answer: 9"])
    chosen = {"contractive.clarify": True, "contractive.normalize": "model"}
    asked = Asked(client, "contractive", {"root": str(project), "model": model, **chosen})
    [question] = await asked.begin({"question": apples})
    assert question["kind"] == "clarify" and "apples on the floor" in question["readings"]
    values = await asked.answer({"reading": 2})
    assert (values["clarification"], values["status"]) == ("apples on the floor", "answered")


async def test_an_answer_of_little_confidence_waits_for_a_person(
    client: LangGraphClient, project: Path, tmp_path: Path
) -> None:
    context = {"root": str(project), "model": scripted(tmp_path, {}, ["x"]), "reasoning.pause_below": 1.0}
    asked = Asked(client, "reflective", context)
    [question] = await asked.begin({"goal": "Which python file has the most lines?"})
    assert question["kind"] == "review" and question["decisions"] == ["accept", "reject", "instead"]
    assert "src/harbour/cli.py" in question["preview"] and question["evidence"]
    values = await asked.answer({"decision": "accept"})
    assert values["status"] == "answered" and values["final_answer"] == question["preview"]


async def test_a_person_plays_the_proof_game(client: LangGraphClient, project: Path) -> None:
    moves = [move.model_dump(mode="json") for move in generate("B02", 7).solution]
    asked = Asked(client, "tutor", {"root": str(project), "tutor.player": "person"})
    [question] = await asked.begin({"game": "B02", "seed": 7})
    assert question["kind"] == "move" and question["turn"] == 1
    values: Any = {}
    for move in moves:
        values = await asked.answer({"move": move})
    assert (values["status"], values["ended"], len(values["turns"])) == ("won", "answered", len(moves))


async def test_an_answer_that_names_its_question_answers_no_later_one(
    client: LangGraphClient, project: Path
) -> None:
    moves = [move.model_dump(mode="json") for move in generate("B02", 7).solution]
    asked = Asked(client, "tutor", {"root": str(project), "tutor.player": "person"})
    await asked.begin({"game": "B02", "seed": 7})
    [first] = await asked.interrupts()
    for _ in range(2):
        # As a server does that was killed before it had written down that the run was over.
        values = await asked.answer({first["id"]: {"move": moves[0]}})
        assert [turn["number"] for turn in values["turns"]] == [1]
    [second] = await asked.interrupts()
    assert second["id"] != first["id"] and second["value"]["turn"] == 2


async def test_an_approval_that_names_its_question_approves_no_later_change(
    client: LangGraphClient, project: Path, tmp_path: Path
) -> None:
    second = {"description": "write", "tool": "write_file", "args": {"path": "2.txt", "content": "2\n"}}
    roles = {**WRITER, "classifier": [{"complexity": "moderate"}], "worker": ["Both were written."]}
    roles["planner"] = [{"objective": "x", "steps": [STEP, second]}]
    asked = Asked(client, "reflective", {"root": str(project), "model": scripted(tmp_path, roles)})
    await asked.begin({"goal": f"{WANTED}, and a file 2.txt"})
    [first] = await asked.interrupts()
    for _ in range(2):
        await asked.answer({first["id"]: {"decision": "approve"}})
        assert (project / "new.txt").exists() and not (project / "2.txt").exists()
    [question] = await asked.questions()
    assert question["args"]["path"] == "2.txt"


@pytest.mark.parametrize("graph", ["auto", "ensemble", "hybrid"])
async def test_a_change_below_another_graph_waits_as_well(
    client: LangGraphClient, project: Path, tmp_path: Path, graph: str
) -> None:
    recommend = [{"recommendations": [{"goal": WANTED, "why": "it is wanted", "needs": "change"}]}]
    roles = {**WRITER, "analyst": recommend, "route": ["reflective"]}
    context = {"root": str(project), "model": scripted(tmp_path, roles, ["8"])}
    asked = Asked(client, graph, context)
    questions = await asked.begin({"goal": WANTED})
    state = await client.threads.get_state(asked.thread)
    assert not (project / "new.txt").exists(), state["values"]
    assert questions[0]["tool"] == "write_file"
    await asked.answer({"decision": "approve"})
    assert (project / "new.txt").read_text() == "new\n"
